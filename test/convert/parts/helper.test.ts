// Tests that a second thread changes no byte of a conversion, whoever is met in whichever part first. It needs the built program.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertExport } from '../../../src/app/convert.ts';
import { readDecisions } from '../../../src/convert/decisions.ts';
import type { Helper } from '../../../src/convert/parts/helper.ts';
import { buildInto } from '../../bench/built-program.ts';
import { contentOf, makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let built = '';

beforeAll(async () => {
  built = await makeFolder();
  await buildInto(built);
}, 120_000);

afterAll(() => removeFolder(built));

/** A module of the built program, which can start threads. */
async function module<T>(name: string): Promise<T> {
  return (await import(join(built, 'dist', name))) as T;
}

const rooms = ['C000001', 'C000002', 'C000003'];
/** The first two are listed; ids such as the last one are numbered in the order in which they are met. */
const people = ['U000001', 'U000002', 'U900001', 'B900001', 'x-1', 'x-2'];
/** White space, so that every room is a part of its own. */
const padding = ' '.repeat(8_000_001);

const workspace = fc.record({
  isMemberListed: fc.boolean(),
  messages: fc.array(
    fc.record({
      room: fc.constantFrom(...rooms),
      sender: fc.constantFrom(...people),
      mentioned: fc.constantFrom(...people),
      isBot: fc.boolean(),
      second: fc.nat(5),
      hasFile: fc.boolean(),
    }),
    { minLength: 8, maxLength: 30 },
  ),
});

function exportOf({ isMemberListed, messages }: typeof workspace extends fc.Arbitrary<infer T> ? T : never) {
  const user = (id: string) => ({ id, name: id, profile: { display_name: `Name of ${id}` } });
  const days = rooms.map((room) => {
    const entries = messages
      .filter((message) => message.room === room)
      .map(({ sender, mentioned, isBot, second, hasFile }) => ({
        type: 'message',
        ...(isBot ? { subtype: 'bot_message', bot_id: sender, username: `from ${room}` } : { user: sender }),
        text: `for <@${mentioned}>`,
        ts: `${1_714_982_400 + second}.000100`,
        ...(hasFile ? { files: [{ id: 'F1', name: 'a.pdf', url_private: 'https://example.com/a.pdf' }] } : {}),
      }));
    return [`${room}/2024-05-06.json`, JSON.stringify(entries) + padding] as const;
  });
  const channels = rooms.map((id) => ({ id, name: id, members: isMemberListed ? ['U000001', 'x-2'] : [] }));
  return {
    'users.json': JSON.stringify(['U000001', 'U000002'].map(user)),
    'channels.json': JSON.stringify(channels),
    ...Object.fromEntries(days),
  };
}

test('the files are the same as by one thread', async () => {
  const helped = await module<{ convertExport: typeof convertExport }>('app/convert.js');
  await fc.assert(
    fc.asyncProperty(workspace, async (drafted) => {
      const folder = await makeFolder();
      await writeFiles(join(folder, 'export'), exportOf(drafted));
      const decisions = readDecisions(undefined, 'slack').withProposals({
        userIds: [],
        channelUrls: [],
        undecided: [],
      });
      const listed = (decisions ?? '').replace('urls: keep', 'urls: list');
      for (const name of ['one', 'two']) await writeFiles(join(folder, name), { 'conversion/decisions.yaml': listed });
      const exported = join(folder, 'export');
      const one = await convertExport({ source: 'slack', exported, out: join(folder, 'one'), isHelped: false });
      const progress = { bytes: 0, totalBytes: 0 };
      const onProgress = ({ bytes, totalBytes }: typeof progress) => Object.assign(progress, { bytes, totalBytes });
      const out = join(folder, 'two');
      const two = await helped.convertExport({ source: 'slack', exported, out, isHelped: true, onProgress });
      expect(two).toEqual(one);
      expect(await contentOf(out)).toEqual(await contentOf(join(folder, 'one')));
      expect(progress.bytes).toBe(progress.totalBytes);
      await removeFolder(folder);
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 60_000);

async function helperFor(exported: string, folder: string, bytesAtOnce = padding.length): Promise<Helper> {
  const { Helper: Built } = await module<{ Helper: typeof Helper }>('convert/parts/helper.js');
  const { decisions } = readDecisions(undefined, 'slack');
  const parts = rooms.map(() => ({ bytesAtOnce }));
  return new Built(parts, { source: 'slack', exported, decisions, known: [], folder, linesInMemory: 100 });
}

const drafted = {
  isMemberListed: false,
  messages: rooms.map((room) => ({
    room,
    sender: 'x-1',
    mentioned: 'x-2',
    isBot: false,
    second: 1,
    hasFile: false,
  })),
};

test('the second thread begins with the last part, and says whom it met', async () => {
  const exported = await temporaryFolder(exportOf(drafted));
  const folder = await temporaryFolder();
  const helper = await helperFor(exported, folder);
  const part = await helper.part(2);
  expect(part).toMatchObject({ lines: new Map([['slack_C000003', 1]]), counted: { outcomes: { changed: 1 } } });
  expect(part?.strangers.met.map(({ userId }) => userId)).toEqual(['user-1']);
  expect(part?.strangers.missed).toEqual(new Set(['x-2']));
  expect(part?.senders).toEqual(new Map([['C000003', new Set(['user-1'])]]));
  expect(await readdir(part?.folder ?? '', { recursive: true })).toContain('history/slack_C000003.ndjson');
  await helper.close();
});

test('a part that the second thread cannot read is left to the first', async () => {
  const exported = await temporaryFolder(exportOf(drafted));
  await rename(join(exported, 'users.json'), join(exported, 'people.json'));
  const helper = await helperFor(exported, await temporaryFolder());
  expect(await helper.part(2)).toBeUndefined();
  expect(await helper.part(1)).toBeUndefined();
  await helper.close();
  await rm(exported, { recursive: true });
});

test('a part that is too large for the memory of the second thread is left to the first', async () => {
  const last = drafted.messages.slice(2);
  const large = { ...drafted, messages: Array.from({ length: 600_000 }, () => last).flat() };
  const exported = await temporaryFolder(exportOf(large));
  const helper = await helperFor(exported, await temporaryFolder(), 0);
  expect(await helper.part(2)).toBeUndefined();
  await helper.close();
});
