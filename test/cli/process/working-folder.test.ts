// Tests a process whose working folder was deleted, as by a job that cleans up while a shell is still in it.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { program, runProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function inDeletedFolder(command: string) {
  const cwd = join(await temporaryFolder(), 'deleted');
  await mkdir(cwd);
  return spawnSync('sh', ['-c', `rmdir "$PWD" && exec ${command}`], { cwd, encoding: 'utf8', env: {} });
}

test.for(['plan', 'init', 'state list', 'plan --each a', 'plan --write markdown=a.md', 'emulator -- true'])(
  'refuses %s in a folder that was deleted',
  async (command) => {
    const { status, stderr } = await inDeletedFolder(`${runProgram} ${command}`);
    expect(stderr).toContain('error[usage]: The working folder does not exist any more.\n');
    expect(status).toBe(64);
  },
);

test.for(['--version', '--help', 'plan --help', '__complete plan ch'])(
  'answers %s in a folder that was deleted',
  async (command) => {
    const { status } = await inDeletedFolder(`${runProgram} ${command}`);
    expect(status).toBe(0);
  },
);

test('the refusal is JSON where the command prints JSON', async () => {
  const { stdout } = await inDeletedFolder(`${runProgram} plan --format json`);
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'usage', exit_code: 64 });
});

test('the library refuses a folder that was deleted, and one that does not exist', async () => {
  const library = pathToFileURL(join(program, '../../library.js')).href;
  const script = `import('${library}').then(async ({ plan }) => {
    for (const options of [{}, { cwd: 'sub' }, { cwd: '/nonexistent' }])
      await plan(options).catch(({ code, exitCode, message }) => console.log(code, exitCode, message));
  })`;
  const { stdout } = await inDeletedFolder(`'${process.execPath}' -e '${script.replaceAll("'", `'"'"'`)}'`);
  expect(stdout.split('\n')).toEqual([
    'usage 64 The working folder does not exist any more.',
    'usage 64 The working folder does not exist any more.',
    'usage 64 cwd is "/nonexistent", which is not a folder.',
    '',
  ]);
});
