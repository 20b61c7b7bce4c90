// Ensures that each file of an export has a line in the ledger, including files that the source does not read.
import type { FileTree } from '../lib/file-tree.ts';
import type { SourceItem } from './export/items.ts';
import { isClutter } from './export/parts.ts';
import type { ReasonCode } from './export/reasons.ts';

/**
 * Records each file without a line. `read` are the paths of the files that the source reads, `accounted` those that have lines, and
 * `isTaken` records files of messages.
 */
export function* filesWithoutLine(
  tree: Pick<FileTree, 'files' | 'unread'>,
  read: readonly string[],
  accounted: ReadonlySet<string>,
  isTaken: (path: string) => boolean,
): Generator<SourceItem> {
  const own = new Set(read);
  const reasonOf = (path: string): ReasonCode =>
    isClutter(path) ? 'file.clutter' : own.has(path) ? 'file.empty' : 'file.unknown';
  for (const { path } of tree.files) {
    if (!accounted.has(path) && !isTaken(path)) yield leftOut(path, reasonOf(path));
  }
  for (const path of tree.unread) yield leftOut(path, 'file.link');
}

function leftOut(path: string, reason: ReasonCode): SourceItem {
  return { type: 'left_out', at: path, id: path, reason };
}
