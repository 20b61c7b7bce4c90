// The readings of what the documents leave open. README.md explains each one.

type Rule = 'refused' | 'allowed';

export interface Readings {
  readonly deactivatedUserRead: 'visible' | 'refused';
  readonly deactivatedMember: Rule;
  readonly migrationFeature: 'on' | 'off';
  readonly migrationIntoFrozen: Rule;
  readonly migrationByDeactivated: Rule;
  readonly messageChangeInFrozen: Rule;
  readonly migrationByNonMember: Rule;
  readonly migrationBatch: 'atomic' | 'up_to_first_bad';
  readonly migrationUnhides: boolean;
  readonly migrationUnhidesSender: boolean;
  readonly customFieldOfFile: 'data' | 'file';
  readonly readReceiptsInOpenChannel: 'refused' | 'ignored';
  readonly messageRetrieval: 'on' | 'off';
  readonly dedup: 'skip' | 'refuse' | 'ignore';
  readonly dedupScope: 'channel' | 'application';
  readonly profileImage: 'required' | 'optional';
  readonly metadataValues: 'strings' | 'coerced';
  readonly metadataPostOfExistingKey: 'refused' | 'overwrites';
  readonly metadataUpdateOfUnknownKey: 'refused' | 'ignored';
  readonly channelMetadataItems: number;
  readonly freezeWithoutValue: 'refused' | 'freezes';
  readonly operatorIdsOnUpdate: 'replace' | 'add';
  readonly operatorOutsidePrivateChannel: Rule;
  readonly leaveOfNonMember: 'refused' | 'ignored';
  readonly inviteOfMember: 'refused' | 'ignored';
  readonly distinctByCustomType: boolean;
  readonly publicSupergroupMembers: number;
  readonly supergroupMembers: number;
  readonly channelsOfOneUser: number;
  readonly messagesPerMigration: number;
  readonly userScope: 'named' | 'first_listed';
  readonly unknownRouteStatus: 400 | 404;
  readonly pageTokenLifetimeMs: number;
  /** The application's domain filter for image URLs (base, User). */
  readonly filteredDomains: readonly string[];
}

export const DEFAULT_READINGS: Readings = {
  deactivatedUserRead: 'visible',
  deactivatedMember: 'refused',
  migrationFeature: 'on',
  migrationIntoFrozen: 'refused',
  migrationByDeactivated: 'refused',
  messageChangeInFrozen: 'refused',
  migrationByNonMember: 'allowed',
  migrationBatch: 'atomic',
  migrationUnhides: true,
  migrationUnhidesSender: false,
  customFieldOfFile: 'data',
  readReceiptsInOpenChannel: 'refused',
  messageRetrieval: 'on',
  dedup: 'skip',
  dedupScope: 'channel',
  profileImage: 'required',
  metadataValues: 'strings',
  metadataPostOfExistingKey: 'refused',
  metadataUpdateOfUnknownKey: 'refused',
  channelMetadataItems: 5,
  freezeWithoutValue: 'refused',
  operatorIdsOnUpdate: 'replace',
  operatorOutsidePrivateChannel: 'refused',
  leaveOfNonMember: 'refused',
  inviteOfMember: 'ignored',
  distinctByCustomType: true,
  publicSupergroupMembers: 2000,
  supergroupMembers: 2000,
  channelsOfOneUser: 2000,
  messagesPerMigration: 100,
  userScope: 'named',
  unknownRouteStatus: 400,
  pageTokenLifetimeMs: 1_800_000,
  filteredDomains: [],
};
