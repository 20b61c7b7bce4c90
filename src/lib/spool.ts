// Collects values on disk, such as the steps and changes of a plan that is too big for memory, as one line of JSON each. The
// first values stay in memory, so most plans never touch the disk. It uses node:fs, so only impure layers may create one.
import type { Collect, Collector } from './series.ts';
import { SpoolFile, type SpoolOptions } from './spool-file.ts';
import { TempFile } from './temp-file.ts';

/** Makes collectors that move to disk beyond `inMemory` characters. */
export class Spool {
  readonly #options: SpoolOptions;
  /** Weak references, so that a file is closed when its series is garbage. A program may make many plans (library.ts). */
  readonly #files = new Set<WeakRef<TempFile>>();

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  readonly collect: Collect = <T>(): Collector<T> => {
    let values: T[] = [];
    let characters = 0;
    let file: SpoolFile<T> | undefined;
    return {
      push: (value, text = JSON.stringify(value)) => {
        characters += text.length;
        if (file !== undefined) file.push(text);
        else if (characters <= this.#options.inMemory) values.push(value);
        else {
          file = new SpoolFile<T>(this.#openFile(), this.#options);
          for (const kept of values) file.push(JSON.stringify(kept));
          file.push(text);
          values = [];
        }
      },
      end: () => file?.end() ?? values,
    };
  };

  /** Closes all files. Series on disk cannot be read afterwards. */
  close(): void {
    for (const file of this.#files) file.deref()?.close();
    this.#files.clear();
  }

  #openFile(): TempFile {
    const { folder, write, onFailure } = this.#options;
    try {
      const file = new TempFile(folder, write);
      this.#files.add(new WeakRef(file));
      return file;
    } catch (cause) {
      throw onFailure?.(folder, cause) ?? cause;
    }
  }
}
