// The draft of one object before the order of all objects is known: what it changes, its steps, and what the order needs.

import type { JsonObject } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { AttributeChange, Drift, LiveFacts } from '../../model/change.ts';
import type { RecordFlags, StateRecord } from '../../model/record.ts';
import type { Removal, Resource } from '../../model/resource.ts';
import type { KindDefinition, Problem, StepDraft } from '../../resources/definition/kind.ts';

/** A step before it has an id and its place in the order. Without a request it edits state alone. */
export interface DraftedStep extends Omit<StepDraft, 'request'> {
  readonly request?: StepDraft['request'];
  readonly flags?: RecordFlags;
  /** Takes the object out of state. */
  readonly deletes?: true;
  /** Takes a live object into state, as it is. */
  readonly adopts?: StateRecord;
}

export interface ObjectDraft {
  readonly kind: KindDefinition;
  readonly address: Address;
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
  readonly attributes: readonly AttributeChange[];
  readonly steps: readonly DraftedStep[];
  /** The object has to be enabled, or disabled; the steps for that are added when the order is known. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Flags that disabling sets besides (retirement). */
  readonly closingFlags?: RecordFlags;
  /** Disabled now and in the end: work on it needs a temporary reopen. */
  readonly staysClosed: boolean;
  /**
   * An earlier run reopened it for work and did not see it closed again. Whether it is open is unknown, so it counts as
   * closed: it is reopened for the remaining work, and closed in any case (semantics §3).
   */
  readonly leftOpen?: boolean;
  /** Others disabled it, and the manifest never declared that state: a temporary reopen leaves it out of state. */
  readonly isClosedByOthers?: boolean;
  /** Completes an object that this run or an interrupted one creates: its effects are not dangerous. */
  readonly completesCreation: boolean;
  readonly removal?: Removal;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly reason: string;
  /** The managed or declared attributes as found on the platform; null: the object is not there. Undefined without a refresh. */
  readonly found?: JsonObject | null;
  readonly drift?: readonly Drift[];
  readonly facts?: LiveFacts;
}

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
