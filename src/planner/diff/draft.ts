// What does the planner know of one object, before the order of all objects is known?

import type { JsonObject } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { AttributeChange, Drift, LiveFacts } from '../../model/change.ts';
import type { RecordFlags, StateRecord } from '../../model/record.ts';
import type { Removal, Resource } from '../../model/resource.ts';
import type { KindDefinition, Problem, StepDraft } from '../../resources/define.ts';

/** A draft, or an edit of state alone (without a request). */
export interface PlannedDraft extends Omit<StepDraft, 'request'> {
  readonly request?: StepDraft['request'];
  readonly marks?: RecordFlags;
  /** Takes the object out of state. */
  readonly deletes?: true;
  /** Takes a live object into state, as it is. */
  readonly adopts?: StateRecord;
  /** In a sketch: it stands for so many drafts, one after the other. */
  readonly runLength?: number;
}

export interface ObjectPlan {
  readonly kind: KindDefinition;
  readonly address: Address;
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
  readonly attributes: readonly AttributeChange[];
  readonly drafts: readonly PlannedDraft[];
  /** Where the object has to be opened or closed; drafts for it are added when the order is known. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Marks that closing sets besides (retirement). */
  readonly closingMarks?: RecordFlags;
  /** Closed now and closed in the end: work on it needs a bracket. */
  readonly staysClosed: boolean;
  /**
   * A run before opened it for work and did not see it closed. Nobody knows which it is, so it counts as closed: it is
   * opened for what work is left, and closed in any case (semantics §3).
   */
  readonly leftOpen?: boolean;
  /** It is closed by others, and whether it is was never declared: a bracket leaves that out of state. */
  readonly isClosedByOthers?: boolean;
  /** Finishes an object that this run, or an interrupted one before, creates: its effects are not dangers. */
  readonly completesCreation: boolean;
  readonly removal?: Removal;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly reason: string;
  /** What was found there, of what is managed or declared; null: nothing. Undefined without a refresh. */
  readonly found?: JsonObject | null;
  readonly drift?: readonly Drift[];
  readonly facts?: LiveFacts;
  /** This is a sketch (sketch.ts): makes the plan that it stands for. */
  whole?(): ObjectPlan | undefined;
}

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
