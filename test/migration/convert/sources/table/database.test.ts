// Tests that tables are read from a PostgreSQL database as from its dump, in part where the mapping says so, and what is refused.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { loadDriver } from '../../../../../src/migration/convert/sources/table/databases/problems.ts';
import { writeFiles } from '../../../../support/folders.ts';
import { encodedPassword, noPostgres, usePostgres } from '../../../../support/postgres.ts';
import { type CliEnd, runCli, succeeded } from '../../../../support/run-cli.ts';
import { soon } from '../../../../support/soon.ts';
import { startProxy } from '../../../../support/tcp-proxy.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { acceptFields, readConverted } from '../../support/converted.ts';

const tables = `
  users: { table: people }
  rooms: { table: public.rooms }
  messages: { since: updated_at, omit: [updated_at] }`;
const rest = `
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages:
  { from: messages, id: "\${id}", channel: "\${room}", sender: "\${author}", time: "\${sent_at}", text: "\${body}", deleted: "\${deleted}" }
`;
const mapping = `version: 1\nname: acme\ntables:${tables}${rest}`;

const schema = `
  CREATE TABLE people (id int PRIMARY KEY, name text);
  CREATE TABLE rooms (id int PRIMARY KEY, name text, members int[]);
  CREATE TABLE messages (id bigint PRIMARY KEY, room int, author int, sent_at timestamptz, body text, deleted bool DEFAULT false,
    updated_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob');
  INSERT INTO rooms VALUES (1, 'Room', '{1,2}');`;

const message = (id: number, body: string, at = `2024-01-01T00:00:0${id}Z`): string =>
  `INSERT INTO messages (id, room, author, sent_at, body, updated_at) VALUES (${id}, 1, 1, '${at}', '${body}', '${at}')
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, updated_at = '2024-01-02';`;

test('a missing driver is refused with the command that installs it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadDriver('PostgreSQL', 'pg', () => Promise.reject(missing))).rejects.toMatchObject({
    code: 'convert.package-missing',
    exitCode: 64,
    advice: expect.stringContaining('Run: npm install pg.'),
  });
});

