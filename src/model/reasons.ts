// The reasons of changes: a code with its data. Programs test the code, `view` words it (view/text/reasons.ts), and
// schema/plan.schema.json describes each.

import type { Address } from './address.ts';
import type { Policy } from './policy.ts';

/** The types of data that a reason has. `attributes` are the top-level names of attributes. */
interface ReasonData {
  readonly addresses: readonly Address[];
  readonly attribute: string;
  readonly attributes: readonly string[];
  readonly existing: Exclude<Policy['existing'], 'refuse'>;
  readonly run: number;
}

/** The fields of each reason, with the type of their data. */
export const reasonFields = {
  not_in_state: {},
  exists: { existing: 'existing' },
  gone: {},
  gone_and_undeclared: {},
  gone_with_parents: { parents: 'addresses' },
  undeclared: {},
  listed_under_removed: {},
  users_deleted: {},
  declared_again: {},
  creation_interrupted: {},
  left_open: {},
  disabled_state_edited: { attribute: 'attribute' },
  attributes_differ: { edited: 'attributes', changed_on_platform: 'attributes' },
  lifecycle_edited: {},
  live_values_taken: {},
  needed_enabled: {},
  needed_reopened: {},
  undone: { run: 'run' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof ReasonData>>>>;

type Fields = typeof reasonFields;

export type ChangeReasonCode = keyof Fields;

/** Every reason, discriminated by its code. */
export type ChangeReason = {
  readonly [Code in ChangeReasonCode]: { readonly code: Code } & {
    readonly [Field in keyof Fields[Code]]: ReasonData[Fields[Code][Field] & keyof ReasonData];
  };
}[ChangeReasonCode];
