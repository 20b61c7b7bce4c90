// The verdict on a plan in one line, and how long the plan takes.

import { listOf, plural, printDuration, printNumber } from '../../../lib/words.ts';
import { type Action, actions } from '../../model/action.ts';
import { type Change, erasedMessages } from '../../model/change.ts';
import {
  type BucketLoad,
  baseWarnings,
  type OwnRules,
  type Plan,
  type PlanDuration,
  type Refreshed,
} from '../../model/plan.ts';
import { dataRequestsRoute } from '../../model/request.ts';
import { safe } from '../text/text.ts';
import { notComparedSentence } from './not-compared.ts';

const verdictWords: Readonly<Record<Action, string>> = {
  create: 'to create',
  adopt: 'to adopt',
  conflict: 'in conflict',
  update: 'to update',
  invite: 'to gain members',
  leave: 'to lose members',
  ban: 'to ban users',
  mute: 'to mute users',
  unban: 'to lift bans',
  unmute: 'to lift mutes',
  reactivate: 'to reactivate',
  unfreeze: 'to unfreeze',
  freeze: 'to freeze',
  deactivate: 'to deactivate',
  lockout: 'to change who can call the API',
  migrate: 'to receive messages',
  erase: 'to erase',
  delete: 'to delete',
  retire: 'to retire',
  forget: 'to forget',
};

/** `Plan: 3 to create, 1 to freeze.` Often the only line that people read. */
export function verdict(plan: Plan): string {
  return verdictWith(plan, coverageSentence(plan));
}

/** The verdict for a head of one line, without the values that were not compared. */
export function shortVerdict(plan: Plan): string {
  return verdictWith(plan, undefined);
}

function verdictWith(plan: Plan, coverage: string | undefined): string {
  return [byRules(plan), coverage ?? [], unknownApplicationSentence(plan) ?? [], ownRulesSentence(plan) ?? []]
    .flat()
    .join(' ');
}

/** The verdict after the sentence on a new state, where they are one text. */
export function verdictWithState(plan: Plan): string {
  return [newStateSentence(plan) ?? [], verdict(plan)].flat().join(' ');
}

function unknownApplicationSentence({ unknown_application: unknown, application }: Plan): string | undefined {
  if (unknown === undefined) return undefined;
  const assumed =
    unknown.from_state === true ? ` The plan assumes ${safe(application)}, the only one in the state.` : '';
  return `The application is not known, because ${unknown.variable} is not set.${assumed}`;
}

/** `With its policy and behaviours: 1 to delete, cannot be undone, 1 fewer danger (history.hidden).` Undefined unless a request under review edits its rules to that effect. */
export function ownRulesSentence({
  own_rules: own,
}: {
  readonly own_rules?: OwnRules | undefined;
}): string | undefined {
  if (own === undefined) return undefined;
  const effects = actions.flatMap((action) => {
    const amount = own.summary[action] ?? 0;
    return amount === 0 ? [] : [`${printNumber(amount)} ${verdictWords[action]}`];
  });
  const undone = own.isIrreversible ? ['cannot be undone'] : [];
  const { length: fewer } = own.spared;
  const codes = [...new Set(own.spared)].join(', ');
  const spared = fewer === 0 ? [] : [`${fewer} fewer ${fewer === 1 ? 'danger' : 'dangers'} (${codes})`];
  const parts = [...effects, ...undone, ...spared, ...(own.isRefused ? ['refused'] : [])];
  return `With its ${listOf(own.inputs)}: ${parts.join(', ')}.`;
}

function byRules(plan: Plan): string {
  const drifted = plan.drift?.length ?? 0;
  if (plan.isDriftAlone === true) {
    const found = `${plural(drifted, 'object')} changed on the platform since the last apply.`;
    return (drifted === 0 ? noDrift(plan) : found) + unknownValues(plan);
  }
  if (isEmpty(plan)) {
    if (plan.refreshed === undefined && drifted === 0) return nothingToDo(plan);
    const found = `No changes. ${plural(drifted, 'object')} changed on the platform.`;
    return drifted === 0 ? nothingDiffers(plan) : found;
  }
  const parts = actions.flatMap((action) => {
    const amount = plan.summary[action] ?? 0;
    if (amount === 0) return [];
    // The number of lost messages matters more than the number of channels.
    const messages = action === 'erase' ? erasedMessages(plan.requests) : 0;
    if (messages === 0) return [`${printNumber(amount)} ${verdictWords[action]}`];
    const users = erasedUsers(plan);
    const erased = `${plural(messages, 'message')} to erase`;
    return users === 0 ? [erased] : [erased, `${plural(users, 'user')} to erase`];
  });
  const words =
    parts.length === 0 ? `${plural(plan.changes.length, 'change')} to the saved state only` : parts.join(', ');
  return `Plan: ${words}.${readInPart(plan)}`;
}

