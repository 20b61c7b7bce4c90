// Support: entries of a journal, a state as a plain map, and the states that are possible after a crash.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { StateBackend, StateWriter } from '../../../../src/core/model/ports.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../../../src/core/model/record.ts';
import { beginOf, type Contents, contentsOf, later, put } from '../../../support/state/fixtures.ts';

export type Entry =
  | { readonly type: 'begin'; readonly step: string }
  | { readonly type: 'undone'; readonly step: string }
  | { readonly type: 'done'; readonly step: string; readonly entry: StateEntry };

const step = fc.constantFrom('1', '2', '3', '4');
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');

const stateEntry: fc.Arbitrary<StateEntry> = fc.oneof(
  fc.record({ key, value: fc.nat(9) }).map(({ key, value }) => put(key, { value, tags: [] })),
  key.map((key): StateEntry => ({ type: 'delete', address: `user.${key}` })),
  fc.record({ key, tag: fc.constantFrom('x', 'y'), op: fc.constantFrom('add', 'remove') }).map(
    ({ key, tag, op }): StateEntry => ({
      type: 'patch',
      address: `user.${key}`,
      edits: [{ op, path: ['tags'], values: [tag] }],
    }),
  ),
  fc.record({ key, value: fc.nat(9), mark: fc.constantFrom(true as const, null) }).map(
    ({ key, value, mark }): StateEntry => ({
      type: 'patch',
      address: `user.${key}`,
      edits: [{ op: 'set', path: ['value'], value }],
      marks: { creating: mark },
    }),
  ),
);

export const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('done' as const), step, entry: stateEntry }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('begin' as const), step }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undone' as const), step }) },
);

export function write(writer: StateWriter, entry: Entry): Promise<void> {
  switch (entry.type) {
    case 'begin':
      return writer.begin(beginOf(entry.step));
    case 'undone':
      return writer.undone(entry.step);
    case 'done':
      return writer.done(entry.step, entry.entry);
  }
}

/** Returns a state as a plain map. */
export class Model {
  readonly #records = new Map<string, StateRecord>();
  readonly #pending = new Set<string>();

  copy(): Model {
    const copy = new Model();
    for (const [address, record] of this.#records) copy.#records.set(address, record);
    for (const step of this.#pending) copy.#pending.add(step);
    return copy;
  }

  apply(entry: Entry): void {
    if (entry.type === 'begin') this.#pending.add(entry.step);
    else this.#pending.delete(entry.step);
    if (entry.type !== 'done') return;
    const address = entryAddress(entry.entry);
    const record = applyEntry(this.#records.get(address), entry.entry);
    if (record === undefined) this.#records.delete(address);
    else this.#records.set(address, record);
  }

  contents(): Contents {
    const sorted = [...this.#records].sort(([left], [right]) => (left < right ? -1 : 1));
    return { records: sorted.map(([, record]) => record), pending: [...this.#pending].sort() };
  }
}

/** Returns the model that a state equals, among the possible ones. */
function modelOf(found: Contents, sure: Model, asked: readonly Entry[]): Model {
  const models = possibleModels(sure, asked);
  const equal = models.find((model) => isDeepStrictEqual(model.contents(), found));
  if (equal === undefined) expect(models.map((model) => model.contents())).toContainEqual(found);
  return equal ?? sure;
}

/** Returns the possible states after unacknowledged entries: none of them applied, or the first few. */
export function possibleModels(model: Model, asked: readonly Entry[]): Model[] {
  return Array.from({ length: asked.length + 1 }, (_, count) => {
    const next = model.copy();
    for (const entry of asked.slice(0, count)) next.apply(entry);
    return next;
  });
}

export const anyLife = { entries: fc.array(anyEntry, { maxLength: 12 }), together: fc.boolean() };

interface Born {
  readonly backend: Pick<StateBackend, 'open'>;
  /** Kills the process and returns what the next one reads. */
  die(): Promise<Contents>;
}

/** Lets processes write one after the other until each is killed. Each finds acknowledged entries and a prefix of the others. */
export async function liveAndDie<Life extends { readonly entries: readonly Entry[]; readonly together: boolean }>(
  lives: readonly Life[],
  born: (life: Life) => Born,
  isDeath: (error: unknown) => boolean,
): Promise<void> {
  // Entries that are certainly there, and later ones that were requested without an answer.
  let sure = new Model();
  let asked: readonly Entry[] = [];
  for (const life of lives) {
    const { entries, together } = life;
    const { backend, die } = born(life);
    let acknowledged = 0;
    try {
      const writer = await backend.open(later);
      sure = modelOf(contentsOf(writer), sure, asked);
      asked = entries;
      const record = async (entry: Entry) => {
        await write(writer, entry);
        sure.apply(entry);
        acknowledged += 1;
        asked = entries.slice(acknowledged);
      };
      if (together) await Promise.all(entries.map(record));
      else for (const entry of entries) await record(entry);
      await writer.close();
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
    modelOf(await die(), sure, asked);
  }
}
