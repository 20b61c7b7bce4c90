// Positions in the manifests.

/** Lines and columns count from 1; a column counts UTF-16 units, as editors do. */
export interface SourcePosition {
  /** As the user named it: relative to the working folder where possible, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The row that a block with for_each is made of: `data/rooms.csv:7`, or a number of a range. */
  readonly row?: string;
  /** The place in the base that this one lies over. */
  readonly over?: SourcePosition;
}

export function printPosition(source: SourcePosition): string {
  const row = source.row === undefined ? '' : ` (row ${source.row})`;
  const over = source.over === undefined ? '' : ` over ${printPosition(source.over)}`;
  return `${source.file}:${source.line}:${source.column}${row}${over}`;
}
