// What the server and the thread of a call agree on while the thread is busy and hears no message.
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';

const running = 0;
const stopped = 1;
const saving = 2;

/** In memory that both threads share. */
export class ToolCallState {
  readonly #value: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#value = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#value.buffer;
  }

  start(): void {
    Atomics.store(this.#value, 0, running);
  }

  /** False if the call has begun to save its result, which is too late to stop it. */
  stop(): boolean {
    return Atomics.compareExchange(this.#value, 0, running, stopped) !== saving;
  }

  /** Refused (8) if the call was stopped. Otherwise a stop comes too late from now on. */
  demandToSave(): void {
    if (Atomics.compareExchange(this.#value, 0, running, saving) === stopped) throw cancelled();
  }
}

export function cancelled(): Refusal {
  return new Refusal('mcp.cancelled', exitCode.interrupted, 'Cancelled.', 'Call it again.');
}
