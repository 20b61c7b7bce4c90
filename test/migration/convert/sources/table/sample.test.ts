// Tests `--sample`, which shows what the first rows become and writes nothing, and the flags of tables.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectEnd, runCli } from '../../../../support/run-cli.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const mapping = `version: 1
name: acme
tables:
  users: { files: users.csv }
  messages: { files: messages.ndjson }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: messages, id: "\${room}", repeats: true }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${time}", text: "\${text}" }
`;
const message = (id: string, text: unknown) =>
  `${JSON.stringify({ id, room: 'r1', user: 'u1', time: '2024-01-01T00:00:00Z', text })}\n`;
const files = {
  'mapping.yaml': mapping,
  'users.csv': 'id,name\nu1,"Ann\u001b[2J"\nu2,Ben\n',
  'messages.ndjson': `${message('m1', 'one')}nonsense\n${message('m3', 'three')}`,
};
const sample = ['convert', 'table', 'users.csv', 'messages.ndjson', '--mapping', 'mapping.yaml', '--sample'];

test('shows the result of the first rows, and writes nothing', async () => {
  const cwd = await temporaryFolder(files);
  const { stdout } = await expectEnd(runCli([...sample, '2'], { cwd }), 0);
  expect(stdout).not.toContain('\u001b[2J');
  expect(stdout).not.toContain('three');
  expect(stdout).toContain(`messages.ndjson#1
  row      {"id":"m1","room":"r1","user":"u1","time":"2024-01-01T00:00:00Z","text":"one"}
  becomes  group_channel.acme_r1 (changed: channel.members-from-senders)
           {"custom_type":"acme_private","data":"{\\"chatform\\":1,\\"id\\":\\"acme:r1\\"}","members":{"u1":null}}
  becomes  messages.acme_r1 (carried)
           {"timestamp":1704067200000,"dedup_id":"acme:r1:m1","message_type":"MESG","user_id":"u1","message":"one"`);
  expect(stdout).toContain(`messages.ndjson#2
  row      cannot be read
  becomes  nothing (left out: object.broken)
`);
  expect(await readdir(cwd)).toEqual(Object.keys(files).sort());
  const asJson = await runCli([...sample, '1', '--format', 'json', '--out-dir', 'chat'], { cwd });
  const { rows } = JSON.parse(asJson.stdout) as { readonly rows: readonly object[] };
  expect(rows).toMatchObject([
    { at: 'messages.ndjson#1', table: 'messages', becomes: [{ outcome: 'changed' }, { to: 'messages.acme_r1' }] },
    { at: 'users.csv#2', becomes: [{ to: 'user.u1', made: [{}] }] },
  ]);
  expect(await readdir(cwd)).toEqual(Object.keys(files).sort());
});

test.for<readonly [string, readonly string[], string]>([
  ['no mapping', ['table', 'users.csv', '--out-dir', 'chat'], '--mapping is required'],
  [
    'a mapping of another source',
    ['slack', 'users.csv', '--mapping', 'mapping.yaml', '--out-dir', 'chat'],
    'are for tables',
  ],
  ['a sample of another source', ['slack', 'users.csv', '--sample', '3', '--out-dir', 'chat'], 'are for tables'],
  [
    'a sample of no number',
    ['table', 'users.csv', '--mapping', 'mapping.yaml', '--sample', 'all'],
    'is not a number of rows',
  ],
  ['no folder', ['table', 'users.csv', '--mapping', 'mapping.yaml'], '--out-dir is required'],
])('refuses %s', async ([, args, reason]) => {
  const cwd = await temporaryFolder(files);
  const { exit, stderr } = await runCli(['convert', ...args], { cwd });
  expect({ exit, stderr }).toMatchObject({ exit: 64, stderr: expect.stringContaining(reason) });
  expect(await readdir(join(cwd))).toEqual(Object.keys(files).sort());
});

const chat = `version: 1
name: acme
tables:
  users: { files: users.csv }
  rooms: { files: rooms.csv }
  seats: { files: seats.csv }
  posts: { files: posts.csv }
  votes: { files: votes.csv }
  uploads: { files: uploads.csv }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}" }
members: { from: seats, channel: "\${room}", user: "\${user}" }
messages: { from: posts, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${time}", text: "\${text}" }
reactions: { from: votes, message: "\${post}", name: "\${name}", user: "\${user}" }
files: { from: uploads, message: "\${post}", url: "\${url}" }
`;

test('samples the users, channels, members, reactions and files of the sampled messages', async () => {
  const numbers = [1, 2, 3, 4, 5];
  const csv = (head: string, rowOf: (number: number) => string) => [head, ...numbers.map(rowOf), ''].join('\n');
  const cwd = await temporaryFolder({
    'mapping.yaml': chat,
    'data/users.csv': csv('id,name', (number) => `u${number},U ${number}`),
    'data/rooms.csv': csv('id', (number) => `r${number}`),
    'data/seats.csv': csv('room,user', (number) => `r${number},u${number}`),
    // The last user writes the first message, in the last room.
    'data/posts.csv': csv('id,room,user,time,text', (number) => {
      return `m${6 - number},r${6 - number},u${6 - number},2024-01-01T00:00:00Z,hi`;
    }),
    'data/votes.csv': csv('post,name,user', (number) => `m${number},+1,u1`),
    'data/uploads.csv': csv('post,url', (number) => `m${number},https://files.example/${number}.png`),
  });
  const run = runCli(['convert', 'table', 'data', '--mapping', 'mapping.yaml', '--sample', '1', '--format', 'json'], {
    cwd,
  });
  const { rows } = JSON.parse((await expectEnd(run, 0)).stdout) as {
    readonly rows: readonly { at: string; becomes: readonly { outcome: string; reasons: readonly string[] }[] }[];
  };
  expect(rows.map(({ at }) => at).sort()).toEqual([
    ...['posts.csv#2', 'rooms.csv#6', 'seats.csv#6', 'uploads.csv#6', 'users.csv#6', 'votes.csv#6'],
  ]);
  expect(rows.flatMap(({ becomes }) => becomes.filter(({ outcome }) => outcome === 'left_out'))).toEqual([]);
});
