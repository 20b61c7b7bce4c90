// Tests the use cases as functions: their listeners, refusals and results.
import { existsSync, linkSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Approval, applyChanges } from '../../../src/core/app/apply.ts';
import type { Ports } from '../../../src/core/app/context/ports.ts';
import { planChanges } from '../../../src/core/app/plan.ts';
import { validateManifests } from '../../../src/core/app/validate.ts';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { Notice } from '../../../src/core/model/event.ts';
import { exitCode } from '../../../src/core/model/exit-code.ts';
import { exportApplication } from '../../../src/tools/live-import/export.ts';
import { rehearseApply } from '../../../src/tools/rehearsal/rehearse.ts';
import { estate, identity, paths, testPorts, withoutState } from './support/ports.ts';

describe('apply', () => {
  test('tells its listener about the plan first and the report last', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const seen: string[] = [];
    await applyChanges({ paths }, ports, {
      review: async (plan) => {
        seen.push(`review ${plan.steps.length}`);
        return 'exact';
      },
      begin: async (plan) => void seen.push(`begin ${plan.steps.length}`),
      event: ({ type }) => void seen.push(type),
      end: async (report) => void seen.push(`end ${report?.outcome}`),
    });
    expect(seen.slice(0, 3)).toEqual(['review 3', 'begin 3', 'run.started']);
    expect(seen.slice(-2)).toEqual(['run.ended', 'end done']);
  });

  test('does nothing when the review throws', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const review = async (): Promise<Approval> => {
      throw new Refusal('apply.declined', exitCode.refused, 'No.', 'Nothing was changed.');
    };
    await expect(applyChanges({ paths }, ports, { review })).rejects.toMatchObject({ code: 'apply.declined' });
    expect(await readdir(ports.cwd)).toEqual(['chat.yaml']);
  });

  test('tells a listener that began about the end, even if a notice throws before the first step', async () => {
    const text = `${estate}policy: { undo: { megabytes: 0 } }\n`;
    const ports = await testPorts({ 'chat.yaml': text });
    await applyChanges({ paths }, ports);
    await writeFile(join(ports.cwd, 'chat.yaml'), text.replace('nickname: Alice', 'nickname: A'));
    const seen: string[] = [];
    const notify = ({ type }: Notice): void => {
      if (type === 'undo-impossible') throw new Error('no terminal');
    };
    const run = applyChanges(
      { paths },
      { ...ports, notify },
      { begin: async () => void seen.push('begin'), end: async () => void seen.push('end') },
    );
    await expect(run).rejects.toThrow('no terminal');
    expect(seen).toEqual(['begin', 'end']);
  });

  test('runs only the exact plan that was approved', async () => {
    const ports = await testPorts({ 'chat.yaml': estate });
    const review = async (): Promise<Approval> => {
      await applyChanges({ paths, targets: ['user.alice'] }, ports);
      return 'exact';
    };
    await expect(applyChanges({ paths }, ports, { review })).rejects.toMatchObject({ code: 'plan.overtaken' });
  });
});

test('sends texts as long as the application allows', async () => {
  const length = 5001;
  const line = { user_id: 'alice', message: 'x'.repeat(length), timestamp: 1_600_000_000_000 };
  const manifest = (limits: string) => `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau${limits} }
users: { alice: { nickname: Alice } }
group_channels: { room: { members: { alice: }, messages: { file: room.ndjson } } }
`;
  const files = { 'room.ndjson': `${JSON.stringify(line)}\n` };
  const refused = await testPorts({ ...files, 'chat.yaml': manifest('') });
  await expect(applyChanges({ paths }, refused)).rejects.toMatchObject({ exitCode: 65 });
  const ports = await testPorts({ ...files, 'chat.yaml': manifest(`, limits: { message_length: ${length} }`) });
  expect((await applyChanges({ paths }, ports)).report).toMatchObject({ exit_code: 0 });
});

