// Tests formatting as functions.
import { expect, test } from 'vitest';
import { formatBytes, formatFiles } from '../../src/app/format.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('format gives what changes', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  const names: string[] = [];
  const onChange = async ({ name }: { readonly name: string }) => void names.push(name);
  expect(await formatFiles({ paths, isCheck: true, onChange }, ports)).toEqual({
    changed: 1,
    files: 1,
    diagnostics: [],
  });
  expect(names).toEqual(['chat.yaml']);
  expect(formatBytes('x', Buffer.from('users: [')).file).toBe(undefined);
});
