// Whether people will see the messages of archives, and for how long: two settings of the platform decide (platform §13.2).
//
// New members of a group channel see earlier messages only with display_past_message, and the platform keeps messages for
// message_retention_hours. Both are settings of the application, and of a custom type that has settings of its own.

import { archiveOf, batchesAfter } from '../../history/lines/archive.ts';
import { mapOf, textOf } from '../../kinds/definition/values.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Resource } from '../../model/resource.ts';
import { plural, printNumber } from '../../view/text/words.ts';

/** The messages that archives bring to channels with the same settings. */
interface History {
  /** Empty for channels without a custom type. */
  readonly customType: string;
  channels: number;
  messages: number;
  /** The messages and channels among them in group channels. */
  group: { channels: number; messages: number };
  /** The calls that send them: the times of the first and last line in milliseconds, and the number of lines. */
  readonly batches: { readonly first: number; readonly last: number; readonly count: number }[];
}

/** Sends a read. */
export type Ask = (
  request: ApiRequest,
) => Promise<{ readonly type: 'ok'; readonly body: JsonObject } | { readonly type: string; readonly message?: string }>;

export interface HistoryFinding {
  /** A code of schema/diagnostics.md. */
  readonly code: 'history.hidden' | 'history.expires' | 'history.unknown';
  readonly message: string;
  readonly advice: string;
}

export interface VisibilityCheck {
  /** The declared objects. Iterated several times. */
  readonly resources: Iterable<Resource>;
  /** The number of messages of an archive that are on the platform already and do not count. */
  readonly known?: (archive: Address) => number;
  /** Which archives count. All if absent. */
  readonly isWanted?: (archive: Address) => boolean;
  readonly now: Date;
}

const summaries: Readonly<Record<HistoryFinding['code'], string>> = {
  'history.hidden': 'Members may not see the message history',
  'history.expires': 'The platform may delete the message history soon',
  'history.unknown': 'Whether members will see the message history is not known',
};

export function warningsOf(findings: readonly HistoryFinding[]): Diagnostic[] {
  return findings.map(({ code, message, advice }) => ({
    severity: 'warning',
    code,
    summary: summaries[code],
    detail: `${message} ${advice}`,
  }));
}

/** Above this number of custom types, the rest is named as not read. */
const mostTypesRead = 100;

const hourMs = 3_600_000;

/** Asks nothing if no archive has messages to send. Otherwise one read, and one more for each custom type of their channels. */
export async function checkVisibility(check: VisibilityCheck, ask: Ask): Promise<HistoryFinding[]> {
  const histories = historiesOf(check);
  if (histories.length === 0) return [];
  const whole = await ask({ method: 'GET', route: '/applications/settings_global' });
  if (!('body' in whole)) return [notRead(histories, whole.message ?? 'the platform did not answer')];
  const ofApplication: Omit<HistorySetting, 'history'> = {
    place: 'settings.all_channels',
    address: addressOf('settings', 'application'),
    settings: whole.body,
  };
  const seen: HistorySetting[] = [];
  for (const history of histories.slice(0, mostTypesRead)) {
    const typeSettings =
      history.customType === '' ? undefined : await settingsOfType(history.customType, whole.body, ask);
    seen.push({ history, ...(typeSettings ?? ofApplication) });
  }
  const unread = histories.slice(mostTypesRead);
  return [
    ...hiddenHistory(seen, check.resources),
    ...expiringHistory(seen, check.now),
    ...(unread.length === 0 ? [] : [notRead(unread, 'their custom types are too many to read')]),
  ];
}

/** The finding when the platform cannot be asked. Empty if no archive has messages. */
export function notKnown(check: VisibilityCheck, reason: string): HistoryFinding[] {
  const histories = historiesOf(check);
  return histories.length === 0 ? [] : [notRead(histories, reason)];
}

/** The settings that count for a history, the block that declares them, and its address. */
interface HistorySetting {
  readonly history: History;
  readonly settings: JsonObject;
  readonly place: string;
  readonly address: Address;
}

function historiesOf({ resources, known = () => 0, isWanted = () => true }: VisibilityCheck): History[] {
  const customTypes = customTypesOf(resources);
  const histories = new Map<string, History>();
  for (const { address, attributes } of eachOfKind(resources, 'messages')) {
    if (!isWanted(address)) continue;
    const batches = Array.from(batchesAfter(archiveOf(attributes), known(address)), ({ block, count }) => ({
      first: block.first,
      last: block.last,
      count,
    }));
    const messages = batches.reduce((sum, { count }) => sum + count, 0);
    if (messages === 0) continue;
    const customType = customTypes.get(`${String(attributes.channel)}.${keyOf(address)}`) ?? '';
    const history = histories.get(customType) ?? newHistory(customType);
    histories.set(customType, history);
    history.channels += 1;
    history.messages += messages;
    history.batches.push(...batches);
    if (attributes.channel !== 'group_channel') continue;
    history.group.channels += 1;
    history.group.messages += messages;
  }
  return [...histories.values()];
}

const newHistory = (customType: string): History => ({
  customType,
  channels: 0,
  messages: 0,
  group: { channels: 0, messages: 0 },
  batches: [],
});

