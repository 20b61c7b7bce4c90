// What is to be said about the messages that history files bring: that members may not see them, that they may expire, or that
// neither is known.

import type { JsonValue } from '../../../lib/json.ts';
import { chatformCommand, onlyAddress } from '../../../lib/tools/pasted-words.ts';
import { firstOf, plural, printNumber } from '../../../lib/words.ts';
import type { Address } from '../../model/address.ts';
import type { BehaviourValue } from '../../model/behaviours.ts';
import type { History } from './histories.ts';

/**
 * What an apply does with display_past_message before it creates channels. `created_without`: it creates the settings of a custom
 * type, which do not declare the switch.
 */
export type Switch = 'on' | 'off' | 'created_without';

/** The settings that count for a history, the block that declares them, and its address. */
export interface HistorySetting {
  readonly history: History;
  /** The platform's value of display_past_message. */
  readonly shown: JsonValue | undefined;
  /** The platform's value of message_retention_hours. */
  readonly retention: JsonValue | undefined;
  readonly planned: Switch | undefined;
  readonly place: string;
  readonly address: Address;
}

export interface HistoryFinding {
  /** A code of schema/diagnostics.md. */
  readonly code: 'history.hidden' | 'history.expires' | 'history.unknown';
  readonly message: string;
  /** Sentences, whether or not `policy.history` accepts the finding. */
  readonly advice: string;
  /** A clause: when people may accept it. */
  readonly acceptableIf: string;
}

const hourMs = 3_600_000;

/** `line`: the decided behaviour `historyLine`. */
export function hiddenHistory(settings: readonly HistorySetting[], line: BehaviourValue | undefined): HistoryFinding[] {
  // Members of this application have no line before which they see nothing.
  if (line === 'none') return [];
  const concerned = settings.filter(({ history: { group } }) => group.messages > 0);
  // Settings of a custom type that state does not know may exist on the platform.
  const isLive = ({ planned, shown }: HistorySetting) =>
    planned === undefined || (planned === 'created_without' && shown !== undefined);
  const unplanned = concerned.filter(isLive);
  const hidden = [
    ...unplanned.filter(({ shown }) => shown === false),
    ...concerned.filter(({ planned }) => planned === 'off'),
  ];
  const unsaid = unplanned.filter(({ shown }) => typeof shown !== 'boolean');
  const created = concerned.filter((setting) => setting.planned === 'created_without' && !isLive(setting));
  const late = concerned.filter(
    ({ planned, shown, history: { group } }) => planned === 'on' && shown !== true && group.standing > 0,
  );
  return [
    ...(hidden.length === 0 ? [] : [isHidden(hidden, line)]),
    ...(late.length === 0 ? [] : [isTurnedOn(late)]),
    ...(unsaid.length === 0 ? [] : [notRead(historiesOf(unsaid), 'its settings do not show display_past_message')]),
    ...(created.length === 0 ? [] : [notRead(historiesOf(created), createdWithout(created), declareIn(created))]),
  ];
}

function isHidden(hidden: readonly HistorySetting[], line: BehaviourValue | undefined): HistoryFinding {
  const { messages, channels, people } = amountsOf(historiesOf(hidden));
  const where = hidden.every(({ planned }) => planned === 'off') ? 'As declared' : 'On the platform';
  const means =
    line === undefined
      ? 'so by the vendor’s pages, new members see only messages sent after they joined'
      : `and members of this application see only messages sent after ${line === 'invitation' ? 'their invitation' : 'they joined'}`;
  const effect = line === undefined ? 'may not see' : 'do not see';
  const addresses = [...new Set(hidden.map(({ address }) => address))];
  const targets = addresses.slice(0, 3).flatMap((address) => ['--target', onlyAddress(address)]);
  const others = addresses.length > 3 ? `, and the same for ${addresses.length - 3} more` : '';
  return {
    code: 'history.hidden',
    message: `${where}, display_past_message is false for ${plural(channels, 'group channel')}, ${means}. Their ${people} ${effect} the ${plural(messages, 'message')} of the history files.`,
    advice: `${declareIn(hidden)}; for channels that exist already, apply it before people join: ${chatformCommand('apply', ...targets)}${others}.`,
    acceptableIf: 'history may stay hidden',
  };
}

