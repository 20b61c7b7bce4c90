// Sends the bytes of one request and collects those of its answer. It uses undici's dispatcher directly, because the streams
// and the signal of `request` cost processor time at every call.
import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { AnswerTooLarge, NotSent, type Received } from './answer.ts';

type SentRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;

/** An answer, and when its request left. That is later than the call of `exchange` if a connection had to be opened. */
export interface Exchanged extends Received {
  readonly leftAt?: number;
}

/** A page of 100 channels with members is below 1 MB. A much larger answer does not come from the platform. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Makes one exchange and never rejects. After the time-out nothing of the request is in flight. The applier relies on that
 * when it compares the time-out with its lease. `mayLeave` is called in the same turn in which the bytes go to the socket,
 * because after a pause of the process, waiting requests leave before any timer fires.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: SentRequest,
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
  /** Decodes each piece as it arrives, so that the pieces of many answers are not in memory until their ends. */
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
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
    // The request has timed out or may no longer leave.
    if (this.#isOver) {
      controller.abort(new Error('not sent'));
      return;
    }
    this.#controller = controller;
    this.#left = { leftAt: this.#now() };
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: NonNullable<Received['headers']>,
  ): void {
    // undici lists the raw headers as views of the first piece. The list is older than the piece and would keep it for long.
    if (Array.isArray(controller.rawHeaders)) controller.rawHeaders.length = 0;
    // A 1xx precedes the actual answer.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxAnswerBytes)
      this.#cut(new AnswerTooLarge(`the answer is larger than ${maxAnswerBytes / 1024 / 1024} MB`));
    else this.#text += this.#decoder.write(chunk);
  }

  onResponseEnd(): void {
    this.end({ text: this.#text + this.#decoder.end() });
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
