// Tests how plans and reports show stages: what each has, what its gate said, and what follows where it did not pass.
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/model/address.ts';
import type { Change } from '../../../../src/core/model/change.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import type { GateReport, PlannedStage } from '../../../../src/core/model/stages/stages.ts';
import type { PlanFormatName } from '../../../../src/core/view/index.ts';
import { planAsJson } from '../../../../src/core/view/json/plan.ts';
import { reportedStageLines, stageLines } from '../../../../src/core/view/summary/stages.ts';
import { applySummary } from '../../../../src/core/view/terminal/run-summary.ts';
import { redactEvent, redactPlan, redactReport } from '../../../../src/core/view/text/redact.ts';
import { publishedSchema } from '../../../support/published-schema.ts';
import { everyPlan, print } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const rest = { objects: 5, steps: 9 };

test.for<[title: string, stage: PlannedStage, line: string]>([
  ['a kind', { select: 'user', objects: 1, steps: 1 }, 'Stage 1 (user): 1 step on 1 object; then the gate'],
  [
    'a share, with what others need',
    { select: '10%', objects: 1200, steps: 3400, pulled_in: 1100, until: 'room-9' },
    'Stage 1 (10%): 3,400 steps on 1,200 objects, 1,100 of them because others need or contain them; channels up to room-9; then the gate',
  ],
  [
    'a stage that is done and whose gate passed',
    { select: '10%', objects: 0, steps: 0, gate_passed: true },
    'Stage 1 (10%): nothing left; its gate has passed',
  ],
])('a plan shows %s', ([, stage, line]) => {
  expect(stageLines([stage, rest])).toEqual([line, 'Stage 2 (the rest): 9 steps on 5 objects']);
});

describe('a plan with stages', () => {
  const named = (names: readonly Address[]) => [{ select: 'user', objects: 12, steps: 12, named: names }, rest];
  const plan: Plan = {
    ...everyPlan,
    stages: named(['user.bob', 'user.bob@example.com']),
    changes: [...everyPlan.changes].map((change) => ({ ...change, stage: 2 })),
  };

  test.for<PlanFormatName>(['human', 'markdown', 'html'])('names the objects of a stage in %s', async (format) => {
    const shown = (await print(format, plan))
      .replaceAll(/<\/?(?:code|span|p|wbr)\b[^>]*>/gu, '')
      .replaceAll(/\s+/gu, ' ');
    expect(shown).toMatch(/user\.bob, user\.bob@example\.com, … and 10 more/u);
  });

  test('has the stage of each change in JSON, and hides names when redacted', () => {
    const shown = JSON.parse([...planAsJson(redactPlan(plan, { redactionKey: 'key' }))].join(''));
    expect(publishedSchema('plan')(shown)).toEqual([]);
    expect(shown.changes.map(({ stage }: Change) => stage)).toEqual([...plan.changes].map(() => 2));
    expect(JSON.stringify(shown.stages)).toContain('user.bob');
    expect(JSON.stringify(shown.stages)).not.toContain('bob@');
  });
});

test.for<[gate: GateReport, line: string]>([
  [{ outcome: 'passed', took_s: 3 }, 'Its gate passed after 3 s.'],
  [{ outcome: 'passed_before' }, 'Its gate had passed in an earlier run and was not asked again.'],
  [{ outcome: 'failed', took_s: 3, why: 'no' }, 'Its gate did not pass after 3 s: no.'],
  [{ outcome: 'timed_out', took_s: 600, why: 'late' }, 'Its gate did not end in time after 10 min: late.'],
  [{ outcome: 'interrupted', took_s: 3, why: 'end' }, 'Its gate was ended with the run after 3 s: end.'],
])('a report says of $outcome what happened', ([gate, line]) => {
  const [first, second] = reportedStageLines([{ select: 'user', objects: 1, steps: 1, gate }, rest]);
  expect([first, second]).toEqual([`Stage 1 (user): 1 step. ${line}`, 'Stage 2 (the rest): 9 steps.']);
});

const secret = 'bob@example.com has no room';
const stopped = (more: Partial<ApplyReport>): ApplyReport => ({
  ...reports.done,
  outcome: 'incomplete',
  exit_code: 4,
  stop_cause: 'gate',
  stages: [
    { select: 'user', objects: 1, steps: 1, gate: { outcome: 'failed', took_s: 1, why: `the command: ${secret}` } },
    rest,
  ],
  ...more,
});

describe('a report of an apply that a gate stopped', () => {
  const lastLine = (report: ApplyReport, flags: string, paths: string) =>
    [...applySummary(report, { color: false, width: 100 }, { flags, paths })].join('').trimEnd().split('\n').at(-1);

  test('ends with the commands that undo its runs, with the state and the manifests of the apply', () => {
    const report = stopped({ to_undo: [7, 5] });
    expect(lastLine(report, '', '')?.trim()).toBe('chatform undo 7 && chatform undo 5');
    expect(lastLine(report, ' --state s3://b', ' envs/a')?.trim()).toBe(
      'chatform undo 7 --path envs/a --state s3://b && chatform undo 5 --path envs/a --state s3://b',
    );
  });

  test('names no command where nothing can be undone', () => {
    expect(lastLine(stopped({}), '', '')).not.toContain('chatform undo');
  });

  test('hides what the gate said when redacted', () => {
    const options = { redactionKey: 'key' };
    const event = { type: 'gate.ended', stage: 1, outcome: 'failed', took_s: 1, why: secret } as const;
    const shown = JSON.stringify([redactReport(stopped({}), options), redactEvent(event, options)]);
    expect(shown).not.toContain('bob');
    expect(shown).not.toContain('room');
  });
});