/** The members of existing channels joined while the switch was off. */
function isTurnedOn(late: readonly HistorySetting[]): HistoryFinding {
  const { messages, people } = amountsOf(historiesOf(late));
  const standing = late.reduce((sum, { history: { group } }) => sum + group.standing, 0);
  return {
    code: 'history.unknown',
    message: `The plan turns display_past_message on, but ${plural(standing, 'group channel')} with members from before ${standing === 1 ? 'exists' : 'exist'} already. No document says whether a later change counts for them. Their ${people} may not see the ${plural(messages, 'message')} of the history files.`,
    advice: 'Ask the vendor’s support. After the apply, chatform verify --as-member shows it.',
    acceptableIf: 'it does not matter',
  };
}

function createdWithout(created: readonly HistorySetting[]): string {
  return `${firstOf(placesOf(created), 3)} replaces settings.all_channels and does not declare display_past_message`;
}

function declareIn(settings: readonly HistorySetting[]): string {
  return `Declare display_past_message: true in ${firstOf(placesOf(settings), 3)}, which an apply sends before it creates channels`;
}

/** `retention`: the decided behaviour `migrationRetention`. */
export function expiringHistory(
  settings: readonly HistorySetting[],
  now: Date,
  retention: BehaviourValue | undefined,
): HistoryFinding[] {
  // The platform keeps migrated messages, or counts their age from the migration.
  if (retention === 'none' || retention === 'by_arrival') return [];
  const old = { messages: 0, oldest: Number.POSITIVE_INFINITY, hours: Number.POSITIVE_INFINITY };
  for (const { history, retention: hours } of settings) {
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
  const messageCount = settings.reduce((sum, { history }) => sum + history.messages, 0);
  const some = `At least ${printNumber(old.messages)} of ${plural(messageCount, 'message')} of the history files are older`;
  const every =
    messageCount === 1
      ? 'The message of the history files is older'
      : `All ${printNumber(messageCount)} messages of the history files are older`;
  const count = old.messages === messageCount ? every : some;
  const oldest = new Date(old.oldest).toISOString().slice(0, 10);
  const means =
    retention === undefined
      ? 'No document says whether migrated messages expire by their own time.'
      : 'This application deletes migrated messages by their own time.';
  return [
    {
      code: 'history.expires',
      message: `The platform keeps messages for ${plural(old.hours, 'hour')} (message_retention_hours). ${count}, the oldest of ${oldest}. ${means}`,
      advice: 'Ask the vendor’s support before you migrate: only they can change the setting.',
      acceptableIf: 'the messages may be deleted',
    },
  ];
}

export function notRead(
  histories: readonly History[],
  reason: string,
  advice = 'Check display_past_message and message_retention_hours in the vendor’s dashboard',
): HistoryFinding {
  const messages = histories.reduce((sum, history) => sum + history.messages, 0);
  const channels = histories.reduce((sum, history) => sum + history.channels, 0);
  const group = amountsOf(histories);
  const isOpen = group.messages === 0;
  const where = `${plural(channels, 'channel')}${isOpen ? '' : ` with ${group.people}`}`;
  const what = `${isOpen ? '' : 'whether members will see them and '}how long the platform keeps them`;
  return {
    code: 'history.unknown',
    message: `Of ${plural(messages, 'message')} for ${where} it is not known ${what}: ${reason}.`,
    advice: `${advice}.`,
    acceptableIf: 'you know both',
  };
}

function historiesOf(settings: readonly HistorySetting[]): History[] {
  return settings.map(({ history }) => history);
}

function amountsOf(histories: readonly History[]): { messages: number; channels: number; people: string } {
  const people = new Set<string>();
  for (const { group } of histories) for (const id of group.people) people.add(id);
  return {
    messages: histories.reduce((sum, { group }) => sum + group.messages, 0),
    channels: histories.reduce((sum, { group }) => sum + group.channels, 0),
    people: plural(people.size, 'declared member'),
  };
}

function placesOf(settings: readonly HistorySetting[]): string[] {
  return [...new Set(settings.map(({ place }) => place))];
}

/** The first three. */
