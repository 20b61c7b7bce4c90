// The behaviours of a platform: its answers to the questions that the documentation leaves open (platform §15).

import type { FormatVersion, UtcTime } from '../../lib/json.ts';
import { ownName } from '../../lib/own-names.ts';
import type { KnownLimits } from './limits.ts';

export interface Behaviour {
  /** The question in a few words, for reports. */
  readonly question: string;
  /** The answers that chatform knows. Absent: a positive whole number. */
  readonly values?: readonly (string | boolean | number)[];
}

/**
 * By name, in the order of reports. A behaviour that the emulator can play has the emulator's name and values; a test compares
 * them.
 */
export const behaviours = {
  rateHeaders: { question: 'rate-limit headers of an answer', values: ['sent', 'absent'] },
  window: { question: 'how calls are counted', values: ['sliding', 'fixed', 'gcra', 'gcra_strict'] },
  windowSeconds: { question: 'the length of that window in seconds' },
  readsPerWindow: { question: 'calls of GET that a window admits' },
  changesPerWindow: { question: 'calls of POST or PUT that a window admits' },
  planLimits: { question: "what a plan's limit counts", values: ['endpoint', 'method', 'unlisted'] },
  userRules: { question: 'the stricter limit for one user', values: ['held', 'not_held'] },
  userScope: {
    question: 'which limit counts a call that names no user',
    values: ['named', 'first_listed', 'application'],
  },
  profileImage: { question: 'a user without a picture', values: ['required', 'optional'] },
  metadataValues: { question: 'a metadata value that is not text', values: ['coerced', 'strings'] },
  metadataPostOfExistingKey: { question: 'adding a metadata key that exists', values: ['refused', 'overwrites'] },
  metadataUpdateOfUnknownKey: { question: 'updating a metadata key that is new', values: ['refused', 'ignored'] },
  channelMetadataInView: { question: 'metadata in the view of a channel', values: ['when_asked', 'never'] },
  memberOrder: { question: 'the order of members in an answer', values: ['newest_first', 'oldest_first'] },
  memberActiveModeAll: { question: 'listing active and deactivated members', values: ['refused', 'allowed'] },
  leaveOfInvitee: { question: 'removing a user who is only invited', values: ['withdraws', 'not_found', 'invalid'] },
  inviteOfMember: { question: 'inviting a member again', values: ['ignored', 'refused'] },
  leaveOfNonMember: { question: 'removing a user who is not a member', values: ['refused', 'ignored'] },
  deactivatedUserRead: { question: 'reading a deactivated user', values: ['visible', 'refused'] },
  deactivatedMember: { question: 'inviting a deactivated user', values: ['refused', 'allowed'] },
  deactivatedMembership: { question: 'memberships of a deactivated user', values: ['kept', 'ended'] },
  operatorOutsidePrivateChannel: { question: 'an operator who is not a member', values: ['refused', 'allowed'] },
  operatorIdsOnUpdate: { question: 'operator_ids of an update', values: ['replace', 'add'] },
  operatorsInOpenLists: { question: 'operators in lists of open channels', values: ['empty', 'listed', 'absent'] },
  operatorsInGroupViews: { question: 'operators in views of group channels', values: ['listed', 'absent'] },
  multipartLists: { question: 'lists in a form with a file', values: ['any', 'commas', 'json', 'repeated'] },
  distinctUpdate: { question: 'changing is_distinct', values: ['changes', 'ignored', 'refused'] },
  freezeWithoutValue: { question: 'a freeze without its value', values: ['refused', 'freezes'] },
  banOfBanned: { question: 'a second ban', values: ['refused', 'overwrites'] },
  banUpdate: { question: 'the seconds of a changed ban count', values: ['from_now', 'from_start'] },
  permanentBanEnd: { question: 'the end of a permanent ban', values: ['ten_years', 'minus_one'] },
  muteOfMuted: { question: 'a second mute', values: ['refused', 'overwrites'] },
  liftOfNothing: { question: 'lifting a ban that does not exist', values: ['refused', 'ignored'] },
  migration: { question: 'the migration of messages', values: ['on', 'off'] },
  messageRetrieval: { question: 'listing messages', values: ['on', 'off'] },
  dataRequests: { question: 'data requests, by which users are erased', values: ['on', 'off'] },
  listedReplies: { question: 'replies in lists of messages', values: ['when_asked', 'always'] },
  countedReplies: { question: 'replies in the number of messages', values: ['counted', 'left_out'] },
  replyTime: { question: 'created_at of a reply in a thread', values: ['honoured', 'ignored', 'refused'] },
  replyDepth: { question: 'a reply to a reply', values: ['refused', 'attached', 'nested'] },
  replyToAdmin: { question: 'a reply to an admin message', values: ['refused', 'taken'] },
  messageLength: { question: 'the longest text of a message in characters' },
  dedup: { question: 'a message with a known dedup_id', values: ['skip', 'refuse', 'ignore'] },
  dedupScope: { question: 'where a dedup_id is known', values: ['channel', 'application'] },
  migrationBatch: { question: 'a migration call with one bad message', values: ['atomic', 'up_to_first_bad'] },
  lateMessages: { question: 'messages that are migrated late are listed', values: ['by_time', 'by_arrival'] },
  customFieldOfFile: { question: 'custom_field of a migrated file', values: ['data', 'file'] },
  migrationByDeactivated: { question: 'migrating for a deactivated sender', values: ['refused', 'allowed'] },
  migrationIntoFrozen: { question: 'migrating into a frozen channel', values: ['refused', 'allowed'] },
  messageIntoFrozen: { question: 'sending into a frozen channel', values: ['refused', 'allowed'] },
  migrationUnhides: { question: 'a migrated message shows a hidden channel', values: [true, false] },
  pastMessagesDefault: { question: 'whether new members see earlier messages at first', values: ['off', 'on'] },
  historyLine: { question: 'from when a member sees messages', values: ['join', 'invitation', 'none'] },
  firstReceipt: { question: 'what a new member has read', values: ['join_time', 'by_history'] },
  updateReadTs: { question: 'how update_read_ts moves receipts', values: ['backwards', 'to_newest', 'forwards'] },
  migrationRetention: { question: 'when migrated messages expire', values: ['none', 'by_time', 'by_arrival'] },
  joinLimit: { question: 'the 2,001st channel of a user', values: ['refused', 'declined'] },
  migrationUnhidesSender: { question: 'the same for its sender', values: [false, true] },
  moderationOfNewType: { question: 'updating settings that a type lacks', values: ['refused', 'created'] },
  moderationUpdate: { question: 'a part of a settings object', values: ['replaces', 'merges'] },
  moderationKeywords: { question: 'keywords in an answer', values: ['text', 'list'] },
  settingsDeletion: { question: 'deleting the settings of a custom type', values: ['deletes', 'refused'] },
  eventMessageBody: { question: 'the body that changes event messages', values: ['wrapped', 'bare'] },
  allowlistDeletion: { question: 'where the addresses to remove are', values: ['body', 'query'] },
  reactionOfNonMember: { question: 'a reaction of a user outside of the channel', values: ['refused', 'allowed'] },
  pinOfPinned: { question: 'a second pin of a message', values: ['refused', 'ignored'] },
  migrationLastMessage: { question: 'the last message of a channel after a migration', values: ['changes', 'stays'] },
  silentLastMessage: { question: 'the last message of a channel after a silent one', values: ['stays', 'changes'] },
  pinsInChannelView: { question: 'pinned messages in the view of a channel', values: ['shown', 'absent'] },
  botAi: { question: 'the ai object of a bot', values: ['writable', 'readable'] },
  unknownWebhookEvent: { question: 'an unknown webhook event', values: ['refused', 'ignored', 'kept'] },
  webhookRetry: { question: 'when a webhook is sent again', values: ['silence', 'not_200'] },
  joinEvents: { question: 'the join events of several users', values: ['together', 'each'] },
  migrationEvents: { question: 'events of migrated messages', values: ['absent', 'sent'] },
  adminMessageEvents: { question: 'events of admin messages', values: ['absent', 'sent'] },
  botSignature: { question: 'the signature of calls to bots', values: ['absent', 'sent'] },
  unknownRouteStatus: { question: 'the status of an unknown route', values: [400, 404] },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** What an application does with the time of a reply in a thread. */
export type ReplyTime = (typeof behaviours.replyTime.values)[number];

export function isReplyTime(value: BehaviourValue | undefined): value is ReplyTime {
  return behaviours.replyTime.values.some((known) => known === value);
}

/** How a platform counts calls against a limit. */
export type WindowKind = (typeof behaviours.window.values)[number];
export const windowKinds: readonly WindowKind[] = behaviours.window.values;

export type BehaviourName = keyof typeof behaviours;
export type BehaviourValue = string | number | boolean;

/** One answer. `evidence` lists calls with their outcomes; neither part contains an id, a message or a token. */
export type BehaviourResult =
  | { readonly value: BehaviourValue; readonly evidence: string }
  | { readonly undecided: string };

/** The content of `chatform-behaviours.json` (schema/behaviours.schema.json). */
export interface BehavioursFile {
  // A file of 1.0 may take one limit of the whole application for one of each first user.
  readonly format_version: FormatVersion;
  /**
   * Host and path of the base URL. The file counts for this application alone.
   * @minLength 1
   * @maxLength 500
   */
  readonly application: string;
  /** When the platform was asked, ISO 8601. */
  readonly date: UtcTime;
  /**
   * The version of chatform that examined the platform.
   * @maxLength 100
   */
  readonly chatform: string;
  /**
   * As in behaviours.schema.json.
   * @type object
   */
  readonly behaviours: Partial<Readonly<Record<BehaviourName, BehaviourResult>>>;
}

export const behavioursFileName = ownName('behaviours');

export function questionOf(name: BehaviourName): string {
  return behaviours[name].question;
}

/** The decided behaviours by name. */
export function decidedBehaviours(
  file: Pick<BehavioursFile, 'behaviours'> | undefined,
): ReadonlyMap<string, BehaviourValue> {
  const decided = new Map<string, BehaviourValue>();
  for (const [name, result] of Object.entries(file?.behaviours ?? {}))
    if ('value' in result) decided.set(name, result.value);
  return decided;
}

function isPlanLimits(value: BehaviourValue | undefined): value is NonNullable<KnownLimits['planLimits']> {
  return value === 'endpoint' || value === 'method' || value === 'unlisted';
}

function isUserScope(value: BehaviourValue | undefined): value is NonNullable<KnownLimits['userScope']> {
  return value === 'named' || value === 'first_listed' || value === 'application';
}

/** The part of the behaviours that the rate limiter starts with. */
export function knownLimits(file: BehavioursFile | undefined): KnownLimits {
  const decided = decidedBehaviours(file);
  const planLimits = decided.get('planLimits');
  const userScope = decided.get('userScope');
  const [windowS, reads, changes] = ['windowSeconds', 'readsPerWindow', 'changesPerWindow'].map((name) =>
    decided.get(name),
  );
  return {
    ...(isPlanLimits(planLimits) ? { planLimits } : {}),
    ...(isUserScope(userScope) ? { userScope } : {}),
    ...(typeof windowS === 'number' && typeof reads === 'number' && typeof changes === 'number'
      ? { planWindow: { windowS, reads, changes } }
      : {}),
    ...(decided.get('window') === 'gcra_strict' ? { admitsNoBurst: true } : {}),
  };
}
