// What a conversion read from a database: a part of its line in conversion/series.ndjson.

export interface ReadTable {
  /** With its schema: `public.messages`. */
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of the rows. */
  readonly sha256: string;
  /** The key of the last row in its order. Absent without rows, without a key, and for a key that may be a name or an address. */
  readonly last?: Readonly<Record<string, string>>;
  /** Absent if the mapping has no `since` for the table. */
  readonly since?: {
    readonly column: string;
    /** In milliseconds for times. */
    readonly overlap: number;
    /** The last value of the conversion before. Rows from it on, less the overlap, were read. Absent: all rows were. */
    readonly from?: string;
    /** The last value, from which the next conversion reads. Absent without rows. */
    readonly value?: string;
  };
}

export interface DatabaseRead {
  /** `postgres://db.example.com/app`. */
  readonly name: string;
  /** The environment variable that had its URL. */
  readonly variable: string;
  /** SHA-256 of the mapping. With another one, the next conversion reads all rows. */
  readonly mapping: string;
  readonly tables: readonly ReadTable[];
}
