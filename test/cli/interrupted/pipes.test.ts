// Tests that no command waits in the system for the other end of a pipe, where only SIGKILL would end it.
import { execFile, execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Place, place } from '../../support/place.ts';
import { runProgram } from '../../support/program.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const files = {
  'chat.yaml': `version: 1
application: { base_url: 'emulator:data', rate_plan: 100k_mau }
variables: { name: { default: A } }
users: { alice: { nickname: '\${var.name}' } }
`,
};

async function withPipe(): Promise<Place> {
  const at = await place(files);
  execFileSync('mkfifo', [at.path('pipe')]);
  return at;
}

/** As a shell with process substitution runs it. */
async function inShell(at: Place, line: string): Promise<string> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)('bash', ['-c', line.replaceAll('chatform', runProgram)], {
    cwd: at.cwd,
    env,
  });
  return stdout;
}

/** Resolves once somebody reads the pipe, of which this process then has the other end. */
async function untilRead(at: Place): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const opened = await vi.waitUntil(() => open(at.path('pipe'), flags).catch(() => undefined), { timeout: 20_000 });
  onTestFinished(() => opened.close());
}

describe('a pipe', () => {
  test.for([
    'plan --variables pipe',
    'show pipe',
    'validate --online --base-url http://127.0.0.1:9/v3 --api-token-file pipe',
    'emulator --port 0 --faults pipe',
  ])('into which nobody writes lets an interrupt end %s', async (command) => {
    const at = await withPipe();
    const child = spawnCli(command.split(' '), { cwd: at.cwd });
    await untilRead(at);
    child.kill('SIGINT');
    expect((await child.ended).exit).toBe(8);
  });

  test.for([
    ['apply --auto-approve --tokens-out pipe', 5, 'tokens.unwritable'],
    ['convert slack pipe --out-dir chat', 65, 'it is not a regular file'],
    ['state push pipe', 64, 'cannot be read'],
  ] as const)('is refused by %s, which needs a file', async ([command, exit, says]) => {
    await (await withPipe()).ends(command, exit, says);
  });

  test('is waited for, read to its end, and written as a whole', async () => {
    const at = await withPipe();
    const reading = at.does('plan --variables pipe --format json');
    const writing = inShell(at, '{ printf "name: "; sleep 0.1; echo Late; } > pipe');
    expect((await reading).stdout).toContain('Late');
    await writing;
    const copied = inShell(at, 'sleep 0.1; cat pipe | wc -c');
    await at.does('plan --write json=pipe');
    expect(Number(await copied)).toBeGreaterThan(200);
  });

  test.for<[line: string, says: string]>([
    ['chatform plan --variables <(sleep 0.1; echo "name: Sub") --format json', 'Sub'],
    ['echo "name: In" | chatform plan --variables /dev/stdin --format json', 'In'],
    ['echo "name: File" > v.yaml; chatform plan --variables /dev/stdin --format json < v.yaml', 'File'],
    ['echo "name: Fd" | chatform plan --variables /dev/fd/0 --format json', 'Fd'],
    ['chatform plan --write json=/dev/stdout | cat', '"summary"'],
    ['chatform plan --write json=>(cat > copy); sleep 0.3; cat copy', '"summary"'],
    ['chatform plan --out p.plan; chatform show <(cat p.plan) --format json', 'alice'],
  ])('works in %s', async ([line, says]) => {
    const at = await place(files);
    expect(await inShell(at, line)).toContain(says);
  });
});
