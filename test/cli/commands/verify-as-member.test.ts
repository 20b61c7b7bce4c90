// Tests that `verify --as-member` compares what members see with the history files of their channels.
import { expect, onTestFinished, test } from 'vitest';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { historyFileText } from '../../support/history-files.ts';
import { connected, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

const lines = [1_500_000_000_000, 1_600_000_000_000].map((timestamp) => ({
  user_id: 'alice',
  message: `At ${timestamp}`,
  timestamp,
}));
const textWith = (more: string) => `version: 1
application: { rate_plan: 100k_mau }
${more}users: { alice: { nickname: Alice }, bob: { nickname: Bob, auto_accept: false } }
group_channels:
  tea-room: { members: { alice: , bob: { invitation_status: invited_by_friend } }, messages: { file: tea.ndjson } }
open_channels:
  lobby: { messages: { file: tea.ndjson } }
`;
const shown = 'settings: { all_channels: { display_past_message: true } }\n';

interface Case {
  readonly name: string;
  readonly behaviours?: Partial<Behaviours>;
  readonly more?: string;
  readonly hidden: readonly string[];
}

test.for<Case>([
  { name: 'members see nothing from before they joined', hidden: ['alice'] },
  { name: 'the invitation draws the line', behaviours: { historyLine: 'invitation' }, hidden: ['alice', 'bob'] },
  { name: 'no line is drawn', behaviours: { historyLine: 'none' }, hidden: [] },
  { name: 'the setting is on', more: shown, hidden: [] },
  { name: 'the setting is on from the start', behaviours: { pastMessagesDefault: 'on' }, hidden: [] },
])('names the members who do not see the messages: $name', async ({ behaviours = {}, more = '', hidden }) => {
  const { at } = await connected({ 'chat.yaml': textWith(more), 'tea.ndjson': historyFileText(lines) }, { behaviours });
  await at.does('apply --auto-approve');
  const exit = hidden.length === 0 ? 0 : 4;
  expect((await at.json('verify')).as_member).toBeUndefined();
  const { as_member: views, exit_code } = await at.json('verify --as-member', exit);
  expect(exit_code).toBe(exit);
  expect(views).toMatchObject({ users: 2, memberships: 2, hidden_from: hidden.length, not_members: 0 });
  const channels = [{ channel_url: 'tea-room', members: 2, hidden_from: hidden.length, messages: 2, first: hidden }];
  expect(views.channels).toMatchObject(hidden.length === 0 ? [] : channels);
});

test('shows on every form of the report who does not see what', async () => {
  const { at, call } = await connected({ 'chat.yaml': textWith(''), 'tea.ndjson': historyFileText(lines) });
  await at.does('apply --auto-approve');
  await call('PUT', '/group_channels/tea-room/decline', { user_id: 'bob' });
  const { stdout } = await at.ends('verify --as-member --report seen.md seen.html seen.json', 4);
  const views = [stdout, await at.read('seen.md'), await at.read('seen.html')];
  for (const view of views) {
    expect(view).toMatch(/tea-room.*1 of 1 member does not see all messages/u);
    expect(view).toContain('Not verified: 1 declared membership.');
  }
  expect((await at.readJson('seen.json')).as_member).toMatchObject({ hidden_from: 1, not_members: 1 });
});

test('does not verify a member whose view the platform refuses', async () => {
  const running = await startPlatform();
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const at = await place(
    { 'chat.yaml': textWith(shown), 'tea.ndjson': historyFileText(lines) },
    reaching({ url, token: running.token }),
  );
  await at.does('apply --auto-approve');
  for (const [refused, said] of [
    ['alice', 'All of these see the oldest message'],
    ['', 'As members: 2 users with 0 memberships read. Not verified: 2 declared memberships.'],
  ] as const) {
    transit.change = (answer, path) =>
      path.includes(`${refused}/my_group_channels`) ? { error: true, code: 400108, message: 'no' } : answer;
    const { stdout } = await at.ends('verify --as-member', 4);
    expect(stdout.replaceAll(/\s+/gu, ' ').replaceAll(' - ', ' ')).toContain(said);
  }
});
