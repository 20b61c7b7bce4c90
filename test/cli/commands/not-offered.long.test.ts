// Tests each optional read of each command with each refusal, one at a time.
import { expect, test } from 'vitest';
import { allCommands, appliedEstate } from './support/optional-reads.ts';

test('every command names every optional read that is refused, and goes on', async () => {
  const { crossings, expectNamed } = await appliedEstate();
  const all = await crossings(allCommands);
  expect(all.length).toBeGreaterThan(350);
  for (const crossing of all) await expectNamed(crossing);
});
