// Tests that plan and apply can end with every exit code of schema/command-line.md, in one short way each. Other causes and
// effects of a code are tested with their features.

import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apply } from '../../../src/cli/commands/apply.ts';
import { plan } from '../../../src/cli/commands/plan.ts';
import { listExits } from '../../../src/cli/flags/exits.ts';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { exitCode } from '../../../src/core/model/exit-code.ts';
import { openBackend } from '../../../src/core/state/index.ts';
import { desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { serve } from '../../support/loopback.ts';
import { place } from '../../support/place.ts';
import { type CliOptions, runCli } from '../../support/run-cli.ts';

interface Way {
  readonly why: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly plan?: readonly string[];
  readonly apply?: readonly string[];
  /** Runs before the command and returns a function that cleans up. */
  before?(cwd: string): Promise<Omit<CliOptions, 'cwd'>>;
}

const manifest = desk['chat.yaml'] ?? '';
const yes = '--auto-approve';

async function applied(cwd: string): Promise<Omit<CliOptions, 'cwd'>> {
  expect(await runCli(['apply', yes], { cwd })).toMatchObject({ exit: 0 });
  return {};
}

/** Another run's lock on the state. */
async function locked(cwd: string): Promise<Omit<CliOptions, 'cwd'>> {
  const owner = { user: 'other', host: 'elsewhere', pid: 1 };
  const backend = await openBackend('file:.chatform/state', { clock: nodeClock, owner, newId: () => 'other', cwd });
  const lock = await backend.open({ application: 'emulator:.chatform/emulator', lockTimeoutMs: 0 });
  onTestFinished(() => lock.close());
  return {};
}

/** A platform that never answers, so a command that waits for it is interrupted. */
async function interruptedByItsFirstCall(): Promise<Omit<CliOptions, 'cwd'>> {
  const stop = new AbortController();
  const host = await serve(() => stop.abort());
  return { env: reaching({ url: `http://${host}/v3`, token: 'token' }), interrupt: stop.signal };
}

const ways: Readonly<Record<number, readonly Way[]>> = {
  [exitCode.done]: [{ why: 'done', plan: [], apply: [yes] }],
  [exitCode.unexpected]: [
    { why: 'the plan cannot be saved', plan: ['--out', 'chat.yaml/plan.chatform'] },
    { why: 'the emulator cannot start', files: { ...desk, '.chatform/emulator': 'x\n' }, apply: [yes] },
  ],
  [exitCode.changes]: [{ why: 'something to do', plan: ['--detailed-exitcode'] }],
  [exitCode.authentication]: [
    {
      why: 'no token',
      files: deskElsewhere,
      plan: ['--refresh', '--base-url', 'https://api-x.sendbird.com/v3'],
      apply: [yes, '--base-url', 'https://api-x.sendbird.com/v3'],
    },
  ],
  [exitCode.incomplete]: [
    { why: 'objects exist that are not in state', apply: [yes, '--state', 'file:other'], before: applied },
  ],
  [exitCode.refused]: [
    {
      why: 'a protected object is declared no more',
      files: { 'chat.yaml': manifest.replace('nickname: Carol', 'nickname: Carol\n    lifecycle: { protect: true }') },
      plan: [],
      apply: [yes],
      before: async (cwd) => {
        await applied(cwd);
        await writeFiles(cwd, { 'chat.yaml': manifest.replace(/ {2}carol:\n.*\n/u, '') });
        return {};
      },
    },
    { why: 'declined at the prompt', apply: [], before: async () => ({ answers: ['no'] }) },
  ],
  [exitCode.conflict]: [
    { why: 'the state of another application', plan: ['--base-url', 'emulator:other'], before: applied },
    { why: 'another plan was approved', apply: [yes, '--approved-hash', 'another'] },
  ],
  [exitCode.locked]: [{ why: 'somebody else holds the state', apply: [yes], before: locked }],
  [exitCode.interrupted]: [
    {
      why: 'Ctrl-C while it reads',
      files: deskElsewhere,
      plan: ['--refresh'],
      apply: [yes, '--refresh'],
      before: interruptedByItsFirstCall,
    },
  ],
  [exitCode.outOfTime]: [{ why: 'no time', apply: [yes, '--max-duration', '0s'] }],
  [exitCode.usage]: [
    { why: 'no such choice', plan: ['--rate-plan', 'gold'], apply: [yes, '--rate-plan', 'gold'] },
    { why: 'nobody can be asked', apply: [] },
  ],
  [exitCode.invalid]: [
    {
      why: 'an untrusted host',
      files: { 'chat.yaml': manifest.replace('emulator:.chatform/emulator', 'https://chat.example.com/v3') },
      plan: [],
      apply: [yes],
    },
    { why: 'a key that there is not', files: { 'chat.yaml': `${manifest}robots: {}\n` }, plan: [], apply: [yes] },
  ],
  // Only commands that take an address or a run end with it (json-results.test.ts).
  [exitCode.notFound]: [],
};

const cases = Object.entries(ways).flatMap(([exit, list]) =>
  list.flatMap((way) =>
    (['plan', 'apply'] as const).flatMap((name) => {
      const args = way[name];
      return args === undefined ? [] : [{ ...way, exit: Number(exit), name, args: [name, ...args] }];
    }),
  ),
);

test.for(cases)('ends with $exit: $name, $why', async ({ exit, args, files = desk, before }) => {
  const at = await place(files);
  const around = (await before?.(at.cwd)) ?? {};
  await at.with({ ...around }).ends(args, exit);
});

describe('the table above covers', () => {
  test('each exit code of the reference', async () => {
    const page = await readFile(new URL('../../../schema/command-line.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^\| (\d+) \| /gmu)].map(([, code]) => Number(code));
    expect(named).toEqual(Object.values(exitCode));
    expect(named).toEqual(Object.keys(ways).map(Number));
  });

  test.for([plan, apply])('each exit code that the help of $name names', (command) => {
    const named = listExits(command.exits).map(({ code }) => code);
    const known = cases.filter(({ name }) => name === command.name).map(({ exit }) => exit);
    expect(known).toEqual(expect.arrayContaining(named));
    // Any command may end with these two.
    const general: readonly number[] = [exitCode.unexpected, exitCode.usage];
    expect(named).toEqual(expect.arrayContaining(known.filter((exit) => !general.includes(exit))));
  });
});
