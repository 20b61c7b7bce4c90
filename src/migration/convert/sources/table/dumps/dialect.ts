// What the reader of dumps must know of a database.

export interface Dialect {
  /** In strings without a prefix. */
  readonly hasBackslashes: boolean;
  /** Whether text in double quotes is a string, as mydumper writes them. */
  readonly hasDoubleQuotes: boolean;
  /** Whether # begins a comment. */
  readonly hasHashComments: boolean;
  /** The comment or statement that begins a dump which `end` completes. */
  readonly begin: RegExp;
  readonly end: RegExp;
  /** A statement with statements inside, after which the dump has no rows. */
  readonly lastRows: RegExp | undefined;
  /** The value of a function, or undefined if it is unknown. */
  call(name: string, args: readonly (string | null)[]): string | null | undefined;
}
