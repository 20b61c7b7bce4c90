// Sends the bytes of one request and collects those of its answer.
//
// It works on undici's dispatcher, since the streams and the signal of `request` cost processor time at every call, and
// answers are small.
import type { Dispatcher } from 'undici';
import { AnswerTooLarge, NotSent, type Received } from './answer.ts';

type Sent = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;

/** What came back, and when the request left on its connection. Connecting takes a while, and the platform counts arrivals. */
export interface Exchanged extends Received {
  readonly leftAt?: number;
}

/** A page of 100 channels with members is below 1 MB. An answer far above is not one of the platform. */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * One exchange; never rejects. When the time-out is over, nothing of the request is under way any more. The applier relies on
 * that when it compares the time-out with its lease. `mayLeave` is asked in the same turn in which the bytes are handed to
 * the socket: after a process was paused, waiting requests leave before any timer fires.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Sent,
  timeoutMs: number,
  now: () => number,
  mayLeave: () => boolean = () => true,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const collector = new AnswerCollector(now, mayLeave, resolve, timeoutMs);
    try {
      dispatcher.dispatch(request, collector);
    } catch (error) {
      collector.end({ error });
    }
  });
}

class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #now: () => number;
  readonly #mayLeave: () => boolean;
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Pick<Exchanged, 'status' | 'headers'> = {};
  #left: Pick<Exchanged, 'leftAt'> = {};
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  constructor(now: () => number, mayLeave: () => boolean, resolve: (exchanged: Exchanged) => void, timeoutMs: number) {
    this.#now = now;
    this.#mayLeave = mayLeave;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#cut(new DOMException('the time is up', 'TimeoutError')), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#isOver && !this.#mayLeave()) this.end({ error: new NotSent('the lock may be lost') });
    // Its time is up, or it may not leave any more.
    if (this.#isOver) {
      controller.abort(new Error('not sent'));
      return;
    }
    this.#controller = controller;
    this.#left = { leftAt: this.#now() };
  }

  onResponseStart(_controller: unknown, status: number, headers: NonNullable<Received['headers']>): void {
    // After a 1xx the answer is still to come.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxAnswerBytes)
      this.#cut(new AnswerTooLarge(`the answer is larger than ${maxAnswerBytes / 1024 / 1024} MB`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const bytes = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.end({ text: bytes.toString('utf8') });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.end({ error });
  }

  end(rest: Pick<Exchanged, 'text' | 'error'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve({ ...this.#head, ...this.#left, ...rest });
  }

  #cut(error: Error): void {
    this.end({ error });
    this.#controller?.abort(error);
  }
}
