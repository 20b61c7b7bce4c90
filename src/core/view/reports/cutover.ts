// Shows on a terminal whether a migration is ready for its cutover, the estimate of the window, and a rehearsal.

import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import type {
  Bounded,
  CutoverCheck,
  CutoverState,
  RehearsedPhase,
  WindowEstimate,
} from '../../model/migration/cutover.ts';
import { changedLinesInWords } from '../text/changed-lines.ts';
import { safe } from '../text/text.ts';
import { moveForPeople } from './move.ts';

/** `commands` are the commands of the last window, in order, and `apply` is the one among them. */
export function* cutoverForPeople(state: CutoverState, commands: readonly string[], apply: string): Generator<string> {
  const { runs, applies, checks, window } = state;
  const open = checks.filter(({ outcome }) => outcome === 'blocks');
  yield open.length === 0
    ? 'Ready for the cutover.\n'
    : `Not ready for the cutover: ${plural(open.length, 'point')} to settle.\n`;
  yield* checksForPeople(checks);
  yield `\nSeries: ${plural(runs.length, 'conversion')}, ${plural(applies.length, 'apply', 'applies')}.\n`;
  for (const { started_at, duration_s, messages, lines } of runs) {
    yield `  ${safe(started_at)}  ${printNumber(messages)} messages: ${changedLinesInWords(lines)}; ${printDuration(duration_s)}\n`;
  }
  if (state.move !== undefined) yield* moveForPeople(state.move, apply);
  if (window !== undefined) yield* windowLines(window);
  yield '\nThe last window, in this order:\n';
  const steps = [
    'Stop writing at the source: make it read-only for everybody.',
    // A database is read by the conversion.
    ...(runs.at(-1)?.database === undefined ? ['Export. The estimate does not include it.'] : []),
    ...commands,
    'Switch the clients to the new application.',
  ];
  for (const [at, step] of steps.entries()) yield `  ${at + 1}. ${step}\n`;
}

/** What blocks and warns, then what nobody could look at. */
export function* checksForPeople(checks: readonly CutoverCheck[]): Generator<string> {
  for (const { code, outcome, message = '', advice = '' } of checks) {
    if (outcome === 'passed' || outcome === 'not_looked_at') continue;
    yield `\n${outcome === 'warning' ? 'warning' : 'error'}[${code}]: ${safe(message)}\n    ${safe(advice)}\n`;
  }
  const unseen = checks.filter(({ outcome }) => outcome === 'not_looked_at');
  if (unseen.length > 0) yield `\nNot looked at: ${plural(unseen.length, 'point')} of ${checks.length}.\n`;
  for (const { code, point, message = '' } of unseen) yield `  ${code}: ${point} ${safe(message)}\n`;
}

function* windowLines({ gap_s, lines, requests, ...times }: WindowEstimate): Generator<string> {
  const row = (name: string, { expected, bound }: Bounded) =>
    `  ${name.padEnd(8)} ${printDuration(expected).padEnd(14)} at most ${printDuration(bound)}\n`;
  yield `\nThe last window takes about ${printDuration(times.total_s.expected)}, at most ${printDuration(times.total_s.bound)}:\n`;
  yield row('convert', times.convert_s);
  yield row('apply', times.apply_s);
  yield row('verify', times.verify_s);
  yield `The bound assumes ${plural(lines.bound, 'changed line')} and ${plural(requests.bound, 'request')}: the highest rate of the series, ${printDuration(gap_s)} after the previous conversion.\n`;
}

export function* phasesForPeople(phases: readonly RehearsedPhase[]): Generator<string> {
  yield 'Rehearsed on an empty simulated platform in virtual time. Nothing was sent or changed.\n\n';
  let total = 0;
  for (const { name, messages, requests, duration_s, outcome } of phases) {
    total += duration_s;
    const work = `${plural(messages, 'new message')} in ${plural(requests, 'request')}`;
    yield `  ${name}: ${printDuration(duration_s)} for ${work}${outcome === 'done' ? '' : `, which would end as ${outcome}`}\n`;
  }
  yield `\nAll applies would take ${printDuration(total)}. Conversions, verifications, edits and deletions are not included.\n`;
}
