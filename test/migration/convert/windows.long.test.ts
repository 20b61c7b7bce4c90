// Property: a history that is exported in windows of time, in any order, converts like the whole history.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../../src/lib/json.ts';
import { writeFiles } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sample as slack } from './sources/slack/sample.ts';
import { convertInto } from './support/converted.ts';
import { type Draft, draft } from './support/drafts.ts';
import type { Files } from './support/small-exports.ts';
import { systems } from './support/systems.ts';

const start = 1_700_000_000_000;

/** Milliseconds after the start of the history; most messages are in the first four or anywhere in two days. */
const time = fc.oneof(fc.nat(3), fc.nat(200_000_000));

/** The list of files without the names of the exports, sorted, because windows come in any order. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'conversion/files.ndjson'), 'utf8').catch(() => '');
  const rows = text.split('\n').filter((line) => line !== '');
  return rows.map((line) => JSON.stringify({ ...JSON.parse(line), export: '' })).sort();
}

interface Windows {
  /** Where the history is cut. */
  readonly cuts: readonly number[];
  /** How far a window overlaps the previous one. */
  readonly overlap: number;
  /** Ranks: windows are converted in their order, and the first of them once more at the end. */
  readonly order: readonly number[];
}

const windows: fc.Arbitrary<Windows> = fc.record({
  cuts: fc.uniqueArray(time, { minLength: 1, maxLength: 3 }).map((cuts) => cuts.sort((left, right) => left - right)),
  overlap: fc.oneof(fc.constant(0), time),
  order: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
});

function rangesOf({ cuts, overlap, order }: Windows): (readonly [from: number, to: number])[] {
  const edges = [0, ...cuts, 300_000_000];
  const ranges = edges.slice(1).map((to, place) => [start + (edges[place] ?? 0) - overlap, start + to] as const);
  const ranked = ranges.map((range, place) => ({ range, rank: order[place] ?? 0 }));
  const sorted = ranked.sort((left, right) => left.rank - right.rank).map(({ range }) => range);
  return [...sorted, ...sorted.slice(0, 1)];
}

const inWindows = systems.flatMap(({ window, ...system }) => (window === undefined ? [] : [{ ...system, window }]));
const windowOfSlack = slack.window ?? ((files: Files) => files);

async function declaredIn(folder: string) {
  const read = async (name: string) => parse(await readFile(join(folder, name), 'utf8').catch(() => '{}'));
  return { ...(await read('users.yaml')), ...(await read('group_channels.yaml')) };
}

