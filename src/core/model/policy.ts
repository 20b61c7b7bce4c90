// The manifest's `policy`, with defaults filled in.
import { isList, isObject, type JsonValue } from '../../lib/json.ts';
import {
  addsText,
  allowing,
  choice,
  choiceByPart,
  dropsEntry,
  flag,
  group,
  limit,
  optional,
  type PolicyKey,
  special,
  type ValueOf,
  type ValuesOf,
} from './policy-keys.ts';
import type { Removal } from './resource.ts';
import type { SourcePosition } from './source.ts';

/** Ways of removal, from the mildest to the strongest. The default of a kind deactivates or freezes. */
const removals: readonly JsonValue[] = ['retire', 'forget', 'deactivate', 'freeze', 'delete', 'erase'];

const historyDecision = (text: string) => optional(choice(['undecided', 'accept'], 'undecided', text));

/** Which live objects are read before a plan, from the strictest to the loosest. */
export const refreshWords = ['all', 'changed', 'none'] as const;
export type RefreshWord = (typeof refreshWords)[number];

/** Every key, in the order of the schema. Names are those of the manifest, so that a message can quote them. */
export const policyKeys = {
  /** How to remove an object whose declaration was removed, by kind. */
  on_remove: special<Readonly<Record<string, Removal>>>(
    (from, to) => removals.indexOf(to ?? 'freeze') > removals.indexOf(from ?? 'freeze'),
    `a word further right in: ${removals.join(', ')}`,
    true,
  ),
  /** Removals beyond both limits are refused. */
  removals: group(
    "A plan that removes more than both of these is refused, as is one that takes away a large part of a kind's objects.",
    {
      max_share: limit(
        'more',
        { type: 'number', minimum: 0, maximum: 1, default: 0.1 },
        'Share of the objects in state.',
      ),
      free_count: limit(
        'more',
        { default: 10 },
        'A smaller number is refused only when it is a large part of the objects.',
      ),
    },
  ),
  /** Belongs to one environment, as with --base-ref. */
  acknowledge: special<readonly Acknowledgement[]>(() => false, 'nothing: it belongs to one environment'),
  /** What to do when an object to create exists but is not in state (semantics §4.5). */
  existing: choice(
    ['refuse', 'adopt_equal', 'adopt'],
    'refuse',
    'The reaction when an object to create already exists on the platform.',
  ),
  /** Globs of the addresses for which `existing` is at least `adopt_equal`. Absent: none. */
  adopt: optional(special<readonly string[]>(addsText, 'a further entry')),
  /** Regular expressions of keys that are managed elsewhere and that blocks may name, by section. */
  external: special<Readonly<Record<string, readonly string[]>>>(addsText, 'a further entry', true),
  /** What each file may declare. The first entry that matches a file applies. Unmatched files may declare anything. */
  restrictions: optional(special<readonly Restriction[]>(dropsEntry, 'an entry that is missing, moved or changed')),
  personal_data: choice(
    ['error', 'warn'],
    'error',
    'How to report e-mail addresses and phone numbers in ids and metadata.',
  ),
  /** What to do about declared members who left (semantics §2.3). */
  departed: choice(['leave_alone', 'reinvite'], 'leave_alone', 'The reaction to declared members who have left.'),
  /** Whether a disabled object may be reopened temporarily (semantics §3). */
  reopen: group('Whether frozen or deactivated objects may be reopened while calls need them.', {
    frozen: choice(['refuse', 'allow'], 'allow', 'Frozen channels may be unfrozen for a call.', ['allow', 'refuse']),
    deactivated: choice(['refuse', 'allow'], 'refuse', 'Deactivated users may be reactivated for a call.', [
      'allow',
      'refuse',
    ]),
  }),
  leave_channels_on_deactivation: flag('true: deactivated users leave their channels.'),
  /** The maximum number of reads that cost one request per object in a refresh (semantics §11.7). Fewer hide changes by others. */
  read_each: limit(
    'less',
    { default: 1000 },
    'How many objects a refresh may read one by one for attributes that no list shows, such as auto_accept. With more of them, such attributes are not compared, and a note says so.',
  ),
  /** What to do about sent lines that changed, and about new lines before sent ones (semantics §7). */
  messages: optional(
    group('The reaction when a history file changed after it was sent, as by a later export.', {
      edited: choiceByPart(
        ['refuse', 'keep', 'update'],
        {
          text: 'Edits that people see: the text, file or mentions of a message.',
          data: 'Edits that people do not see: data, custom type, meta arrays or dedup_id.',
        },
        'Messages that were edited: change them on the platform, or leave them as they were sent. One word, or one for text and one for data.',
        ['refuse', 'update', 'keep'],
      ),
      deleted: choice(
        ['refuse', 'keep', 'delete'],
        'refuse',
        'Messages whose lines are gone: delete them on the platform, or leave them there.',
        ['refuse', 'delete', 'keep'],
      ),
      late: choice(
        ['refuse', 'insert'],
        'refuse',
        'New lines before lines that were sent: insert their messages at their time.',
      ),
    }),
  ),
  /** What a person has decided about messages that people may not see, or that may expire (semantics §7). */
  history: optional(
    group(
      'Your decisions about messages that people may not see, or that may expire. Undecided messages are a danger of the plan, and a cutover is not ready.',
      {
        hidden: historyDecision('Members do not see messages from before they joined (display_past_message).'),
        expires: historyDecision('Messages are older than the platform keeps them (message_retention_hours).'),
        unknown: historyDecision('The platform does not say which of these is true.'),
      },
    ),
  ),
  /** The largest number of people who may notice something of an apply (semantics §15.6). Absent: any. */
  notify: optional({
    ...group(
      'How many people may notice a plan by invitations, messages or reappearing channels. chatform refuses a plan that more people would notice, unless you acknowledge people.notify.',
      { at_most: limit('more', {}, 'The largest number of people.') },
    ),
    required: ['at_most'],
  }),
  /** Who approves plans by a signature, and which plans need one (semantics §4.9). Absent: nobody. */
  approvals: optional({
    ...group(
      'Who approves plans by a signature, which apply checks: with --require-signature, and for plans with more dangers than dangers says.',
      {
        /** Lines of `allowed_signers` (core/model/signing/signature.ts). */
        signers: special<readonly string[]>(addsSigner, 'a further signer, or a file, if the base names signers'),
        /** The largest number of dangers of a plan that needs no signature. Absent: any. */
        dangers: optional(
          limit('more', {}, 'The largest number of dangers of a plan without a signature. 0: any danger needs one.'),
        ),
        /** How many different signers a file needs. Absent: one. */
        signatures: optional(
          limit(
            'less',
            { minimum: 1, default: 1 },
            'How many different signers have to sign a plan that needs a signature.',
          ),
        ),
      },
    ),
    required: ['signers'],
  }),
  /** Which before-values state keeps for `chatform undo` (semantics §14). Runs without them cannot be undone. */
  undo: optional(
    group(
      'How much state keeps for chatform undo: the values that objects had before the last runs. chatform drops the oldest first.',
      {
        /** The number of runs. 0 keeps nothing. */
        runs: limit('less', { maximum: 100, default: 5 }, 'How many runs. 0 keeps nothing.'),
        days: limit('less', { maximum: 3650, default: 30 }, 'How old a run may be when the next one begins.'),
        /** The size of all before-values together. A run that exceeds it alone keeps none. */
        megabytes: limit(
          'less',
          { maximum: 256, default: 8 },
          'How large all of it may be. Nothing is kept for a larger run.',
        ),
      },
    ),
  ),
  refresh: choiceByPart(
    refreshWords,
    {
      plan: 'Which objects a plan reads that is only shown.',
      apply: 'Which objects an apply reads, and a plan that is saved for one.',
    },
    'Which live objects are read before a plan without --refresh: all, those that the plan changes or creates, or none. A map has a word each for plan and apply.',
    refreshWords,
    'none',
  ),
  /** What was decided about warnings and notes, by code (semantics §9.14). */
  diagnostics: optional(special<DiagnosticSettings>(hidesMore, 'a lower level, or a further exception', true)),
  /** Conditions under which a plan is refused. */
  rules: optional(special<readonly Rule[]>(dropsEntry, 'a rule that is missing, moved or changed')),
  may_loosen: optional(
    allowing('Keys of the policy that manifests which extend this one may loosen: [removals, existing].'),
  ),
  /**
   * Whether to send messages in doubt again if the channel cannot be listed, because the platform is known to drop messages
   * whose dedup_id it already has (semantics §5.5).
   */
  trust_dedup: optional(
    flag(
      'true: messages whose outcome is unknown and cannot be read are sent again. Set it only if the platform is known to drop duplicates.',
    ),
  ),
} satisfies Readonly<Record<string, PolicyKey>>;

