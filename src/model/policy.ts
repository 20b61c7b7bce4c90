// The manifest's `policy`, with defaults filled in.
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

/** Names are those of the manifest, so that a message can quote them. */
export interface Policy {
  /** How to remove an object whose declaration was removed, by kind. */
  readonly on_remove: Readonly<Record<string, Removal>>;
  /** Removals beyond both limits are refused. */
  readonly removals: { readonly max_share: number; readonly min_count: number };
  readonly acknowledge: readonly Acknowledgement[];
  /** What to do when an object to create exists but is not in state (semantics §4.5). */
  readonly existing: 'refuse' | 'adopt_equal' | 'adopt';
  /** Globs of the addresses for which `existing` is at least `adopt_equal`. Absent: none. */
  readonly adopt?: readonly string[];
  /** Regular expressions of keys that are managed elsewhere and that blocks may name, by section. */
  readonly external: Readonly<Record<string, readonly string[]>>;
  readonly personal_data: 'error' | 'warn';
  /** What to do about declared members who left (semantics §2.3). */
  readonly departed: 'leave_alone' | 'reinvite';
  /** Whether a disabled object may be reopened temporarily (semantics §3). */
  readonly reopen: { readonly frozen: 'allow' | 'refuse'; readonly deactivated: 'allow' | 'refuse' };
  readonly leave_channels_on_deactivation: boolean;
  /** The maximum number of reads that cost one request per object in a refresh (semantics §11.7). */
  readonly read_each: number;
  /** What to do about sent lines that changed, and about new lines before sent ones (semantics §7). */
  readonly messages?: MessagesPolicy;
  /** What a person has decided about messages that people may not see, or that may expire (semantics §7). */
  readonly history?: HistoryPolicy;
  /** The largest number of people who may notice something of an apply (semantics §15.6). Absent: any. */
  readonly notify?: { readonly at_most: number };
  /** Who approves plans by a signature, and which plans need one (semantics §4.9). Absent: nobody. */
  readonly approvals?: ApprovalsPolicy;
  /** Which before-values state keeps for `chatform undo` (semantics §14). Absent: the defaults. */
  readonly undo?: UndoPolicy;
  /** When live objects are read without --refresh (semantics §6.1). */
  readonly refresh: RefreshHabit;
  /**
   * Whether to send messages in doubt again if the channel cannot be listed, because the platform is known to drop messages
   * whose dedup_id it already has (semantics §5.5).
   */
  readonly trust_dedup?: boolean;
  /** What was decided about warnings and notes, by code (semantics §9.14). */
  readonly diagnostics?: DiagnosticSettings;
  /** What each file may declare. The first entry that matches a file applies. Unmatched files may declare anything. */
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

export const historyDecisions = ['undecided', 'accept'] as const;
type HistoryDecision = (typeof historyDecisions)[number];

/** Absent: undecided, so that the finding is a danger of the plan and keeps a cutover from being ready. */
export interface HistoryPolicy {
  readonly hidden?: HistoryDecision;
  readonly expires?: HistoryDecision;
  readonly unknown?: HistoryDecision;
}

export interface ApprovalsPolicy {
  /** Lines of `allowed_signers` (model/signing/signature.ts). */
  readonly signers: readonly string[];
  /** The largest number of dangers of a plan that needs no signature. Absent: any. */
  readonly dangers?: number;
  /** How many different signers a file needs. Absent: one. */
  readonly signatures?: number;
}

/** Before-values are dropped, the oldest first, when they exceed any of these limits. */
export interface UndoPolicy {
  /** The number of runs. 0 keeps nothing. */
  readonly runs: number;
  readonly days: number;
  /** The size of all before-values together. A run that exceeds it alone keeps none. */
  readonly megabytes: number;
}

export const defaultUndoPolicy: UndoPolicy = { runs: 5, days: 30, megabytes: 8 };

export const defaultMessagesPolicy: MessagesPolicy = { edited: 'refuse', deleted: 'refuse', late: 'refuse' };
/** `always`: plan and apply read. `on_apply`: apply reads, and so does a plan that is saved. `never`: only --refresh reads. */
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

/** Allows a reviewed number of dangerous effects (semantics §4.2). */
export interface Acknowledgement {
  /** `user.deactivate`: a kind and an action. */
  readonly effect: string;
  readonly count: number;
  /** A date, valid through its end in UTC. */
  readonly expires?: string;
}

/** `update` covers every action that neither creates nor removes the object. */
export type Verb = 'create' | 'update' | 'remove';

/** One entry of `policy.restrictions`. */
export interface Restriction {
  /** A glob, relative to the folder of the policy's file. */
  readonly files: string;
  /** Regular expressions by section; a key must match one of them. If a section is absent, none of its keys is allowed. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** All verbs if absent. */
  readonly verbs?: readonly Verb[];
  /** Allowed attributes by section. If a section is absent, all of its attributes are allowed. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly source: SourcePosition;
}

/**
 * The codes of warnings and notes that a policy may switch off or raise. The others say how a plan was made (`plan.partial`,
 * `plan.in-doubt`, `plan.policy-edited` …), answer a question (`online.reached`, `online.rate-plan`), or have another key of the policy
 * (`existing`, `history`, `rules`).
 */
export const adjustableCodes = [
  'channel.muted-outside',
  'group_channel.operator-outside',
  'group_channel.public-over-100',
  'manifest.archive-empty',
  'manifest.archive-more',
  'manifest.archive-repeated',
  'manifest.bad-character',
  'manifest.bad-pattern',
  'manifest.deprecated',
  'manifest.foreign',
  'manifest.lookalike',
  'manifest.many-in-yaml',
  'manifest.missing-variable',
  'manifest.personal-data',
  'manifest.restriction-unused',
  'manifest.rule-useless',
  'manifest.secret-value',
  'manifest.unknown-variable',
  'manifest.unused-variable',
  'online.auto-accept',
  'online.migration-unknown',
  'online.rate-unknown',
  'online.retrieval-unknown',
  'plan.announced-limits',
  'plan.channels-not-counted',
  'plan.ended',
  'plan.no-room',
  'plan.not-checked',
  'plan.not-compared',
  'plan.not-shown',
  'plan.removed-unknown',
  'policy.adopt-nothing',
  'safety.spent',
  'settings.unknown-event',
  'user.many-channels',
] as const;

/** The code of warnings whose setting may name values that are not secrets. */
export const secretValueCode = 'manifest.secret-value';

export const diagnosticLevels = ['off', 'warning', 'error'] as const;

export interface DiagnosticSetting {
  /** Absent: as it is. */
  readonly level?: (typeof diagnosticLevels)[number];
  readonly reason?: string;
  /** Globs of values that are not secrets, as `ADDRESS.PATH`. Only for `manifest.secret-value`. */
  readonly except?: readonly string[];
  readonly source: SourcePosition;
}

/** By code. */
export type DiagnosticSettings = Readonly<Record<string, DiagnosticSetting>>;
