// Shows a rehearsal: its outcome, its duration, and the calls that the platform would refuse.

import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import type { Rehearsed } from '../../model/report.ts';
import { routeName } from '../../model/request.ts';
import { limitedOf } from '../json/results.ts';
import { objectsInWords } from '../summary/groups.ts';
import { safe } from '../text/text.ts';
import { wouldEnd } from './run-summary.ts';

const maxListed = 20;

export function* rehearsalForPeople(rehearsed: Rehearsed): Generator<string> {
  const { report, nextSteps, missing, stopped, lanes, kinds } = rehearsed;
  const { steps, requests, failures, outcome, duration_s, lower_bound_s } = report;
  const left = steps.planned - steps.succeeded - steps.failed - steps.unknown - steps.skipped;
  yield 'Rehearsed on a simulated platform with the objects in state. Nothing was sent or changed.\n\n';
  yield* listed(
    failures.map(
      ({ address, action, code, message }) =>
        `  ${action} ${safe(address)}: ${safe(message)}${code === 0 ? '' : ` (code ${code})`}\n`,
    ),
  );
  yield* listed(missing.map((text) => `  not on the simulated platform: ${safe(text)}\n`));
  const others = [
    steps.failed > 0 ? `${printNumber(steps.failed)} ${steps.failed === 1 ? 'fails' : 'fail'}` : '',
    steps.unknown > 0 ? `${printNumber(steps.unknown)} with unknown outcome` : '',
    steps.skipped > 0 ? `${printNumber(steps.skipped)} skipped` : '',
    left > 0 ? `${printNumber(left)} left to do` : '',
  ].filter((text) => text !== '');
  const isNothing = steps.planned === 0;
  const counts = isNothing
    ? 'there is nothing to do'
    : `${printNumber(steps.succeeded)} of ${plural(steps.planned, 'step')} ${steps.succeeded === 1 ? 'succeeds' : 'succeed'}`;
  yield `The run would ${wouldEnd(report)} (exit code ${report.exit_code}): ${[counts, ...others].join(', ')}.\n`;
  if (stopped !== undefined) yield `It would stop early: ${safe(stopped)}.\n`;
  // The lower bound applies only to complete runs.
  const over = outcome === 'done' ? overBound(duration_s, lower_bound_s) : '';
  if (!isNothing) yield `It would take ${printDuration(duration_s)}${over}.\n`;
  yield nextSteps === 0
    ? 'The next plan would be empty.\n'
    : `The next plan would still have ${plural(nextSteps, 'step')}.\n`;
  for (const { kind, objects, closed } of kinds) {
    const disabled = kind === 'user' || kind === 'bot' ? 'deactivated' : 'frozen';
    const ofThem = closed === 0 ? '' : ` (${printNumber(closed)} ${disabled})`;
    yield `State would contain ${objectsInWords(kind, objects)}${ofThem}.\n`;
  }
  if (lanes.length > 0) yield '\nSchedule:\n';
  for (const { route, from_s, to_s, steps: count } of lanes) {
    yield `  ${clock(from_s)} – ${clock(to_s)}  ${plural(count, 'step')}  ${route}\n`;
  }
  if (requests.length > 0) yield '\nCalls:\n';
  for (const request of [...requests].sort((left, right) => right.sent - left.sent)) {
    const retried = request.retried === 0 ? '' : `, ${printNumber(request.retried)} of them retried`;
    const limited = request.limited === 0 ? '' : `, ${printNumber(request.limited)} answered with 429`;
    yield `  ${printNumber(request.sent).padStart(9)}  ${routeName(request)}${retried}${limited}\n`;
  }
  yield `Responses with 429 ("too many requests"): ${printNumber(limitedOf(report))}.\n`;
}

/** `1:02:03.4`, from the beginning of the run. */
function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${parts.join(':')}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
}

function overBound(durationS: number, boundS: number): string {
  if (boundS < 1) return '';
  const percent = (100 * (durationS - boundS)) / boundS;
  return `, ${printNumber(Math.max(0, percent))} % more than the minimum of ${printDuration(boundS)}`;
}

function* listed(lines: readonly string[]): Generator<string> {
  if (lines.length === 0) return;
  yield* lines.slice(0, maxListed);
  if (lines.length > maxListed) yield `  … and ${printNumber(lines.length - maxListed)} more\n`;
  yield '\n';
}
