// Tests moves from a real PostgreSQL and a real MariaDB to the emulator: conversions and applies are killed, rows are written in
// between, and what arrives is what one read of the whole gives.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { reaching } from '../../../../support/desk.ts';
import { seededChance } from '../../../../support/kill-times.ts';
import { startMariaDb } from '../../../../support/mariadb.ts';
import { connected } from '../../../../support/place.ts';
import { noPostgres, usePostgres } from '../../../../support/postgres.ts';
import { spawnCli } from '../../../../support/spawn-cli.ts';
import { readConverted } from '../../support/converted.ts';

const hasMariaDb = await promisify(execFile)('mariadbd', ['--version']).then(
  () => true,
  () => false,
);

const mapping = `version: 1
name: acme
tables:
  users: { table: people }
  rooms: {}
  seats: {}
  messages: { since: updated_at, omit: [updated_at] }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}" }
members: { from: seats, channel: "\${room}", user: "\${person}" }
messages:
  { from: messages, id: "\${id}", channel: "\${room}", sender: "\${author}", time: { of: "\${sent_at}", zone: UTC }, text: "\${body}", deleted: "\${deleted}" }
`;
/** What the reviewed diff of a migration allows. */
const policy = `version: 1
policy: { messages: { edited: update, deleted: delete } }
`;
const people = 20;
const rooms = 5;
const perWindow = 1_000;

function schema(): string[] {
  const seats = Array.from(
    { length: people * rooms },
    (_none, at) => `(${1 + (at % rooms)}, ${1 + Math.floor(at / rooms)})`,
  );
  return [
    'CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(40))',
    'CREATE TABLE rooms (id INT PRIMARY KEY, name VARCHAR(40))',
    'CREATE TABLE seats (room INT, person INT, PRIMARY KEY (room, person))',
    `CREATE TABLE messages (id INT PRIMARY KEY, room INT, author INT, sent_at TIMESTAMP NOT NULL, body VARCHAR(2000), deleted INT DEFAULT 0, updated_at INT NOT NULL)`,
    `INSERT INTO people VALUES ${Array.from({ length: people }, (_none, at) => `(${at + 1}, 'P${at + 1}')`).join(', ')}`,
    `INSERT INTO rooms VALUES ${Array.from({ length: rooms }, (_none, at) => `(${at + 1}, 'R${at + 1}')`).join(', ')}`,
    `INSERT INTO seats VALUES ${seats.join(', ')}`,
  ];
}

/** What the application writes in a window: new messages, edits and deletions of earlier ones. */
function writes(window: number): string[] {
  const first = window * perWindow;
  const rows = Array.from({ length: perWindow }, (_none, at) => {
    const id = first + at + 1;
    const day = String(1 + window).padStart(2, '0');
    const time = new Date(at * 1000).toISOString().slice(11, 19);
    return `(${id}, ${1 + (id % rooms)}, ${1 + (id % people)}, '2024-01-${day} ${time}', 'message ${id}', ${id})`;
  });
  const late = first + perWindow;
  return [
    `INSERT INTO messages (id, room, author, sent_at, body, updated_at) VALUES ${rows.join(', ')}`,
    ...(window === 0
      ? []
      : [
          `UPDATE messages SET body = 'edited ${window}', updated_at = ${late} WHERE id % 97 = ${window} AND id <= ${first}`,
          `UPDATE messages SET deleted = 1, updated_at = ${late} WHERE id % 89 = ${window} AND id <= ${first}`,
        ]),
  ];
}

async function move(url: string, sql: (statements: readonly string[]) => Promise<void>): Promise<void> {
  const chance = seededChance();
  const { at, running } = await connected(
    { 'mapping.yaml': mapping, 'chat/policy.yaml': policy },
    { rateLimits: false },
  );
  const env = { ...reaching(running), DATABASE_URL: url };
  const convert = (out: string, ...more: readonly string[]) => [
    'convert',
    'table',
    '--from-env',
    'DATABASE_URL',
    '--mapping',
    'mapping.yaml',
    '--out-dir',
    out,
    ...more,
  ];
  /** Killed some times, then to its end. */
  const insists = async (args: readonly string[], mostMs: number): Promise<void> => {
    for (let kill = 0; kill < 2; kill += 1) {
      const child = spawnCli(args, { cwd: at.cwd, env });
      await Promise.race([child.ended, sleep(chance() * mostMs)]);
      child.kill('SIGKILL');
      await child.ended;
    }
    const end = await spawnCli(args, { cwd: at.cwd, env }).ended;
    expect(end.exit, end.stdout + end.stderr).toBe(0);
  };
  await sql(schema());
  for (let window = 0; window < 3; window += 1) {
    await sql(writes(window));
    await insists(convert('chat'), 1_500);
    await insists(['apply', 'chat', '--auto-approve', '--settle-time', '0s'], 3_000);
  }
  const whole = await spawnCli(convert('whole', '--full'), { cwd: at.cwd, env }).ended;
  expect(whole.exit, whole.stderr).toBe(0);
  const [moved, read] = await Promise.all(['chat', 'whole'].map((name) => readConverted(join(at.cwd, name))));
  expect(moved?.historyFiles).toEqual(read?.historyFiles);
  for (const args of [
    ['verify', 'chat', '--all'],
    ['plan', 'chat', '--detailed-exitcode'],
  ]) {
    const end = await spawnCli(args, { cwd: at.cwd, env }).ended;
    expect(end.exit, end.stdout + end.stderr).toBe(0);
  }
}

const postgres = noPostgres === undefined ? usePostgres() : undefined;

test('from PostgreSQL', async ({ skip }) => {
  skip(postgres === undefined, noPostgres);
  if (postgres === undefined) return;
  await postgres().sql('CREATE DATABASE moving');
  await move(postgres().url('moving'), async (statements) => {
    for (const statement of statements) await postgres().sql(statement, 'moving');
  });
}, 240_000);

test('from MariaDB', async ({ skip }) => {
  skip(!hasMariaDb, 'mariadb-server-core and mariadb-client are not installed');
  const { socket, sql } = await startMariaDb();
  expect(await sql('CREATE DATABASE moving CHARACTER SET utf8mb4')).toBe(0);
  await move(`mysql://root@localhost/moving?socket=${encodeURIComponent(socket)}`, async (statements) => {
    expect(await sql(['USE moving', ...statements].join('~~\n'))).toBe(0);
  });
}, 240_000);
