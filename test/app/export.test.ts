// Tests exporting as a function.
import { existsSync, linkSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ports } from '../../src/app/context/ports.ts';
import { exportApplication } from '../../src/app/export.ts';
import { planChanges } from '../../src/app/plan.ts';
import { identity, withoutState } from './support/ports.ts';

test('writes manifests, and a state with their objects', async () => {
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

test('knows its own state when it was killed before its note was removed', async () => {
  const ports = await withoutState();
  const { exported, note } = await exportedWithNote(ports);
  expect(await exportApplication(options, ports)).toEqual({ ...exported, requests: 0, continued: true });
  expect(existsSync(note)).toBe(false);
  expect((await planChanges({ paths: ['copy'] }, ports)).plan.changes).toHaveLength(0);
});

test('refuses the state of another export, though its own files are complete', async () => {
  const ports = await withoutState();
  await exportedWithNote(ports);
  await rm(join(ports.cwd, '.chatform/state'), { recursive: true });
  await exportApplication({ out: 'other', baseUrl: identity }, ports);
  await expect(exportApplication(options, ports)).rejects.toMatchObject({
    code: 'state.occupied',
  });
});
