// Tests initializing a folder as a function.
import { expect, test } from 'vitest';
import { initializeFolder } from '../../src/app/init.ts';
import { testPorts } from './support/ports.ts';

test('init leaves what is there', async () => {
  const ports = await testPorts({});
  expect((await initializeFolder('.', ports)).files.every(({ what }) => what === 'written')).toBe(true);
  expect((await initializeFolder('.', ports)).files.every(({ what }) => what === 'kept')).toBe(true);
});
