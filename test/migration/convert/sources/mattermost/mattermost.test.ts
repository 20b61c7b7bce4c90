// Tests the peculiarities of Mattermost exports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { convertFiles } from '../../support/converted.ts';
import { jsonl, mattermost, mattermostExport } from '../../support/small-exports.ts';

const { user, direct } = mattermost;
const converted = (...rows: readonly (object | string)[]) => {
  const lines = rows.map((row) => (typeof row === 'string' ? `${row}\n` : jsonl(row)));
  return convertFiles('mattermost', { 'e.jsonl': mattermostExport() + lines.join('') });
};

test('derives a direct channel from its posts, without login names in ids', async () => {
  const { folder, historyFiles, ledger } = await converted(
    user('ann', { nickname: 'Ann' }),
    user('bob', { delete_at: 5, roles: 'system_user system_guest' }),
    direct({ message: 'hello @bob. :wave:' }),
    direct({ channel_members: ['bob', 'ann'], user: 'bob', create_at: 1_699_999_999_000 }),
  );
  const [[url = '', lines = []] = []] = Object.entries(historyFiles);
  expect(Object.keys(historyFiles)).toHaveLength(1);
  expect(url).toMatch(/^mattermost_direct-[0-9a-f]{20}$/u);
  expect(lines.map(({ user_id, message }) => [user_id, message])).toEqual([
    ['user-2', 'hi'],
    ['user-1', 'hello @bob. 👋'],
  ]);
  expect(lines[1]?.mentioned_user_ids).toEqual(['user-2']);
  expect(ledger.slice(-2).map(({ line }) => line)).toEqual([2, 1]);
  const users = await readFile(join(folder, 'users.yaml'), 'utf8');
  expect(users).toContain('user-1:\n    nickname: Ann');
  expect(users).toContain('user-2:\n    nickname: bob\n    deactivated: true');
});

test('records broken and unknown lines in the ledger', async () => {
  const { ledger } = await converted(
    user('ann'),
    '{"type": "post", "po',
    { type: 'emoji', emoji: { name: 'own' } },
    direct(),
  );
  expect(ledger.map(({ at, reason }) => [at, reason])).toEqual([
    ['e.jsonl#1', 'object.not-carried'],
    ['e.jsonl#2', 'user.new-id'],
    ['e.jsonl#3', 'object.broken'],
    ['e.jsonl#4', 'object.not-carried'],
    ['e.jsonl#5', undefined],
  ]);
});

test('keeps a thread of more than a megabyte whole', async () => {
  const replies = Array.from({ length: 1_500 }, (_none, at) => ({
    user: 'bob',
    message: `${at} ${'é'.repeat(400)}`,
    create_at: 1_700_000_000_001 + at,
  }));
  const { historyFiles, ledger } = await converted(user('ann'), user('bob'), direct({ replies }));
  const [lines = []] = Object.values(historyFiles);
  expect(lines.map(({ message }) => message)).toEqual(['hi', ...replies.map(({ message }) => message)]);
  expect(ledger.map(({ reason }) => reason)).not.toContain('object.broken');
});
