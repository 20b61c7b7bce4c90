// Tests that nothing acknowledged is lost when two processes are killed at any operations and the power fails.
import { expect, test } from 'vitest';
import { put } from '../../support/state/fixtures.ts';
import { type Entry, Model } from '../support/conformance.ts';
import './folder-crash.test.ts';
import { firstEntries, Machine } from '../support/machine.ts';
import { possibleModels } from '../support/possible-models.ts';

test('two kills at any operations and a power failure lose nothing', async () => {
  const chance = chances();
  // With nothing pending at the end, because the journal is then empty after a compaction and may be removed.
  const short: readonly Entry[] = [
    { type: 'undone', step: '3' },
    { type: 'done', step: '4', entry: { type: 'delete', address: 'user.b' } },
  ];
  for (let operations = 0; ; operations += 1) {
    let died = false;
    for (let later = 0; ; later += 1) {
      const machine = new Machine();
      await machine.live(Number.POSITIVE_INFINITY, firstEntries);
      const model = new Model();
      for (const entry of firstEntries) model.apply(entry);
      const life = await machine.live(operations, short);
      died = life.died;
      for (const entry of life.acknowledged) model.apply(entry);
      const next = await machine.live(later, [{ type: 'done', step: '8', entry: put('z') }]);
      machine.disk.losePower(chance);
      const before = possibleModels(model, life.asked.slice(0, 1));
      const after = before.map((end) => end.copy());
      for (const end of after) end.apply({ type: 'done', step: '8', entry: put('z') });
      const ends = next.acknowledged.length > 0 ? after : [...before, ...after];
      expect(ends.map((end) => end.contents())).toContainEqual(await machine.contents());
      if (!next.died) break;
    }
    if (!died) break;
  }
});

/** Returns the same sequence of numbers in [0, 1) in every run. */
function chances(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
