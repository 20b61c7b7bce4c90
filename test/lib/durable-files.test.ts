// Tests that files are made durable by one module, also where the runtime lacks or refuses a call.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flush, flushFolder, flushPath } from '../../src/lib/durable-files.ts';
import { errorCode } from '../../src/lib/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sources = join(import.meta.dirname, '../../src');

test('no other module flushes files', () => {
  const flushing = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') && /\bf(?:data)?sync\b|\.(?:data)?sync\(/u.test(withoutComments(join(sources, name))),
  );
  expect(flushing).toEqual([join('lib', 'durable-files.ts')]);
});

test("flushes an open file whose handle has no such method, as under Plug'n'Play", async () => {
  const folder = await temporaryFolder();
  const handle = await open(join(folder, 'a'), 'w');
  const missing = () => Promise.reject(new Error('Method not implemented.'));
  const played = { fd: handle.fd, sync: missing, datasync: missing } as unknown as FileHandle;
  for (const what of ['all', 'data'] as const) await flush(played, what);
  await handle.close();
  await expect(flush(played)).rejects.toThrow('EBADF');
  await flushFolder(folder);
  await flushPath(join(folder, 'a'));
});

/** Node 20 and 22 call the flag experimental. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

test('flushes under the permission model, or says that this Node does not', async () => {
  const folder = await temporaryFolder();
  const program = `
    const { flushDescriptor, flushFolder } = await import(${JSON.stringify(join(sources, 'lib/durable-files.ts'))});
    const { fsyncSync, openSync } = await import('node:fs');
    const path = ${JSON.stringify(join(folder, 'a'))};
    try {
      fsyncSync(openSync(path, 'w'));
      console.log('allowed');
    } catch {
      console.log('denied');
    }
    try {
      await flushDescriptor(openSync(path, 'w'), path);
      await flushFolder(${JSON.stringify(folder)});
      console.log('flushed');
    } catch (error) {
      console.log(error.name);
    }`;
  const allowed = ['--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker', '--allow-child-process'];
  const flags = [permission, ...allowed, '--import', 'tsx'];
  const { stdout } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  // Releases of one Node differ, so its own call decides. Where Node refuses that call, another way to flush may be left.
  expect(['allowed\nflushed', 'denied\nflushed', 'denied\nFlushDeniedError']).toContain(stdout.trim());
});

test('a call that the permission model refuses has the code of a missing right', () => {
  expect(errorCode(Object.assign(new Error('denied'), { code: 'ERR_ACCESS_DENIED' }))).toBe('EACCES');
});

function withoutComments(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '');
}
