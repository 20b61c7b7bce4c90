// Property: conversions that read new and changed rows, some of them killed, end with the files of one that reads all rows.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../../../src/core/app/context/this-process.ts';
import { convertExport } from '../../../../../src/migration/convert.ts';
import { writeFiles } from '../../../../support/folders.ts';
import { noPostgres, usePostgres } from '../../../../support/postgres.ts';
import { inSuite } from '../../../../support/suite.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { decided } from '../../support/series.ts';

const overlap = 5;
const mapping = `version: 1
name: acme
tables:
  people: {}
  rooms: {}
  messages: { since: { column: rev, overlap: ${overlap} }, omit: [rev] }
users: { from: people, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", members: "\${members}" }
messages:
  from: messages
  id: "\${id}"
  channel: "\${room}"
  sender: "\${author}"
  time: { of: "\${sent_at}", unit: seconds }
  text: "\${body}"
  deleted: "\${deleted}"
`;

/** A change of the rows. `late`: how far its revision is below the newest one, as after a long transaction. */
interface Change {
  readonly type: 'insert' | 'edit' | 'delete' | 'restore';
  readonly row: number;
  readonly time: number;
  readonly late: number;
}

interface Round {
  readonly changes: readonly Change[];
  /** Where the conversion is killed: while it reads, between its last two writes, or not at all. */
  readonly killed: 'reading' | 'before-series' | 'never';
}

const change: fc.Arbitrary<Change> = fc.record({
  type: fc.constantFrom('insert', 'insert', 'edit', 'delete', 'restore'),
  row: fc.nat(11),
  time: fc.nat(5),
  late: fc.nat(overlap),
});
const round: fc.Arbitrary<Round> = fc.record({
  changes: fc.array(change, { maxLength: 6 }),
  killed: fc.constantFrom('reading', 'before-series', 'never', 'never'),
});

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = ['users.yaml', 'group_channels.yaml'];
  const historyFiles = await readdir(join(folder, 'history')).catch(() => []);
  const paths = [...names, ...historyFiles.map((name) => `history/${name}`)];
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
  );
  // A history file whose messages are all gone stays, so that they count as deleted.
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

describe.runIf(noPostgres === undefined)('a database', () => {
  const server = usePostgres();

  test('that is read in parts', { timeout: 600_000 }, async () => {
    await server().sql(`CREATE TABLE people (id int PRIMARY KEY, name text);
      CREATE TABLE rooms (id int PRIMARY KEY, members int[]);
      CREATE TABLE messages (id int PRIMARY KEY, room int, author int, sent_at bigint, body text, deleted bool, rev int);
      INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob'); INSERT INTO rooms VALUES (0, '{1,2}'), (1, '{1}');`);
    let versions = 0;
    const statementOf = ({ type, row, time, late }: Change): string => {
      versions += 1;
      // Counted here: the largest revision in the table may fall, and with it what counts as late.
      const rev = versions - late;
      if (type === 'insert')
        return `INSERT INTO messages VALUES (${row}, ${row % 2}, ${1 + (row % 2)}, ${1_700_000_000 + time}, 'v${versions}', false, ${rev})
          ON CONFLICT (id) DO UPDATE SET body = excluded.body, sent_at = excluded.sent_at, rev = excluded.rev;`;
      const set = type === 'edit' ? `body = 'v${versions}'` : `deleted = ${type === 'delete'}`;
      return `UPDATE messages SET ${set}, rev = ${rev} WHERE id = ${row};`;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 5 }), async (rounds) => {
        const cwd = await temporaryFolder();
        await writeFiles(cwd, { 'mapping.yaml': mapping });
        for (const out of ['parts', 'whole'])
          await writeFiles(cwd, {
            [`${out}/conversion/decisions.yaml`]: decided('accepted: { message.deleted: yes }', 'acme'),
          });
        await server().sql('TRUNCATE messages');
        const convert = (out: string, isKilled = false) =>
          convertExport({
            source: 'table',
            fromEnv: 'CHAT',
            mapping: join(cwd, 'mapping.yaml'),
            out: join(cwd, out),
            clock: nodeClock,
            ports: { env: { CHAT: server().url() }, cwd, clock: nodeClock },
            onProgress: () => {
              if (isKilled) throw new Error('killed');
            },
          });
        for (const { changes, killed } of [...rounds, { changes: [], killed: 'never' } as const]) {
          await server().sql(changes.map(statementOf).join('\n'));
          if (killed === 'reading') await expect(convert('parts', true)).rejects.toThrow('killed');
          else await convert('parts');
          if (killed !== 'before-series') continue;
          const series = join(cwd, 'parts/conversion/series.ndjson');
          const lines = (await readFile(series, 'utf8')).trimEnd().split('\n');
          await writeFile(
            series,
            lines
              .slice(0, -1)
              .map((line) => `${line}\n`)
              .join(''),
          );
        }
        await convert('whole');
        expect(await filesIn(join(cwd, 'parts'))).toEqual(await filesIn(join(cwd, 'whole')));
      }),
      { numRuns: inSuite(4, 30) },
    );
  });
});
