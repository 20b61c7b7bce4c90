// A call with a list of ids that the platform refused because of some of them. It is made again without the ids that do not
// exist, or once for each id (semantics §5).
import { firstOf } from '../../../lib/words.ts';
import {
  idListOf,
  idsIn,
  listedIds,
  needsAllIds,
  stepInstead,
  stepsForEach,
  stepWithout,
} from '../../model/calls/id-lists.ts';
import type { StoredValue } from '../../model/change.ts';
import type { StateEntry } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { FailureReason } from '../verdict/classify.ts';
import type { FailedParts, Parts } from './step-state.ts';

/** Returns the users that a refused call names, so that each can be looked up. */
export function namedUsers({ request }: Step): string[] {
  const list = idListOf(request);
  if (list === undefined || request === undefined) return [];
  return [...new Set([...idsIn(list, request), ...actorOf(list.actor, request.body)])];
}

/**
 * Returns the calls that follow a lookup because of a refusal, of which there are none if the call needs a user who does not exist. Undefined if all
 * users exist, so that the platform refused the call for another reason.
 */
export function partsAfterLookup(
  step: Step,
  exists: (id: string) => boolean,
  reason: FailureReason,
): Parts | undefined {
  const list = idListOf(step.request);
  if (list === undefined || step.request === undefined) return undefined;
  const missing = namedUsers(step).filter((id) => !exists(id));
  if (missing.length === 0) return undefined;
  const needsAll = needsAllIds(step) || actorOf(list.actor, step.request.body).some((id) => missing.includes(id));
  const partial = needsAll ? undefined : stepWithout(step, list, new Set(missing));
  return {
    steps: partial === undefined ? [] : [partial],
    isForEach: false,
    arrived: [],
    differing: [],
    failures: [{ ids: missing, reason, isAbsent: true }],
  };
}

/** Returns the call for each id of a refused list. Undefined if the call makes one object or has one id. */
export function partsForEach(step: Step, { failures }: Pick<Parts, 'failures'>): Parts | undefined {
  const list = idListOf(step.request);
  if (list === undefined || list.isTogether === true) return undefined;
  return { steps: stepsForEach(step, list), isForEach: true, arrived: [], differing: [], failures };
}

/** Returns the parts after the call for one id was refused, which another call replaces. */
export function partsInstead(step: Step, parts: Parts, { code }: FailureReason): Parts | undefined {
  const instead = stepInstead(step, code);
  return instead && { ...parts, steps: [instead, ...parts.steps.slice(1)] };
}

/** Returns the parts after the first call has failed. */
export function afterFailure(parts: Parts, reason: FailureReason): Parts {
  const [step, ...steps] = parts.steps;
  const ids = step?.request === undefined ? [] : listedIds(idListOf(step.request), step.request);
  return { ...parts, steps, failures: [...parts.failures, { ids, reason }] };
}

/** Returns the entry of a step for the ids whose calls succeeded. */
export function entryOfParts({ entry }: Step, { arrived }: Parts): StateEntry {
  if (entry.type !== 'patch') return arrived[0] ?? entry;
  const patches = arrived.flatMap((part) => (part.type === 'patch' ? [part] : []));
  const seen = patches.flatMap((patch) => patch.seen ?? []);
  return { ...entry, edits: patches.flatMap(({ edits }) => edits), ...(seen.length === 0 ? {} : { seen }) };
}

/** Whether steps that depend on this one go on: some of its ids have arrived, or the others do not exist. */
export function isPartial({ request }: Step, { arrived, failures }: FailedParts): boolean {
  const isTogether = idListOf(request)?.isTogether === true;
  return arrived.length > 0 || (!isTogether && failures.every(({ isAbsent }) => isAbsent === true));
}

/** Takes users who do not exist for left out instead of failed, if the step says so. */
export function withLeftOut({ address, entry, leavesOut }: Step, parts: Parts): Parts {
  if (leavesOut !== true || entry.type !== 'patch') return parts;
  const missing = new Set(parts.failures.flatMap(({ ids, isAbsent }) => (isAbsent === true ? ids : [])));
  const leftOut = entry.edits.flatMap(({ op, path, ...edit }): StoredValue[] =>
    op === 'set' && 'value' in edit && missing.has(path[1] ?? '') ? [{ address, path, sent: edit.value }] : [],
  );
  const failures = parts.failures.filter(({ isAbsent }) => isAbsent !== true);
  return { ...parts, failures, differing: [...parts.differing, ...leftOut] };
}

/** Returns the failures of two calls of one step. */
export function joinedParts(left: FailedParts | undefined, right: FailedParts | undefined): FailedParts | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return { arrived: [...left.arrived, ...right.arrived], failures: [...left.failures, ...right.failures] };
}

/** Returns why the step failed for some of its ids, all of which it names. */
export function failureOfParts({ arrived, failures }: FailedParts): FailureReason {
  const missing = failures.flatMap(({ ids, isAbsent }) => (isAbsent === true ? ids : []));
  const clauses = failures.map(({ ids, reason, isAbsent }) =>
    isAbsent === true
      ? `${firstOf(ids, mostNamed)} ${ids.length === 1 ? 'does' : 'do'} not exist on the platform`
      : `${firstOf(ids, mostNamed)}: ${reason.message}`,
  );
  const count = failures.reduce((sum, { ids }) => sum + ids.length, 0);
  const rest = arrived.length > 0 ? `. The call succeeded without ${count === 1 ? 'it' : 'them'}` : '';
  const message = `${clauses.join('; ')}${rest}`;
  const { status, code } = (failures.find(({ isAbsent }) => isAbsent !== true) ?? failures[0])?.reason ?? noFailure;
  return { status, code, message, ...(missing.length === 0 ? {} : { missing_ids: missing }) };
}

/** A step that fails has at least one failure. */
const noFailure = { status: 0, code: 0 };

const mostNamed = 10;

function actorOf(field: string | undefined, body: Readonly<Record<string, unknown>> | undefined): string[] {
  const actor = field === undefined ? undefined : body?.[field];
  return typeof actor === 'string' ? [actor] : [];
}
