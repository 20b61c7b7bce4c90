// The manifest's `policy` with its defaults: decisions about removals, existing objects and dangers.
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

/** Names are those of the manifest, so that a message can quote them. */
export interface Policy {
  /** By kind: what becomes of an object that was removed from the manifest. */
  readonly on_remove: Readonly<Record<string, Removal>>;
  /** Removals are refused when they are more than both. */
  readonly removals: { readonly max_share: number; readonly min_count: number };
  readonly acknowledge: readonly Acknowledgement[];
  /** What a create does when the object exists and is not in state (semantics §4.5). */
  readonly existing: 'refuse' | 'adopt_equal' | 'adopt';
  /** By the kind's section: regular expressions of keys that others manage and that blocks may name. */
  readonly external: Readonly<Record<string, readonly string[]>>;
  readonly personal_data: 'error' | 'warn';
  /** What becomes of a declared member who left (semantics §2.3). */
  readonly departed: 'leave_alone' | 'reinvite';
  /** May work on a disabled object reopen it for a while (semantics §3)? */
  readonly reopen: { readonly frozen: 'allow' | 'refuse'; readonly deactivated: 'allow' | 'refuse' };
  readonly leave_channels_on_deactivation: boolean;
  /** A refresh makes no more reads than this of the kind that costs one request for each object (semantics §11.7). */
  readonly read_each: number;
  /** What becomes of lines of an archive that were sent and have changed since, and of late ones (semantics §7). */
  readonly messages?: MessagesPolicy;
  /** When the live objects are read without being asked for (semantics §6.1). */
  readonly refresh: RefreshHabit;
  /**
   * True: messages in doubt that may not be listed are sent again, because the platform is known to drop those with a
   * dedup_id that it has (semantics §5.5).
   */
  readonly trust_dedup?: boolean;
  /** What files may declare and change. The first one that matches a file applies; a file that none matches is free. */
  readonly restrictions?: readonly Restriction[];
  /** Conditions under which a plan is refused. */
  readonly rules?: readonly Rule[];
  /** Absent when no manifest declares a policy. */
  readonly source?: SourcePosition;
}

export interface MessagesPolicy {
  readonly edited: 'refuse' | 'update' | 'keep';
  readonly deleted: 'refuse' | 'delete' | 'keep';
  readonly late: 'refuse' | 'insert';
}

/** What a manifest without `policy.messages` says. */
export const defaultMessagesPolicy: MessagesPolicy = { edited: 'refuse', deleted: 'refuse', late: 'refuse' };
/** `always`: by plan and apply. `on_apply`: by apply, and by a plan that is saved for one. `never`: by --refresh alone. */
export const refreshHabits = ['always', 'on_apply', 'never'] as const;
type RefreshHabit = (typeof refreshHabits)[number];

/** A condition in CEL (semantics §4.8). */
export interface Rule {
  readonly name: string;
  /** Kinds or effects; absent: all. */
  readonly on?: readonly string[];
  readonly when: string;
  readonly message: string;
  readonly level: 'error' | 'warning';
  readonly source: SourcePosition;
}

/** Allows a reviewed number of dangerous effects once (semantics §4.2). */
export interface Acknowledgement {
  /** `user.deactivate`: a kind and an action. */
  readonly effect: string;
  readonly count: number;
  /** A date, valid through its end in UTC. */
  readonly expires?: string;
}

/** What a plan does to an object; `update` stands for every action that neither creates nor removes it. */
export type Verb = 'create' | 'update' | 'remove';

/** What the files of a glob may declare. */
export interface Restriction {
  /** A glob, relative to the folder of the file that holds the policy. */
  readonly files: string;
  /** By the kind's section: regular expressions, one of which a key must match. A section that is absent: no key may. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Absent: all. */
  readonly verbs?: readonly Verb[];
  /** By the kind's section: the attributes that may be declared. A section that is absent: all. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly source: SourcePosition;
}