test.for(inWindows)('$source', async ({ source, make, window }) => {
  await fc.assert(
    fc.asyncProperty(draft, windows, async (drafted, windowed) => {
      const exported = make(drafted).files;
      const folder = await temporaryFolder();
      const convert = async (files: Readonly<Record<string, string>>, name: string, out: string) => {
        await writeFiles(join(folder, name), files);
        return convertInto(source, join(folder, name), join(folder, out));
      };
      const whole = await convert(exported, 'whole', 'expected');
      let last: Awaited<ReturnType<typeof convert>> | undefined;
      for (const [number, [from, to]] of rangesOf(windowed).entries()) {
        const files = window(exported, (at) => at >= from && at < to);
        last = await convert(files, `window ${number}`, 'out');
        expect(last.result.no_longer_there.gone).toBe(0);
        expect(last.result.older ?? last.result.assumed_later).toBeUndefined();
      }
      expect(last?.historyFiles).toEqual(whole.historyFiles);
      expect(await declaredIn(join(folder, 'out'))).toEqual(await declaredIn(join(folder, 'expected')));
      expect(await filesIn(join(folder, 'out'))).toEqual(await filesIn(join(folder, 'expected')));
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

/** Changes at the source between two exports. */
interface Changes {
  /** By the number of the message, modulo their count: the number of the window from which on it is gone or edited. */
  readonly gone: readonly number[];
  readonly edited: readonly number[];
}

const changes: fc.Arbitrary<Changes> = fc.record({
  gone: fc.array(fc.nat(5), { minLength: 7, maxLength: 7 }),
  edited: fc.array(fc.nat(5), { minLength: 7, maxLength: 7 }),
});

/** The time of the edits that appear first in the window. It is later than all messages. */
function editedIn(window: number): string {
  return `${(start + 400_000_000 + window * 1_000_000) / 1000}.000000`;
}

/** Slack exports of successive windows of time, each in a folder, and a random order of their numbers. */
async function changingExports(drafted: Draft, windowed: Windows, changed: Changes) {
  const exported = slack.make(drafted).files;
  const folder = await temporaryFolder();
  const ranges = rangesOf({ ...windowed, order: [0, 1, 2, 3] }).slice(0, -1);
  for (const [number, [from, to]] of ranges.entries()) {
    const files = windowOfSlack(asOf(exported, number, changed), (at) => at >= from && at < to);
    await writeFiles(join(folder, `window ${number}`), files);
  }
  const inOrder = [...ranges.keys()];
  const ranked = inOrder.map((number) => ({ number, rank: windowed.order[number] ?? 0 }));
  const shuffled = ranked.sort((left, right) => left.rank - right.rank).map(({ number }) => number);
  return { folder, inOrder, shuffled: [...shuffled, ...shuffled.slice(0, 1)] };
}

/** The Slack export of the window with this number. Without mentions, whose names would be those of the first conversion. */
function asOf(files: Readonly<Record<string, string>>, window: number, { gone, edited }: Changes) {
  const isSince = (since: readonly number[], number: number): boolean =>
    window >= (since[number % since.length] ?? 0) && number % 3 !== 0;
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const values = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
      if (name === 'users.json')
        return [name, JSON.stringify(values.map((user) => ({ ...user, name: `day ${window}` })))];
      if (!name.includes('/')) return [name, text];
      const numbered = values.map((value) => ({ value, number: Number(String(value.ts).slice(-3)) }));
      const left = numbered
        .filter(({ number }) => !isSince(gone, number))
        .map(({ value, number }) => ({
          ...value,
          ...(isSince(edited, number)
            ? {
                text: `edited ${number}`,
                edited: { user: value.user, ts: editedIn(edited[number % edited.length] ?? 0) },
              }
            : { text: `not empty ${String(value.text).replaceAll('<@', '')}` }),
        }));
      return [name, JSON.stringify(left)];
    }),
  );
}

test('prefers the export that was taken later, in whatever order they are converted', async () => {
  await fc.assert(
    fc.asyncProperty(draft, windows, changes, async (drafted, windowed, changed) => {
      const { folder, inOrder, shuffled } = await changingExports(drafted, windowed, changed);
      const convertAll = async (numbers: readonly number[], out: string) => {
        let last: Awaited<ReturnType<typeof convertInto>> | undefined;
        for (const number of numbers) {
          const taken = `2024-01-${String(number + 10)}`;
          last = await convertInto('slack', join(folder, `window ${number}`), join(folder, out), { taken });
        }
        const into = join(folder, out);
        return { historyFiles: last?.historyFiles, declared: await declaredIn(into), files: await filesIn(into) };
      };
      const expected = await convertAll(inOrder, 'expected');
      expect(await convertAll(shuffled, 'out')).toEqual(expected);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('without a stated time, no conversion takes an edit back', async () => {
  let older = 0;
  await fc.assert(
    fc.asyncProperty(draft, windows, changes, async (drafted, windowed, changed) => {
      // Every window begins with the history, so that exports have messages in common.
      const { folder, shuffled } = await changingExports(drafted, { ...windowed, overlap: 300_000_000 }, changed);
      let known = new Map<string, number>();
      for (const number of shuffled) {
        const { facts, result } = await convertInto('slack', join(folder, `window ${number}`), join(folder, 'out'));
        const edits = new Map(facts.map(({ id, edited }) => [id, isObject(edited) ? Number(edited.ts) : 0]));
        const takenBack = [...known].filter(([id, time]) => (edits.get(id) ?? time) < time);
        expect(takenBack).toEqual([]);
        if (result.older !== undefined) older += 1;
        known = edits;
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(older).toBeGreaterThan(0);
});
