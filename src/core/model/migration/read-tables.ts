// What a conversion read from a database: a part of its line in conversion/series.ndjson.

import type { Amount, Count, Sha256 } from '../../../lib/json.ts';
export interface ReadTable {
  /** With its schema: public.messages. */
  readonly table: string;
  /** The rows that were read. */
  readonly rows: Count;
  /** SHA-256 of the rows that were read. */
  readonly sha256: Sha256;
  /** The key of the last row in its order. Absent without rows, without a key, and for a key that may be a name or an address. */
  readonly last?: Readonly<Record<string, string>>;
  /** The column since in the mapping. Absent if the mapping has none for the table. */
  readonly since?: {
    readonly column: string;
    /** How far before the last value rows are read again. In milliseconds for times. */
    readonly overlap: Amount;
    /** The last value of the conversion before, from which rows were read. Absent: all rows were read. */
    readonly from?: string;
    /** The last value, from which the next conversion reads. Absent without rows. */
    readonly value?: string;
  };
}

export interface DatabaseRead {
  /** Its address without user and password: postgres://db.example.com/app. */
  readonly name: string;
  /** The environment variable that had its URL. */
  readonly variable: string;
  /** SHA-256 of the mapping. With another one, the next conversion reads all rows. */
  readonly mapping: Sha256;
  readonly tables: readonly ReadTable[];
}