/** The word for plans that are only shown, or for applies and plans that are saved for one. */
export function refreshWord({ refresh }: Pick<Policy, 'refresh'>, part: 'plan' | 'apply'): RefreshWord {
  return typeof refresh === 'string' ? refresh : (refresh[part] ?? 'none');
}

export interface Policy extends ValuesOf<typeof policyKeys> {
  /** Absent when no manifest declares a policy. */
  readonly source?: SourcePosition;
}
export type MessagesPolicy = ValueOf<typeof policyKeys.messages>;
export type HistoryPolicy = ValueOf<typeof policyKeys.history>;
export type ApprovalsPolicy = ValueOf<typeof policyKeys.approvals>;
export type UndoPolicy = ValueOf<typeof policyKeys.undo>;

export const defaultUndoPolicy: UndoPolicy = { runs: 5, days: 30, megabytes: 8 };
export const defaultMessagesPolicy: MessagesPolicy = { edited: 'refuse', deleted: 'refuse', late: 'refuse' };

/** A base without signers allows everything. */
function addsSigner(from: JsonValue | undefined, to: JsonValue | undefined): boolean {
  return from !== undefined && addsText(from, to);
}

/** Whether a setting of `policy.diagnostics` shows less than that of the base. A warning or note without one is shown. */
function hidesMore(base: JsonValue | undefined, merged: JsonValue | undefined): boolean {
  const [before, after] = [shownBy(base), shownBy(merged)];
  return after.rank < before.rank || !after.except.every((glob) => before.except.includes(glob));
}

function shownBy(setting: JsonValue | undefined): { readonly rank: number; readonly except: readonly JsonValue[] } {
  const level = (isObject(setting) ? setting.level : setting) ?? 'warning';
  const except = isObject(setting) && isList(setting.except) ? setting.except : [];
  return { rank: ['off', 'warning', 'error'].indexOf(String(level)), except };
}

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
 * `plan.in-doubt`, `plan.rules-edited` …), answer a question (`online.reached`, `online.rate-plan`), or have another key of the policy
 * (`existing`, `history`, `rules`).
 */
export const adjustableCodes = [
  'channel.muted-outside',
  'group_channel.operator-outside',
  'group_channel.public-over-100',
  'manifest.bad-character',
  'manifest.bad-pattern',
  'manifest.deprecated',
  'manifest.foreign',
  'manifest.history-empty',
  'manifest.history-more',
  'manifest.history-repeated',
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
  'plan.history-changed',
  'plan.no-room',
  'plan.not-checked',
  'plan.not-compared',
  'plan.not-shown',
  'plan.removed-unknown',
  'plan.undeclared',
  'plan.unhidden',
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
