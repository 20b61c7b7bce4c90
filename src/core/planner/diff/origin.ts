// What one object is drafted from, kept in a saved plan, so that its reader drafts the object again.
//
// A draft asks about other objects: whether they are declared, deleted or gone. The answers are kept with the object's own
// sides, because the reader of a plan has neither the manifests nor the state.

import type { JsonObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { ChildStatus, DraftAnswers, DraftOrigin, PlanBasis } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { ObjectDraft } from '../draft/draft.ts';
import type { LiveContext } from '../live/observed-state.ts';
import type { RelatedObjects } from './creation.ts';
import { dependsOnTime } from './expiry.ts';
import { draftObject, type ObjectContext, type ObjectSides } from './object-draft.ts';
import { draftStanding } from './retirement.ts';

/** The same lists are extended while a draft asks. */
interface Answers {
  status?: ChildStatus;
  parent?: JsonObject;
  mayHaveParent?: true;
  isRefreshed?: true;
  readonly sending: (Address | null)[];
  readonly known: Address[];
  readonly gone: Address[];
}

/** Drafts as `draftObject` does. `take` gets the origin of the draft. */
export function draftRecorded(
  kind: KindDefinition,
  sides: ObjectSides,
  context: ObjectContext,
  take: (origin: DraftOrigin) => void,
): ObjectDraft | undefined {
  const answers: Answers = { sending: [], known: [], gone: [] };
  const { live, related = {} } = context;
  const draft = draftObject(kind, sides, {
    ...context,
    related: recorded(related, answers),
    ...(live === undefined
      ? {}
      : { live: { ...live, isGone: (address) => listed(answers.gone, address, live.isGone(address)) } }),
  });
  if (draft === undefined) return undefined;
  const { address } = draft;
  const { resource, record, removed } = sides;
  const observation = live?.observations.get(address);
  const { sending, known, gone, ...others } = answers;
  take({
    address,
    ...(resource === undefined
      ? {}
      : {
          resource: {
            address,
            attributes: resource.attributes,
            lifecycle: resource.lifecycle,
            source: resource.source,
          },
        }),
    ...(record === undefined ? {} : { record }),
    ...(removed === undefined ? {} : { removed }),
    ...(live === undefined ? {} : { isRead: true }),
    ...(observation === undefined ? {} : { observation }),
    ...(dependsOnTime(kind, { resource, record, observation }) ? { nowMs: context.nowMs ?? 0 } : {}),
    ...others,
    ...(sending.length === 0 ? {} : { sending }),
    ...(known.length === 0 ? {} : { known }),
    ...(gone.length === 0 ? {} : { gone }),
  });
  return draft;
}

/** Drafts the object again. Undefined if nothing is to do. */
export function draftFrom(
  kind: KindDefinition,
  origin: DraftOrigin,
  basis: PlanBasis,
  existing: Policy['existing'],
): ObjectDraft | undefined {
  const { resource, record, removed, isRead, isStanding, observation, nowMs = 0, gone = [] } = origin;
  if (isStanding === true) return record === undefined ? undefined : draftStanding(kind, record);
  const live: LiveContext = {
    observations: { get: (address) => (address === origin.address ? observation : undefined) },
    isGone: (address) => gone.includes(address),
  };
  return draftObject(
    kind,
    { resource, record, removed },
    {
      policy: { ...basis, existing },
      related: replayed(kind, origin, basis),
      nowMs,
      ...(isRead === true ? { live } : {}),
    },
  );
}

function recorded(related: RelatedObjects, answers: Answers): RelatedObjects {
  const { status, parent, mayHaveParent, isRefreshed, hasChildrenToSend, isKnown } = related;
  if (isRefreshed === true) answers.isRefreshed = true;
  return {
    ...related,
    status: noting(status, (answer) => {
      answers.status = answer;
    }),
    parent: noting(parent, (answer) => {
      if (answer !== undefined) answers.parent = answer;
    }),
    mayHaveParent: noting(mayHaveParent, (answer) => {
      if (answer) answers.mayHaveParent = true;
    }),
    hasChildrenToSend:
      hasChildrenToSend && ((needing) => listed(answers.sending, needing ?? null, hasChildrenToSend(needing))),
    isKnown: isKnown && ((address) => listed(answers.known, address, isKnown(address))),
  };
}

function replayed(kind: KindDefinition, answers: DraftAnswers, { messages }: PlanBasis): RelatedObjects {
  const { status, parent, mayHaveParent, isRefreshed, sending = [], known = [] } = answers;
  if (kind.isChild !== true)
    return {
      hasChildrenToSend: (needing) => sending.includes(needing ?? null),
      isKnown: (address) => known.includes(address),
    };
  return {
    status: status && (() => status),
    parent: () => parent,
    mayHaveParent: () => mayHaveParent === true,
    isRefreshed: isRefreshed === true,
    policy: messages,
  };
}

/** The same question, which hands each answer to `note`. */
function noting<T>(question: (() => T) | undefined, note: (answer: T) => void): (() => T) | undefined {
  return (
    question &&
    (() => {
      const answer = question();
      note(answer);
      return answer;
    })
  );
}

/** Keeps what was asked about, if the answer is yes. */
function listed<T>(list: T[], asked: T, answer: boolean): boolean {
  if (answer && !list.includes(asked)) list.push(asked);
  return answer;
}
