// Positions in the manifests.

/** Lines and columns count from 1; a column counts UTF-16 units, as editors do. */
export interface SourcePosition {
  /** As the user named it: relative to the working folder where possible, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function printPosition(source: SourcePosition): string {
  return `${source.file}:${source.line}:${source.column}`;
}
