// Tests what an apply in stages remembers between its runs: the parts, and the gates that passed, as long as it is the same apply.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ApplyChangesOptions, applyChanges } from '../../../../src/core/app/apply.ts';
import { planChanges } from '../../../../src/core/app/plan.ts';
import { withChecksum } from '../../../../src/core/app/plans/plan-file.ts';
import { forgetObjects } from '../../../../src/core/app/state.ts';
import type { ApplyEvent } from '../../../../src/core/model/event.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import { writeFiles } from '../../../support/folders.ts';
import { historyFileText } from '../../../support/history-files.ts';
import { paths, type TestPorts, testPorts } from '../support/ports.ts';

const application = 'application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }';
const people = 'users: { alice: { nickname: A }, bob: { nickname: B }, carol: { nickname: C } }';
const rooms = `group_channels:
  room-1: { members: { alice: } }
  room-2: { members: { bob: } }
  room-3: { members: { carol: } }
`;
const lobbies = 'open_channels: { lobby-1: {}, lobby-2: {} }\n';
const manifest = (policy = '{ existing: adopt }') =>
  `version: 1\n${application}\n${people}\n${rooms}${lobbies}policy: ${policy}\n`;
/** Notes each question. */
const passing = 'echo asked >> asked';
const failing = `${passing}; false`;

let ports: TestPorts;
beforeEach(async () => {
  ports = { ...(await testPorts({ 'chat.yaml': manifest() })), env: { PATH: process.env.PATH } };
});

