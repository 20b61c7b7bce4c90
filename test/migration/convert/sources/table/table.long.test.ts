// Tests over random chats that are exported at several dates into one folder: the end is what a single conversion of the last
// export gives, with what the earlier ones had and the last one does not contain gone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertTables } from '../../support/converted.ts';
import { chat, exportCount, exportOf } from './model.ts';

test('gives the same for a series of exports as for a single conversion of the last', async () => {
  await fc.assert(
    fc.asyncProperty(chat, async (drawn) => {
      const first = exportOf(drawn, 0);
      const { folder } = await convertTables(first.files, first.mapping);
      let known = new Map(first.facts);
      for (let date = 1; date < exportCount; date += 1) {
        const next = exportOf(drawn, date);
        const { facts } = await convertTables(next.files, next.mapping, {
          into: folder,
        });
        known = kept(known, next.facts);
        expect(new Map(facts.map((one) => [one.id, one]))).toEqual(known);
      }
    }),
    { numRuns: 40 },
  );
});

type Facts = ReadonlyMap<string, object>;

/** A message that the next export lacks stays if that export does not cover its time. */
function kept(before: Facts, next: Facts): Map<string, object> {
  const times = new Map<string, readonly number[]>();
  const placeOf = (facts: object) => {
    const { id, time } = facts as { readonly id: string; readonly time: number };
    return { room: id.split(':')[1] ?? '', time };
  };
  for (const facts of next.values()) {
    const { room, time } = placeOf(facts);
    times.set(room, [...(times.get(room) ?? []), time]);
  }
  const isOutside = (facts: object) => {
    const { room, time } = placeOf(facts);
    const own = times.get(room) ?? [];
    return own.length === 0 || time <= Math.min(...own) || time >= Math.max(...own);
  };
  const left = [...before].filter(([id, facts]) => !next.has(id) && isOutside(facts));
  return new Map([...left, ...next]);
}
