// The draft of one object before the order of all objects is known.

import type { JsonObject } from '../../../lib/json.ts';
import type { BlockProblem, KindDefinition, StepDraft } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { AttributeChange, Drift } from '../../model/change.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { ObservedFacts } from '../../model/live.ts';
import type { ChangeNote, ChangeReason, DriftNote } from '../../model/reasons.ts';
import type { RecordEdit, RecordFlags, StateRecord } from '../../model/record.ts';
import type { Removal, Resource } from '../../model/resource.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';

/** A step before it has an id and a position. A step without a request only edits state. */
export interface DraftedStep extends Omit<StepDraft, 'request'> {
  readonly request?: StepDraft['request'];
  readonly flags?: RecordFlags;
  /** Edits of `seen` in the record. */
  readonly seen?: readonly RecordEdit[];
  /** Removes the object from state. */
  readonly deletes?: true;
  /** Takes a live object into state. */
  readonly adopts?: StateRecord;
}

/** A problem that the planner finds in a block. */
export interface PlannedProblem {
  readonly severity: Severity;
  readonly problem: PlanProblem;
  /** The path of the value in the block. */
  readonly path: readonly string[];
}

/** A problem of a draft. Kinds word theirs. */
export type DraftProblem = BlockProblem | PlannedProblem;

/** Drift that has no words yet. */
export interface DraftedDrift extends Omit<Drift, 'note' | 'note_codes'> {
  readonly note_codes: readonly DriftNote[];
}

export interface ObjectDraft {
  readonly kind: KindDefinition;
  readonly address: Address;
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
  readonly attributes: readonly AttributeChange[];
  readonly steps: readonly DraftedStep[];
  /** Whether the object must be enabled or disabled. Those steps are added when the order is known. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Further flags that disabling sets, for a retirement. */
  readonly closingFlags?: RecordFlags;
  /** Whether it is disabled now and at the end, so that work on it needs a temporary reopen. */
  readonly staysClosed: boolean;
  /**
   * Whether an earlier run reopened it and did not see it disabled again. Its current state is unknown, so it counts as
   * disabled: it is reopened for the remaining work, and disabled in any case (semantics §3).
   */
  readonly leftOpen?: boolean;
  /** Whether others disabled an object whose disabled state was never declared. A temporary reopen does not record that state. */
  readonly isClosedByOthers?: boolean;
  /** Whether the draft completes a creation by this run or an interrupted one, so that its effects are not dangerous. */
  readonly completesCreation: boolean;
  /** Whether the object exists and is not taken into state, so that its creation will fail. */
  readonly conflicts?: true;
  readonly removal?: Removal;
  readonly problems: readonly DraftProblem[];
  readonly notes: readonly ChangeNote[];
  readonly reason: ChangeReason;
  /** The live values of managed or declared attributes, or null if the object does not exist. Undefined without a refresh. */
  readonly found?: JsonObject | null;
  readonly drift?: readonly DraftedDrift[];
  readonly facts?: ObservedFacts;
}

export function hasError(problems: readonly DraftProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** A disabled object counts even without work of its own, because others may need it enabled. */
export function hasWork({ steps, opens, closes, staysClosed, leftOpen = false }: ObjectDraft): boolean {
  return steps.length > 0 || opens || closes || staysClosed || leftOpen;
}

/** A new user who stays enabled. Nobody gains, loses or notices anything by that alone. */
export function isPlainlyNew({ kind, record, found, closes }: ObjectDraft): boolean {
  return kind.name === 'user' && record === undefined && (found ?? null) === null && !closes;
}
