// Tests planning and saving as functions.
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/app/apply.ts';
import { planChanges } from '../../src/app/plan.ts';
import { savePlan } from '../../src/app/plans/plan-file.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('saves a plan whose apply leaves nothing to do', async () => {
  const ports = await testPorts({ 'chat.yaml': estate });
  const { plan, refusals, remarks, isRefreshed } = await planChanges({ paths, isToBeSaved: true }, ports);
  expect({ refusals, remarks, isRefreshed }).toEqual({ refusals: [], remarks: [], isRefreshed: false });
  expect(plan.changes).toHaveLength(3);
  await savePlan(plan, 'plan.chatform', ports);
  const saved = { paths: ['plan.chatform'] };
  expect(await applyChanges(saved, ports)).toMatchObject({ wasDone: false, report: { outcome: 'done' } });
  expect(await applyChanges(saved, ports)).toMatchObject({ wasDone: true, report: { steps: { planned: 0 } } });
  expect((await planChanges({ paths, refresh: true }, ports)).plan.changes).toHaveLength(0);
  expect(ports.notices.map(({ type }) => type)).toContain('refresh-cost');
});
