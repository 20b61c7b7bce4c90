// Tests that every run leaves an entry in the audit trail of its state, and that changes of the trail are noticed.
import { writeFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { readableBy } from '../../src/core/app/context/open-state.ts';
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import { readTrail, type TrailEntry, verifyTrail } from '../../src/core/app/context/trail.ts';
import type { StateWriter } from '../../src/core/model/ports.ts';
import { openRunAddress, trailAddress, trailEntryAddress } from '../../src/core/model/run-metadata.ts';
import type { UpkeepBackend } from '../../src/core/state/engine/upkeep.ts';
import { openBackend } from '../../src/core/state/index.ts';
import { version } from '../../src/version.ts';
import { Place, place } from '../support/place.ts';
import { runCli, succeeded } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { put, refusalOf } from '../support/state/fixtures.ts';
import { fastTest, longTest } from '../support/suite.ts';
import { copiesOf } from '../support/temporary-folder.ts';

const identity = 'emulator:data';
const ci = { GITHUB_ACTOR: 'ada', GITHUB_SHA: '1a2b3c4d5e6f', GITHUB_RUN_ID: '77', GITHUB_REPOSITORY: 'acme/chat' };
const estate = (nickname: string) =>
  `version: 1\napplication: { base_url: "emulator:data" }\nusers: { alice: { nickname: ${nickname} } }\n`;

/** `reads` is the version of the program that opens the state. */
function backendIn(cwd: string, reads = version): Promise<UpkeepBackend> {
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const newId = () => crypto.randomUUID();
  return openBackend('file:.chatform/state', { clock: nodeClock, owner, newId, cwd, accepts: readableBy(reads) });
}

async function edit(cwd: string, work: (writer: StateWriter) => Promise<void>): Promise<void> {
  const writer = await (await backendIn(cwd)).open({ application: identity, lockTimeoutMs: 0 });
  await work(writer);
  await writer.close();
}

async function applyRuns(cwd: string, runs: number): Promise<void> {
  for (let run = 0; run < runs; run += 1) {
    await writeFile(`${cwd}/chat.yaml`, estate(`Name${run}`));
    await succeeded(runCli(['apply', '--auto-approve'], { cwd, env: ci }));
  }
}

fastTest('records who ran which command with which commit and plan, and how it ended', async () => {
  const at = await place();
  await applyRuns(at.cwd, 2);
  const shown = await at.does('state log --format json --verify');
  const { entries, digest, faults } = JSON.parse(shown.stdout) as Record<string, unknown> & { entries: TrailEntry[] };
  expect(faults).toEqual([]);
  expect(shown.stderr).toBe(`Verified 2 entries, digest ${digest}.\n`);
  expect(entries[0]).toMatchObject({
    number: 1,
    command: 'apply',
    outcome: 'done',
    version,
    by: { user: 'ada', commit: '1a2b3c4d5e6f', job: '77', repository: 'acme/chat' },
    counts: { planned: 1, succeeded: 1 },
    previous: '0'.repeat(64),
  });
  expect(entries[1]?.report).toMatch(/^[0-9a-f]{64}$/u);
  expect(entries[1]?.plan).toMatch(/^[0-9a-f]{64}$/u);
  const lines = (await at.run('state log')).stdout;
  expect(lines).toMatch(
    /^1 {2}2\S+Z {2}apply {2}done {2}ada@\S+ {2}1 of 1 steps {2}commit 1a2b3c4d {2}job 77 {2}plan \w{12}\n2 /u,
  );
  expect((await at.run('state list')).stdout).toBe('user.alice\n');
  expect((await at.run('state pull copy')).stderr).toContain('Copied 1 record, ');
  await at.does('plan --detailed-exitcode');
});

longTest('records a killed run in the next run', async () => {
  const many = Array.from({ length: 60 }, (_, user) => `  u${user}: { nickname: U }`).join('\n');
  const at = await place({
    'chat.yaml': `version: 1\napplication: { base_url: "emulator:data" }\nusers:\n${many}\n`,
  });
  const child = spawnCli(['apply', '--auto-approve'], { cwd: at.cwd });
  const backend = await backendIn(at.cwd);
  for (;;) {
    const state = await backend.read(identity).catch(() => undefined);
    if (state?.get(openRunAddress) !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await child.ended;
  await at.does('apply --auto-approve --settle-time 0s --rate-plan 100k_mau');
  const entries = readTrail(await backend.read(identity));
  expect(entries.map(({ outcome }) => outcome)).toEqual(['cut_off', 'done']);
  expect(verifyTrail(await backend.read(identity))).toEqual([]);
});

describe('a trail that was changed', () => {
  const cases: { name: string; change: (writer: StateWriter) => Promise<void>; says: string }[] = [
    {
      name: 'an entry in the middle was removed',
      change: (writer) => writer.done('x', { type: 'delete', address: trailEntryAddress(2) }),
      says: 'Entry 2 is missing.',
    },
    {
      name: 'the last entry was removed',
      change: (writer) => writer.done('x', { type: 'delete', address: trailEntryAddress(3) }),
      says: 'Entry 3 is missing.',
    },
    { name: 'an entry was edited', change: (writer) => patch(writer, 2), says: 'Entry 2 was edited, or entry 3 was.' },
    { name: 'the last entry was edited', change: (writer) => patch(writer, 3), says: 'Entry 3 was edited' },
    {
      name: 'the end was removed',
      change: (writer) => writer.done('x', { type: 'delete', address: trailAddress }),
      says: 'The end of the trail is missing.',
    },
    {
      name: 'the whole trail was removed',
      change: async (writer) => {
        for (const address of [trailAddress, ...[1, 2, 3].map(trailEntryAddress)])
          await writer.done('x', { type: 'delete', address });
      },
      says: 'The whole trail is missing: state contains objects, but no run is recorded.',
    },
  ];

  const appliedThrice = copiesOf((cwd) => applyRuns(cwd, 3));

  fastTest.for(cases)('is reported if $name', async ({ change, says }) => {
    const at = new Place(await appliedThrice());
    await at.does('state log --verify');
    await edit(at.cwd, change);
    await at.ends('state log --verify', 6, says);
    // Without --verify nothing is checked.
    await at.does('state log');
  });

  function patch(writer: StateWriter, number: number): Promise<void> {
    const edits = [{ op: 'set' as const, path: ['by', 'user'], value: 'mallory' }];
    return writer.done('x', { type: 'patch', address: trailEntryAddress(number), edits });
  }
});

describe('a state of version', () => {
  fastTest.for([
    { found: '0.2.0', reads: '0.2.7', isRead: true },
    { found: '0.2.9', reads: '0.2.0', isRead: true },
    { found: '0.2.0', reads: '0.3.0', isRead: true },
    { found: '0.2.0', reads: '1.0.0', isRead: true },
    { found: '0.3.0', reads: '0.2.0', isRead: false },
    { found: '0.10.0', reads: '0.9.0', isRead: false },
    { found: '1.0.0', reads: '0.9.0', isRead: false },
  ])('$found, read by $reads', async ({ found, reads, isRead }) => {
    const at = await place();
    const backend = await backendIn(at.cwd);
    await edit(at.cwd, async (writer) => {
      await writer.done('1', put('alice'));
      const attributes = { count: 0, digest: '', version: found };
      await writer.done('2', { type: 'put', record: { address: trailAddress, attributes } });
    });
    const checked = await backendIn(at.cwd, reads);
    const open = async () => (await checked.open({ application: identity, lockTimeoutMs: 0 })).close();
    if (isRead) {
      expect((await checked.read(identity)).size).toBe(2);
      await open();
      return;
    }
    const unlock = () => checked.breakLock(identity, 1);
    for (const use of [() => checked.read(identity), open, unlock]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code: 'state.newer-version', exitCode: 1 });
      expect(refusal.message).toContain(`was written by chatform ${found}; this is version ${reads}.`);
    }
    // The lock is free again.
    expect(await backend.holder(identity)).toBeUndefined();
  });
});
