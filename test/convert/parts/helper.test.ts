// Tests that a second thread changes no byte of a conversion, whoever is met in whichever part first: that of the built program.
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertExport } from '../../../src/app/convert.ts';
import { readDecisions } from '../../../src/convert/decisions.ts';
import type { FromHelper } from '../../../src/convert/parts/helper.ts';
import type { ConvertResult } from '../../../src/model/conversion.ts';
import { contentOf, makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { library } from '../../support/program.ts';

/** The library of the built program, which can start threads. `onThread`: told of each. */
async function convertBuilt(exported: string, out: string, onThread: (thread: Worker) => void): Promise<ConvertResult> {
  const { convert } = (await import(library)) as typeof import('../../../src/library.ts');
  process.on('worker', onThread);
  return convert({ source: 'slack', exported, out }).finally(() => process.off('worker', onThread));
}

const rooms = ['C000001', 'C000002', 'C000003'];
/** The first two are listed; ids such as the last one are numbered in the order in which they are met. */
const people = ['U000001', 'U000002', 'U900001', 'B900001', 'x-1', 'x-2'];
/** White space, so that every room is a part of its own, and all are enough for a second thread. */
const padding = ' '.repeat(11_000_000);

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

type Drafted = typeof workspace extends fc.Arbitrary<infer T> ? T : never;

function exportOf({ isMemberListed, messages }: Drafted): Readonly<Record<string, string>> {
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

/** Converts by one thread and by two, and compares all files. `see`: told of the second thread. */
async function convertTwice(drafted: Drafted, see: (thread: Worker) => void): Promise<void> {
  const folder = await makeFolder(exportOf(drafted));
  const listed = (startingDecisions ?? '').replace('urls: keep', 'urls: list');
  const [one, two] = [await makeFolder(), await makeFolder()];
  for (const out of [one, two]) await writeFiles(out, { 'conversion/decisions.yaml': listed });
  const expected = await convertExport({ source: 'slack', exported: folder, out: one, isHelped: false });
  expect(await convertBuilt(folder, two, see)).toEqual(expected);
  expect(await contentOf(two)).toEqual(await contentOf(one));
  for (const made of [folder, one, two]) await removeFolder(made);
}

const startingDecisions = readDecisions(undefined, 'slack').withProposals({
  ...{ userIds: [], channelUrls: [], undecided: [] },
});

describe.skipIf(availableParallelism() < 2)('with two processors (a second thread has none else)', () => {
  test('the files are the same as by one thread', async () => {
    let parts = 0;
    const count = (thread: Worker): void => {
      thread.on('message', ({ type }: FromHelper) => {
        if (type === 'part') parts++;
      });
    };
    await fc.assert(
      fc.asyncProperty(workspace, (drafted) => convertTwice(drafted, count)),
      { numRuns: 12, endOnFailure: true },
    );
    expect(parts).toBeGreaterThan(5);
  });

  test('the second thread begins with the last part, and says whom it met', async () => {
    const told: FromHelper[] = [];
    await convertTwice(unlisted, (thread) => thread.on('message', (message: FromHelper) => told.push(message)));
    const [part] = told.flatMap((message) => (message.type === 'part' ? [message.part] : []));
    expect(part).toMatchObject({ lines: new Map([['slack_C000003', 1]]), counted: { outcomes: { changed: 1 } } });
    expect(part?.strangers.met.map(({ userId }) => userId)).toEqual(['user-1']);
    expect(part?.strangers.missed).toEqual(new Set(['x-2']));
    expect(part?.senders).toEqual(new Map([['C000003', new Set(['user-1'])]]));
  });

  test('a second thread that ends, as for want of memory, is done without', async () => {
    let ended = 0;
    await convertTwice(unlisted, (thread) => {
      ended++;
      void thread.terminate();
    });
    expect(ended).toBe(1);
  });
});

/** Everybody is a stranger, who gets a number. */
const unlisted: Drafted = {
  isMemberListed: false,
  messages: rooms.map((room) => ({
    ...{ room, sender: 'x-1', mentioned: 'x-2', isBot: false, second: 1, hasFile: false },
  })),
};
