// Positions in manifests.

/** Lines and columns count from 1. Columns count UTF-16 code units, as editors do. */
export interface SourcePosition {
  /** Relative to the working folder where possible, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
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
