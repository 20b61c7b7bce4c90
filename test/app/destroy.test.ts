// Tests destroying as a function.
import { expect, test } from 'vitest';
import { destroyEstate } from '../../src/app/destroy.ts';
import type { Plan } from '../../src/model/plan.ts';
import { appliedEstate, identity, paths } from './support/ports.ts';

test('shows its plan once the application is confirmed', async () => {
  const ports = await appliedEstate();
  await expect(destroyEstate({ paths }, ports)).rejects.toMatchObject({ exitCode: 64 });
  await expect(destroyEstate({ paths, confirm: 'other' }, ports)).rejects.toMatchObject({
    code: 'destroy.not-confirmed',
  });
  const shown: Plan[] = [];
  const destroyed = await destroyEstate({ paths, confirm: identity }, ports, {
    show: async (plan) => void shown.push(plan),
  });
  expect(shown).toHaveLength(1);
  expect(destroyed).toMatchObject({ wasDone: false, report: { outcome: 'done', steps: { succeeded: 3 } } });
  expect(await destroyEstate({ paths, confirm: identity }, ports)).toMatchObject({ wasDone: true });
});
