// Runs valid commands in random order, for a long time, on an estate that is edited at random, with a faulty emulator and an
// administrator who works on it: no crash, no undocumented exit code, nothing that accumulates.
//
// CHATFORM_SOAK_COMMANDS makes it longer (default 3,000, so that the long tests stay within their bound), CHATFORM_SOAK_SEED
// plays a run again.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { allCommands, commands } from '../../src/cli/commands/index.ts';
import { exitCode } from '../../src/core/model/exit-code.ts';
import type { RunningEmulator } from '../../src/emulator/server.ts';
import { Chance } from '../promise/support/chance.ts';
import { writeFiles } from '../support/folders.ts';
import { startPlatform } from '../support/platform.ts';
import { type CliEnd, fastClock, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SoakEstate } from './support/estate.ts';
import { exported, exportFile, invocations, notCalled } from './support/invocations.ts';

/** A number, so that it is the same work on every machine. */
const rounds = Number(process.env.CHATFORM_SOAK_COMMANDS ?? 2_000);
/** Generous, because rounds are limited by number. A time-out only ends a soak that hangs. */
const msPerRound = 400;
const seed = Number(process.env.CHATFORM_SOAK_SEED ?? Date.now() % 1_000_000);
const documented: ReadonlySet<number> = new Set(Object.values(exitCode));
/** How the view of a bug ends; a refusal never says this. */
const bug = /This is a bug in chatform|error\[(?:internal|unexpected)\]/u;

const faulty = {
  rules: [
    { fault: 'error_500_after', probability: 0.03 },
    { fault: 'error_503', probability: 0.03 },
    { fault: 'reset_before', probability: 0.03 },
    { fault: 'reset_after', probability: 0.03 },
    { fault: 'truncate', probability: 0.03 },
    { fault: 'rate_limited', probability: 0.02, ms: 50 },
  ],
} as const;

test('every command has its place in the soak', () => {
  const names = Object.keys(commands).filter((name) => !notCalled.has(name));
  expect(names.filter((name) => invocations[name] === undefined)).toEqual([]);
});

test(`soak: ${rounds} commands, seed ${seed}`, { timeout: rounds * msPerRound }, async () => {
  const draw = new Chance(seed);
  const running = await startPlatform({ ratePlan: '100k_mau', admin: true });
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));

  const cwd = await temporaryFolder();
  const env = { CHATFORM_API_TOKEN: running.token, PATH: process.env.PATH ?? '', HOME: cwd };
  const estate = new SoakEstate(draw);
  await writeFiles(cwd, { ...estate.files(running.url), [exportFile]: exported });
  await commit(cwd);
  const cli = (args: readonly string[]): Promise<CliEnd> => runCli(args, { cwd, env, clock: fastClock(20) });

  const known = (await allCommands()).filter(({ name }) => !notCalled.has(name));
  const calls = new Map<string, number>();
  let handlesAtFirst = 0;
  let heapAtFirst = 0;
  let hasPlan = false;
  for (let round = 0; round < rounds; round += 1) {
    if (draw.is(0.4)) {
      estate.edit(draw);
      await writeFiles(cwd, estate.files(running.url));
    }
    if (draw.is(0.05)) await commit(cwd);
    if (draw.is(0.1)) await setFaults(running, draw.is(0.5) ? faulty : { rules: [] });
    if (draw.is(0.1)) await meddle(running, draw, estate.addresses);
    const { name } = draw.one(known);
    const ways: readonly (readonly string[])[] =
      invocations[name]?.({ draw, addresses: estate.addresses, hasPlan }) ?? [];
    const args: readonly string[] = draw.one(ways);
    const end = await cli(args);
    const story = `seed ${seed}, round ${round}: chatform ${args.join(' ')}\n${end.stderr}\n${end.stdout}`;
    expect(documented.has(end.exit), story).toBe(true);
    expect(end.stderr, story).not.toMatch(bug);
    expect(end.stdout + end.stderr, story).not.toContain(running.token);
    expect(rejections, story).toEqual([]);
    calls.set(name, (calls.get(name) ?? 0) + 1);
    hasPlan ||= args.includes('plan.chatform') && args[0] === 'plan' && end.exit === exitCode.done;
    if (round === 200) [handlesAtFirst, heapAtFirst] = [handles(), await settledHeap()];
  }

  await setFaults(running, { rules: [] });
  await writeFiles(cwd, estate.files(running.url));
  let last = await cli(['apply', '--auto-approve', '--refresh']);
  for (let turn = 0; turn < 3 && last.exit === exitCode.refused; turn += 1) {
    // Removing all that state knows of a kind wants its number in the policy, as the refusal says it.
    const said = last.stderr.replaceAll(/\s+/gu, ' ').matchAll(/\{effect: ([\w.]+), count: (\d+)\}/gu);
    const acknowledge = Array.from(said, ([, effect, count]) => ({ effect, count: Number(count) }));
    await writeFiles(cwd, estate.files(running.url, acknowledge));
    last = await cli(['apply', '--auto-approve', '--refresh']);
  }
  expect(last, last.stderr).toMatchObject({ exit: exitCode.done });
  const after = await cli(['plan', '--refresh', '--detailed-exitcode']);
  expect(after, after.stdout).toMatchObject({ exit: exitCode.done });
  if (handlesAtFirst > 0) {
    // The emulator hears a moment later that the connections of the last command were closed.
    await expect.poll(handles).toBeLessThanOrEqual(handlesAtFirst + 20);
    expect((await settledHeap()) / heapAtFirst).toBeLessThan(1.6);
  }
  console.log(
    `soak, seed ${seed}, heap ${Math.round(heapAtFirst / 1e6)} to ${Math.round((await settledHeap()) / 1e6)} MB: ${[...calls].map(([name, count]) => `${name} ${count}`).join(', ')}`,
  );
});

/** A repository of its own, so that --base-ref has something to read. */
async function commit(cwd: string): Promise<void> {
  const git = (...args: string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=soak', '-c', 'user.email=soak@example.com', ...args], { cwd });
  await git('init', '--quiet');
  await git('add', 'chat.yaml', 'channels.yaml');
  await git('commit', '--quiet', '--allow-empty', '--message', 'edit');
}

async function setFaults({ url }: RunningEmulator, faults: object): Promise<void> {
  const answer = await fetch(new URL('/_emulator/faults', url), { method: 'PUT', body: JSON.stringify(faults) });
  expect(answer.ok).toBe(true);
}

/** What an administrator does in the dashboard, behind the back of state. Refusals are his affair. */
async function meddle(running: RunningEmulator, draw: Chance, addresses: readonly string[]): Promise<void> {
  const [kind = '', key = ''] = draw.one(addresses).split('.');
  const path = `${kind}s/${encodeURIComponent(key)}`;
  const edit = kind === 'user' ? { nickname: 'Changed' } : { name: 'Changed' };
  const method = draw.is(0.2) ? 'DELETE' : 'PUT';
  await fetch(`${running.url}/${path}`, {
    method,
    headers: { 'Api-Token': running.token, 'Content-Type': 'application/json' },
    ...(method === 'PUT' ? { body: JSON.stringify(edit) } : {}),
  }).catch(() => undefined);
}

function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => !/Timeout|Immediate/u.test(name)).length;
}

/** What is still held, not what waits to be collected. */
async function settledHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
