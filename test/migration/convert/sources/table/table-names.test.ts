// Tests which table of a dump a name in a mapping means, and that tables of two schemas or databases are never mixed.
import { describe, expect, test } from 'vitest';
import { isNamed } from '../../../../../src/migration/convert/sources/table/table-names.ts';
import { writeFiles } from '../../../../support/folders.ts';
import { runCli } from '../../../../support/run-cli.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { convertTables } from '../../support/converted.ts';

const owners = ['acme', 'rival'] as const;
const rowsOf = (owner: string) => ({
  users: ['id, name', `u-${owner}`, 'Boss'],
  rooms: ['id, name, members', `r-${owner}`, 'Board', `u-${owner}`],
  messages: [
    'id, room, sender, at, body',
    `m-${owner}`,
    `r-${owner}`,
    `u-${owner}`,
    '2024-01-01 10:00:00+00',
    `of ${owner}`,
  ],
});

function copied(owner: string, prefix: string): string {
  const tables = Object.entries(rowsOf(owner)).map(
    ([table, [columns, ...cells]]) => `COPY ${prefix}${table} (${columns}) FROM stdin;\n${cells.join('\t')}\n\\.\n`,
  );
  return tables.join('\n');
}

function inserted(owner: string, prefix: string): string {
  const tables = Object.entries(rowsOf(owner)).map(([table, [columns, ...cells]]) => {
    const values = cells.map((cell) => `'${cell.replace('+00', '')}'`).join(',');
    return `INSERT INTO ${prefix}\`${table}\` (${columns}) VALUES (${values});\n`;
  });
  return tables.join('');
}

const pgDump = (text: string) =>
  `--\n-- PostgreSQL database dump\n--\n${text}\n--\n-- PostgreSQL database dump complete\n--\n`;
const mysqlDump = (text: string) => `-- MySQL dump 10.13\n${text}\n-- Dump completed\n`;
const both = (of: (owner: string) => string) => owners.map(of).join('');

/** Each dump has the tables of two owners. */
const dumps: Readonly<Record<string, readonly [text: string, name: (owner: string) => string]>> = {
  'two schemas': [pgDump(both((owner) => copied(owner, `${owner}.`))), (owner) => owner],
  'two schemas by search_path': [
    pgDump(both((owner) => `SET search_path = ${owner}, pg_catalog;\n${copied(owner, '')}`)),
    (owner) => owner,
  ],
  pg_dumpall: [
    both((owner) => `\\connect ${owner}\n${pgDump(copied(owner, 'public.'))}`),
    (owner) => `${owner}.public`,
  ],
  'pg_dumpall, named as a database': [
    both((owner) => `\\connect ${owner}\n${pgDump(copied(owner, 'public.'))}`),
    (owner) => owner,
  ],
  'pg_dumpall of psql variables': [
    both((owner) => `\\connect -reuse-previous=on "dbname='${owner}'"\n${pgDump(copied(owner, 'public.'))}`),
    (owner) => `${owner}.public`,
  ],
  'mysqldump --databases': [mysqlDump(both((owner) => `USE \`${owner}\`;\n${inserted(owner, '')}`)), (owner) => owner],
  'mysql names with a database': [mysqlDump(both((owner) => inserted(owner, `\`${owner}\`.`))), (owner) => owner],
};

const mapping = (prefix: string) => `version: 1
name: own
tables:
  users: { files: dump.sql, table: ${prefix}users }
  rooms: { files: dump.sql, table: ${prefix}rooms }
  messages: { files: dump.sql, table: ${prefix}messages }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${sender}", time: { of: "\${at}", zone: UTC }, text: "\${body}" }
`;

describe.for(Object.entries(dumps))('%s', ([, [text, nameOf]]) => {
  test('refuses a name that both have, with both names', async () => {
    await expect(convertTables({ 'dump.sql': text }, mapping(''))).rejects.toMatchObject({
      code: 'convert.mapping',
      diagnostics: [
        { detail: expect.stringMatching(/^The export has \S*acme\S* and \S*rival\S*\. Write one of these/u) },
      ],
    });
  });

  test.for(owners)('reads the tables of %s alone', async (owner) => {
    const { historyFiles, ledger } = await convertTables({ 'dump.sql': text }, mapping(`${nameOf(owner)}.`));
    expect(Object.values(historyFiles).map((lines) => lines.map(({ message }) => message))).toEqual([[`of ${owner}`]]);
    expect(ledger.filter(({ reason }) => reason === 'table.unmapped')).toHaveLength(3);
  });

  test('guesses a table for each of them', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { 'dump.sql': text });
    const { stdout } = await runCli(['convert', 'table', 'dump.sql', '--guess'], { cwd: folder });
    for (const owner of owners) expect(stdout).toMatch(new RegExp(`table: "[^"]*${owner}[^"]*rooms"`, 'u'));
  });
});

test('means a table by its name, its schema or database, or both', () => {
  const names = ['acme', 'public', 'users'];
  for (const written of ['users', 'public.users', 'acme.users', 'acme.public.users'])
    expect(isNamed(written, names)).toBe(true);
  for (const written of ['user', 'acme', 'rival.users', 'acme.rival.users', 'public.acme.users'])
    expect(isNamed(written, names)).toBe(false);
  expect(isNamed('a.b', ['public', 'a.b'])).toBe(true);
});

test('means several tables of one schema by a pattern', () => {
  const names = ['acme', 'public', 'messages_2024'];
  for (const written of ['messages_*', 'public.messages_*', 'acme.messages_20*', '*'])
    expect(isNamed(written, names)).toBe(true);
  for (const written of ['message_*', 'acme.*.x', 'rival.messages_*', 'acme.*s', 'messages.*'])
    expect(isNamed(written, names)).toBe(false);
});

describe('partitions', () => {
  const partition = (schema: string, year: number) =>
    `COPY ${schema}.messages_${year} (id, room, sender, at, body) FROM stdin;\nm-${year}-${schema}\tr-acme\tu-acme\t${year}-01-01 10:00:00+00\tof ${year}\n\\.\n`;
  const dump = (...partitions: string[]) => ({ 'dump.sql': pgDump([copied('acme', 'acme.'), ...partitions].join('')) });
  const byPattern = mapping('acme.').replace('table: acme.messages ', 'table: "messages_*" ');

  test('are read by one table of the mapping', async () => {
    const { historyFiles } = await convertTables(dump(partition('acme', 2023), partition('acme', 2024)), byPattern);
    expect(Object.values(historyFiles).flatMap((lines) => lines.map(({ message }) => message))).toEqual([
      'of 2023',
      'of 2024',
    ]);
  });

  test('of two schemas are refused with both names', async () => {
    await expect(
      convertTables(dump(partition('acme', 2023), partition('rival', 2024)), byPattern),
    ).rejects.toMatchObject({
      diagnostics: [{ detail: expect.stringContaining('acme.messages_2023 and rival.messages_2024') }],
    });
  });
});
