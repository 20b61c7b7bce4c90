// Ensures that each file of an export has a line in the ledger, including files that the source does not read.
import type { FileTree } from '../lib/file-tree.ts';
import type { SourceItem } from './export/items.ts';
import { isClutter } from './export/parts.ts';
import type { ReasonCode } from './export/reasons.ts';

export class LedgerFiles {
  readonly #tree: Pick<FileTree, 'files' | 'unread'>;
  readonly #read: ReadonlySet<string>;
  readonly #accounted = new Set<string>();

  /** `read`: paths of the files that the source reads. */
  constructor(tree: Pick<FileTree, 'files' | 'unread'>, read: readonly string[]) {
    this.#tree = tree;
    this.#read = new Set(read);
  }

  /** Marks the file as recorded. */
  account(path: string): void {
    this.#accounted.add(path);
  }

  /** Records each file without a line. `isTaken` records files of messages. */
  *others(isTaken: (path: string) => boolean): Generator<SourceItem> {
    for (const { path } of this.#tree.files) {
      if (!this.#accounted.has(path) && !isTaken(path)) yield leftOut(path, this.#reasonOf(path));
    }
    for (const path of this.#tree.unread) yield leftOut(path, 'file.link');
  }

  #reasonOf(path: string): ReasonCode {
    if (isClutter(path)) return 'file.clutter';
    return this.#read.has(path) ? 'file.empty' : 'file.unknown';
  }
}

function leftOut(path: string, reason: ReasonCode): SourceItem {
  return { type: 'left_out', at: path, id: path, reason };
}
