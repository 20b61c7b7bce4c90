// Tests validating as a function.
import { expect, test } from 'vitest';
import { validateManifests } from '../../src/app/validate.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('warns about an object that a plan refuses if it is new', async () => {
  const ports = await testPorts({ 'chat.yaml': estate.replace('members: { alice: , bob: }', 'name: Room') });
  const { isValid, diagnostics } = await validateManifests({ paths }, ports);
  expect(isValid).toBe(true);
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'group_channel.no-members', address: 'group_channel.room' },
  ]);
  expect(diagnostics[0]?.detail).toContain('A plan refuses it unless the object is in state.');
});
