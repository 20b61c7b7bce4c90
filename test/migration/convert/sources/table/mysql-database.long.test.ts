// Tests that tables are read from a MariaDB server as from its dump, in part where the mapping says so, and what is refused.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../../../../support/folders.ts';
import { startMariaDb } from '../../../../support/mariadb.ts';
import { runCli, succeeded } from '../../../../support/run-cli.ts';
import { readConverted } from '../../support/converted.ts';

const run = promisify(execFile);
const isInstalled = await run('mariadbd', ['--version']).then(
  () => true,
  () => false,
);

const secret = 'a secret/with@signs';
const mapping = `version: 1
name: acme
tables:
  users: { files: dump.sql, table: people }
  rooms: { files: dump.sql }
  messages: { files: dump.sql, since: updated_at, omit: [updated_at, shouted] }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: { cel: "json(row.members)" } }
messages:
  { from: messages, id: "\${id}", channel: "\${room}", sender: "\${author}", time: { of: "\${sent_at}", zone: UTC }, text: "\${body}", deleted: "\${deleted}" }
`;
const schema = `CREATE DATABASE chat CHARACTER SET utf8mb4~~
USE chat~~
CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(100))~~
CREATE TABLE rooms (id INT PRIMARY KEY, name TEXT, members JSON)~~
CREATE TABLE messages (id BIGINT UNSIGNED PRIMARY KEY, room INT, author INT, sent_at DATETIME(3), body MEDIUMTEXT, deleted BIT(1) DEFAULT b'0',
  uuid BINARY(16), words VARBINARY(100), price DECIMAL(10,4), ratio DOUBLE, at_zone TIMESTAMP NULL, day DATE, mood ENUM('glad', 'sad'),
  shouted TEXT GENERATED ALWAYS AS (upper(body)) VIRTUAL, updated_at TIMESTAMP(6) NOT NULL)~~
INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob')~~
INSERT INTO rooms VALUES (1, 'Room', '[1, 2]')~~
INSERT INTO messages (id, room, author, sent_at, body, uuid, words, price, ratio, at_zone, day, mood, updated_at) VALUES
  (1, 1, 1, '2024-01-01 10:00:00.123', 'tab\\there \\\\ \\'so\\' 🙂 漢', X'0191c2e8a1b27f00800000000000abcd', 'plain ü', 1.5, 0.1,
   '2024-02-03 04:05:06', '2024-02-03', 'sad', '2024-01-01 10:00:00'),
  (18446744073709551615, 1, 2, '2024-01-01 11:00:00', '', NULL, '', NULL, 1e300, NULL, NULL, NULL, '2024-01-01 11:00:00')~~
CREATE USER reader IDENTIFIED BY '${secret}'~~
GRANT SELECT ON chat.people TO reader~~
GRANT SELECT ON chat.rooms TO reader~~
CREATE USER owner IDENTIFIED BY '${secret}'~~
GRANT SELECT ON chat.* TO owner~~
`;

describe.skipIf(!isInstalled)('MariaDB (without mariadb-server-core and mariadb-client: skipped)', () => {
  test('is read as its dump is, then in part, and each refusal names what to do and no password', async () => {
    const { folder: cwd, socket, connection, sql } = await startMariaDb();
    expect(await sql(schema)).toBe(0);
    const url = (user = 'owner', database = 'chat', password = secret) =>
      `mysql://${user}:${encodeURIComponent(password)}@localhost/${database}?socket=${encodeURIComponent(socket)}`;
    await writeFiles(cwd, { 'mapping.yaml': mapping });
    const convert = (out: string, address = url(), ...more: readonly string[]) =>
      runCli(
        ['convert', 'table', '--from-env', 'DATABASE_URL', '--mapping', 'mapping.yaml', '--out-dir', out, ...more],
        {
          cwd,
          env: { DATABASE_URL: address },
        },
      );
    const { stdout } = await run('mariadb-dump', [...connection, '--hex-blob', 'chat'], { maxBuffer: 1 << 26 });
    await writeFile(join(cwd, 'dump.sql'), stdout);
    await succeeded(
      runCli(['convert', 'table', 'dump.sql', '--mapping', 'mapping.yaml', '--out-dir', 'dumped'], { cwd }),
    );
    const whole = await succeeded(convert('out'));
    const [read, dumped] = [await readConverted(join(cwd, 'out')), await readConverted(join(cwd, 'dumped'))];
    expect(read.historyFiles).toEqual(dumped.historyFiles);
    expect(read.facts).toEqual(dumped.facts);
    expect(read.facts).toMatchObject([{ more: { uuid: '0x0191c2e8a1b27f00800000000000abcd', words: 'plain ü' } }, {}]);
    expect(read.ledger.map(({ at }) => at)).toContain('chat.messages#18446744073709551615');

    // Later: an edit, a deletion that the row says, one that it does not, and a new row.
    await sql(`USE chat~~
INSERT INTO messages (id, room, author, sent_at, body, updated_at) VALUES (2, 1, 1, '2024-01-02 10:00:00', 'new', '2024-01-02 10:00:00')~~
UPDATE messages SET body = 'edited', updated_at = '2024-01-02 11:00:00' WHERE id = 1~~
DELETE FROM messages WHERE id = 18446744073709551615~~`);
    const part = await succeeded(convert('out'));
    expect(part.stdout + part.stderr).toContain('deleted');
    const texts = async () =>
      Object.values((await readConverted(join(cwd, 'out'))).historyFiles).flatMap((lines) =>
        lines.map((line) => line.message),
      );
    expect((await texts()).sort()).toEqual(['[no text]', 'edited', 'new']);
    await succeeded(convert('out', url(), '--full'));
    expect((await texts()).sort()).toEqual(['edited', 'new']);

    const pipe = join(cwd, 'pipe');
    await run('mkfifo', [pipe]);
    const refused: readonly [address: string, exit: number, says: string][] = [
      [url('owner', 'chat', 'wrong'), 3, 'it refuses the login'],
      [url('owner', 'other'), 1, 'ER_DBACCESS_DENIED_ERROR'],
      [url('reader'), 65, 'no table or view messages'],
      [url().replace(encodeURIComponent(socket), '/nowhere/s'), 1, 'the socket that the URL names does not exist'],
      ['mysql://owner:x@127.0.0.1:1/chat', 1, 'nothing listens at that address'],
      ['mysql://owner:x@127.0.0.1:1/chat?ssl-mode=odd', 64, 'has an unknown ssl-mode'],
      [`mysql://owner:x@127.0.0.1:1/chat?ssl-ca=${pipe}`, 64, 'names a pipe in ssl-ca'],
      ['mysql://owner:x@127.0.0.1:1', 64, 'is incomplete'],
    ];
    for (const [address, exit, says] of refused) {
      const end = await convert('refused', address);
      expect({ exit: end.exit, says: end.stderr.replace(/\s+/gu, ' ') }).toEqual({
        exit,
        says: expect.stringContaining(says),
      });
      for (const text of [secret, encodeURIComponent(secret), 'wrong@']) expect(end.stderr).not.toContain(text);
    }
    expect(whole.stdout + whole.stderr).not.toContain(secret);
  });
});
