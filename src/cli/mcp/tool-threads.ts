// The threads of the tools, from the side of the server. A thread runs one call at a time and is used again after one that ended by itself.
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { longestTimerMs } from '../../lib/time-values.ts';
import type { ToolAnswer } from './answer.ts';
import { cancelled, ToolCallState } from './call-state.ts';
import type { FromThread, ToolThreadData, ToThread } from './tool-thread.ts';

const defaultGraceMs = 1_000;
/** To write a file takes longer than to notice the stop. */
const graceToSave = 10;
/** More than this many are ended when they have nothing to do. */
const mostIdle = 2;

/** The program that a thread runs, and its arguments: those of the server. */
export interface ThreadProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** How long a call that was stopped may take to end in order, in milliseconds. */
  readonly graceMs?: number;
}

export interface TimedCall {
  readonly name: string;
  readonly callArguments: unknown;
  readonly timeoutMs: number;
  readonly cancelling: AbortSignal;
}

export class ToolThreads {
  readonly #program: ThreadProgram;
  readonly #idle: ToolThread[] = [];
  readonly #all = new Set<ToolThread>();

  constructor(program: ThreadProgram) {
    this.#program = program;
  }

  /** Refused (9) after `timeoutMs`, and (8) when the client cancels the call, however busy the tool is. */
  async call(call: TimedCall): Promise<ToolAnswer> {
    const thread = this.#idle.pop() ?? this.#started();
    const answer = await thread.call(call);
    if (thread.isStopped || this.#idle.length >= mostIdle) void thread.end();
    else this.#idle.push(thread);
    return answer;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  #started(): ToolThread {
    const thread: ToolThread = new ToolThread(this.#program, () => {
      this.#all.delete(thread);
      const place = this.#idle.indexOf(thread);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    this.#all.add(thread);
    return thread;
  }
}

class ToolThread {
  /** Such a thread is not used again. */
  isStopped = false;
  readonly #state = new ToolCallState();
  readonly #worker: Worker;
  readonly #graceMs: number;
  readonly #ready: Promise<void>;
  /** The end of the call that runs. */
  #settle: { readonly resolve: (answer: ToolAnswer) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor({ file, args, graceMs = defaultGraceMs }: ThreadProgram, onEnd: () => void) {
    this.#graceMs = graceMs;
    const workerData: ToolThreadData = { toolThread: this.#state.memory };
    // Standard output belongs to the protocol.
    this.#worker = new Worker(file, { argv: [...args], workerData, stdout: true });
    this.#worker.stdout.resume();
    let isReady: () => void = () => {};
    let failed: (error: unknown) => void = () => {};
    this.#ready = new Promise((resolve, reject) => {
      isReady = resolve;
      failed = reject;
    });
    this.#ready.catch(() => undefined);
    this.#worker.on('message', (message: FromThread) => {
      if (message === 'ready') isReady();
      else this.#settle?.resolve(message);
    });
    const fail = (error: unknown): void => {
      failed(error);
      this.#settle?.reject(error);
      onEnd();
    };
    this.#worker.once('error', (error) => fail(isOutOfMemory(error) ? outOfMemory() : error));
    this.#worker.once('exit', () => fail(new Error('The thread of the tool ended')));
  }

  async call({ name, callArguments, timeoutMs, cancelling }: TimedCall): Promise<ToolAnswer> {
    await this.#ready;
    this.#state.start();
    const answered = new Promise<ToolAnswer>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const stop = (refusal: Refusal): void => {
      this.isStopped = true;
      const isInTime = this.#state.stop();
      // A result that is being saved is nearly there.
      if (isInTime) this.#settle?.reject(refusal);
      this.#worker.postMessage(undefined satisfies ToThread);
      this.#endWithin(isInTime ? this.#graceMs : graceToSave * this.#graceMs);
    };
    const onCancel = (): void => stop(cancelled());
    const timer = setTimeout(() => stop(outOfTime(name, timeoutMs)), Math.min(timeoutMs, longestTimerMs));
    cancelling.addEventListener('abort', onCancel);
    if (cancelling.aborted) onCancel();
    else this.#worker.postMessage({ name, callArguments } satisfies ToThread);
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
      cancelling.removeEventListener('abort', onCancel);
      this.#settle = undefined;
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #endWithin(graceMs: number): void {
    const end = (): void => {
      clearTimeout(timer);
      void this.end();
    };
    const timer = setTimeout(end, graceMs);
    timer.unref();
    this.#worker.once('message', end);
  }
}

function outOfTime(name: string, timeoutMs: number): Refusal {
  const message = `The tool ${name} did not finish within ${timeoutMs / 1000} s.`;
  const advice = 'Name fewer paths or targets, or start the server with a longer --tool-timeout.';
  return new Refusal('mcp.timeout', exitCode.outOfTime, message, advice);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function outOfMemory(): Refusal {
  return new Refusal(
    'mcp.out-of-memory',
    exitCode.unexpected,
    'The tool needed more memory than there is.',
    'Name fewer paths or targets, or start the server with NODE_OPTIONS=--max-old-space-size=4096.',
  );
}