/** A sentence in front of the verdict: everything in the plan may be new only because the state is. */
export function newStateSentence(
  { new_state: state }: Pick<Plan, 'new_state'>,
  print: (place: string) => string = safe,
): string | undefined {
  if (state === undefined) return undefined;
  const place = print(state.place);
  return state.existing === undefined
    ? `The state ${place} is new, and the platform was not read: objects that exist there are planned as new.`
    : `The state ${place} is new, but ${plural(state.existing, 'declared object')} already ${state.existing === 1 ? 'exists' : 'exist'} on the platform. If they have a state, name it with --state.`;
}

/** Claims nothing of values that were not compared. */
function noDrift(plan: Plan): string {
  if (plan.refreshed === undefined || plan.refreshed.objects === 0)
    return 'No drift, because no managed object was read.';
  return `No drift in ${comparedValues(plan, plan.refreshed)}.`;
}

/** `1,240 declared values`, with `of the selected objects` for a part of the objects. */
function comparedValues(plan: Plan, { compared }: Refreshed): string {
  return `${plural(compared, 'declared value')}${isPartial(plan) ? ' of the selected objects' : ''}`;
}

/** Undefined if every value was compared, or none. */
export function coverageSentence({ refreshed }: Plan): string | undefined {
  return refreshed === undefined ? undefined : notComparedSentence(refreshed);
}

/** Names the values that this refresh could not compare. */
function unknownValues({ refreshed }: Plan): string {
  const { unknown = 0 } = refreshed ?? {};
  if (unknown === 0) return '';
  return ` ${plural(unknown, 'value')} could not be compared, because an interrupted run began to change ${unknown === 1 ? 'it' : 'them'} and no read shows ${unknown === 1 ? 'it' : 'them'}. An apply sends what is declared.`;
}

function readInPart({ refreshed }: Plan): string {
  if (refreshed?.only !== 'changed') return '';
  return ` Of the live objects, only the ${printNumber(refreshed.objects)} that it changes ${refreshed.objects === 1 ? 'was' : 'were'} read.`;
}

/** The verdict if only state was compared. */
function nothingToDo(plan: Plan): string {
  const since = isPartial(plan)
    ? ' for the selected objects'
    : plan.lineage === undefined
      ? ''
      : ' since the last apply';
  return `Nothing to do${since}. The platform was not read (--refresh).`;
}

function nothingDiffers(plan: Plan): string {
  const { refreshed } = plan;
  if (refreshed === undefined) return nothingToDo(plan);
  const { stored_otherwise: values = 0 } = refreshed;
  const but =
    values === 0 ? '' : `, but ${plural(values, 'value')} ${values === 1 ? 'has' : 'have'} another form there`;
  const are = refreshed.compared === 1 ? 'is' : 'are';
  return `No changes. ${comparedValues(plan, refreshed)} ${are} the same on the platform${but}.`;
}

/** Whether --target or --exclude limited the plan. */
function isPartial({ warnings }: Plan): boolean {
  return warnings.some(({ code }) => code === 'plan.partial');
}

export function isEmpty(plan: Plan): boolean {
  return plan.changes.length === 0 && plan.steps.length === 0;
}

export function totalRequests({ requests }: Pick<Plan, 'requests'>): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}

/** Each user has a data request of their own. */
function erasedUsers({ requests }: Pick<Plan, 'requests'>): number {
  return requests.find(({ route }) => route === dataRequestsRoute)?.count ?? 0;
}

/** What something costs: a plan, or what would be sent. */
type PlanCost = Pick<Plan, 'requests' | 'duration'>;

/**
 * `at least 33 min 20 s, limited by POST /users at 10/s`, under another reading of the limits, and what the run waits for besides
 * its calls. Undefined if nothing is sent. `print` shows the limit.
 */
