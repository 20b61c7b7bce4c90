// Tests renames at a source whose ids are names: once decided, nobody is removed and no message is deleted.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface World {
  /** By username: the nickname. */
  readonly users: Readonly<Record<string, string>>;
  readonly room: string;
  readonly posts?: readonly object[];
  /** The time of the first posts. */
  readonly from?: number;
  /** The username of the author of the first posts. */
  readonly ann: string;
}

const start = 1_700_000_000_000;

function exportOf({ users, room, ann, posts = [], from = start }: World): string {
  const rows = [
    { type: 'version', version: 1 },
    { type: 'channel', channel: { team: 'team', name: room, display_name: 'Room', type: 'P' } },
    ...Object.entries(users).map(([username, nickname]) => ({
      type: 'user',
      user: { username, nickname, teams: [{ name: 'team', channels: [{ name: room }] }] },
    })),
    { type: 'direct_channel', direct_channel: { members: [ann, 'bob'] } },
    ...[1, 2, 3].map((number) => ({
      type: 'post',
      post: {
        ...{ team: 'team', channel: room, user: ann, message: `hello @ann ${number}`, create_at: from + number },
        reactions: [{ user: ann, emoji_name: 'tada', create_at: 5 }],
        flagged_by: [ann],
        replies: [{ user: 'bob', message: 'yes', create_at: from + 100 + number }],
      },
    })),
    {
      type: 'direct_post',
      direct_post: { channel_members: ['bob', ann], user: ann, message: 'psst', create_at: from },
    },
    ...posts,
  ];
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

const before: World = { users: { ann: 'Ann', bob: 'Bob' }, room: 'room', ann: 'ann' };
const renamed: World = { users: { annika: 'Annika', bob: 'Bob' }, room: 'hall', ann: 'annika' };

let cwd = '';
const decisionsFile = 'chat/conversion/decisions.yaml';
const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');

async function convert(world: World, ...flags: string[]) {
  await rm(join(cwd, 'export.jsonl'), { force: true });
  await writeFiles(cwd, { 'export.jsonl': exportOf(world) });
  const result = await runCli(['convert', 'mattermost', 'export.jsonl', '--out', 'chat', ...flags], { cwd });
  return { ...result, stderr: result.stderr.replace(/\s+/gu, ' ') };
}

/** Replaces the answer of the entry, or of all. */
async function decide(answer: string, id = ''): Promise<void> {
  const text = await read(decisionsFile);
  const lines = text.split('\n').map((line) => (line.includes(id) ? line.replace('undecided', answer) : line));
  await writeFiles(cwd, { [decisionsFile]: lines.join('\n') });
}

beforeEach(async () => {
  cwd = await temporaryFolder();
  expect((await convert(before)).exit).toBe(0);
});

test('waits for a decision about renames, and writes only the question', async () => {
  const untouched = ['chat/users.yaml', 'chat/history/mattermost_team_room.ndjson', 'chat/conversion/ledger.ndjson'];
  const texts = await Promise.all(untouched.map(read));
  for (const _again of [1, 2]) {
    const { exit, stderr } = await convert(renamed);
    expect(exit).toBe(4);
    expect(stderr).toContain('convert.renamed');
    expect(stderr).toContain('ann may be annika now (4 of 4 messages have the same time and text)');
    expect(stderr).toContain('team_room may be team_hall now (6 of 6 messages have the same time and text)');
    expect(await Promise.all(untouched.map(read))).toEqual(texts);
  }
  expect(await read(decisionsFile)).toContain(`renamed:
  users:
    annika: { was: ann, same: undecided } # yes or no: 4 of 4 messages have the same time and text
  channels:
    team_hall: { was: team_room, same: undecided } # yes or no: 6 of 6 messages have the same time and text
`);
});

test('keeps user, messages and channels once decided, so that a plan contains only the new names', async () => {
  const chat = (...args: string[]) => runCli(args, { cwd: join(cwd, 'chat') });
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  const archive = await read('chat/history/mattermost_team_room.ndjson');
  await convert(renamed);
  await decide('yes');
  const late = { team: 'team', channel: 'hall', user: 'bob', message: 'hi @annika', create_at: start + 1000 };
  expect(await convert({ ...renamed, posts: [{ type: 'post', post: late }] })).toMatchObject({ exit: 0, stderr: '' });
  const now = await read('chat/history/mattermost_team_room.ndjson');
  expect(now.slice(0, archive.length)).toBe(archive);
  expect(now.slice(archive.length)).toContain('"mentioned_user_ids":["user-1"]');
  expect(await read('chat/users.yaml')).toContain('user-1:\n    nickname: Annika\n');
  const { stdout } = await chat('plan');
  expect(stdout).not.toMatch(/erase|freeze|deactivate|retire|remove/iu);
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  expect(await chat('verify', '--all')).toMatchObject({ exit: 0 });
  // An export from before the rename works, too.
  expect((await convert(before)).exit).toBe(0);
});

test('does not ask again about somebody who was not renamed', async () => {
  await convert(renamed);
  await decide('no', 'annika');
  await decide('yes', 'team_hall');
  expect((await convert(renamed)).exit).toBe(0);
  expect(await read('chat/users.yaml')).toContain('user-3:\n    nickname: Annika\n');
  expect((await convert(renamed)).exit).toBe(0);
});

test('asks by display name if the export has none of the earlier messages', async () => {
  const later: World = { ...before, users: { anni: 'Ann', bob: 'Bob' }, ann: 'anni', from: start + 1_000_000 };
  expect(await convert(later)).toMatchObject({
    exit: 4,
    stderr: expect.stringContaining('ann may be anni now (the same display name)'),
  });
});

test('refuses a newcomer with the earlier name until the decisions give the newcomer an id', async () => {
  await convert(renamed);
  await decide('yes');
  const both: World = { ...renamed, users: { ...renamed.users, ann: 'Another Ann' } };
  const { exit, stderr } = await convert(both);
  expect(exit).toBe(65);
  expect(stderr).toContain('gives annika and ann the same id ann, but this export lists both.');
  const text = await read(decisionsFile);
  await writeFiles(cwd, {
    [decisionsFile]: text.replace('\n    annika:', '\n    ann: { was: ann-2, same: yes }\n    annika:'),
  });
  expect((await convert(both)).exit).toBe(0);
  expect(await read('chat/users.yaml')).toContain('user-3:\n    nickname: Another Ann\n');
});

test.for([
  ['renamed: { people: {} }', 'line 3: renamed.people is unknown. Known: users, channels.'],
  ['renamed: { users: [ann] }', 'line 3: renamed.users must be a map'],
  ['renamed: { users: { annika: ann } }', 'Write { was: EARLIER_ID, same: yes or no or undecided }.'],
  ['renamed: { users: { ann: { was: ann, same: yes } } }', 'Write { was: EARLIER_ID'],
  ['renamed: { users: { annika: { was: ann, same: maybe } } }', 'Write { was: EARLIER_ID'],
] as const)('refuses %s', async ([text, reason]) => {
  await writeFiles(cwd, { [decisionsFile]: `format_version: 1\nsource: mattermost\n${text}\n` });
  const { exit, stderr } = await convert(before);
  expect({ exit, stderr }).toMatchObject({ exit: 65, stderr: expect.stringContaining(reason) });
});
