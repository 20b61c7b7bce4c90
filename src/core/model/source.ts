// Positions in manifests.

import type { PositiveCount } from '../../lib/json.ts';
/** Lines and columns count from 1. Columns count UTF-16 code units, as editors do. */
export interface SourcePosition {
  /** The path as given to chatform, with /. */
  readonly file: string;
  /** From 1. */
  readonly line: PositiveCount;
  /** From 1, in UTF-16 units. */
  readonly column: PositiveCount;
  /** The row behind an object of a for_each block: `data/rooms.csv:7`, or a number of a range. */
  readonly row?: string;
  /** The position in the base that this one overlays. */
  readonly over?: SourcePosition;
}

/** Marks positions of declarations that no manifest contains. */
export const noPosition: SourcePosition = { file: '', line: 1, column: 1 };

export function printPosition(source: SourcePosition): string {
  const row = source.row === undefined ? '' : ` (row ${source.row})`;
  const over = source.over === undefined ? '' : ` over ${printPosition(source.over)}`;
  return `${source.file}:${source.line}:${source.column}${row}${over}`;
}
