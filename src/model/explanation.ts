// What chatform explain says about one object: its values and their origin, what would happen, and what removing it does.
import type { JsonValue } from '../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Change, Drift } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

export interface ObjectExplanation {
  readonly format_version: string;
  readonly address: Address;
  /** `group channel`. */
  readonly kind: string;
  readonly declared_at?: SourcePosition;
  readonly in_state: boolean;
  /** Absent when it was not read. */
  readonly on_platform?: boolean;
  /** The flags of its record: retired, creating, bracket. */
  readonly marks: readonly string[];
  readonly attributes: readonly ExplainedAttribute[];
  readonly lifecycle: ExplainedLifecycle;
  /** Absent when nothing is to be done. */
  readonly change?: Change;
  readonly steps: readonly ExplainedStep[];
  /** What a refresh found to differ. */
  readonly drift: readonly Drift[];
  /** Its faults, and what a safety rule refuses. */
  readonly problems: readonly Diagnostic[];
}

/**
 * `as_applied`: declared as state remembers it. `to_apply`: declared, and new. `edited`: declared and remembered, and they
 * differ. `ignored`: they differ and are left so. `removed`: remembered, and the line is gone. `remembered`: the whole
 * block is gone.
 */
export type Standing = 'as_applied' | 'to_apply' | 'edited' | 'ignored' | 'removed' | 'remembered';

export interface ExplainedAttribute {
  readonly name: string;
  readonly standing: Standing;
  /** As the manifests declare it; for a secret the name of its variable, never its value. */
  readonly declared?: JsonValue;
  readonly source?: SourcePosition;
  /** It stands in the defaults of the file. */
  readonly from_defaults?: true;
  /** As last applied. */
  readonly remembered?: JsonValue;
  /** As it is on the platform, when that was read and shows it. */
  readonly live?: JsonValue;
  /** What an edit does. */
  readonly can_change: string;
  /** What removing the line does. */
  readonly if_removed:
    | { readonly how: 'reset'; readonly to: JsonValue }
    | { readonly how: 'release' | 'keep' | 'each' | 'required' };
}

export interface ExplainedLifecycle {
  /** Kept in state: the one that counts when the block is removed. */
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
