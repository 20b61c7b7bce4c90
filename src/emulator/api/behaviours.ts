// The behaviours: interpretations of ambiguous points in the documentation, the default first. behaviours.md explains each one.

const BEHAVIOURS = {
  deactivatedUserRead: ['visible', 'refused'],
  deactivatedMember: ['refused', 'allowed'],
  migrationIntoFrozen: ['refused', 'allowed'],
  migrationByDeactivated: ['refused', 'allowed'],
  migrationBatch: ['atomic', 'up_to_first_bad'],
  migrationUnhides: [true, false],
  migrationUnhidesSender: [false, true],
  pastMessagesDefault: ['off', 'on'],
  historyLine: ['join', 'invitation', 'none'],
  firstReceipt: ['join_time', 'by_history'],
  updateReadTs: ['backwards', 'to_newest', 'forwards'],
  migrationRetention: ['none', 'by_time', 'by_arrival'],
  joinLimit: ['refused', 'declined'],
  customFieldOfFile: ['data', 'file'],
  messageRetrieval: ['on', 'off'],
  dataRequests: ['on', 'off'],
  listedReplies: ['when_asked', 'always'],
  countedReplies: ['counted', 'left_out'],
  replyTime: ['honoured', 'ignored', 'refused'],
  replyDepth: ['refused', 'attached', 'nested'],
  replyToAdmin: ['refused', 'taken'],
  dedup: ['skip', 'refuse', 'ignore'],
  dedupScope: ['channel', 'application'],
  profileImage: ['required', 'optional'],
  metadataValues: ['coerced', 'strings'],
  metadataPostOfExistingKey: ['refused', 'overwrites'],
  metadataUpdateOfUnknownKey: ['refused', 'ignored'],
  channelMetadataInView: ['when_asked', 'never'],
  freezeWithoutValue: ['refused', 'freezes'],
  operatorIdsOnUpdate: ['replace', 'add'],
  operatorOutsidePrivateChannel: ['refused', 'allowed'],
  operatorsInOpenLists: ['empty', 'listed', 'absent'],
  operatorsInGroupViews: ['listed', 'absent'],
  leaveOfNonMember: ['refused', 'ignored'],
  leaveOfInvitee: ['withdraws', 'not_found', 'invalid'],
  inviteOfMember: ['ignored', 'refused'],
  memberOrder: ['newest_first', 'oldest_first'],
  memberActiveModeAll: ['refused', 'allowed'],
  multipartLists: ['any', 'commas', 'json', 'repeated'],
  banOfBanned: ['refused', 'overwrites'],
  banUpdate: ['from_now', 'from_start'],
  permanentBanEnd: ['ten_years', 'minus_one'],
  muteOfMuted: ['refused', 'overwrites'],
  liftOfNothing: ['refused', 'ignored'],
  eventMessageBody: ['wrapped', 'bare'],
  messageIntoFrozen: ['refused', 'allowed'],
  reactionOfNonMember: ['refused', 'allowed'],
  pinOfPinned: ['refused', 'ignored'],
  migrationLastMessage: ['changes', 'stays'],
  silentLastMessage: ['stays', 'changes'],
  pinsInChannelView: ['shown', 'absent'],
  botAi: ['writable', 'readable'],
  unknownWebhookEvent: ['refused', 'ignored', 'kept'],
  webhookRetry: ['silence', 'not_200'],
  joinEvents: ['together', 'each'],
  migrationEvents: ['absent', 'sent'],
  adminMessageEvents: ['absent', 'sent'],
  botSignature: ['absent', 'sent'],
  moderationUpdate: ['replaces', 'merges'],
  moderationOfNewType: ['refused', 'created'],
  moderationKeywords: ['text', 'list'],
  allowlistDeletion: ['body', 'query'],
  userScope: ['named', 'first_listed', 'application'],
  planLimits: ['endpoint', 'method', 'unlisted'],
  unknownRouteStatus: [400, 404],
} as const;

export type Behaviours = { readonly [Name in keyof typeof BEHAVIOURS]: (typeof BEHAVIOURS)[Name][number] };

type KnownBehaviour = string | number | boolean;
const VALUES: ReadonlyMap<string, readonly KnownBehaviour[]> = new Map(Object.entries(BEHAVIOURS));

export const DEFAULT_BEHAVIOURS = Object.fromEntries(
  [...VALUES].map(([name, [fallback]]) => [name, fallback]),
) as unknown as Behaviours;

/** Each reading as `NAME=VALUE|VALUE`, the default first, for help and messages. */
export function describeBehaviours(): readonly string[] {
  return [...VALUES].map(([name, values]) => `${name}=${values.join('|')}`);
}

/**
 * Reads `NAME=VALUE` texts. A later text of the same name wins.
 * @throws one Error that lists every invalid text and the allowed values.
 */
export function parseBehaviours(texts: readonly string[]): Partial<Behaviours> {
  const found: [string, KnownBehaviour][] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const [name = '', choice] = text.split(/=(.*)/su);
    const values = VALUES.get(name);
    const value = values?.find((known) => String(known) === choice);
    if (values === undefined) problems.push(`Unknown behaviour "${name}".`);
    else if (value === undefined) problems.push(`"${text}" is not ${name}=${values.join('|')}.`);
    else found.push([name, value]);
  }
  if (problems.length > 0) throw new Error(problems.join(' '));
  return Object.fromEntries(found) as Partial<Behaviours>;
}