test('rehearses without a change', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  const rehearsed = await rehearseApply({ paths, latencyMs: 10 }, ports);
  expect(rehearsed).toMatchObject({ nextSteps: 0, missing: [], report: { outcome: 'done', steps: { succeeded: 3 } } });
  expect(await readdir(ports.cwd)).toEqual(['chat.yaml']);
  await expect(rehearseApply({ paths, window: 'other' }, ports)).rejects.toMatchObject({ exitCode: 64 });
});

test('validates, and warns about an object that a plan refuses if it is new', async () => {
  const ports = await testPorts({ 'chat.yaml': estate.replace('members: { alice: , bob: }', 'name: Room') });
  const { isValid, diagnostics } = await validateManifests({ paths }, ports);
  expect(isValid).toBe(true);
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'group_channel.no-members', address: 'group_channel.room' },
  ]);
  expect(diagnostics[0]?.detail).toContain('A plan refuses it unless the object is in state.');
});

test('validates a channel without members, and ends that are past, together with all other problems', async () => {
  const ports = await testPorts({
    'chat.yaml': `version: 1
application: { base_url: 'emulator:x' }
users:
  alice: { nickname: Alice, session_token: { expires_at: 2020-01-01T00:00:00Z } }
  bob: { nickname: 5 }
group_channels:
  room: { name: Room }
  club: { members: { alice: }, muted: { alice: { until: 2020-01-01T00:00:00Z } } }
  broken: { members: 5 }
`,
  });
  const { diagnostics } = await validateManifests({ paths }, ports);
  const found = diagnostics.map(({ code, address }) => `${code} ${address}`).sort();
  expect(found).toEqual([
    'group_channel.no-members group_channel.room',
    'manifest.wrong-type group_channel.broken',
    'manifest.wrong-type user.bob',
    'plan.ended group_channel.club',
    'plan.ended user.alice',
  ]);
  const refused = await planChanges({ paths }, ports).catch((error: Refusal) => error);
  expect(refused).toMatchObject({ exitCode: 65, diagnostics: { length: 5 } });
});

test('exports manifests, and a state with their objects', async () => {
  const ports = await withoutState();
  const exported = await exportApplication({ out: 'copy', baseUrl: identity }, ports);
  expect(exported).toMatchObject({ leftOut: [], messages: 0, state: 'file:.chatform/state' });
  expect(exported.counts.map(({ section, count }) => [section, count])).toContainEqual(['users', 2]);
  expect((await planChanges({ paths: ['copy'] }, ports)).plan.changes).toHaveLength(0);
  await expect(exportApplication({ out: 'copy', baseUrl: identity }, ports)).rejects.toMatchObject({
    code: 'export.occupied',
  });
});

const options = { out: 'copy', baseUrl: identity };

/** Exports, and leaves the folder as a run that was killed before it removed its note. */
async function exportedWithNote(ports: Ports) {
  const note = join(ports.cwd, 'copy/.chatform-export.ndjson');
  const kept = join(ports.cwd, 'kept.ndjson');
  const date = () => {
    // The run removes the first name of the file only.
    if (existsSync(note) && !existsSync(kept)) linkSync(note, kept);
    return ports.clock.date();
  };
  const exported = await exportApplication(options, { ...ports, clock: { ...ports.clock, date } });
  expect(existsSync(note)).toBe(false);
  await rename(kept, note);
  return { exported, note };
}

test('an export knows its own state when it was killed before its note was removed', async () => {
  const ports = await withoutState();
  const { exported, note } = await exportedWithNote(ports);
  expect(await exportApplication(options, ports)).toEqual({ ...exported, requests: 0, continued: true });
  expect(existsSync(note)).toBe(false);
  expect((await planChanges({ paths: ['copy'] }, ports)).plan.changes).toHaveLength(0);
});

test('an export refuses the state of another one, though its own files are complete', async () => {
  const ports = await withoutState();
  await exportedWithNote(ports);
  await rm(join(ports.cwd, '.chatform/state'), { recursive: true });
  await exportApplication({ out: 'other', baseUrl: identity }, ports);
  await expect(exportApplication(options, ports)).rejects.toMatchObject({
    code: 'state.occupied',
  });
});
