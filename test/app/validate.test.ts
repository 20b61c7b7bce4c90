// Tests validating as a function.
import { expect, test } from 'vitest';
import { validateManifests } from '../../src/app/validate.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('returns problems as values', async () => {
  const ports = await testPorts({ 'chat.yaml': estate.replace('nickname: Bob', 'nickname: [Bob]') });
  expect(await validateManifests({ paths }, ports)).toMatchObject({ isValid: false, files: ['chat.yaml'] });
});
