// Tests that an export loses no reply, no caption and no file of a message without a line.
import { describe, expect, onTestFinished, test } from 'vitest';
import { isList, isObject, type JsonObject } from '../../../src/lib/json.ts';
import { convertFiles } from '../../migration/convert/support/converted.ts';
import { sendbirdFile } from '../../migration/convert/support/small-exports.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

const start = 1_700_000_000_000;
const url = (name: string) => ({ url: `https://files.example.com/${name}`, file_name: name });

/** A room with a reply, a caption and three files. `send` adds a message some milliseconds after the start. */
async function threaded(behaviours: Behaviours = {}) {
  const running = await startPlatform({ behaviours });
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
  return { ...running, send };
}

type Behaviours = NonNullable<Parameters<typeof startPlatform>[0]>['behaviours'];
type Place = Awaited<ReturnType<typeof place>>;

const adopted = 'user.ann user.bob group_channel.room messages.room';
const everyReading: readonly NonNullable<Behaviours>[] = (['when_asked', 'always'] as const).flatMap((listedReplies) =>
  (['counted', 'left_out'] as const).map((countedReplies) => ({ listedReplies, countedReplies })),
);

async function linesIn(at: Place, folder: string) {
  const contents = Object.values(await at.content(folder)).map(String);
  const lines = contents
    .filter((content) => content.includes('"timestamp"'))
    .flatMap((text) => text.trim().split('\n'));
  return lines.map((line) => JSON.parse(line));
}

async function exported(from: { readonly url: string; readonly token: string }, flags = '') {
  const at = (await place()).with({ env: reaching(from) });
  const { stdout, stderr } = await at.does(`export --out-dir out --messages --without-state${flags}`);
  return { at, notes: `${stdout}${stderr}`, lines: await linesIn(at, 'out') };
}

const contentOf = (lines: readonly { timestamp: number; message?: string; url: string }[]) =>
  lines.map(({ timestamp, message, url }) => [timestamp - start, message ?? url.slice(-5)]);
const whole = [
  [1_000, 'Where is it?'],
  [2_000, 'On its way.'],
  [3_000, 'Please sign page 3'],
  [3_000, 'a.pdf'],
  [4_000, '1.png'],
  [4_000, '2.png'],
  [4_000, '3.png'],
];

describe.for(everyReading)('a reply, a caption and three files, with %j', (behaviours) => {
  test('have a line each in an export and in a later one, which claim no loss', async () => {
    const running = await threaded(behaviours);
    const { at, lines, notes } = await exported(running);
    expect(contentOf(lines)).toEqual(whole);
    expect(notes).toContain('the threads of 1 reply are left out');
    expect(notes).not.toContain('The platform counts');
    await running.send(100_000_000, { message: 'Signed.' });
    const later = await at.does('export --out-dir later --messages --without-state --since out');
    expect(contentOf(await linesIn(at, 'later'))).toEqual([...whole, [100_000_000, 'Signed.']]);
    expect(`${later.stdout}${later.stderr}`).not.toContain('The platform counts');
  });

  test('have the same lines in a conversion of a Data Export', async () => {
    const { url, token } = await threaded(behaviours);
    const list = `${url}/group_channels/room/messages?message_ts=0&next_limit=200&include_reply_type=ALL`;
    const answer = await fetch(list, { headers: { 'Api-Token': token } });
    const { messages } = (await answer.json()) as { messages: JsonObject[] };
    const { historyFiles } = await convertFiles('sendbird', { 'room.json': sendbirdFile(messages) });
    expect(contentOf(Object.values(historyFiles)[0] as unknown as Parameters<typeof contentOf>[0])).toEqual(whole);
  });

  test('are found by verify, adopt and a rebuild of the state', async () => {
    const { at } = await exported(await threaded(behaviours));
    const verified = await at.does('verify out --all');
    expect(verified.stdout).toContain('1 of 1 channel matched: 7 declared messages, 7 compared one by one');
    expect(`${verified.stdout}${verified.stderr}`).not.toContain('The platform counts');
    for (const command of ['state rebuild out --state file:built', `adopt ${adopted} --path out --state file:taken`]) {
      const { stdout, stderr } = await at.does(command);
      expect(`${stdout}${stderr}`).not.toContain('The platform counts');
    }
    for (const state of ['built', 'taken'])
      expect((await at.does(`plan out --refresh --state file:${state}`)).stdout).toContain('No changes');
  });
});

describe.for(everyReading)('replies of an export with --threads, with %j', (behaviours) => {
  const parents = (lines: readonly { message?: string; dedup_id?: string; parent?: string }[]) => {
    const texts = new Map(lines.map(({ dedup_id, message }) => [dedup_id, message]));
    return lines.flatMap(({ message, parent }) => (parent === undefined ? [] : [[message, texts.get(parent)]]));
  };

  test('name the first messages of their threads, also in a later export', async () => {
    const running = await threaded(behaviours);
    const { at, lines, notes } = await exported(running, ' --threads');
    expect(contentOf(lines)).toEqual(whole);
    expect(parents(lines)).toEqual([['On its way.', 'Where is it?']]);
    expect(notes).not.toContain('the threads of');
    expect((await at.does('plan out --state file:none')).stdout).toContain('1 reply is sent into its thread');
    const first = lines.find(({ message }) => message === 'Where is it?')?.dedup_id.split(':')[1];
    await running.send(100_000_000, { message: 'Thanks.', parent_message_id: Number(first) });
    await at.does('export --out-dir later --messages --without-state --threads --since out');
    expect(parents(await linesIn(at, 'later'))).toEqual([
      ['On its way.', 'Where is it?'],
      ['Thanks.', 'Where is it?'],
    ]);
  });

  test('are found by verify, adopt and a rebuild of the state, and arrive as replies elsewhere', async () => {
    const { at } = await exported(await threaded(behaviours), ' --threads');
    const verified = await at.does('verify out --all');
    expect(verified.stdout).toContain('1 of 1 channel matched: 7 declared messages, 7 compared one by one');
    for (const command of ['state rebuild out --state file:built', `adopt ${adopted} --path out --state file:taken`])
      await at.does(command);
    for (const state of ['built', 'taken'])
      expect((await at.does(`plan out --refresh --state file:${state}`)).stdout).toContain('No changes');
    const elsewhere = at.with({ env: reaching(await startPlatform({ behaviours })) });
    await elsewhere.does('apply out --auto-approve --state file:elsewhere');
    const there = await elsewhere.does('verify out --all');
    expect(there.stdout).toContain('1 of 1 channel matched: 7 declared messages, 7 compared one by one');
  });
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
  const { at, lines, notes } = await exported({ url, token: running.token });
  expect(lines).toHaveLength(6);
  expect(notes).toContain('1 of 4 messages are left out. The platform counts them');
  const commands = [
    'verify out --all',
    'state rebuild out --state file:built',
    `adopt ${adopted} --path out --state file:taken`,
  ];
  for (const command of commands) {
    const { stdout, stderr } = await at.does(command);
    expect(`${stdout}${stderr}`).toContain(
      'The platform counts 1 message in 1 channel beyond those that were compared',
    );
  }
});
