// Tests that a first mapping is guessed from schemas that no example has, that it loads, and that few corrections make it convert.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeFiles } from '../../../../support/folders.ts';
import { runCli, succeeded } from '../../../../support/run-cli.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { readConverted } from '../../support/converted.ts';
import { jsonl } from '../../support/small-exports.ts';

const copied = (table: string, columns: string, ...rows: readonly (readonly string[])[]): string =>
  `COPY public.${table} (${columns}) FROM stdin;\n${rows.map((row) => `${row.join('\t')}\n`).join('')}\\.\n\n`;

const helpdesk = `--
-- PostgreSQL database dump
--

CREATE TABLE public.staff (id integer NOT NULL, login text, full_name text, mail text, shoe_size integer);
CREATE TABLE public.cases (id integer NOT NULL, title text, opened_by integer);
CREATE TABLE public.case_messages (id integer, "case" integer, writer text, body text, created_at timestamp with time zone);
CREATE TABLE public.audit (at timestamp with time zone, what text);
${copied('staff', 'id, login, full_name, mail, shoe_size', ['1', 'ann', 'Ann', 'ann@acme.example', '38'], ['2', 'bob', 'Bob', '\\N', '44'])}
${copied('cases', 'id, title, opened_by', ['7', 'No sound', '2'])}
${copied('case_messages', 'id, "case", writer, body, created_at', ['1', '7', 'bob', 'Help', '2024-01-01 10:00:00+00'], ['2', '7', 'ann', 'Yes?', '2024-01-01 10:01:00+00'])}
ALTER TABLE ONLY public.case_messages
    ADD CONSTRAINT w FOREIGN KEY (writer) REFERENCES public.staff(login);

--
-- PostgreSQL database dump complete
--
`;

interface Schema {
  readonly files: Readonly<Record<string, string>>;
  /** Lines of the mapping that a person replaces. */
  readonly corrections: readonly (readonly [guessed: RegExp, correct: string])[];
  /** What nobody could guess. */
  readonly todo: readonly string[];
  readonly facts: readonly object[];
  readonly users: readonly string[];
}

const schemas: Readonly<Record<string, Schema>> = {
  'a help desk in PostgreSQL, whose messages name their writers by login': {
    files: { 'dump.sql': helpdesk },
    corrections: [
      [
        /^(tables:)$/mu,
        '$1\n  cases: { files: dump.sql, table: public.cases, omit: [opened_by] }\n  staff: { files: dump.sql, table: public.staff, key: "${login}" }',
      ],
      [
        /^channels:[\s\S]*?\n\n/mu,
        'channels: { from: cases, id: "${id}", name: "${title}" }\n\nusers: { from: staff, id: "${id}", name: "${full_name}" }\n\n',
      ],
      [/channel: general .*/u, 'channel: "${case}"\n  sender: { in: staff, key: "${writer}", get: "${id}" }'],
    ],
    todo: ['what is in public.audit?', 'which column has the id of the channel?'],
    facts: [
      { sender: '2', text: 'Help' },
      { sender: '1', text: 'Yes?' },
    ],
    users: ['1', '2'],
  },
  'spreadsheets of a club, with one file of posts for each year': {
    files: {
      'Members.csv': 'MemberId;Nickname;Email;Town\nm1;Ann;ann@acme.example;Bern\nm2;Bob;;Basel\n',
      'Rooms.csv': 'RoomId;Title;OwnerId\nr1;Chess;m1\n',
      'posts/2023.csv': 'PostId;RoomId;AuthorId;SentAt;Text\n1;r1;m1;2023-05-01 10:00:00;Hi\n',
      'posts/2024.csv': 'PostId;RoomId;AuthorId;SentAt;Text\n2;r1;m2;2024-05-01 10:00:00;Ho\n',
    },
    corrections: [[/zone: UTC/u, 'zone: Europe/Zurich']],
    todo: ['the time zone of the server', 'omit: Town'],
    facts: [
      { sender: 'm1', text: 'Hi' },
      { sender: 'm2', text: 'Ho' },
    ],
    users: ['m1', 'm2'],
  },
  'a game in one JSON file, with likes beside it': {
    files: {
      'world.json': JSON.stringify({
        game: { players: [{ id: 5, name: 'Ann', level: 9 }] },
        chats: [{ id: 'c1', title: 'Guild', memberIds: [5] }],
        chatLines: [{ id: 1, chatId: 'c1', playerId: 5, ts: 1_700_000_000_000, message: 'gg' }],
      }),
      'likes.ndjson': jsonl({ messageId: 1, userId: 5, emoji: 'heart' }),
    },
    corrections: [
      [/^(tables:)$/mu, '$1\n  players: { files: world.json, path: game.players.*, omit: [level] }'],
      [/^(messages:)$/mu, 'users: { from: players, id: "${id}", name: "${name}" }\n\n$1\n  sender: "${playerId}"'],
    ],
    todo: ['what is in game.players.*?', 'sender'],
    facts: [{ sender: '5', text: 'gg', reactions: [{ name: 'heart', users: ['5'] }] }],
    users: ['5'],
  },
};

