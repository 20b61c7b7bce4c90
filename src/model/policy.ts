// What has the author decided about removals, strangers and dangers? The manifest's `policy`, defaults filled in.
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

/** Names are those of the manifest, so that a message can quote them. */
export interface Policy {
  /** By kind: what becomes of an object that is declared no more. */
  readonly on_remove: Readonly<Record<string, Removal>>;
  /** Removals are refused when they are more than both. */
  readonly removals: { readonly max_share: number; readonly min_count: number };
  readonly acknowledge: readonly Acknowledgement[];
  /** What a create does that meets an object which is not ours (semantics §4.5). */
  readonly existing: 'refuse' | 'adopt_equal' | 'adopt';
  /** By the kind's section: regular expressions of keys that others manage and that may be named. */
  readonly external: Readonly<Record<string, readonly string[]>>;
  readonly personal_data: 'error' | 'warn';
  /** A declared member who left (semantics §2.3). */
  readonly departed: 'leave_alone' | 'reinvite';
  /** May work on a closed object open it for a while (semantics §3)? */
  readonly reopen: { readonly frozen: 'allow' | 'refuse'; readonly deactivated: 'allow' | 'refuse' };
  readonly leave_channels_on_deactivation: boolean;
  /**
   * Messages in doubt that may not be listed are sent again all the same, where the platform is known to drop what has
   * a dedup_id that it knows (semantics §5.5).
   */
  readonly trust_dedup?: boolean;
  /** Which files may declare and change what; the first that matches a file holds, a file without one is free. */
  readonly restrictions?: readonly Restriction[];
  /** Absent when no manifest declares a policy. */
  readonly source?: SourcePosition;
}

/** A reviewed number of dangerous effects that is allowed once (semantics §4.2). */
export interface Acknowledgement {
  /** `user.deactivate`: a kind and an action. */
  readonly effect: string;
  readonly count: number;
  /** A date, valid through its end in UTC. */
  readonly expires?: string;
}

/** What a plan does to an object: `update` stands for every action that neither begins nor ends it. */
export type Verb = 'create' | 'update' | 'remove';

/** What the files of a glob may declare. */
export interface Restriction {
  /** Seen from the folder of the file that holds the policy. */
  readonly files: string;
  /** By the kind's section: regular expressions of which a key must match one. A section that is absent: none. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Absent: all. */
  readonly verbs?: readonly Verb[];
  /** By the kind's section: the attributes that may be declared. A section that is absent: all. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly source: SourcePosition;
}
