// Times the conversion of messages in PostgreSQL by the built program, beside only reading their rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMapping } from '../../src/migration/conversion/read-mapping.ts';
import { DatabaseTables } from '../../src/migration/convert/sources/table/database-tables.ts';
import { openDatabase } from '../../src/migration/convert/sources/table/databases/open.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { columns, inInstalled, measureProgram, type Row, rounded, withCpu } from './measure.ts';

const sizes = [10_000, 100_000, 1_000_000];

const mapping = `version: 1
name: acme
tables: { users: {}, rooms: {}, messages: {} }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${title}", members: "\${members}" }
messages:
  { from: messages, id: "\${id}", channel: "\${room}", sender: "\${author}", time: "\${at}", text: "\${body}", thread: "\${root}" }
`;

/** The columns of the bench of tables in files. */
const tables = (count: number): string => `
  DROP TABLE IF EXISTS users, rooms, messages;
  CREATE TABLE users (id text PRIMARY KEY, name text);
  INSERT INTO users SELECT 'u' || n, 'n' || n FROM generate_series(0, 499) n;
  CREATE TABLE rooms (id text PRIMARY KEY, title text, members text[]);
  INSERT INTO rooms SELECT 'r' || n, 'room', (SELECT array_agg('u' || m) FROM generate_series(0, 49) m) FROM generate_series(0, 19) n;
  CREATE TABLE messages (id bigint PRIMARY KEY, room text, author text, at timestamptz, body text, root bigint, client text);
  INSERT INTO messages SELECT n, 'r' || n % 20, 'u' || n % 500, to_timestamp(1600000000 + n * 60),
    'Message ' || n || ': nothing to see here, go on with what you were doing before lunch, and mind the gap.',
    CASE WHEN n % 5 = 0 THEN n - n % 100 END, 'web' FROM generate_series(0, ${count - 1}) n;
  ANALYZE;`;

/** `times the read`: processor time, beside that of reading the same rows. */
export function benchDatabase(most: number): Promise<Row[]> {
  if (noPostgres !== undefined) throw new Error(noPostgres);
  return inInstalled(async (folder, main) => {
    const server = await startPostgres(['-c', 'fsync=off']);
    try {
      await writeFile(join(folder, 'mapping.yaml'), mapping);
      const env = { ...process.env, DATABASE_URL: server.url() };
      const rows: Row[] = [];
      for (const count of sizes.filter((size) => size <= most)) {
        await server.sql(tables(count));
        const read = await withCpu(() => readRows(server, join(folder, 'mapping.yaml')));
        const args = [
          'convert',
          'table',
          '--from-env',
          'DATABASE_URL',
          '--mapping',
          'mapping.yaml',
          '--out',
          `out-${count}`,
        ];
        const cost = await measureProgram(folder, [main, ...args], { env });
        rows.push({
          messages: count,
          'MB of rows': rounded(read.bytes / 1e6, 0),
          ...columns(cost),
          'read s': rounded(read.cpuS, 2),
          'times the read': rounded(cost.cpuS / read.cpuS, 1),
        });
      }
      return rows;
    } finally {
      await server.remove();
    }
  });
}

async function readRows(server: Postgres, file: string): Promise<{ readonly bytes: number }> {
  const database = await openDatabase({ url: server.url(), variable: 'DATABASE_URL', env: {} });
  const mapping = await readMapping(file);
  const tables = await DatabaseTables.open(mapping, database, { earlier: undefined });
  let read = 0;
  for (const table of mapping.tables) for await (const { bytes } of tables.rows(table)) read += bytes;
  database.close();
  return { bytes: read };
}