describe.for(Object.entries(schemas))('%s', ([, { files, corrections, todo, facts, users }]) => {
  test('is guessed, corrected by few lines, and converted', async () => {
    const cwd = await temporaryFolder();
    await writeFiles(join(cwd, 'data'), files);
    const from = ['convert', 'table', 'data', '--mapping', 'mapping.yaml'];
    const { stdout } = await succeeded(runCli([...from, '--guess'], { cwd }));
    expect(stdout).toContain('--mapping mapping.yaml --sample 20');
    const path = join(cwd, 'mapping.yaml');
    let mapping = await readFile(path, 'utf8');
    const comments = mapping.split('\n').flatMap((line) => /# TODO: (.*)/u.exec(line)?.[1] ?? []);
    for (const text of todo) expect(comments).toContainEqual(expect.stringContaining(text));
    await succeeded(runCli([...from, '--sample', '5'], { cwd }));
    for (const [guessed, correct] of corrections) {
      expect(mapping).toMatch(guessed);
      mapping = mapping.replace(guessed, correct);
    }
    await writeFile(path, mapping);
    await succeeded(runCli([...from, '--out-dir', 'chat'], { cwd }));
    const converted = await readConverted(join(cwd, 'chat'));
    expect(converted.facts).toMatchObject(facts);
    const declared = await readFile(join(cwd, 'chat/users.yaml'), 'utf8');
    for (const user of users) expect(declared).toMatch(new RegExp(`^\\s+"?${user}"?:`, 'mu'));
  });
});

test('a foreign key decides which column names the sender, and which look-up its value needs', async () => {
  const cwd = await temporaryFolder();
  const people = 'CREATE TABLE public.people (id integer, login text, name text);\n';
  const sql = helpdesk.replace('--\n\n', `--\n\n${people}`).replaceAll('public.staff(login)', 'public.people(login)');
  await writeFiles(cwd, { 'dump.sql': sql });
  const { stdout } = await succeeded(runCli(['convert', 'table', 'dump.sql', '--guess'], { cwd }));
  expect(stdout).toContain('sender: { in: people, key: "${writer}", get: "${id}" } # guessed: by a foreign key');
  expect(stdout).toContain('key: "${login}" # guessed: a foreign key names this column');
});

const phpMyAdmin = `-- phpMyAdmin SQL Dump
CREATE TABLE \`user\` (\`uno\` int(11) NOT NULL, \`name\` varchar(40), \`type_no\` int(11));
CREATE TABLE \`user_kind\` (\`no\` int(11) NOT NULL, \`name\` varchar(40));
CREATE TABLE \`user_visits\` (\`id\` int(11) NOT NULL, \`user_id\` int(11), \`ip\` varchar(40));
CREATE TABLE \`user_pairs\` (\`user_id\` int(11) NOT NULL, \`other_id\` int(11) NOT NULL);
CREATE TABLE \`rooms\` (\`id\` int(11) NOT NULL, \`title\` varchar(40), \`owner_id\` int(11));
CREATE TABLE \`room_messages\` (\`n\` int(11) NOT NULL, \`what\` text);
CREATE TABLE \`messages\` (\`id\` int(11) NOT NULL, \`room\` int(11), \`user\` int(11), \`at\` datetime, \`body\` text);
INSERT INTO \`user\` VALUES (1, 'Ann', 1);
INSERT INTO \`messages\` VALUES (1, 7, 1, '2024-01-01 10:00:00', 'hi');
ALTER TABLE \`user\`
  ADD PRIMARY KEY USING BTREE (\`uno\`),
  ADD UNIQUE KEY \`name\` (\`name\`(20));
ALTER TABLE \`user_pairs\` ADD PRIMARY KEY (\`user_id\`,\`other_id\`);
ALTER TABLE \`user\` ADD CONSTRAINT \`t\` FOREIGN KEY (\`type_no\`) REFERENCES \`user_kind\` (\`no\`);
ALTER TABLE \`user_visits\` ADD CONSTRAINT \`v\` FOREIGN KEY (\`user_id\`) REFERENCES \`user\` (\`uno\`) ON DELETE CASCADE;
ALTER TABLE \`user_pairs\`
  ADD CONSTRAINT \`a\` FOREIGN KEY (\`user_id\`) REFERENCES \`user\` (\`uno\`),
  ADD CONSTRAINT \`b\` FOREIGN KEY (\`other_id\`) REFERENCES \`user\` (\`uno\`);
ALTER TABLE \`messages\`
  ADD CONSTRAINT \`c\` FOREIGN KEY (\`room\`) REFERENCES \`rooms\` (\`id\`),
  ADD CONSTRAINT \`d\` FOREIGN KEY (\`user\`) REFERENCES \`user\` (\`uno\`);
`;

const inCreate = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE account_types (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE accounts (code TEXT PRIMARY KEY NOT NULL, email TEXT, boss TEXT REFERENCES accounts(code));
CREATE TABLE account_sessions (id INTEGER PRIMARY KEY, account TEXT REFERENCES accounts(code));
CREATE TABLE groups (no INTEGER, label TEXT, PRIMARY KEY (no));
CREATE TABLE posts (id INTEGER PRIMARY KEY, "group" INTEGER REFERENCES groups, account TEXT REFERENCES accounts(code), ts INTEGER, text TEXT);
INSERT INTO posts VALUES(1,7,'a',1704103200,'hi');
COMMIT;
`;

test.for<readonly [string, sql: string, mapping: object]>([
  [
    'ALTER TABLE',
    phpMyAdmin,
    {
      users: { from: 'user', id: '${uno}', name: '${name}' },
      channels: { from: 'rooms', id: '${id}' },
      messages: {
        from: 'messages',
        channel: '${room}',
        sender: '${user}',
        time: { of: '${at}', zone: 'UTC' },
        text: '${body}',
      },
    },
  ],
  [
    'CREATE TABLE',
    inCreate,
    {
      users: { from: 'accounts', id: '${code}', email: '${email}' },
      channels: { from: 'groups', id: '${no}', name: '${label}' },
      messages: { from: 'posts', sender: '${account}', channel: '${group}', time: { of: '${ts}', unit: 'seconds' } },
    },
  ],
])('keys of %s tell people from what is about them', async ([, sql, mapping]) => {
  const cwd = await temporaryFolder({ 'dump.sql': sql });
  const { stdout } = await succeeded(runCli(['convert', 'table', 'dump.sql', '--guess'], { cwd }));
  expect(parse(stdout)).toMatchObject(mapping);
});

test('a table of which nothing is known becomes a mapping that loads', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'a.csv': 'x,y\n1,2\n' });
  const from = ['convert', 'table', 'a.csv', '--mapping', 'm.yaml'];
  await succeeded(runCli([...from, '--guess'], { cwd }));
  await succeeded(runCli([...from, '--sample', '1'], { cwd }));
});

test('no file is replaced, and only tables are guessed', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'a.csv': 'id,name\n1,Ann\n', 'm.yaml': 'mine' });
  const taken = await runCli(['convert', 'table', 'a.csv', '--guess', '--mapping', 'm.yaml'], { cwd });
  expect(taken).toMatchObject({ exit: 64, stderr: expect.stringContaining('replaces no mapping') });
  expect(await readFile(join(cwd, 'm.yaml'), 'utf8')).toBe('mine');
  expect(await runCli(['convert', 'slack', 'a.csv', '--guess'], { cwd })).toMatchObject({ exit: 64 });
});
