// The contract of a database that tables are read from directly: one snapshot, in which all tables are from the same moment.

export interface DatabaseColumn {
  readonly name: string;
  /** `number` and `time` can be compared with an earlier value, less an overlap. `key` cannot, but says nothing about a person. */
  readonly kind: 'number' | 'time' | 'key' | 'other';
  /** Whether its type is boolean. */
  readonly isBoolean: boolean;
  /** Whether rows can be sorted by it. */
  readonly isSortable: boolean;
  /** Whether this user may read it. */
  readonly isReadable: boolean;
  /** Whether the database computes it from other columns. Dumps lack such columns. */
  readonly isComputed: boolean;
  /** The type to which statements cast an earlier value of a number or time. */
  readonly cast: string;
}

/** A table or a view. */
export interface Relation {
  /** With its schema: `public.messages`. */
  readonly name: string;
  /** As statements name it. */
  readonly quoted: string;
  readonly columns: readonly DatabaseColumn[];
  /** The columns of the primary key, or of another unique index without missing values. Empty for a view. */
  readonly key: readonly string[];
  /** Its size on the disk of the server, 0 if that is unknown. */
  readonly bytes: number;
  /** The statement by which an administrator permits to read it. */
  readonly grant: string;
}

/** A value of an earlier read, from which the next one begins. `overlap` is in milliseconds for times. */
export interface ReadFrom {
  readonly column: DatabaseColumn;
  readonly value: string;
  readonly overlap: number;
}

export interface RowsRead {
  readonly relation: Relation;
  readonly columns: readonly string[];
  /** The order of the rows. */
  readonly order: readonly string[];
  /** Rows without a value in the column are always read. */
  readonly from?: ReadFrom | undefined;
  /** The largest number of rows. */
  readonly limit?: number | undefined;
  /** Gets every byte of the rows. */
  readonly digest: { update(bytes: Uint8Array): unknown };
}

export interface RowPage {
  /** The values as text, as dumps have them. Undefined for a row that is too long. */
  readonly rows: readonly (readonly (string | null)[] | undefined)[];
  readonly bytes: number;
}

/** Each method rejects with a refusal that names the database and says what to do. */
export interface Database {
  /** `postgres://db.example.com/app`, without user and password. */
  readonly name: string;
  /** The time of the snapshot in Unix milliseconds. */
  readonly takenAt: number;
  /** The tables and views that a mapping means by that name (`table-names.ts`), with or without their schema and database. */
  relations(name: string, isMeant: (names: readonly string[]) => boolean): Promise<readonly Relation[]>;
  /** Few rows are in memory. Ending it early closes the connection. */
  rows(read: RowsRead): AsyncIterable<RowPage>;
  /**
   * The largest value of a column of numbers or times. A time in the future counts as the time of the snapshot or earlier, so that
   * a wrong one does not hide the rows of later reads. Undefined without values.
   */
  lastValue(relation: Relation, column: DatabaseColumn): Promise<string | undefined>;
  /** Does not wait for the server. */
  close(): void;
}

/** What a database is opened with. */
export interface DatabaseAddress {
  /** The URL, with the password. Never shown. */
  readonly url: string;
  /** The name of the environment variable that has the URL. */
  readonly variable: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
