// Tests reading drift as a function.
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/app/apply.ts';
import { readDrift } from '../../src/app/drift.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('finds no drift after an apply', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  await applyChanges({ paths }, ports);
  const { drift } = await readDrift({ paths }, ports);
  expect(drift).toHaveLength(0);
});

test('refuses a state without objects, such as a mistyped one', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  await expect(readDrift({ paths }, ports)).rejects.toMatchObject({ code: 'state.empty', exitCode: 1 });
  await applyChanges({ paths }, ports);
  const state = 'file:.chatform/stat';
  await expect(readDrift({ paths, state }, ports)).rejects.toMatchObject({ code: 'state.empty' });
});
