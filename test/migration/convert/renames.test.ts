// Tests renames at a source whose ids are names: once decided, nobody is removed and no message is deleted.
import { beforeEach, expect, test } from 'vitest';
import { decided, expectRefused, Series } from './support/series.ts';
import { mattermost, mattermostExport, saidAt } from './support/small-exports.ts';

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

function exportOf({ users, room, ann, posts = [], from = saidAt }: World) {
  const channel = { team: 'team', name: room, display_name: 'Room', type: 'P' };
  const text = mattermostExport(
    { type: 'channel', channel },
    ...Object.entries(users).map(([username, nickname]) => mattermost.user(username, { nickname }, room)),
    { type: 'direct_channel', direct_channel: { members: [ann, 'bob'] } },
    ...[1, 2, 3].map((number) =>
      mattermost.post({
        ...{ channel: room, user: ann, message: `hello @ann ${number}`, create_at: from + number, flagged_by: [ann] },
        reactions: [{ user: ann, emoji_name: 'tada', create_at: 5 }],
        replies: [{ user: 'bob', message: 'yes', create_at: from + 100 + number }],
      }),
    ),
    mattermost.direct({ channel_members: ['bob', ann], user: ann, message: 'psst', create_at: from }),
    ...posts,
  );
  return { 'export.jsonl': text };
}

const before: World = { users: { ann: 'Ann', bob: 'Bob' }, room: 'room', ann: 'ann' };
const renamed: World = { users: { annika: 'Annika', bob: 'Bob' }, room: 'hall', ann: 'annika' };
const decisionsFile = 'conversion/decisions.yaml';

let series: Series;
const convert = (world: World) => series.convert(exportOf(world));
const converted = (world: World) => series.converted(exportOf(world));

/** Replaces the answer of the entry, or of all. */
async function decide(answer: string, id = ''): Promise<void> {
  const lines = (await series.read(decisionsFile)).split('\n');
  const edited = lines.map((line) => (line.includes(id) ? line.replace('undecided', answer) : line));
  await series.write({ [decisionsFile]: edited.join('\n') });
}

beforeEach(async () => {
  series = await Series.of('mattermost');
  await converted(before);
});

test('waits for a decision about renames, and writes only the question', async () => {
  const untouched = ['users.yaml', 'history/mattermost_team_room.ndjson', 'conversion/ledger.ndjson'];
  const texts = () => Promise.all(untouched.map((name) => series.read(name)));
  const textsBefore = await texts();
  for (const _again of [1, 2]) {
    expectRefused(
      await convert(renamed),
      4,
      'convert.renamed',
      'ann may be annika now (4 of 4 messages have the same time and text)',
      'team_room may be team_hall now (6 of 6 messages have the same time and text)',
    );
    expect(await texts()).toEqual(textsBefore);
  }
  expect(await series.read(decisionsFile)).toContain(`renamed:
  users:
    annika: { was: ann, same: undecided } # yes or no: 4 of 4 messages have the same time and text
  channels:
    team_hall: { was: team_room, same: undecided } # yes or no: 6 of 6 messages have the same time and text
`);
});

test('asks once about a newcomer who resembles several missing users, citing the strongest evidence', async () => {
  const reposts = [1, 2].map((number) =>
    mattermost.post({ user: 'carl', message: `hello @ann ${number}`, create_at: saidAt + number }),
  );
  await converted({ ...before, users: { ...before.users, carl: 'Carl', dora: 'Annika' }, posts: reposts });
  const { stderr } = await convert({ ...renamed, room: 'room' });
  expect(stderr).toContain('ann may be annika now');
  expect(stderr).not.toMatch(/carl|dora/u);
  expect(await series.read(decisionsFile)).toContain(`renamed:
  users:
    annika: { was: ann, same: undecided } # yes or no: 4 of 4 messages have the same time and text
`);
});

test('keeps user, messages and channels once decided, so that a plan contains only the new names', async () => {
  await series.arrives();
  const historyFile = await series.read('history/mattermost_team_room.ndjson');
  await convert(renamed);
  await decide('yes');
  const late = mattermost.post({ channel: 'hall', user: 'bob', message: 'hi @annika', create_at: saidAt + 1000 });
  expect(await convert({ ...renamed, posts: [late] })).toMatchObject({ exit: 0, stderr: '' });
  const now = await series.read('history/mattermost_team_room.ndjson');
  expect(now.slice(0, historyFile.length)).toBe(historyFile);
  expect(now.slice(historyFile.length)).toContain('"mentioned_user_ids":["user-1"]');
  expect(await series.read('users.yaml')).toContain('user-1:\n    nickname: Annika\n');
  expect((await series.chat('plan')).stdout).not.toMatch(/erase|freeze|deactivate|retire|remove/iu);
  await series.arrives();
  // An export from before the rename works, too.
  await converted(before);
});

test('does not ask again about somebody who was not renamed', async () => {
  await convert(renamed);
  await decide('no', 'annika');
  await decide('yes', 'team_hall');
  await converted(renamed);
  expect(await series.read('users.yaml')).toContain('user-3:\n    nickname: Annika\n');
  await converted(renamed);
});

test('asks by display name if the export has none of the earlier messages', async () => {
  const later: World = { ...before, users: { anni: 'Ann', bob: 'Bob' }, ann: 'anni', from: saidAt + 1_000_000 };
  expectRefused(await convert(later), 4, 'ann may be anni now (the same display name)');
});

test('refuses a newcomer with the earlier name until the decisions give the newcomer an id', async () => {
  await convert(renamed);
  await decide('yes');
  const both: World = { ...renamed, users: { ...renamed.users, ann: 'Another Ann' } };
  expectRefused(await convert(both), 65, 'gives annika and ann the same id ann, but this export lists both.');
  const text = await series.read(decisionsFile);
  const newcomer = '\n    ann: { was: ann-2, same: yes }\n    annika:';
  await series.write({ [decisionsFile]: text.replace('\n    annika:', newcomer) });
  await converted(both);
  expect(await series.read('users.yaml')).toContain('user-3:\n    nickname: Another Ann\n');
});

test.for([
  ['renamed: { people: {} }', 'line 3: renamed.people is unknown. Known: users, channels.'],
  ['renamed: { users: [ann] }', 'line 3: renamed.users must be a map'],
  ['renamed: { users: { annika: ann } }', 'Write { was: EARLIER_ID, same: yes or no or undecided }.'],
  ['renamed: { users: { ann: { was: ann, same: yes } } }', 'Write { was: EARLIER_ID'],
  ['renamed: { users: { annika: { was: ann, same: maybe } } }', 'Write { was: EARLIER_ID'],
] as const)('refuses %s', async ([text, reason]) => {
  await series.write({ [decisionsFile]: decided(text, 'mattermost') });
  expectRefused(await convert(before), 65, reason);
});
