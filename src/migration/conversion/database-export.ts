// Opens the database that an environment variable names as an export, and finds what the last conversion read from it.

import { usage } from '../../core/model/errors.ts';
import type { DatabaseRead, ReadTable } from '../../core/model/migration/read-tables.ts';
import { digestText } from '../../lib/digest.ts';
import type { FileTree } from '../../lib/file-tree.ts';
import { readPath } from '../../lib/path-streams.ts';
import { DatabaseTables } from '../convert/sources/table/database-tables.ts';
import { openDatabase } from '../convert/sources/table/databases/open.ts';
import type { Mapping } from '../convert/sources/table/mapping.ts';
import { lastDatabaseRead } from '../cutover/series.ts';

export interface DatabaseExport {
  readonly tables: DatabaseTables;
  /** The tables as files. It has no bytes. */
  readonly tree: FileTree;
  /** `postgres://db.example.com/app`. */
  readonly name: string;
  /** Complete after the conversion has read all rows. */
  read(): DatabaseRead;
}

interface DatabaseOptions {
  /** The name of the environment variable. */
  readonly variable: string;
  /** Absolute. */
  readonly mappingFile: string;
  readonly out: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether to read all rows, although the mapping has `since`. */
  readonly isFull: boolean;
  readonly sample?: number | undefined;
}

/** Rows that were left out without a decision are read again, so that they stay in the ledger until somebody decides. */
function startsAfter({
  database,
  undecided,
}: NonNullable<Awaited<ReturnType<typeof lastDatabaseRead>>>): readonly ReadTable[] {
  if (undecided === 0) return database.tables;
  return database.tables.map(({ since, ...table }) => {
    if (since?.from === undefined) return table;
    return { ...table, since: { ...since, value: since.from } };
  });
}

/** Call `tree.close()` at the end. Refused as `openDatabase` and `DatabaseTables.open`. */
export async function openDatabaseExport(mapping: Mapping, options: DatabaseOptions): Promise<DatabaseExport> {
  const { variable, mappingFile, out, env, isFull, sample } = options;
  // A URL here would be printed, and other users of the machine see command lines.
  if (!/^[A-Za-z_]\w*$/u.test(variable))
    throw usage(
      '--from-env is not the name of an environment variable.',
      'Put the URL into a variable, and name it: --from-env DATABASE_URL',
    );
  const url = env[variable];
  if (url === undefined || url === '')
    throw usage(
      `The environment variable ${variable} is not set.`,
      'It has the URL of the database: postgres://USER:PASSWORD@HOST:5432/DATABASE or mysql://USER:PASSWORD@HOST:3306/DATABASE',
    );
  const database = await openDatabase({ url, variable, env });
  try {
    const { name } = database;
    const digest = digestText(await readPath(mappingFile));
    const last = isFull ? undefined : await lastDatabaseRead(out, name);
    const earlier = last?.database.mapping === digest ? startsAfter(last) : undefined;
    const tables = await DatabaseTables.open(mapping, database, { earlier, sample });
    const nothing = () => Promise.reject(new Error('a table has no bytes'));
    const tree: FileTree = {
      type: 'folder',
      files: tables.files.map(({ path, bytes }) => ({ path, bytes })),
      unread: [],
      read: nothing,
      stream: nothing,
      close: () => database.close(),
    };
    return { tables, tree, name, read: () => ({ name, variable, mapping: digest, tables: tables.read() }) };
  } catch (error) {
    database.close();
    throw error;
  }
}
