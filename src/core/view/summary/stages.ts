// The stages of an apply in sentences, for every view of plans and reports.

import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import type { GateOutcome, GateReport, PlannedStage, ReportedStage } from '../../model/stages/stages.ts';
import { restInWords } from './people.ts';

/** A stage in a sentence, and its objects, folded beyond ten. */
interface StageText {
  readonly text: string;
  readonly names: readonly string[];
  readonly rest: readonly string[];
}

/** `Stage 1 (10%): 12 steps on 4 objects, 1 of them because others need or contain them; channels up to support-42; then the gate`. */
export function stageTexts(stages: readonly PlannedStage[]): StageText[] {
  const texts = stages.map((stage, place) => {
    const { steps, objects, pulled_in: pulledIn, until, named = [], gate_passed: hasPassed = false } = stage;
    const hasNoGate = place === stages.length - 1 || stage.no_gate === true;
    const parts = [
      `${nameOf(stage, place)}: ${steps === 0 ? (hasNoGate ? 'nothing' : 'nothing left') : `${plural(steps, 'step')} on ${plural(objects, 'object')}`}`,
      pulledIn === undefined ? '' : `, ${printNumber(pulledIn)} of them because others need or contain them`,
      until === undefined ? '' : `; channels up to ${until}`,
      hasNoGate ? '' : hasPassed ? '; its gate has passed' : '; then the gate',
    ];
    const rest = named.length === 0 ? [] : restInWords(objects - named.length);
    return { text: parts.join(''), names: named, rest };
  });
  return isDivided(stages) ? texts : [{ text: notDivided, names: [], rest: [] }, ...texts];
}

const notDivided = 'One stage: --stage does not divide this plan, so no gate is asked.';

/** Whether a gate is asked between two stages, or nobody asked for stages. */
function isDivided(stages: readonly Pick<PlannedStage, 'no_gate'>[]): boolean {
  return stages.length === 0 || stages.slice(0, -1).some(({ no_gate: hasNoGate = false }) => !hasNoGate);
}

/** The same as lines, with the objects of a stage indented below it. */
export function stageLines(stages: readonly PlannedStage[]): string[] {
  return stageTexts(stages).flatMap(({ text, names, rest }) => {
    return names.length === 0 ? [text] : [text, `  ${[...names, ...rest].join(', ')}`];
  });
}

const outcomes: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  passed_before: 'had passed in an earlier run and was not asked again',
  failed: 'did not pass',
  timed_out: 'did not end in time',
  interrupted: 'was ended with the run',
};

/** `Stage 1 (10%): 12 steps. Its gate passed after 3 s.` */
export function reportedStageLines(stages: readonly ReportedStage[]): string[] {
  const lines = stages.map((stage, place) => {
    const { steps, gate } = stage;
    const asked = gate === undefined ? '' : ` Its gate ${gateInWords(gate)}.`;
    return `${nameOf(stage, place)}: ${plural(steps, 'step')}.${asked}`;
  });
  return isDivided(stages) ? lines : [notDivided, ...lines];
}

function gateInWords({ outcome, why, took_s: tookS }: GateReport): string {
  const after = tookS === undefined ? '' : ` after ${printDuration(tookS)}`;
  return `${outcomes[outcome]}${after}${why === undefined ? '' : `: ${why}`}`;
}

function nameOf({ select }: Pick<PlannedStage, 'select'>, place: number): string {
  return `Stage ${place + 1} (${select ?? 'the rest'})`;
}
