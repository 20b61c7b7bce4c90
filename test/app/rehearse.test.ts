// Tests rehearsing as a function.
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rehearseApply } from '../../src/app/rehearse.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('changes nothing', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  const rehearsed = await rehearseApply({ paths, latencyMs: 10 }, ports);
  expect(rehearsed).toMatchObject({ nextSteps: 0, missing: [], report: { outcome: 'done', steps: { succeeded: 3 } } });
  expect(await readdir(ports.cwd)).toEqual(['chat.yaml']);
  await expect(rehearseApply({ paths, window: 'other' }, ports)).rejects.toMatchObject({ exitCode: 64 });
});
