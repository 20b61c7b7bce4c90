// The summary at the end of a run: what was done, what failed and why, and what to do next.

import { chatformCommand, onlyAddress } from '../../../lib/tools/pasted-words.ts';
import { firstOf, listOf, plural, printDuration, printNumber } from '../../../lib/words.ts';
import type { RunOutcome, StepFailure } from '../../model/event.ts';
import { exitCode, exitMeanings } from '../../model/exit-code.ts';
import { announcedInWords } from '../../model/limits.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApplyReport, StepCounts, StopCause } from '../../model/report.ts';
import { signersInWords } from '../../model/signing/signature.ts';
import { storedInWords } from '../diff/stored-values.ts';
import { reportedStageLines } from '../summary/stages.ts';
import type { Status } from '../summary/status.ts';
import { fold } from '../text/folding.ts';
import { proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { type Paint, painter, statusStyle } from '../text/paint.ts';
import { adviceFor } from '../text/platform-advice.ts';
import { safe } from '../text/text.ts';
import { type Typing, typedText } from '../text/typed-commands.ts';

const maxColumns = 100;
const maxGroups = 10;
const maxNamed = 20;

/** `would` completes the sentence "The run would …" about a rehearsal. */
interface Headline {
  readonly words: string;
  readonly would: string;
  readonly kind: Status['kind'];
}

const headlines: Readonly<Record<RunOutcome, Headline>> = {
  done: { words: 'Done', would: 'succeed', kind: 'ready' },
  incomplete: { words: 'Not complete', would: 'be incomplete', kind: 'refused' },
  interrupted: { words: 'Interrupted', would: 'be interrupted', kind: 'awaits' },
  out_of_time: { words: 'Stopped at the time limit', would: 'run out of time', kind: 'awaits' },
  authentication: {
    words: 'The platform refused the API token',
    would: 'stop because the token is refused',
    kind: 'refused',
  },
  conflict: {
    words: 'The platform no longer matches the plan',
    would: 'stop at a conflict with the platform',
    kind: 'refused',
  },
  refused: { words: 'Refused by a safety rule', would: 'be refused', kind: 'refused' },
};

const next: Readonly<Record<RunOutcome, string>> = {
  done: '',
  incomplete:
    'Completed steps are saved and will not be repeated. Fix the problems listed above, then run the same command again.',
  interrupted: 'Completed steps are saved. Run the same command again to continue.',
  out_of_time: 'Completed steps are saved. Run the same command again to continue.',
  authentication:
    'Completed steps are saved. Check that CHATFORM_API_TOKEN is correct and belongs to this application, then run the same command again.',
  conflict: 'The objects listed above were changed elsewhere. Plan again and have the new plan reviewed.',
  refused: 'Check the plan. Dangerous changes must be acknowledged in the reviewed manifest.',
};

/** What follows from every failure of a run. */
type Remedy = StopCause | 'taken' | 'deleted_elsewhere';

/** The command stands last, because the last line is what is read at night. */
interface Advice {
  readonly words: string;
  readonly command?: string;
}

/** Flags and paths of the run, each with a blank before it, that a command in its advice needs, too. */
export interface RunInvocation {
  readonly flags: string;
  readonly paths: string;
}

/** In place of the advice for the outcome, which would contradict it. */
const remedies: Readonly<Record<Remedy, (invocation: RunInvocation, report: ApplyReport) => Advice>> = {
  not_in_state: ({ flags }, { steps }) => ({
    words:
      'These objects exist, and the state does not know them. If --state names the wrong place, name the right one. If nobody manages the objects yet, chatform adopt takes them into state, and policy: {existing: adopt_equal} does so in an apply for those that match their declaration. If the state was lost, make it again from the platform:',
    // What the run has put into state keeps an unforced rebuild from it.
    command: chatformCommand('state rebuild').concat(steps.succeeded === 0 ? '' : ' --force', flags),
  }),
  gate: ({ flags, paths }, { to_undo: runs = [] }) => {
    const again = 'To go on, run the same command again: it asks the gate again, and then applies the rest.';
    if (runs.length === 0)
      return {
        words: `chatform undo has nothing to take back: this apply has changed nothing, or state keeps no values from before it (policy.undo). ${again}`,
      };
    const undo = runs.map((run) =>
      chatformCommand('undo', String(run)).concat(paths === '' ? '' : ` --path${paths}`, flags),
    );
    return {
      words: `What was applied stays, and nothing was undone, because invitations, messages and notifications cannot be taken back. ${again} To take back the rest of what was applied:`,
      command: undo.join(' && '),
    };
  },
  taken: ({ flags }, { failures }) => ({
    words:
      'Completed steps are saved. If what exists is something else, choose other keys. If it is what is declared, take it into state:',
    command: chatformCommand('adopt', ...failures.map(({ address }) => onlyAddress(address)).sort()).concat(flags),
  }),
  deleted_elsewhere: ({ flags, paths }) => ({
    words:
      'Completed steps are saved. What is missing was deleted elsewhere since the last apply. Create what is declared, and forget the rest:',
    command: chatformCommand('apply', '--refresh').concat(paths, flags),
  }),
};

/** `a gate did not pass, resumable` */
export function exitInWords(report: ApplyReport): string {
  const { exit_code, stop_cause, rehearsal } = report;
  if (rehearsal === true) return `the run would ${wouldEnd(report)}`;
  return stop_cause === 'gate' ? 'a gate did not pass, resumable' : exitMeanings[exit_code];
}

/** `Not complete`, or `Rehearsal: the run would be incomplete`. */
export function statusOfRun(report: ApplyReport): Status {
  const { kind, words } = headlines[report.outcome];
  return { kind, words: report.rehearsal === true ? `Rehearsal: the run would ${wouldEnd(report)}` : words };
}

/** `be incomplete`, of a run that was rehearsed. */
export function wouldEnd({ outcome }: ApplyReport): string {
  return headlines[outcome].would;
}

/** What to do after an incomplete run, on one line. */
export function nextAfter(report: ApplyReport): string {
  const { words, command } = adviceAfter(report);
  return command === undefined ? words : `${words} ${command}`;
}

function adviceAfter(report: ApplyReport, invocation: RunInvocation = { flags: '', paths: '' }): Advice {
  if (report.rehearsal === true) return { words: 'The rehearsal sent and changed nothing.' };
  const remedy = report.stop_cause ?? (report.outcome === 'incomplete' ? remedyOf(report) : undefined);
  return remedy === undefined ? { words: next[report.outcome] } : remedies[remedy](invocation, report);
}

/** Undefined if the failures differ, or if people have to find out what to do. */
function remedyOf({ failures, steps }: ApplyReport): Remedy | undefined {
  const [first] = failures;
  if (first === undefined) return undefined;
  const areAll = (isSo: (failure: StepFailure) => boolean) => failures.every(isSo);
  if (areAll(({ code, action }) => code === platformCode.taken && action === 'create')) {
    if (steps.succeeded === 0) return 'not_in_state';
    return failures.length <= maxNamed ? 'taken' : undefined;
  }
  const gone: readonly number[] = [platformCode.notFound, platformCode.noLongerThere];
  if (areAll(({ code, missing_ids: ids }) => gone.includes(code) && ids === undefined)) return 'deleted_elsewhere';
  return undefined;
}

export function applySummary(report: ApplyReport, options: ViewOptions, invocation?: RunInvocation): Generator<string> {
  return withEnds(summaryLines(report, options, invocation));
}

function* summaryLines(
  report: ApplyReport,
  options: ViewOptions,
  invocation: RunInvocation | undefined,
): Generator<string> {
  const paint = painter(options.color);
  const width = Math.min(options.width, maxColumns);
  const columns = proseColumns(width, options.whole);
  yield* failureLines(report.failures, { columns: width, prose: columns, typed: options.typed }, paint);
  const status = statusOfRun(report);
  const text = `${status.words}.`;
  const [head = '', ...tail] = wrap(`${text} ${stepsInWords(report.steps)} ${timeInWords(report)}`, columns);
  yield `${paint(['bold', statusStyle[status.kind]], text)}${head.slice(text.length)}`;
  yield* tail;
  const wrapped = (sentences: readonly string[]) => sentences.flatMap((sentence) => [...wrap(sentence, columns)]);
  yield* wrapped(signedInWords(report));
  yield* callLines(report, paint);
  yield* wrapped(reportedStageLines(report.stages ?? []).map(safe));
  yield* wrapped([...refusedInWords(report), ...announcementsIn(report), ...leftOpenInWords(report)]);
  const stored = storedInWords(report.stored_otherwise);
  yield* wrapped(stored.slice(0, 1));
  for (const line of stored.slice(1)) yield `    ${line}`;
  yield* wrapped([...notMembersInWords(report), ...erasedInWords(report)]);
  if (report.exit_code !== exitCode.done) {
    yield paint('dim', `Exit code ${report.exit_code}: ${exitInWords(report)}.`);
  }
  const { words, command } = adviceAfter(report, invocation);
  if (words !== '') yield* wrap(typedText(words, options), columns);
  if (command !== undefined) yield `    ${typedText(command, options)}`;
}

/** `1,200 of 1,234 steps succeeded, 4 failed, 1 with unknown outcome, 29 skipped because a step they need failed.` */
export function stepsInWords({ planned, succeeded, failed, unknown, skipped }: StepCounts): string {
  if (planned === 0) return 'There was nothing to do.';
  const remaining = planned - succeeded - failed - unknown - skipped;
  const parts = [
    succeeded === planned
      ? `${plural(planned, 'step')} succeeded`
      : `${printNumber(succeeded)} of ${plural(planned, 'step')} succeeded`,
    failed === 0 ? '' : `${printNumber(failed)} failed`,
    unknown === 0 ? '' : `${printNumber(unknown)} with unknown outcome`,
    skipped === 0 ? '' : `${printNumber(skipped)} skipped because a step they need failed`,
    remaining <= 0 ? '' : `${printNumber(remaining)} left to do`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}.`;
}

// What a report tells besides its steps: a sentence each, or none.

export function refusedInWords({ refused_s: refusedS, outcome }: ApplyReport): string[] {
  if (refusedS === undefined) return [];
  const refusal = `The platform refused every call for ${printDuration(refusedS)} ("too many requests").`;
  return [outcome === 'incomplete' ? `${refusal} Another client may use up the limits.` : refusal];
}

export function announcementsIn({ announced }: ApplyReport): string[] {
  return announced === undefined ? [] : [announcedInWords(announced)];
}

/** `2 objects were temporarily reopened and are still open: …` */
export function leftOpenInWords({ left_open: open = [] }: ApplyReport): string[] {
  if (open.length === 0) return [];
  const [was, is, it] = open.length === 1 ? ['was', 'is', 'it'] : ['were', 'are', 'them'];
  return [
    `${plural(open.length, 'object')} ${was} temporarily reopened and ${is} still open: ${firstOf(open.map(safe), maxNamed, ', and')}. The next run closes ${it}.`,
  ];
}

/** `1 call changed nothing, because the user is not in the channel: …` */
export function notMembersInWords({ not_members: users = [] }: ApplyReport): string[] {
  if (users.length === 0) return [];
  const places = users.map(({ address, user_id }) => `${safe(user_id)} in ${safe(address)}`);
  return [
    `${plural(users.length, 'call')} changed nothing, because the user left the channel or declined the invitation: ${firstOf(places, maxNamed, ', and')}. A plan with --refresh shows who left; policy: {departed: reinvite} invites them again.`,
  ];
}

/** `Erased by data request: user.bob (gdpr-1, done). …` */
export function erasedInWords({ data_requests: requests = [] }: ApplyReport): string[] {
  if (requests.length === 0) return [];
  const erasures = requests.map(
    ({ address, request_id, status }) => `${safe(address)} (${safe(request_id)}, ${safe(status)})`,
  );
  return [
    `Erased by data request: ${firstOf(erasures, maxNamed, ', and')}. State has no values of these users any more. Their messages, their files, history files, exports and earlier versions of manifests and state may still contain them.`,
  ];
}

export function signedInWords({ signature }: ApplyReport): string[] {
  return signature === undefined ? [] : [`Signed by ${safe(signersInWords(signature))}.`];
}

/** Without the lower bound if the platform allowed more than the declared rates. */
export function timeInWords({ duration_s, lower_bound_s, outcome }: ApplyReport): string {
  const took = `Took ${printDuration(duration_s)}`;
  const comparable = outcome === 'done' && lower_bound_s >= 1 && lower_bound_s <= duration_s;
  return comparable ? `${took}; the minimum was ${printDuration(lower_bound_s)}.` : `${took}.`;
}

function* callLines({ requests }: ApplyReport, paint: Paint): Generator<string> {
  const sum = (key: 'sent' | 'retried' | 'limited') => requests.reduce((total, request) => total + request[key], 0);
  const [sent, retried, limited] = [sum('sent'), sum('retried'), sum('limited')];
  if (sent === 0) return;
  const repeated = retried === 0 ? '' : `, ${printNumber(retried)} of them retried`;
  const refused = limited === 0 ? '' : `, ${printNumber(limited)} answered with "too many requests"`;
  const reads = requests.reduce((total, request) => total + (request.method === 'GET' ? request.sent : 0), 0);
  // The number of reads depends on what the run finds, so its plan counts the fewest.
  const kinds =
    reads === 0 ? '' : ` (${plural(sent - reads, 'write')}, ${plural(reads, 'read')}; a plan counts the fewest reads)`;
  yield paint('dim', `${plural(sent, 'request')}${kinds}${repeated}${refused}.`);
}

interface FailureRoom extends Typing {
  /** Of lists of objects. */
  readonly columns: number;
  readonly prose: number;
}

/** Failures with the same response are printed once. */
function* failureLines(failures: readonly StepFailure[], room: FailureRoom, paint: Paint): Generator<string> {
  const groups = [...groupsOf(failures)].sort((left, right) => right.failures.length - left.failures.length);
  for (const group of groups.slice(0, maxGroups)) {
    yield* groupLines(group, room, paint);
    yield '';
  }
  const others = groups.slice(maxGroups).flatMap((group) => group.failures);
  if (others.length > 0) {
    yield `… and ${failuresInWords(others, 'more ')} of other kinds; see --report`;
    yield '';
  }
}

export interface FailureGroup {
  readonly first: StepFailure;
  readonly failures: StepFailure[];
}

export function groupsOf(failures: readonly StepFailure[]): Iterable<FailureGroup> {
  const groups = new Map<string, FailureGroup>();
  for (const failure of failures) {
    const { call, outcome, status, code, message, missing_ids } = failure;
    const isTold = code === 0 || missing_ids !== undefined;
    const key = JSON.stringify([call, outcome, status, code, isTold ? message : '']);
    const group = groups.get(key) ?? { first: failure, failures: [] };
    groups.set(key, group);
    group.failures.push(failure);
  }
  return groups.values();
}

/** `26 failures and 1 unknown outcome` */
export function failuresInWords(failures: readonly StepFailure[], more = ''): string {
  const unknown = failures.filter(({ outcome }) => outcome === 'unknown').length;
  const failed = failures.length - unknown;
  return listOf([
    ...(failed === 0 ? [] : [plural(failed, `${more}failure`)]),
    ...(unknown === 0 ? [] : [plural(unknown, `${more}unknown outcome`)]),
  ]);
}

/** ` of POST /users, answered with 400, code 400306`, as far as there was a call and a response. */
export function callInWords({ call, status, code }: StepFailure): string {
  const of = call === undefined ? '' : ` of ${call}`;
  const answer = status === 0 ? '' : `, answered with ${status}`;
  return `${of}${answer}${code === 0 ? '' : `, code ${code}`}`;
}

function* groupLines(
  { first, failures }: FailureGroup,
  { columns, prose, ...typing }: FailureRoom,
  paint: Paint,
): Generator<string> {
  const color = first.outcome === 'unknown' ? 'yellow' : 'red';
  const amount = paint(['bold', color], failuresInWords(failures));
  yield `${amount}${callInWords(first)}: ${typedText(safe(first.message), typing)}`;
  const actions = failures.slice(0, maxNamed).map((failure) => `${failure.action} ${safe(failure.address)}`);
  const more = failures.length - actions.length;
  for (const line of fold(more > 0 ? [...actions, `… and ${printNumber(more)} more`] : actions, columns - 4)) {
    yield `    ${line}`;
  }
  const advice = adviceFor(first);
  if (advice !== undefined) for (const line of wrap(typedText(advice, typing), prose - 2)) yield `  ${line}`;
}
