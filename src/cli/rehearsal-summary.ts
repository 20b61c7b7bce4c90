// How is a rehearsal told: how it would end, how long it would take, what the platform would refuse?
import type { ApplyReport } from '../model/report.ts';
import { routeName } from '../model/request.ts';
import { safe, safeJson } from '../view/text.ts';
import { plural, printDuration, printNumber } from '../view/words.ts';
import type { KindCount, LaneSchedule } from './rehearsal-schedule.ts';

export interface Rehearsed {
  readonly report: ApplyReport;
  /** Steps that a plan made afterwards would have. */
  readonly nextSteps: number;
  /** Objects of state that the simulated platform could not be given. */
  readonly missing: readonly string[];
  /** When which calls were made. */
  readonly lanes: readonly LaneSchedule[];
  /** What state held at the end. */
  readonly kinds: readonly KindCount[];
}

const maxListed = 20;

export function* rehearsalForPeople({ report, nextSteps, missing, lanes, kinds }: Rehearsed): Generator<string> {
  const { steps, requests, failures, duration_s, lower_bound_s } = report;
  yield 'Rehearsed on a simulated platform, which holds what state knows. Nothing was sent, nothing was changed.\n\n';
  yield* listed(
    failures.map(
      ({ address, action, code, message }) =>
        `  ${action} ${safe(address)}: ${safe(message)}${code === 0 ? '' : ` (code ${code})`}\n`,
    ),
  );
  yield* listed(missing.map((text) => `  not on the simulated platform: ${safe(text)}\n`));
  const others = [
    steps.failed > 0 ? `${printNumber(steps.failed)} fail` : '',
    steps.unknown > 0 ? `${printNumber(steps.unknown)} with unknown outcome` : '',
    steps.skipped > 0 ? `${printNumber(steps.skipped)} skipped` : '',
  ].filter((text) => text !== '');
  const ends = report.outcome === 'done' ? 'The run would end well' : `The run would end as ${report.outcome}`;
  const counts = `${printNumber(steps.succeeded)} of ${plural(steps.planned, 'step')} succeed`;
  yield `${ends} (exit code ${report.exit_code}): ${[counts, ...others].join(', ')}.\n`;
  yield `It would take ${printDuration(duration_s)}${overBound(duration_s, lower_bound_s)}.\n`;
  yield nextSteps === 0
    ? 'The next plan would be empty.\n'
    : `The next plan would still have ${plural(nextSteps, 'step')}.\n`;
  for (const { kind, objects, closed } of kinds) {
    const ends = closed === 0 ? '' : `, ${printNumber(closed)} of them closed`;
    yield `State would hold ${printNumber(objects)} of the kind ${kind}${ends}.\n`;
  }
  if (lanes.length > 0) yield '\nSchedule:\n';
  for (const { route, from_s, to_s, steps: count } of lanes) {
    yield `  ${clock(from_s)} – ${clock(to_s)}  ${plural(count, 'step')}  ${route}\n`;
  }
  if (requests.length > 0) yield '\nCalls:\n';
  for (const request of [...requests].sort((left, right) => right.sent - left.sent)) {
    const retried = request.retried === 0 ? '' : `, ${printNumber(request.retried)} of them repeated`;
    const limited = request.limited === 0 ? '' : `, ${printNumber(request.limited)} answered with 429`;
    yield `  ${printNumber(request.sent).padStart(9)}  ${routeName(request)}${retried}${limited}\n`;
  }
  yield `Answers 429 ("too many requests"): ${printNumber(limitedOf(report))}.\n`;
}

export function rehearsalAsJson({ report, nextSteps, missing, lanes, kinds }: Rehearsed): string {
  const { started_at: _started, finished_at: _finished, ...rest } = report;
  const told = {
    ...rest,
    limited: limitedOf(report),
    next_plan_steps: nextSteps,
    not_simulated: missing,
    schedule: lanes,
    state: kinds,
  };
  return `${safeJson(told, 2)}\n`;
}

/** `1:02:03.4`, from the beginning of the run. */
function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${parts.join(':')}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
}

function limitedOf({ requests }: ApplyReport): number {
  return requests.reduce((sum, { limited }) => sum + limited, 0);
}

function overBound(durationS: number, boundS: number): string {
  if (boundS < 1) return '';
  const percent = (100 * (durationS - boundS)) / boundS;
  return `, ${printNumber(Math.max(0, percent))} % more than the shortest possible, ${printDuration(boundS)}`;
}

function* listed(lines: readonly string[]): Generator<string> {
  if (lines.length === 0) return;
  yield* lines.slice(0, maxListed);
  if (lines.length > maxListed) yield `  … and ${printNumber(lines.length - maxListed)} more\n`;
  yield '\n';
}