describe.runIf(noPostgres === undefined)('a database', () => {
  const server = usePostgres();
  let made = 0;

  interface Place {
    readonly cwd: string;
    readonly url: string;
    sql(text: string): Promise<readonly Record<string, unknown>[]>;
    convert(options?: {
      readonly args?: readonly string[];
      readonly url?: string;
      readonly out?: string;
    }): Promise<CliEnd>;
    /** The texts of all messages. */
    texts(out?: string): Promise<readonly unknown[]>;
  }

  async function place(statements = schema, yaml = mapping): Promise<Place> {
    made += 1;
    const database = `chat_${made}`;
    await server().sql(`CREATE DATABASE ${database}`);
    const sql = (text: string) => server().sql(text, database);
    await sql(statements);
    const cwd = await temporaryFolder();
    await writeFiles(cwd, { 'mapping.yaml': yaml });
    const address = server().url(database);
    return {
      cwd,
      url: address,
      sql,
      convert: ({ args = [], url = address, out = 'out' } = {}) => {
        const options = ['--from-env', 'DATABASE_URL', '--mapping', 'mapping.yaml', '--out-dir', out, ...args];
        return runCli(['convert', 'table', ...options], { cwd, env: { DATABASE_URL: url } });
      },
      texts: async (out = 'out') => {
        const { historyFiles } = await readConverted(join(cwd, out));
        return Object.values(historyFiles).flatMap((lines) => lines.map((line) => line.message));
      },
    };
  }

  test('selects what joins, computed columns and look-ups read, and keeps what nothing reads', async () => {
    const at = await place(
      `${schema}
      CREATE TABLE bodies (message bigint PRIMARY KEY, words text, lang text, draft text);
      CREATE TABLE seats (id int PRIMARY KEY, room int, note text);
      INSERT INTO seats VALUES (7, 1, 'unread');
      ALTER TABLE messages ADD COLUMN seat int DEFAULT 7;
      INSERT INTO messages (id, room, author, sent_at, body) VALUES (1, 9, 1, '2024-01-01', 'old');
      INSERT INTO bodies VALUES (1, 'hello', 'en', 'helo');`,
      `version: 1
name: acme
tables:
  users: { table: people }
  rooms: {}
  bodies: { key: "\${message}", omit: [draft] }
  seats: { key: "\${id}", computed: { channel: "\${room}" } }
  messages: { join: { bodies: "\${id}" }, computed: { place: { in: seats, key: "\${seat}", get: "\${channel}" } }, omit: [room, body, deleted, updated_at] }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${place}", sender: "\${author}", time: "\${sent_at}", text: "\${bodies.words}" }
`,
    );
    await succeeded(at.convert());
    acceptFields(join(at.cwd, 'out'));
    await succeeded(at.convert());
    expect(await at.texts()).toEqual(['hello']);
    const { facts } = await readConverted(join(at.cwd, 'out'));
    expect(facts[0]?.more).toEqual({ 'bodies.lang': 'en' });
  });

  test('gives what the text of COPY gives, with the same mapping and for every type', async () => {
    const at = await place(`${schema}
      CREATE TYPE mood AS ENUM ('glad', 'sad');
      CREATE TABLE odd (id int PRIMARY KEY, room int DEFAULT 1, author int DEFAULT 1, sent_at timestamptz, body text,
        b bool, y bytea, j json, jb jsonb, t text[], n numeric, r real, d double precision, u uuid, m mood, dt date,
        ts timestamp, i interval, big bigint, x text, c char(4), deleted bool);
      INSERT INTO odd VALUES
        (1, 1, 1, '2024-01-01 10:00:00.123456+02', E'tab\\there\\nline \\\\ back \\\\N', true, '\\x00ff', '{"a": [1, 2]}', '{"b":  1}',
         '{"a b",NULL,"q\\"q"}', 1.50, 0.1, 0.30000000000000004, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'sad', '2024-02-03',
         '2024-02-03 04:05:06.7', '1 day 02:03', 9007199254740993, 'NULL', 'ab', false),
        (2, 1, 2, '2024-01-01 11:00:00+00', 'é 🙂' || chr(8) || chr(11), false, '', 'null', '[]', '{}', 'NaN', 'Infinity', 1e300,
         NULL, NULL, 'infinity', NULL, NULL, NULL, '', NULL, NULL);`);
    const yaml = `version: 1\nname: acme\ntables: { users: { files: dump.sql, table: people }, rooms: { files: dump.sql }, messages: { files: dump.sql, table: public.odd } }${rest}`;
    // pg_dump reads tables with the same settings. Its program is not among the binaries of the tests.
    const parts = await Promise.all(
      ['people', 'rooms', 'odd'].map(async (name) => {
        const file = join(server().folder, `${name}-${made}.copy`);
        await at.sql(`SET extra_float_digits = 3; COPY ${name} TO '${file}'`);
        const columns =
          await at.sql(`SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS list,
          string_agg(quote_ident(column_name) || ' ' || data_type, ', ' ORDER BY ordinal_position) AS definitions
          FROM information_schema.columns WHERE table_name = '${name}' AND table_schema = 'public'`);
        return `CREATE TABLE public.${name} (${columns[0]?.definitions});\nCOPY public.${name} (${columns[0]?.list}) FROM stdin;\n${await readFile(file, 'utf8')}\\.\n`;
      }),
    );
    await writeFiles(at.cwd, { 'dump.sql': parts.join('\n'), 'mapping.yaml': yaml });
    const convertDump = () =>
      runCli(['convert', 'table', 'dump.sql', '--mapping', 'mapping.yaml', '--out-dir', 'dumped'], at);
    for (const convert of [convertDump, () => at.convert()]) await succeeded(convert());
    for (const out of ['dumped', 'out']) acceptFields(join(at.cwd, out));
    for (const convert of [convertDump, () => at.convert()]) await succeeded(convert());
    const [read, dumped] = [await readConverted(join(at.cwd, 'out')), await readConverted(join(at.cwd, 'dumped'))];
    expect(read.historyFiles).toEqual(dumped.historyFiles);
    expect(read.facts).toMatchObject([
      { more: { b: true, j: '{"a": [1, 2]}', y: '\\x00ff', t: '{"a b",NULL,"q\\"q"}' } },
      { more: { b: false, r: 'Infinity' } },
    ]);
    const lines = ({ ledger }: typeof read) =>
      ledger.map(({ at: _place, ...line }) => line).sort((left, right) => (left.id < right.id ? -1 : 1));
    expect(lines(read)).toEqual(lines(dumped));
    const ofRows = read.ledger.filter(({ reason }) => reason !== 'field.decided');
    expect(ofRows.map((line) => line.at)).toEqual([
      'public.people#1',
      'public.people#2',
      'public.rooms#1',
      'public.odd#1',
      'public.odd#2',
    ]);
    for (const name of ['users.yaml', 'group_channels.yaml'])
      expect(await readFile(join(at.cwd, 'out', name), 'utf8')).toBe(
        await readFile(join(at.cwd, 'dumped', name), 'utf8'),
      );
  });

  test('reads views, columns of any name, and more rows than fit into memory at once', async () => {
    const at = await place(
      `${schema}
       CREATE SCHEMA "Old Chat"; CREATE VIEW "Old Chat"."Mes.sages" AS
         SELECT n AS "i d", 1 AS room, 1 AS author, timestamptz '2024-01-01' + n * interval '1 second' AS sent_at, repeat('x', 2000) AS body,
                false AS deleted FROM generate_series(1, 5000) n;`,
      mapping
        .replace('messages: { since: updated_at, omit: [updated_at] }', "messages: { table: 'Old Chat.Mes.sages' }")
        .replace('{id}", channel', '{i d}", channel'),
    );
    await succeeded(at.convert());
    expect(await at.texts()).toHaveLength(5000);
  });

  test('reads new and changed rows since the last value, keeps the others, and says so', async () => {
    const at = await place();
    await at.sql(message(1, 'one') + message(2, 'two') + message(3, 'three'));
    expect((await succeeded(at.convert())).stdout).not.toContain('Read only');
    await at.sql(`${message(4, 'four', '2024-01-03')}${message(2, 'two, edited')}
      UPDATE messages SET deleted = true, updated_at = '2024-01-03' WHERE id = 3; DELETE FROM messages WHERE id = 1;`);
    const { stdout } = await succeeded(at.convert());
    expect(stdout).toContain(
      'Read only new and changed rows of 1 table. Rows deleted since the last conversion are not seen; --full reads all rows.',
    );
    expect(stdout).toContain('Missing in this export: 1 message of earlier exports.');
    expect(await at.texts()).toEqual(['one', 'two, edited', 'four']);
    const { ledger } = await readConverted(join(at.cwd, 'out'));
    expect(ledger.filter(({ reason }) => reason === 'table.since')).toMatchObject([
      { at: 'public.messages', outcome: 'left_out' },
    ]);
    expect(await readFile(join(at.cwd, 'out/conversion/report.md'), 'utf8')).toContain(
      'Rows that were deleted since then are not seen.',
    );
    const runs = (await readFile(join(at.cwd, 'out/conversion/series.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(runs.map(({ database }) => database.tables[2].since)).toEqual([
      { column: 'updated_at', overlap: 3_600_000, value: '2024-01-01 00:00:03+00' },
      { column: 'updated_at', overlap: 3_600_000, from: '2024-01-01 00:00:03+00', value: '2024-01-03 00:00:00+00' },
    ]);
    expect(runs[1].database).toMatchObject({
      variable: 'DATABASE_URL',
      tables: [{ rows: 2 }, {}, { rows: 3, last: { id: '4' } }],
    });
    await succeeded(at.convert({ args: ['--full'] }));
    expect(await at.texts()).toEqual(['two, edited', 'four']);
  });

  test('reads all rows with another mapping, and refuses --covers for a part', async () => {
    const at = await place();
    await at.sql(message(1, 'one'));
    await succeeded(at.convert());
    expect(await at.convert({ args: ['--covers', 'all'] })).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--covers needs all rows'),
    });
    await writeFiles(at.cwd, { 'mapping.yaml': `${mapping}# another\n` });
    expect((await succeeded(at.convert())).stdout).not.toContain('Read only');
  });

  test('reads rows again that were left out without a decision', async () => {
    const at = await place();
    await at.sql(message(1, 'one'));
    await succeeded(at.convert({ args: ['--strict'] }));
    await at.sql(`${message(2, 'two')} UPDATE messages SET deleted = true, updated_at = '2024-01-05' WHERE id = 1;`);
    expect(await at.convert({ args: ['--strict'] })).toMatchObject({ exit: 4 });
    await at.sql(message(3, 'three', '2024-02-01'));
    expect(await at.convert({ args: ['--strict'] })).toMatchObject({ exit: 4 });
    await at.sql(message(4, 'four', '2024-03-01'));
    expect(await at.convert({ args: ['--strict'] })).toMatchObject({ exit: 4 });
    const decisions = join(at.cwd, 'out/conversion/decisions.yaml');
    const text = await readFile(decisions, 'utf8');
    await writeFiles(at.cwd, { 'out/conversion/decisions.yaml': text.replace('deleted: no', 'deleted: yes') });
    expect(await at.convert({ args: ['--strict'] })).toMatchObject({ exit: 0 });
    const lines = (await readConverted(join(at.cwd, 'out'))).ledger;
    expect(lines.filter(({ reason }) => reason === 'message.deleted')).toHaveLength(1);
    await succeeded(at.convert({ args: ['--strict'] }));
    expect((await readConverted(join(at.cwd, 'out'))).ledger.map(({ id }) => id)).not.toContain('acme:1:1');
  });

  test('does not skip rows because one has a time in the future', async () => {
    const at = await place();
    await at.sql(`${message(1, 'one')} UPDATE messages SET updated_at = '9999-01-01';`);
    await succeeded(at.convert());
    await at.sql(message(2, 'two').replaceAll("'2024-01-01T00:00:02Z'", 'now()'));
    await succeeded(at.convert());
    expect(await at.texts()).toEqual(['one', 'two']);
  });

  test('leaves reactions to messages that are not read again, with a reason', async () => {
    const at = await place(
      `${schema} CREATE TABLE likes (message_id bigint, person int, PRIMARY KEY (message_id, person)); INSERT INTO likes VALUES (1, 2);`,
      `${mapping.replace('  users:', '  likes: {}\n  users:')}reactions: { from: likes, message: "\${message_id}", name: like, user: "\${person}" }\n`,
    );
    await at.sql(message(1, 'one'));
    await succeeded(at.convert());
    await at.sql(message(2, 'two', '2024-01-05'));
    await succeeded(at.convert());
    await at.sql(message(3, 'three', '2024-01-09'));
    await succeeded(at.convert());
    const { ledger, facts } = await readConverted(join(at.cwd, 'out'));
    expect(facts).toMatchObject([{ reactions: [{ name: 'like', users: ['2'] }] }, { text: 'two' }, { text: 'three' }]);
    expect(ledger.filter(({ id }) => id === 'acme:1:like:2')).toMatchObject([
      { at: 'public.likes#1,2', reason: 'part.not-read' },
    ]);
  });

  test.for([
    ['a new reaction', 'INSERT INTO likes VALUES (1, 2);', { reactions: [{ name: 'like', users: ['2'] }] }],
    ['a new file', "INSERT INTO uploads VALUES (1, 'a.png');", { files: [{ name: 'a.png' }] }],
    ['a changed value of a joined table', "UPDATE bodies SET words = 'edited' WHERE id = 1;", { text: 'edited' }],
    ['a changed value that is looked up', "UPDATE logins SET person = 2 WHERE login = 'ann';", { sender: '2' }],
  ] as const)('since finds %s of a message whose own row did not change', async ([, sql, facts]) => {
    const at = await place(
      `${schema} CREATE TABLE likes (message_id bigint, person int, PRIMARY KEY (message_id, person));
      CREATE TABLE uploads (message_id bigint PRIMARY KEY, name text);
      CREATE TABLE bodies (id bigint PRIMARY KEY, words text); INSERT INTO bodies VALUES (1, 'one'), (2, 'two');
      CREATE TABLE logins (login text PRIMARY KEY, person int); INSERT INTO logins VALUES ('ann', 1);`,
      `version: 1
name: acme
tables:
  users: { table: people }
  rooms: {}
  likes: {}
  uploads: {}
  bodies: { key: "\${id}" }
  logins: { key: "\${login}" }
  messages: { since: updated_at, join: { bodies: "\${id}" }, omit: [author, body, deleted, updated_at] }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: { cel: 'lookup("logins", "ann", "person")' }, time: "\${sent_at}", text: "\${bodies.words}" }
reactions: { from: likes, message: "\${message_id}", name: like, user: "\${person}" }
files: { from: uploads, message: "\${message_id}", id: "\${name}", name: "\${name}" }
`,
    );
    await at.sql(message(1, 'one'));
    await succeeded(at.convert());
    await at.sql(message(2, 'two', '2024-01-05'));
    const { stdout } = await succeeded(at.convert());
    expect(stdout).toContain('Read only new and changed rows of 1 table');
    await at.sql(sql);
    const after = await succeeded(at.convert());
    expect(after.stdout).not.toContain('Read only new and changed rows');
    const read = await readConverted(join(at.cwd, 'out'));
    expect(read.facts.find(({ id }) => id === 'acme:1:1')).toMatchObject(facts);
    expect(read.ledger.map(({ reason }) => reason)).not.toContain('part.not-read');
  });

  test('--sample shows the first rows', async () => {
    const at = await place();
    await at.sql(message(1, 'one') + message(2, 'two'));
    const args = ['convert', 'table', '--from-env', 'DATABASE_URL', '--mapping', 'mapping.yaml', '--sample', '1'];
    const { stdout } = await succeeded(runCli(args, { cwd: at.cwd, env: { DATABASE_URL: at.url } }));
    expect(stdout).toContain('public.messages#1');
    expect(stdout).not.toContain('public.messages#2');
    expect(await readdir(at.cwd)).toEqual(['mapping.yaml']);
  });

  describe('refuses, with nothing written and no password shown,', () => {
    interface Case {
      readonly what: string;
      readonly statements?: string;
      readonly yaml?: string;
      readonly url?: (url: string) => string;
      readonly exit: number;
      readonly says: readonly string[];
    }
    const asReader = (url: string): string => url.replace(`postgres:${encodedPassword}`, 'chat_reader:reader-secret');
    const reader = `DO $$ BEGIN CREATE ROLE chat_reader LOGIN PASSWORD 'reader-secret'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;`;
    const cases: readonly Case[] = [
      {
        what: 'all missing tables and columns',
        yaml: mapping.replace('people', 'persons').replace('{body}', '{bodies}'),
        exit: 65,
        says: ['has no table or view persons', 'public.messages has no column bodies. Its columns are id, room'],
      },
      {
        what: 'a table of several schemas',
        statements: `${schema} CREATE SCHEMA a; CREATE SCHEMA b; ALTER TABLE people SET SCHEMA a; CREATE TABLE b.people (id int);`,
        exit: 65,
        says: ['has a.people and b.people. Write one of these under table.'],
      },
      {
        what: 'a table that may not be read',
        statements: `${schema}${reader} GRANT SELECT ON people, rooms TO chat_reader;`,
        url: asReader,
        exit: 65,
        says: ['GRANT SELECT ON "public"."messages" TO "chat_reader";'],
      },
      {
        what: 'a column that may not be read',
        statements: `${schema}${reader} GRANT SELECT ON people, messages TO chat_reader; GRANT SELECT (id, name) ON rooms TO chat_reader;`,
        url: asReader,
        exit: 65,
        says: ['may not read members of public.rooms'],
      },
      {
        what: 'rows that row-level security hides',
        statements: `${schema}${reader} GRANT SELECT ON people, rooms, messages TO chat_reader; ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON people USING (id = 1);`,
        url: asReader,
        exit: 1,
        says: ['row-level security would hide rows', 'BYPASSRLS'],
      },
      {
        what: 'a wrong password',
        url: (url) => url.replace(encodedPassword, 'not-the-password'),
        exit: 3,
        says: ['refuses the password (28P01)'],
      },
      {
        what: 'a database that does not exist',
        url: (url) => `${url}_gone`,
        exit: 1,
        says: ['the database does not exist (3D000)', 'Check the URL in DATABASE_URL'],
      },
      {
        what: 'a server that is not there',
        url: (url) => url.replace(/:\d+\//u, ':1/'),
        exit: 1,
        says: ['nothing listens at that address'],
      },
      {
        what: 'a URL of another system',
        url: (url) => url.replace('postgres:', 'oracle:'),
        exit: 64,
        says: ['has an unknown form'],
      },
      {
        what: 'a URL that is cut by its password',
        url: (url) => url.replace(encodedPassword, 'a#b'),
        exit: 64,
        says: ['cannot be read', '# is %23'],
      },
      {
        what: 'a column since that has no order in time',
        statements: schema.replace('updated_at timestamptz', 'updated_at text'),
        exit: 65,
        says: ['The column updated_at has neither times nor numbers'],
      },
      {
        what: 'an overlap of another type',
        yaml: mapping.replace('since: updated_at', 'since: { column: updated_at, overlap: 5 }'),
        exit: 65,
        says: ['Write overlap: 1h, or 90s'],
      },
      {
        what: 'since on a table of users',
        yaml: mapping.replace('table: people', 'table: people, since: id'),
        exit: 65,
        says: ['Only tables whose rows are nothing but messages'],
      },
      {
        what: 'a path',
        yaml: mapping.replace('table: people', 'table: people, path: a.b.*'),
        exit: 65,
        says: ['A table of a database has no path'],
      },
    ];
    test.for(cases)('$what', async ({ statements, yaml, url, exit, says }) => {
      const at = await place(statements, yaml);
      const end = await at.convert({ url: url?.(at.url) ?? at.url });
      const flat = end.stderr.replaceAll(/\s+/gu, ' ');
      for (const text of says) expect(flat).toContain(text);
      expect(end).toMatchObject({ exit, stdout: '' });
      for (const secret of [encodedPassword, 'a secret', 'reader-secret', 'not-the-password', 'a#b'])
        expect(end.stderr).not.toContain(secret);
      expect(await readdir(at.cwd)).toEqual(['mapping.yaml']);
    });

    test('a URL on the command line, and a variable that is not set', async () => {
      const at = await place();
      const convert = (name: string) =>
        runCli(['convert', 'table', '--from-env', name, '--mapping', 'mapping.yaml', '--out-dir', 'out'], at);
      const given = await convert(at.url);
      expect(given.stderr).toContain('--from-env is not the name of an environment variable');
      expect(given.stderr).not.toContain(encodedPassword);
      expect(await convert('CHAT_URL')).toMatchObject({
        exit: 64,
        stderr: expect.stringContaining('The environment variable CHAT_URL is not set.'),
      });
    });

    test('a connection that is lost while rows are read', async () => {
      const at = await place();
      const proxy = await startProxy(server().port);
      proxy.loseAnswerTo((bytes) => bytes.includes('COPY (SELECT'));
      const end = await at.convert({ url: at.url.replace(`:${server().port}/`, `:${proxy.port}/`) });
      await proxy.close();
      expect(end).toMatchObject({ exit: 1, stderr: expect.stringContaining('the connection was cut') });
      expect(await readdir(at.cwd)).toEqual(['mapping.yaml']);
    });

    test('a statement that somebody cancelled', async () => {
      const at = await place(
        `${schema} CREATE VIEW slow AS SELECT p.* FROM people p, pg_sleep(60);`,
        mapping.replace('table: people', 'table: slow'),
      );
      const running = at.convert();
      const cancelled = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%' AND state = 'active' AND datname = current_database()`;
      await soon(async () => (await at.sql(cancelled)).length > 0);
      expect(await running).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('it cancelled the statement (57014)'),
      });
      expect(await readdir(at.cwd)).toEqual(['mapping.yaml']);
    });
  });

  test('writes the password and the user nowhere', async () => {
    const at = await place();
    await at.sql(message(1, 'one'));
    const end = await succeeded(at.convert());
    const files = (await readdir(join(at.cwd, 'out'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
    for (const text of [end.stdout, end.stderr, ...texts]) {
      expect(text).not.toContain('a secret');
      expect(text).not.toContain(encodedPassword);
      expect(text).not.toContain('postgres@');
    }
    expect(texts.join('\n')).toContain(`postgres://127.0.0.1:${server().port}/chat_`);
  });

  test('ends in order when it is interrupted while rows are read', async () => {
    const at = await place();
    await at.sql(message(1, 'one'));
    const stop = new AbortController();
    const holder = new Client({ connectionString: at.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE messages');
      const args = ['convert', 'table', '--from-env', 'DATABASE_URL', '--mapping', 'mapping.yaml', '--out-dir', 'out'];
      const running = runCli(args, { cwd: at.cwd, env: { DATABASE_URL: at.url }, interrupt: stop.signal });
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await soon(async () => (await at.sql(waiting)).length > 0);
      stop.abort();
      await holder.query('ROLLBACK');
      expect(await running).toMatchObject({ exit: 8 });
    } finally {
      await holder.end();
    }
    const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await soon(async () => (await at.sql(others)).length === 0);
    expect(await readdir(at.cwd)).toEqual(['mapping.yaml']);
  });
});