async function asked(): Promise<number> {
  const text = await readFile(join(ports.cwd, 'asked'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

type Options = Partial<ApplyChangesOptions>;

function apply(options: Options = {}): Promise<ApplyReport> {
  return applyChanges({ paths, stages: ['30%'], gate: passing, ...options }, ports).then(({ report }) => report);
}

/** Stops at the first event that matches, and resolves to the report of the stopped run. */
async function stopped(isStop: (event: ApplyEvent) => boolean, options: Options = {}): Promise<ApplyReport> {
  const callbacks = new Set<() => void>();
  const onInterrupt = (callback: () => void) => {
    callbacks.add(callback);
    return () => void callbacks.delete(callback);
  };
  const event = (happened: ApplyEvent): void => {
    if (isStop(happened)) for (const callback of [...callbacks]) callback();
  };
  const applied = await applyChanges(
    { paths, stages: ['30%'], gate: passing, ...options },
    { ...ports, onInterrupt },
    { event },
  );
  return applied.report;
}

function edit(text: string): Promise<void> {
  return writeFiles(ports.cwd, { 'chat.yaml': text });
}

function forget(addresses: readonly string[]): Promise<number> {
  return forgetObjects(addresses, {}, ports, async () => {});
}

const inLaterStage = (event: ApplyEvent): boolean => event.type === 'step.started' && event.stage === 2;
const afterStep = (event: ApplyEvent): boolean => event.type === 'step.ended';

describe('an apply in stages', () => {
  test('that was stopped after its gate had passed does not ask it again', async () => {
    expect(await stopped(inLaterStage)).toMatchObject({ outcome: 'interrupted' });
    const { outcome, stages } = await apply();
    expect({ outcome, gate: stages?.[0]?.gate }).toEqual({ outcome: 'done', gate: { outcome: 'passed_before' } });
    expect(await asked()).toBe(1);
  });

  test('that was stopped in its first stage completes that stage alone before it asks', async () => {
    const { steps } = await stopped(afterStep, { stages: ['50%'] });
    expect(steps.succeeded).toBeLessThan(4);
    const { stages, to_undo: toUndo } = await apply({ stages: ['50%'], gate: failing });
    expect(stages).toMatchObject([
      { steps: 4 - steps.succeeded, until: 'room-1', gate: { outcome: 'failed' } },
      { steps: 4 },
    ]);
    expect(toUndo).toEqual([2, 1]);
  });

  test('names no run to undo whose values from before it are not kept', async () => {
    await edit(manifest('{ undo: { runs: 0 } }'));
    const { stop_cause: cause, to_undo: toUndo, steps } = await apply({ gate: failing });
    expect({ cause, toUndo }).toEqual({ cause: 'gate', toUndo: undefined });
    expect(steps.succeeded).toBeGreaterThan(0);
  });

  test.for([true, false])(
    'that loses its lock while its gate runs is stopped by that, with passes: %s',
    async (passes) => {
      const breakLock = `rm -r .chatform/state; ${passes}`;
      await expect(apply({ gate: breakLock })).rejects.toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    },
  );

  test.for(['', ' ', '\n\t'])('refuses the gate %j, which would ask nothing', async (gate) => {
    await expect(apply({ gate })).rejects.toMatchObject({ code: 'usage', exitCode: 64 });
  });

  test('that is done asks again when there is more to do', async () => {
    expect(await apply()).toMatchObject({ outcome: 'done' });
    await forget(['open_channel.lobby-1', 'user.carol']);
    expect(await apply({ stages: ['user'] })).toMatchObject({ outcome: 'done' });
    expect(await asked()).toBe(2);
  });

  test.for<[title: string, options: Options, between: () => Promise<unknown>]>([
    ['another gate', { gate: `${passing}; true` }, async () => {}],
    ['another part', { stages: ['60%'] }, async () => {}],
    ['edited manifests', {}, () => edit(manifest().replace('nickname: C', 'nickname: D'))],
    ['another policy of what is sent', {}, () => edit(manifest('{ existing: adopt, departed: reinvite }'))],
    ['a target', { targets: ['group_channel.*'] }, async () => {}],
    ['an exclusion', { excluded: ['user.carol'] }, async () => {}],
    ['a forgotten object', {}, () => forget(['open_channel.lobby-1'])],
    ['an apply without stages in between', {}, () => applyChanges({ paths, targets: ['group_channel.room-2'] }, ports)],
  ])('that continues with %s asks again', async ([, options, between]) => {
    await stopped(inLaterStage);
    await between();
    await apply(options);
    expect(await asked()).toBe(2);
  });

  test('of a saved plan continues with its parts and its gate, and another plan asks again', async () => {
    const saved = () => planChanges({ paths, isToBeSaved: true }, ports).then(({ plan }) => withChecksum(plan));
    const plan = await saved();
    expect(await stopped(inLaterStage, { paths: [], plan })).toMatchObject({ outcome: 'interrupted' });
    const rest = await saved();
    expect(await stopped(inLaterStage, { paths: [], plan })).toMatchObject({ outcome: 'interrupted' });
    expect(await asked()).toBe(1);
    expect(await apply({ paths: [], plan: await saved() })).toMatchObject({ outcome: 'done' });
    expect(await asked()).toBe(2);
    expect(rest.hash).not.toBe(plan.hash);
  });
});

describe('a stage with a step that fails', () => {
  /** The platform has another user with the id of the first. */
  beforeEach(async () => {
    await applyChanges({ paths, targets: ['user.alice'] }, ports);
    await forget(['user.alice']);
    await edit(manifest('{ existing: refuse }').replace('nickname: A', 'nickname: Other'));
  });

  test('is not complete: its gate is not asked, and the rest is not applied', async () => {
    const { exit_code, stages, stop_cause: cause, steps } = await apply({ stages: ['user'] });
    expect({ exit_code, cause, asked: await asked() }).toEqual({ exit_code: 4, cause: undefined, asked: 0 });
    expect(stages?.[0]).not.toHaveProperty('gate');
    expect(steps).toMatchObject({ planned: 8, succeeded: 2, failed: 1 });
  });

  test('leaves the decision to the gate with keepGoing', async () => {
    const { exit_code, steps } = await apply({ stages: ['user'], keepGoing: true });
    expect({ exit_code, asked: await asked() }).toEqual({ exit_code: 4, asked: 1 });
    expect(steps).toMatchObject({ planned: 8, succeeded: 6, failed: 1, skipped: 1 });
  });
});

describe('verification as a gate', () => {
  const line = (message: string) => ({ message_type: 'MESG', user_id: 'alice', message, timestamp: 1_600_000_000_000 });
  const withHistory = (name: string) =>
    [1, 2].reduce(
      (text, room) =>
        text.replace(
          `room-${room}: { members: { ${room === 1 ? 'alice' : 'bob'}: } }`,
          `room-${room}: { name: ${name}, members: { alice: , bob: }, messages: { file: room-${room}.ndjson } }`,
        ),
      manifest('{ messages: { edited: keep } }'),
    );
  const histories = (text: string) => ({
    'room-1.ndjson': historyFileText([line(text)]),
    'room-2.ndjson': historyFileText([line('two')]),
  });

  test('compares the messages of the stage, and passes', async () => {
    await writeFiles(ports.cwd, { 'chat.yaml': withHistory('Old'), ...histories('one') });
    const { outcome, stages } = await apply({ gate: undefined, verify: true, stages: ['group_channel.room-1'] });
    expect({ outcome, gate: stages?.[0]?.gate?.outcome }).toEqual({ outcome: 'done', gate: 'passed' });
  });

  test('is refused as the only gate where no messages are declared, because it would always pass', async () => {
    const alone = apply({ gate: undefined, verify: true });
    await expect(alone).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining('declare none') });
    expect(await apply({ verify: true })).toMatchObject({ outcome: 'done' });
  });

  test('stops the apply where messages of the stage are missing, but not where those of a later one are', async () => {
    await writeFiles(ports.cwd, { 'chat.yaml': withHistory('Old'), ...histories('one') });
    await applyChanges({ paths }, ports);
    // What is declared as sent differs from what was sent, as if somebody had edited the message on the platform.
    await writeFiles(ports.cwd, { 'chat.yaml': withHistory('New'), ...histories('other') });
    const first = await apply({ gate: passing, verify: true, stages: ['group_channel.room-1'] });
    expect(first).toMatchObject({ exit_code: 4, stop_cause: 'gate' });
    expect(first.stages?.[0]?.gate).toMatchObject({
      outcome: 'failed',
      why: expect.stringContaining('1 of 1 channel'),
    });
    await writeFiles(ports.cwd, { 'chat.yaml': withHistory('Newer') });
    const second = await apply({ gate: passing, verify: true, stages: ['group_channel.room-2'] });
    expect(second.stages?.[0]?.gate).toMatchObject({ outcome: 'passed' });
    expect(await asked()).toBe(1);
  });
});
