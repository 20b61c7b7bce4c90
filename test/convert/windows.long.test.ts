// Property: a history that is exported in windows of time, in any order, becomes the same as the whole of it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeFolder, removeFolder, writeFiles } from '../support/folders.ts';
import { convertInto } from './support/converted.ts';
import { windowOf } from './support/cut-exports.ts';
import { draft, systems } from './support/exports.ts';

const start = 1_700_000_000_000;

/** Milliseconds after the start of the history; most messages are in the first four or anywhere in two days. */
const time = fc.oneof(fc.nat(3), fc.nat(200_000_000));

interface Windows {
  /** Where the history is cut. */
  readonly cuts: readonly number[];
  /** How far a window reaches into the one before. */
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

async function declaredIn(folder: string) {
  const read = async (name: string) => parse(await readFile(join(folder, name), 'utf8').catch(() => '{}'));
  return { ...(await read('users.yaml')), ...(await read('group_channels.yaml')) };
}

test.for(systems.filter(({ source }) => source !== 'mattermost'))('$source', async ({ source, make }) => {
  await fc.assert(
    fc.asyncProperty(draft, windows, async (drafted, windowed) => {
      const exported = make(drafted).files;
      const folder = await makeFolder();
      const convert = async (files: Readonly<Record<string, string>>, name: string, out: string) => {
        await writeFiles(join(folder, name), files);
        return convertInto(source, join(folder, name), join(folder, out));
      };
      const whole = await convert(exported, 'whole', 'expected');
      let last: Awaited<ReturnType<typeof convert>> | undefined;
      for (const [number, [from, to]] of rangesOf(windowed).entries()) {
        const files = windowOf(source, exported, (at) => at >= from && at < to);
        last = await convert(files, `window ${number}`, 'out');
        expect(last.result.no_longer_there.gone).toBe(0);
      }
      expect(last?.archives).toEqual(whole.archives);
      expect(await declaredIn(join(folder, 'out'))).toEqual(await declaredIn(join(folder, 'expected')));
      await removeFolder(folder);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
