// The readings of what the documents leave open: the values of each, and the default first. README.md explains each one.

interface Choice<T> {
  readonly of: 'choice';
  readonly values: readonly [T, ...T[]];
}

interface Count {
  readonly of: 'count';
  readonly fallback: number;
}

interface Words {
  readonly of: 'words';
  readonly fallback: readonly string[];
}

function choice<const T extends string | number | boolean>(...values: readonly [T, ...T[]]): Choice<T> {
  return { of: 'choice', values };
}

function count(fallback: number): Count {
  return { of: 'count', fallback };
}

function words(...fallback: readonly string[]): Words {
  return { of: 'words', fallback };
}

const READINGS = {
  deactivatedUserRead: choice('visible', 'refused'),
  deactivatedMember: choice('refused', 'allowed'),
  migrationFeature: choice('on', 'off'),
  migrationIntoFrozen: choice('refused', 'allowed'),
  migrationByDeactivated: choice('refused', 'allowed'),
  messageChangeInFrozen: choice('refused', 'allowed'),
  migrationByNonMember: choice('allowed', 'refused'),
  migrationBatch: choice('atomic', 'up_to_first_bad'),
  migrationUnhides: choice(true, false),
  migrationUnhidesSender: choice(false, true),
  customFieldOfFile: choice('data', 'file'),
  readReceiptsInOpenChannel: choice('refused', 'ignored'),
  messageRetrieval: choice('on', 'off'),
  dedup: choice('skip', 'refuse', 'ignore'),
  dedupScope: choice('channel', 'application'),
  profileImage: choice('required', 'optional'),
  metadataValues: choice('coerced', 'strings'),
  metadataPostOfExistingKey: choice('refused', 'overwrites'),
  metadataUpdateOfUnknownKey: choice('refused', 'ignored'),
  channelMetadataItems: count(5),
  channelMetadataInView: choice('when_asked', 'never'),
  freezeWithoutValue: choice('refused', 'freezes'),
  operatorIdsOnUpdate: choice('replace', 'add'),
  operatorOutsidePrivateChannel: choice('refused', 'allowed'),
  operatorsInOpenLists: choice('empty', 'listed', 'absent'),
  operatorsInGroupViews: choice('listed', 'absent'),
  leaveOfNonMember: choice('refused', 'ignored'),
  inviteOfMember: choice('ignored', 'refused'),
  memberOrder: choice('newest_first', 'oldest_first'),
  memberActiveModeAll: choice('refused', 'allowed'),
  multipartLists: choice('any', 'commas', 'json', 'repeated'),
  distinctByCustomType: choice(true, false),
  publicSupergroupMembers: count(2000),
  supergroupMembers: count(2000),
  channelsOfOneUser: count(2000),
  messagesPerMigration: count(100),
  botAsUser: choice('refused', 'allowed'),
  botAsOperator: choice('refused', 'allowed'),
  botMembershipCalls: choice('own', 'any'),
  botJoinOfPrivateChannel: choice('allowed', 'refused'),
  banOfBanned: choice('refused', 'overwrites'),
  banOfNonMember: choice('allowed', 'refused'),
  banOfOperator: choice('refused', 'allowed'),
  banUpdate: choice('from_now', 'from_start'),
  permanentBanEnd: choice('ten_years', 'minus_one'),
  muteOfMuted: choice('refused', 'overwrites'),
  muteOfNonMember: choice('refused', 'allowed'),
  liftOfNothing: choice('refused', 'ignored'),
  unknownWebhookEvent: choice('refused', 'ignored', 'kept'),
  eventMessageBody: choice('wrapped', 'bare'),
  moderationUpdate: choice('replaces', 'merges'),
  moderationOfNewType: choice('refused', 'created'),
  moderationKeywords: choice('text', 'list'),
  moderationItems: count(1000),
  userScope: choice('named', 'first_listed'),
  unknownRouteStatus: choice(400, 404),
  pageTokenLifetimeMs: count(1_800_000),
  /** The application's domain filter for image URLs (base, User), beside the one in its settings. */
  filteredDomains: words(),
} as const;

type Definition = Choice<unknown> | Count | Words;
type ValueOf<D> = D extends Choice<infer T> ? T : D extends Count ? number : readonly string[];

export type Readings = { readonly [Name in keyof typeof READINGS]: ValueOf<(typeof READINGS)[Name]> };

const DEFINITIONS: ReadonlyMap<string, Definition> = new Map(Object.entries(READINGS));

export const DEFAULT_READINGS = Object.fromEntries(
  [...DEFINITIONS].map(([name, definition]) => [
    name,
    definition.of === 'choice' ? definition.values[0] : definition.fallback,
  ]),
) as Readings;

/** Each reading as `NAME=VALUE|VALUE`, the default first, for help and messages. */
export function describeReadings(): readonly string[] {
  return [...DEFINITIONS].map(([name, definition]) => `${name}=${valuesOf(definition)}`);
}

/**
 * Reads `NAME=VALUE` texts; words are joined by `+`. A later text of the same name wins.
 * @throws one Error that names every bad text, and what it may be.
 */
export function parseReadings(texts: readonly string[]): Partial<Readings> {
  const found: [string, unknown][] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const cut = text.indexOf('=');
    const name = cut < 0 ? text : text.slice(0, cut);
    const definition = DEFINITIONS.get(name);
    const value = definition === undefined || cut < 0 ? undefined : readValue(definition, text.slice(cut + 1));
    if (definition === undefined) problems.push(`There is no reading "${name}".`);
    else if (value === undefined) problems.push(`"${text}" is not ${name}=${valuesOf(definition)}.`);
    else found.push([name, value]);
  }
  if (problems.length > 0) throw new Error(problems.join(' '));
  return Object.fromEntries(found) as Partial<Readings>;
}

function readValue(definition: Definition, text: string): unknown {
  switch (definition.of) {
    case 'choice':
      return definition.values.find((value) => String(value) === text);
    case 'count':
      return /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
    case 'words':
      return text === '' ? [] : text.split('+');
  }
}

function valuesOf(definition: Definition): string {
  switch (definition.of) {
    case 'choice':
      return definition.values.join('|');
    case 'count':
      return `NUMBER (${definition.fallback})`;
    case 'words':
      return 'WORD+WORD (none)';
  }
}
