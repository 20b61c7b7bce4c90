// Tests that a run killed at any moment is completed by the next one, with nothing done twice.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reaching } from '../../support/desk.ts';
import { declaredIn, differencesIn } from '../../support/estate.ts';
import { copyManifests } from '../../support/folders.ts';
import { seededChance } from '../../support/kill-times.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { differences } from '../../support/platform-differences.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const example = join(import.meta.dirname, '../../../examples/support-desk');
const kills = 10;

interface Killing {
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly chance: () => number;
}

/**
 * Runs an apply and kills it, usually while it applies, and in every fourth round at any time after its start.
 * Returns whether it was killed while it applied.
 */
async function killedRun(round: number, { args = [], cwd, env = {}, chance }: Killing): Promise<boolean> {
  const child = spawnCli(['apply', '--auto-approve', '--tokens-out', 'tokens', ...args], { cwd, env });
  // A run with nothing left to do ends without this line.
  if (round % 4 !== 3) await child.wrote(/Applying/u).catch(() => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), chance() * 1500);
  const { exit, stderr } = await child.ended;
  clearTimeout(timer);
  expect([-1, 0], stderr).toContain(exit);
  return exit === -1 && /Applying/u.test(stderr);
}

test('completes runs that were killed together with the embedded platform', async () => {
  const at = await place();
  await copyManifests(example, at.cwd);
  const killing = { args: ['--rate-plan', '10k_mau'], cwd: at.cwd, chance: seededChance() };
  let killed = 0;
  for (let round = 0; round < kills; round += 1) if (await killedRun(round, killing)) killed += 1;
  expect(killed).toBeGreaterThan(1);
  await at.does('apply --auto-approve --tokens-out tokens --rate-plan 100k_mau');
  expect(await differencesIn(at.cwd)).toEqual([]);
  await at.does('plan --detailed-exitcode');
});

const deaths = 50;
const people = 600;

/** Users whose nicknames differ between two versions, so that a kill meets an edit sooner or later. */
function crowdOf(edition: number): Record<string, string> {
  const lines = Array.from({ length: people }, (_, place) => `  u${place}: { nickname: N${(place + edition) % 7} }\n`);
  return { 'crowd.yaml': `version: 1\nusers:\n${lines.join('')}` };
}

test(`completes a run that was killed ${deaths} times, with edits in between, and creates every object once`, async () => {
  const running = await startPlatform({ rateLimits: true, ratePlan: '10k_mau', latencyMs: 20 });
  const env = { ...reaching(running), CHATFORM_RATE_PLAN: '10k_mau', CHATFORM_SETTLE_TIME: '1s' };
  const at = await place(crowdOf(0), env);
  const killing = { cwd: at.cwd, env, chance: seededChance() };
  let killed = 0;
  for (let round = 0; killed < deaths && round < 2 * deaths; round += 1) {
    if (round % 10 === 9) await at.write(crowdOf(round));
    if (await killedRun(round, killing)) killed += 1;
  }
  expect(killed).toBe(deaths);
  await at.does('apply --auto-approve --tokens-out tokens');
  const { resources } = await declaredIn(at.cwd);
  expect(await differences(running, [...resources])).toEqual([]);
  await at.does('plan --detailed-exitcode');
});