/** By address, the custom types of the channels that have one. */
function customTypesOf(resources: Iterable<Resource>): Map<Address, string> {
  const types = new Map<Address, string>();
  for (const kind of ['group_channel', 'open_channel']) {
    for (const { address, attributes } of eachOfKind(resources, kind)) {
      const type = textOf(attributes, 'custom_type') ?? '';
      if (type !== '') types.set(address, type);
    }
  }
  return types;
}

/** Reads only the attributes of this kind: there may be a million users. */
function* eachOfKind(resources: Iterable<Resource>, kind: string): Generator<Resource> {
  for (const resource of resources) if (kindOf(resource.address) === kind) yield resource;
}

/** Undefined for a custom type without settings of its own. */
async function settingsOfType(
  type: string,
  whole: JsonObject,
  ask: Ask,
): Promise<Omit<HistorySetting, 'history'> | undefined> {
  const route = '/applications/settings_by_channel_custom_type/{custom_type}';
  const answer = await ask({ method: 'GET', route, params: { custom_type: type } });
  if (!('body' in answer)) return undefined;
  return {
    place: `custom_types.${type}`,
    address: addressOf('custom_type', type),
    settings: { ...whole, ...answer.body },
  };
}

function hiddenHistory(seen: readonly HistorySetting[], resources: Iterable<Resource>): HistoryFinding[] {
  const concerned = seen.filter(({ history: { group } }) => group.messages > 0);
  const unknown = concerned.filter(({ settings }) => typeof settings.display_past_message !== 'boolean');
  const hidden = concerned.filter(({ settings }) => settings.display_past_message === false);
  const unsaid = unknown.map(({ history }) => history);
  const notes = unsaid.length === 0 ? [] : [notRead(unsaid, 'its settings do not show display_past_message')];
  if (hidden.length === 0) return notes;
  const [messages, channels] = [sumOf(hidden, 'messages'), sumOf(hidden, 'channels')];
  const declared = declaredVisible(resources);
  const open = hidden.filter(({ address }) => !declared.has(address)).map(({ place }) => place);
  const targets = [...new Set(hidden.map(({ address }) => address))].map((address) => `--target '${address}'`);
  const what =
    open.length === 0
      ? 'The manifests declare it true. Apply that first'
      : `Declare display_past_message: true in ${firstOf([...new Set(open)])} and apply that first`;
  const advice = `${what}, before people become members: chatform apply ${firstOf(targets, ' ')}.`;
  return [
    ...notes,
    {
      code: 'history.hidden',
      message: `On the platform display_past_message is false for ${plural(channels, 'group channel')}, so new members see only messages sent after they joined. They may not see the ${plural(messages, 'message')} of the archives.`,
      advice,
    },
  ];
}

function expiringHistory(seen: readonly HistorySetting[], now: Date): HistoryFinding[] {
  const old = { messages: 0, oldest: Number.POSITIVE_INFINITY, hours: Number.POSITIVE_INFINITY };
  for (const { history, settings } of seen) {
    const hours = settings.message_retention_hours;
    if (typeof hours !== 'number' || hours <= 0) continue;
    const limit = now.getTime() - hours * hourMs;
    const expired = history.batches.filter(({ first }) => first < limit);
    if (expired.length === 0) continue;
    // Of the call that the limit divides, only the first message is known to be older.
    for (const { first, last, count } of expired) {
      old.messages += last < limit ? count : 1;
      old.oldest = Math.min(old.oldest, first);
    }
    old.hours = Math.min(old.hours, hours);
  }
  if (old.messages === 0) return [];
  const all = seen.reduce((sum, { history }) => sum + history.messages, 0);
  const count =
    old.messages === all
      ? `All ${plural(all, 'message')}`
      : `At least ${printNumber(old.messages)} of ${plural(all, 'message')}`;
  const oldest = new Date(old.oldest).toISOString().slice(0, 10);
  return [
    {
      code: 'history.expires',
      message: `The platform keeps messages for ${plural(old.hours, 'hour')} (message_retention_hours). ${count} of the archives are older, the oldest of ${oldest}. No document says whether migrated messages expire by their own time.`,
      advice: 'Ask the vendor’s support before you migrate: only they can change the setting.',
    },
  ];
}

function notRead(histories: readonly History[], reason: string): HistoryFinding {
  const messages = histories.reduce((sum, history) => sum + history.messages, 0);
  const channels = histories.reduce((sum, history) => sum + history.channels, 0);
  return {
    code: 'history.unknown',
    message: `Of ${plural(messages, 'message')} for ${plural(channels, 'channel')} it is not known whether members will see them and how long the platform keeps them: ${reason}.`,
    advice: 'Check display_past_message and message_retention_hours in the vendor’s dashboard.',
  };
}

function sumOf(settings: readonly HistorySetting[], what: 'messages' | 'channels'): number {
  return settings.reduce((sum, { history }) => sum + history.group[what], 0);
}

/** The addresses of the blocks that declare display_past_message: true. */
function declaredVisible(resources: Iterable<Resource>): Set<Address> {
  const addresses = new Set<Address>();
  for (const kind of ['settings', 'custom_type']) {
    for (const { address, attributes } of eachOfKind(resources, kind)) {
      const settings = kind === 'settings' ? mapOf(attributes, 'all_channels') : attributes;
      if (settings.display_past_message === true) addresses.add(address);
    }
  }
  return addresses;
}

/** The first three. */
function firstOf(names: readonly string[], separator = ', '): string {
  const rest = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(separator)}${rest}`;
}
