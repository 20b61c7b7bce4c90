// Tests reading drift as a function.
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/app/apply.ts';
import { readDrift } from '../../src/app/drift.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('finds no drift after an apply', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  expect((await readDrift({ paths }, ports)).isStateEmpty).toBe(true);
  await applyChanges({ paths }, ports);
  const { plan, isStateEmpty } = await readDrift({ paths }, ports);
  expect({ drift: plan.drift?.length, isStateEmpty }).toEqual({ drift: 0, isStateEmpty: false });
});