export function durationInWords(plan: PlanCost, print: (limit: string) => string = safe): string | undefined {
  if (totalRequests(plan) === 0) return undefined;
  const { bottleneck } = plan.duration;
  const erased = erasedUsers(plan);
  const facts = [
    leastDuration(plan),
    bottleneck === undefined || isMoment(plan) ? undefined : `limited by ${print(bottleneck)}`,
    readingInWords(plan),
    erased === 0 ? undefined : `and until the platform has erased ${plural(erased, 'user')}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

/** `at least 33 min 20 s`, for the calls alone. */
export function leastDuration(plan: Pick<Plan, 'duration'>): string {
  return isMoment(plan) ? 'under 0.1 s' : `at least ${printDuration(plan.duration.lower_bound_s)}`;
}

/** Shorter durations are printed as `0 s`. */
const shortest = 0.05;

function isMoment({ duration }: Pick<Plan, 'duration'>): boolean {
  return duration.lower_bound_s < shortest;
}

/** Whether calls have to wait for this limit. */
export function takesTime({ seconds }: BucketLoad): boolean {
  return seconds >= shortest;
}

/** Shorter chains take hardly any time. */
const longChain = 10;
/** Seconds. Calls rarely take longer. */
const slowCall = 0.5;

/** A bound that is longer by less than this, in seconds and as a share, is not mentioned. */
const negligibleS = 1;
const negligibleShare = 0.1;

/**
 * `or at least 20 s if the per-user limit applies to the first user listed`. The documentation of limits is ambiguous in
 * two points (platform §3). Undefined if the bound hardly depends on them.
 */
function readingInWords({ duration }: Pick<Plan, 'duration'>): string | undefined {
  const { lower_bound_s, user_rules, plan_limits } = duration;
  const least = lower_bound_s + Math.max(negligibleS, negligibleShare * lower_bound_s);
  const clauses = [
    { reading: user_rules, condition: 'the per-user limit applies to the first user listed' },
    { reading: plan_limits, condition: 'the limits of the rate plan count each method over all endpoints' },
  ].flatMap(({ reading, condition }) =>
    reading === undefined || reading.other_lower_bound_s < least
      ? []
      : `or at least ${printDuration(reading.other_lower_bound_s)} if ${condition}`,
  );
  return clauses.length === 0 ? undefined : clauses.join(', ');
}

/** `Takes at least 33 min 20 s, limited by POST /users at 10/s.`, with the longest chain of calls if it may take longer. */
export function durationSentences(plan: PlanCost): string {
  const takes = `Takes ${durationInWords(plan)}.`;
  const chain = chainLatency(plan.duration) === undefined ? '' : chainSentences(plan.duration);
  return chain === '' ? takes : `${takes} ${chain}`;
}

/**
 * The longest chain, and the latency from which it determines the duration. Empty for fewer than two calls and for chains
 * within one object.
 */
export function chainSentences(duration: PlanDuration, print: (address: string) => string = safe): string {
  const { chain } = duration;
  if (chain === undefined || chain.calls < 2 || chain.from === chain.to) return '';
  const latency = chainLatency(duration);
  const decides =
    latency === undefined
      ? ''
      : ` If a call takes longer than ${printDuration(latency)}, this chain determines the duration.`;
  return `The longest chain is ${printNumber(chain.calls)} calls, from ${print(chain.from)} to ${print(chain.to)}.${decides}`;
}

/** The seconds per call from which the longest chain takes longer than the rate limits. Undefined if calls are faster. */
function chainLatency({ chain, lower_bound_s }: PlanDuration): number | undefined {
  if (chain === undefined || chain.calls < longChain) return undefined;
  const seconds = Math.round((lower_bound_s / chain.calls) * 1000) / 1000;
  return seconds > slowCall ? undefined : seconds;
}

/** Whether the change was pending before this request. Known only with a base to compare with. */
export function isPending(change: Change): boolean {
  return change.cause === 'pending';
}

/** Dangers, how a request was judged, and what a plan leaves out although it is declared. */
const seenFirst: ReadonlySet<string> = new Set([
  ...Object.values(baseWarnings),
  'plan.needs-signature',
  'plan.not-checked',
  'plan.left-out',
]);

function isSeenFirst({ code, dangerous }: Plan['warnings'][number]): boolean {
  return dangerous === true || seenFirst.has(code);
}

interface SortedWarnings {
  /** What an undo does not undo, which views show before everything else. */
  readonly losses: Plan['warnings'];
  /** What concerns the plan as a whole and a reviewer must see first. Views show it with the dangers of changes. */
  readonly first: Plan['warnings'];
  readonly others: Plan['warnings'];
}

export function sortedWarnings(warnings: Plan['warnings']): SortedWarnings {
  const isLoss = ({ code }: Plan['warnings'][number]) => code === 'undo.not-restored';
  const rest = warnings.filter((warning) => !isLoss(warning));
  return {
    losses: warnings.filter(isLoss),
    first: rest.filter(isSeenFirst),
    others: rest.filter((warning) => !isSeenFirst(warning)),
  };
}
