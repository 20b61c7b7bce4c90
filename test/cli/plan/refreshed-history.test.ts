// Tests what a refresh says of history files: the last message, and who has read it. The rest stays with `chatform verify`.
import { expect, onTestFinished, test } from 'vitest';
import { messages } from '../../../src/core/resources/messages/messages.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { historyFileText } from '../../support/history-files.ts';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';

const first = 1_700_000_000_000;
const lines = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, place) => ({
    user_id: 'alice',
    message: `text ${place}`,
    timestamp: first + place,
    dedup_id: `line-${place}`,
  }));
const manifest = `version: 1
users: { alice: { nickname: A }, bob: { nickname: B } }
group_channels:
  kept: { members: { alice: , bob: }, messages: { file: long.ndjson } }
  room: { members: { alice: , bob: }, messages: { file: long.ndjson, mark_as_read: [bob] } }
`;

async function applied(behaviours: Partial<Behaviours> = {}, chat = manifest) {
  const running = await startPlatform({ behaviours });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const history = historyFileText(lines(3));
  const files = { 'chat.yaml': chat, 'kept.ndjson': history, 'long.ndjson': history };
  const at = await place(files, reaching({ url, token: running.token }));
  await at.does('apply --auto-approve');
  const api = (method: string, path: string, body?: object) => call(running, method, path, body);
  const look = async (command = 'drift') => {
    const { warnings, refreshed } = await at.json(command);
    const ofHistory = (entry: JsonObject) => entry.kind === 'messages';
    return {
      warnings: warnings.filter(({ code }: JsonObject) => code === 'plan.history-changed').map(detailOf),
      compared: refreshed.not_compared.filter(ofHistory).map(inShort),
    };
  };
  const last = async (): Promise<string> => {
    const list = await api('GET', `/group_channels/room/messages?message_ts=${first + 2}&prev_limit=0&next_limit=0`);
    const [message] = list.messages as JsonObject[];
    return `/group_channels/room/messages/${message?.message_id}`;
  };
  return { at, transit, api, look, last };
}

const detailOf = ({ detail }: JsonObject): JsonValue => detail ?? null;
const inShort = ({ attribute, why, proves = '', values }: JsonObject) =>
  `${attribute} ${why} ${proves} ${values}`.trim();

const untouched = ['history in_part last_message 2', 'mark_as_read in_part receipts 1'];

type There = Awaited<ReturnType<typeof applied>>;

/** By what an answer proves of the attribute, edits by others, with what a refresh says of them. */
const edits: Readonly<
  Record<string, readonly [what: string, edit: (there: There) => Promise<unknown>, says: string][]>
> = {
  last_message: [
    [
      'another text',
      async ({ api, last }) => api('PUT', await last(), { message_type: 'MESG', message: 'mine' }),
      'room (edited)',
    ],
    ['no message', async ({ api, last }) => api('DELETE', await last()), 'room (not there)'],
  ],
  receipts: [
    [
      'a receipt that moved back',
      async ({ api }) =>
        api('POST', '/migration/room', {
          update_read_ts: true,
          messages: [{ message_type: 'MESG', user_id: 'alice', message: 'old', timestamp: first - 5, dedup_id: 'x' }],
        }),
      'room (not read by bob)',
    ],
  ],
};

const noted = Object.values(messages.attributes).flatMap(({ shown }) =>
  shown.as === 'not' ? (shown.noted ?? []) : [],
);

test('each value of a history file of which an answer proves something has an edit here', () => {
  expect(Object.keys(edits)).toEqual(noted);
});

test.for(Object.values(edits).flat())(
  'a refresh names %s by others, and an apply leaves it',
  async ([, edit, says]) => {
    const there = await applied();
    expect(await there.look()).toEqual({ warnings: [], compared: untouched });
    await edit(there);
    for (const command of ['drift', 'plan --refresh', 'drift --target *.room --target *.kept']) {
      const { warnings } = await there.look(command);
      expect(warnings, command).toEqual([expect.stringContaining(says)]);
    }
    const { stdout } = await there.at.does('drift');
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(says);
    // A verification finds each of them, and compares the receipts.
    const { stdout: verified } = await there.at.ends('verify', 4);
    expect(verified).toContain('room: ');
    expect(verified).not.toContain('mark_as_read of');
    await there.at.does('apply --refresh --auto-approve');
    expect((await there.look()).warnings).toEqual([expect.stringContaining(says)]);
  },
);

const quietEnds: Readonly<Record<string, JsonObject>> = {
  'a reply': { message_type: 'MESG', user_id: 'bob', parent: 'line-0' },
  'a silent message': { message_type: 'ADMM', is_silent: true },
};

test.for(
  Object.keys(quietEnds).flatMap((end) => (['stays', 'changes'] as const).map((reading) => [end, reading] as const)),
)(
  'a history that ends with %s is not called missing where silentLastMessage is %s',
  async ([end, silentLastMessage]) => {
    const threaded = manifest.replaceAll('file: long.ndjson', 'file: long.ndjson, threads: send');
    const { at, api, look } = await applied({ silentLastMessage }, threaded.replace('long.ndjson', 'kept.ndjson'));
    const quiet = { message: 'quiet', timestamp: first + 9, ...quietEnds[end] };
    await at.write({ 'long.ndjson': historyFileText([...lines(3), quiet]) });
    await at.does('apply --auto-approve');
    expect((await look()).warnings).toEqual([]);
    if (end === 'a silent message' && silentLastMessage === 'stays') {
      const { last_message: shown } = await api('GET', '/group_channels/room');
      expect(shown).toMatchObject({ message: 'text 2' });
    }
  },
);

test('a later message proves nothing of those that were sent', async () => {
  const { api, look } = await applied();
  await api('POST', '/group_channels/room/messages', { message_type: 'MESG', user_id: 'bob', message: 'new' });
  const historyFiles = ['history history  1', 'history in_part last_message 1'];
  expect(await look()).toMatchObject({ warnings: [], compared: expect.arrayContaining(historyFiles) });
});

test.for([
  { what: 'leaves both out', isLeftOut: true, compared: ['history history  2', 'mark_as_read history  1'] },
  {
    what: 'shows no migrated message there',
    behaviours: { migrationLastMessage: 'stays' } as const,
    compared: ['history history  2', 'mark_as_read in_part receipts 1'],
  },
])('a platform that $what proves nothing', async ({ isLeftOut = false, behaviours, compared }) => {
  const { transit, look } = await applied(behaviours);
  const left = isLeftOut ? ['last_message', 'read_receipt'] : [];
  transit.change = (answer) =>
    JSON.parse(JSON.stringify(answer, (name, value) => (left.includes(name) ? undefined : value)));
  expect(await look()).toEqual({ warnings: [], compared });
});
