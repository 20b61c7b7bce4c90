// Tests rebuilding a state as a function.
import { expect, test } from 'vitest';
import { planChanges } from '../../src/app/plan.ts';
import { rebuildState } from '../../src/app/rebuild.ts';
import { paths, withoutState } from './support/ports.ts';

test('rebuild makes a lost state again', async () => {
  const ports = await withoutState();
  const rebuilt = await rebuildState({ paths }, ports);
  expect(rebuilt).toMatchObject({ records: 3, missing: 0, differing: 0, partial: [] });
  expect((await planChanges({ paths }, ports)).plan.changes).toHaveLength(0);
  await expect(rebuildState({ paths }, ports)).rejects.toMatchObject({ code: 'state.occupied' });
});
