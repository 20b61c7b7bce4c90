// Tests that an export loses no reply, no caption and no file of a message without a line.
import { expect, onTestFinished, test } from 'vitest';
import { isList, isObject, type JsonObject } from '../../../src/lib/json.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

const start = 1_700_000_000_000;
const url = (name: string) => ({ url: `https://files.example.com/${name}`, file_name: name });

async function threaded() {
  const running = await startPlatform();
  const api = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const headers = { 'Api-Token': running.token, 'Content-Type': 'application/json' };
    const answer = await fetch(`${running.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as JsonObject;
  };
  for (const id of ['ann', 'bob']) await api('/users', { user_id: id, nickname: id, profile_url: '' });
  await api('/group_channels', { channel_url: 'room', user_ids: ['ann', 'bob'] });
  const send = (created_at: number, fields: JsonObject) =>
    api('/group_channels/room/messages', {
      user_id: 'ann',
      message_type: 'MESG',
      created_at: start + created_at,
      ...fields,
    });
  const { message_id: parent = 0 } = await send(1_000, { message: 'Where is it?' });
  await send(2_000, { message: 'On its way.', parent_message_id: parent });
  await send(3_000, { message_type: 'FILE', message: 'Please sign page 3', ...url('a.pdf') });
  await send(4_000, { message_type: 'FILE', files: [url('1.png'), url('2.png'), url('3.png')] });
  return running;
}

async function exported(from: { readonly url: string; readonly token: string }) {
  const at = (await place()).with({ env: reaching(from) });
  const { stdout, stderr } = await at.does('export --out-dir out --messages --without-state');
  const archives = Object.entries(await at.content('out')).filter(([, content]) =>
    String(content).includes('"timestamp"'),
  );
  if (archives.length === 0) throw new Error(`${stdout}${stderr}`);
  const lines = archives.flatMap(([, content]) => String(content).trim().split('\n'));
  return { notes: `${stdout}${stderr}`, lines: lines.map((line) => JSON.parse(line)) };
}

test('has a line for a reply, a caption and each of three files, and names the thread', async () => {
  const { lines, notes } = await exported(await threaded());
  expect(lines.map(({ timestamp, message, url }) => [timestamp - start, message ?? url.slice(-5)])).toEqual([
    [1_000, 'Where is it?'],
    [2_000, 'On its way.'],
    [3_000, 'Please sign page 3'],
    [3_000, 'a.pdf'],
    [4_000, '1.png'],
    [4_000, '2.png'],
    [4_000, '3.png'],
  ]);
  expect(notes).toContain('the threads of 1 reply are left out');
});

test('names the number of messages that the platform counts and does not list', async () => {
  const running = await threaded();
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  transit.change = (answer) => {
    if (!isObject(answer) || !isList(answer.messages)) return answer;
    return {
      ...answer,
      messages: answer.messages.filter((message) => !isObject(message) || message.message !== 'On its way.'),
    };
  };
  const { lines, notes } = await exported({ url, token: running.token });
  expect(lines).toHaveLength(6);
  expect(notes).toContain('1 of 4 messages are left out. The platform counts them');
});
