// The stages of an apply in sentences, for every view of plans and reports.

import type { GateOutcome, GateReport, PlannedStage, ReportedStage } from '../../model/stages/stages.ts';
import { plural, printDuration, printNumber } from '../text/words.ts';

/** `Stage 1 (10%): 12 steps on 4 objects, 1 of them because others wait for it; channels up to support-42; then the gate`. */
export function stageLines(stages: readonly PlannedStage[]): string[] {
  return stages.map((stage, place) => {
    const { steps, objects, pulled_in: pulledIn, until, gate_passed: hasPassed = false } = stage;
    const isLast = place === stages.length - 1;
    const parts = [
      `${nameOf(stage, place)}: ${steps === 0 ? 'nothing left' : `${plural(steps, 'step')} on ${plural(objects, 'object')}`}`,
      pulledIn === undefined ? '' : `, ${printNumber(pulledIn)} of them because others need or contain them`,
      until === undefined ? '' : `; channels up to ${until}`,
      isLast ? '' : hasPassed ? '; its gate has passed' : '; then the gate',
    ];
    return parts.join('');
  });
}

const outcomes: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  passed_before: 'had passed in an earlier run and was not asked again',
  failed: 'did not pass',
  timed_out: 'did not end in time',
  interrupted: 'was ended with the run',
};

/** `Stage 1 (10%): 12 steps. Its gate passed after 3 s.` Empty without stages. */
export function reportedStageLines(stages: readonly ReportedStage[] = []): string[] {
  return stages.map((stage, place) => {
    const { steps, gate } = stage;
    const asked = gate === undefined ? '' : ` Its gate ${gateInWords(gate)}.`;
    return `${nameOf(stage, place)}: ${plural(steps, 'step')}.${asked}`;
  });
}

function gateInWords({ outcome, why, took_s: tookS }: GateReport): string {
  const after = tookS === undefined ? '' : ` after ${printDuration(tookS)}`;
  return `${outcomes[outcome]}${after}${why === undefined ? '' : `: ${why}`}`;
}

function nameOf({ select }: Pick<PlannedStage, 'select'>, place: number): string {
  return `Stage ${place + 1} (${select ?? 'the rest'})`;
}
