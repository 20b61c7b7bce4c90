// The status of a plan in a few words, and the headline that every view begins with.
import { plural, printNumber } from '../../../lib/words.ts';
import type { Plan } from '../../model/plan.ts';
import type { ViewOptions } from '../text/options.ts';
import { isEmpty, shortVerdict } from './verdict.ts';

/** The pill of every page: what the reader can do with a plan, or how a run or a verification ended. */
export interface Status {
  readonly kind: 'refused' | 'awaits' | 'ready' | 'idle';
  /** `Refused by 2 rules`, `No changes`, `Ready`, `Done`. */
  readonly words: string;
}

type Judged = Pick<ViewOptions, 'refusals' | 'signature'>;

export function statusOf(plan: Plan, { refusals = [], signature }: Judged): Status {
  const rules = new Set(refusals.map(({ code }) => code)).size;
  if (rules > 0) return { kind: 'refused', words: `Refused by ${plural(rules, 'rule')}` };
  if (plan.isDriftAlone === true) {
    const drifted = plan.drift?.length ?? 0;
    return drifted === 0
      ? { kind: 'idle', words: 'No drift' }
      : { kind: 'awaits', words: `Drift of ${plural(drifted, 'object')}` };
  }
  if (isEmpty(plan)) return { kind: 'idle', words: 'No changes' };
  if ((plan.summary.conflict ?? 0) > 0) return { kind: 'refused', words: 'In conflict' };
  if (plan.signatures !== undefined && signature?.counts !== true)
    return { kind: 'awaits', words: `Awaits ${plural(plan.signatures, 'signature')}` };
  if (plan.unknown_application !== undefined) return { kind: 'awaits', words: 'Application not known' };
  return { kind: 'ready', words: 'Ready' };
}

/** The command that made the plan. */
export function commandOf({ isDriftAlone }: Pick<Plan, 'isDriftAlone'>): 'drift' | 'plan' {
  return isDriftAlone === true ? 'drift' : 'plan';
}

/** `Refused by 2 rules. The state is new. 3 to create.` */
export function headline(plan: Plan, judged: Judged): string {
  const { kind, words } = statusOf(plan, judged);
  const status =
    kind === 'refused' ? `⛔ ${words}. ` : kind === 'awaits' && plan.isDriftAlone !== true ? `${words}. ` : '';
  return `${status}${plan.new_state === undefined ? '' : 'The state is new. '}${changesInWords(plan)}`;
}

/** The short verdict without its first word. */
export function changesInWords(plan: Plan): string {
  return shortVerdict(plan).replace(/^Plan: /u, '');
}

/** `6 objects change, 94 stay`. Undefined for a plan without changes. */
export function objectsInWords({ changes, unchanged }: Pick<Plan, 'changes' | 'unchanged'>): string | undefined {
  if (changes.length === 0) return undefined;
  const change = `${plural(changes.length, 'object')} ${changes.length === 1 ? 'changes' : 'change'}`;
  return unchanged === undefined
    ? change
    : `${change}, ${printNumber(unchanged)} ${unchanged === 1 ? 'stays' : 'stay'}`;
}
