// The findings of a plan that are annotated in the reviewed files: refusals, dangers, warnings and drift.
import { posix } from 'node:path';
import { ownValue } from '../../../lib/json.ts';
import { listOf } from '../../../lib/words.ts';
import type { Action } from '../../model/action.ts';
import { kindOf } from '../../model/address.ts';
import { type Change, type Drift, rotatesToken } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { concerned } from '../diff/attribute-rows.ts';
import { labelOf, liveFacts } from '../summary/dangers.ts';
import { objectsInWords } from '../summary/groups.ts';
import { reasonInWords } from '../text/change-words.ts';
import type { ViewOptions } from '../text/options.ts';
import { printId } from '../text/text.ts';

/** The maximum number of departed members named in one annotation. */
const maxNamed = 20;

/** Yields findings one by one, since a plan may have as many dangers as objects. The most important come first. */
export function* findingsOf(plan: Plan, { refusals = [] }: ViewOptions): Generator<Diagnostic> {
  for (const refusal of refusals) yield withPlace(refusal, plan);
  for (const change of plan.changes) {
    const finding = dangerOf(change);
    if (finding !== undefined) yield finding;
  }
  yield* plan.warnings;
  for (const drift of plan.drift ?? []) yield driftOf(drift);
}

/** A refusal of an effect, such as `settings.lockout`, is about the first declared object that has it. */
function withPlace(refusal: Diagnostic, { changes }: Plan): Diagnostic {
  const effect = refusal.acknowledge?.effect;
  if (effect === undefined || refusal.source !== undefined) return refusal;
  for (const { address, actions, source } of changes) {
    if (source !== undefined && actions.some((action) => effect === `${kindOf(address)}.${action}`))
      return { ...refusal, source };
  }
  return refusal;
}

function dangerOf(change: Change): Diagnostic | undefined {
  const { dangers = [] } = change;
  const isFinal = change.reversibility === 'irreversible';
  if (dangers.length === 0 && !isFinal) return undefined;
  const effects = [...new Set([...dangers.map(labelOf), ...(isFinal ? change.actions : [])])];
  const [main = ''] = effects[0]?.split(', ') ?? [];
  if (main === '') return undefined;
  const kind = objectsInWords(kindOf(change.address), 1).replace(/^1 /u, '');
  const facts = liveFacts(change);
  const gone = change.actions.includes('leave') ? concerned(change, 'leave') : [];
  const sentences = [
    `${effects.join(', ')}: ${reasonInWords(change.reason).replace(/\.$/u, '')}.`,
    ...(gone.length === 0 ? [] : [`${namesOf(gone)} ${gone.length === 1 ? 'leaves' : 'leave'}.`]),
    ...(rotatesToken(change) ? ['An earlier token stops working.'] : []),
    ...(isFinal ? ['This cannot be undone.'] : []),
    ...(facts.length === 0 ? [] : [`At stake: ${facts.join(', ')}.`]),
    ...(change.cause === 'pending' ? ['It was already pending before this request.'] : []),
  ];
  return {
    severity: 'warning',
    code: `danger.${main.replaceAll(/[ _]/gu, '-')}`,
    summary: summaryOf(main, kind),
    detail: sentences.join(' '),
    address: change.address,
    ...(change.source === undefined ? {} : { source: change.source }),
  };
}

function namesOf(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map(printId);
  return listOf(ids.length > maxNamed ? [...named, `${ids.length - maxNamed} more`] : named);
}

const verbs: Readonly<Record<string, string>> & Readonly<Record<Action | 'rotate token', string>> = {
  create: 'creates',
  adopt: 'adopts',
  conflict: 'conflicts with',
  update: 'updates',
  invite: 'adds members to',
  leave: 'removes members from',
  ban: 'bans users from',
  mute: 'mutes users in',
  unban: 'lifts bans from',
  unmute: 'lifts mutes in',
  reactivate: 'reactivates',
  unfreeze: 'unfreezes',
  freeze: 'freezes',
  deactivate: 'deactivates',
  lockout: 'restricts the callers of',
  migrate: 'sends',
  erase: 'deletes messages of',
  delete: 'deletes',
  retire: 'retires',
  forget: 'forgets',
  'rotate token': 'replaces the token of',
};

/** `main` is a verb or an attribute. */
function summaryOf(main: string, kind: string): string {
  const verb = main === 'erase' && kind === 'user' ? 'erases' : (ownValue(verbs, main) ?? `edits ${main} of`);
  return `The plan ${verb} ${/^[aeio]/u.test(kind) ? 'an' : 'a'} ${kind}`;
}

const driftWords = {
  changed: 'Changed on the platform since the last apply',
  missing: 'Gone from the platform',
  departed: 'Declared members have left',
  made_anew: 'Deleted and made anew by somebody',
} as const;

function driftOf({ address, type, note, source }: Drift): Diagnostic {
  return {
    severity: 'note',
    code: `drift.${type}`,
    summary: driftWords[type],
    detail: note,
    address,
    ...(source === undefined ? {} : { source }),
  };
}

/** `folder` is the working folder in the repository, with slashes. A path that leaves the repository is not changed. */
export function repositoryPath(file: string, folder: string | undefined): string {
  if (folder === undefined || posix.isAbsolute(file)) return file;
  const whole = posix.join(folder, file);
  return whole.startsWith('../') ? file : whole;
}
