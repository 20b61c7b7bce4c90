// Tests exporting as a function.
import { expect, test } from 'vitest';
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
