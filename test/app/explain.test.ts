// Tests explaining as a function.
import { expect, test } from 'vitest';
import { explainAddress } from '../../src/app/explain.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('explain gives one object, and refuses what is none', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  expect(await explainAddress({ address: 'user.alice', paths }, ports)).toMatchObject({ address: 'user.alice' });
  for (const address of ['alice', 'user.alise', 'robot.alice']) {
    await expect(explainAddress({ address, paths }, ports)).rejects.toMatchObject({ exitCode: 64 });
  }
});
