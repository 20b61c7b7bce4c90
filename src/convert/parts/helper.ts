// A second thread, which converts parts of an export from the last one on while this thread converts them from the first.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Decisions } from '../decisions.ts';
import type { Strangers, User } from '../users.ts';
import type { ConvertedPart } from './part.ts';

/** What the thread needs to open the export by itself. */
export interface HelperSetup {
  /** `slack` */
  readonly source: string;
  /** A zip file or a folder: absolute. */
  readonly exported: string;
  readonly decisions: Decisions;
  /** Strangers who were met before. */
  readonly known: readonly User[];
  /** Each part is written into a folder below it. */
  readonly folder: string;
  /** Lines that stay in memory while an archive is sorted. */
  readonly linesInMemory: number;
}

/** In megabytes. With its own, twice as high, V8 lets so much garbage lie that both threads take more than 250. */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2000 };

/** A part, and what has to be known of it where the whole is put together. */
export interface PartOfHelper extends ConvertedPart {
  readonly strangers: Strangers;
  /** By source id of the channel. */
  readonly senders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the thread says. It is told the number of a part, and another one when that is done. */
export type FromHelper =
  | { readonly type: 'progress'; readonly bytes: number; readonly items: number }
  | { readonly type: 'part'; readonly part: PartOfHelper };

/** It stands beside this one, among the sources as in the build. */
const workerFile = new URL(`worker${extname(import.meta.url)}`, import.meta.url);

export class Helper {
  readonly #worker: Worker;
  readonly #onProgress: ((bytes: number, items: number) => void) | undefined;
  /** By number, of the parts that the thread has begun. Undefined when it failed. */
  readonly #parts = new Map<number, Promise<PartOfHelper | undefined>>();
  #settle: (part: PartOfHelper | undefined) => void = () => {};
  /** The first part that nobody has begun, and the first behind these. */
  #from = 0;
  #to: number;

  /** `count`: how many parts there are. */
  constructor(count: number, setup: HelperSetup, onProgress?: (bytes: number, items: number) => void) {
    this.#to = count;
    this.#onProgress = onProgress;
    this.#worker = new Worker(workerFile, { workerData: setup, resourceLimits });
    this.#worker.on('message', (message: FromHelper) => this.#hear(message));
    // What went wrong is told by this thread, when it converts the part itself.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', () => {
      this.#to = this.#from;
      this.#settle(undefined);
    });
    this.#handOut();
  }

  /** Parts are asked for from the first one on. Undefined: it is not made by this thread, and never will be. */
  async part(number: number): Promise<PartOfHelper | undefined> {
    const made = this.#parts.get(number);
    if (made === undefined) this.#from = number + 1;
    return made;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(message: FromHelper): void {
    if (message.type === 'progress') this.#onProgress?.(message.bytes, message.items);
    else {
      this.#settle(message.part);
      this.#handOut();
    }
  }

  #handOut(): void {
    if (this.#to <= this.#from) return;
    this.#to -= 1;
    this.#parts.set(
      this.#to,
      new Promise((resolve) => {
        this.#settle = resolve;
      }),
    );
    this.#worker.postMessage(this.#to);
  }
}
