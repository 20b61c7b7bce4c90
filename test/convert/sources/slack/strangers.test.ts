// Tests people whom a Slack export does not list, such as members of other organisations.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { convertFiles } from '../../support/converted.ts';

const said = (text: string, more: object) => ({ type: 'message', user: 'U000002', text, ...more });

test('names an unlisted member as a message does', async () => {
  const { folder } = await convertFiles('slack', {
    'users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001', 'U000002'] }]),
    'room/2024-01-01.json': JSON.stringify([
      said('one', { ts: '1704096000.000100' }),
      said('two', { ts: '1704096001.000100', user_profile: { real_name: 'Bob Stone', display_name: '' } }),
    ]),
  });
  const users = await readFile(join(folder, 'users.yaml'), 'utf8');
  expect(users).toContain('nickname: Bob Stone');
  expect(users).not.toContain('Unknown user');
});

test('gives unlisted bots distinct names', async () => {
  const bot = (id: string, at: number) => ({
    type: 'message',
    subtype: 'bot_message',
    bot_id: id,
    text: 'built',
    ts: `${at}.000100`,
  });
  const { folder } = await convertFiles('slack', {
    'users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
    'room/2024-01-01.json': JSON.stringify(['B000001', 'B000002'].map((id, place) => bot(id, 1_704_096_000 + place))),
  });
  const users = await readFile(join(folder, 'users.yaml'), 'utf8');
  expect(users).toContain('nickname: Bot B000001');
  expect(users).toContain('nickname: Bot B000002');
});
