// The output of chatform explain for one object.
import type { FormatVersion, JsonValue } from '../../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Change, Drift } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

export interface ObjectExplanation {
  readonly format_version: FormatVersion;
  readonly address: Address;
  /** `group channel`. */
  readonly kind: string;
  readonly declared_at?: SourcePosition;
  readonly in_state: boolean;
  /** Absent when the platform was not read. */
  readonly on_platform?: boolean;
  /** The flags of the state record: retired, creating, bracket. */
  readonly marks: readonly string[];
  readonly attributes: readonly ExplainedAttribute[];
  readonly lifecycle: ExplainedLifecycle;
  /** As in plan.schema.json, with the paths of attributes as lists. Absent when nothing is to be done. */
  readonly change?: ExplainedChange;
  readonly steps: readonly ExplainedStep[];
  /** Drift that a refresh found. */
  readonly drift: readonly ExplainedDrift[];
  /** Problems of the declaration, and refusals by safety rules. */
  readonly problems: readonly Diagnostic[];
}

/** @type object */
type ExplainedChange = Change;

/**
 * As in plan.schema.json, with the paths of attributes as lists.
 * @type object
 */
type ExplainedDrift = Drift;

/**
 * How a declared value compares with state. `as_applied`: equal. `to_apply`: declared but not in state. `edited`:
 * different. `ignored`: different, but listed under `ignore_changes`. `removed`: in state, but its line was removed.
 * `remembered`: in state, but the whole block was removed.
 */
export type Standing = 'as_applied' | 'to_apply' | 'edited' | 'ignored' | 'removed' | 'remembered';

export interface ExplainedAttribute {
  readonly name: string;
  readonly standing: Standing;
  /** The declared value. For a secret it is the name of its variable, never the value. */
  readonly declared?: JsonValue;
  readonly source?: SourcePosition;
  /** The value comes from `defaults` in the same file. */
  readonly from_defaults?: true;
  /** The value that was last applied. */
  readonly remembered?: JsonValue;
  /** The value on the platform. Absent: it was not read or is not shown. */
  readonly live?: JsonValue;
  /** What an edit does. */
  readonly can_change: string;
  /** What removing the line does. */
  readonly if_removed:
    | {
        readonly how: 'reset';
        /** The neutral value. */
        readonly to: JsonValue;
      }
    | { readonly how: 'release' | 'keep' | 'each' | 'required' };
}

export interface ExplainedLifecycle {
  /** `protect` as kept in state, which counts when the block is removed. */
  readonly protected: boolean;
  readonly ignore_changes: readonly string[];
  /** What removing the declaration does. */
  readonly on_remove: Removal;
  readonly on_remove_from: 'removed' | 'lifecycle' | 'state' | 'policy' | 'default';
}

export interface ExplainedStep {
  readonly id: string;
  readonly action: Action;
  /** `PUT /users/alice`; absent when only state is written. */
  readonly request?: string;
  readonly waits_for: readonly StepRef[];
  readonly held_by_it: readonly StepRef[];
}

export interface StepRef {
  readonly id: string;
  readonly address: Address;
  readonly action: Action;
}
