// The messages that history files bring to channels, grouped by the settings that decide who sees them: those of a custom type, or
// those of the application.

import type { JsonObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { batchesAfter, type HistoryFile, historyFileOf } from '../../history/lines/history-file.ts';
import { plannedLines } from '../../history/lines/range.ts';
import { LineBlocks } from '../../history/sending/line-blocks.ts';
import { differencesOf } from '../../history/sent/differences.ts';
import { type SentHistoryFile, sentOf } from '../../history/sent/recorded-calls.ts';
import { idsOf, mapOf, textOf } from '../../kinds/definition/values.ts';
import { type Address, keyOf } from '../../model/address.ts';
import { addressAt, firstPlace } from '../../model/addressed-series.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';

/** The messages for channels with the same settings. */
export interface History {
  /** Empty for channels without a custom type. */
  readonly customType: string;
  channels: number;
  messages: number;
  /** The part for group channels. Open channels show their history to everybody who enters (platform §16). */
  readonly group: {
    channels: number;
    messages: number;
    /** The channels that exist already, whose members joined before this plan. */
    standing: number;
    /** The ids of declared members. */
    readonly people: Set<string>;
  };
  /** The calls that send them: the times of the first and last line in milliseconds, and the number of lines. */
  readonly batches: SentTimes[];
}

interface SentTimes {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export interface DeclaredHistoryFiles {
  /** Sorted by address. */
  readonly resources: Series<Resource>;
  /** Absent: nothing is known to exist. */
  readonly state?: Pick<StateSnapshot, 'get'> | undefined;
  /** Whether messages that were sent before count, too. */
  readonly isWhole?: boolean;
  /** Which objects count. All if absent. */
  readonly isWanted?: (address: Address) => boolean;
}

/** The messages that are still to be sent, or all of them. */
export function declaredHistories({ resources, state, isWhole, isWanted }: DeclaredHistoryFiles): History[] {
  const sent = new Map<Address, SentTimes[]>();
  for (const { address, attributes } of eachOfKind(resources, 'messages')) {
    if (isWanted?.(address) === false) continue;
    const record = isWhole === true ? undefined : state?.get(address)?.attributes;
    const batches = unsentBatches(historyFileOf(attributes), sentOf(record ?? {}));
    if (batches.length > 0) sent.set(`${textOf(attributes, 'channel') ?? 'group_channel'}.${keyOf(address)}`, batches);
  }
  const histories = new Histories();
  if (sent.size === 0) return [];
  for (const kind of ['open_channel', 'group_channel']) {
    for (const { address, attributes } of eachOfKind(resources, kind)) {
      const batches = sent.get(address);
      if (batches === undefined) continue;
      sent.delete(address);
      histories.add(address, attributes, batches, state?.get(address) !== undefined);
    }
  }
  for (const [address, batches] of sent) {
    histories.add(address, state?.get(address)?.attributes ?? {}, batches, state?.get(address) !== undefined);
  }
  return histories.all();
}

/** Compares lines: a history file may have lost as many sent lines as it has new ones. */
function unsentBatches(historyFile: HistoryFile, sent: SentHistoryFile): SentTimes[] {
  const { known, late, replies } = differencesOf(historyFile, sent);
  const batches = Array.from(batchesAfter(historyFile, known), ({ block: { first, last }, only, count }) => {
    return { first, last, count: only?.length ?? count };
  });
  const lines = new LineBlocks(historyFile);
  const apart = new Map<number, number>();
  for (const line of [...late, ...replies]) {
    const number = lines.blockOf(line);
    apart.set(number, (apart.get(number) ?? 0) + 1);
  }
  for (const [number, count] of apart) {
    const { first, last } = lines.block(number);
    batches.push({ first, last, count });
  }
  return batches;
}

/** The messages that the steps of a saved plan send. What the steps do not say about a channel is in state. */
export function plannedHistories(steps: Iterable<Step>, state: Pick<StateSnapshot, 'get'>): History[] {
  const sent = new Map<Address, SentTimes[]>();
  const created = new Map<Address, JsonObject>();
  for (const { address, action, request, search } of steps) {
    if (action === 'create' && (request?.route === '/group_channels' || request?.route === '/open_channels')) {
      created.set(address, asDeclared(request.body ?? {}));
    }
    const lines = request?.placeholders?.find(({ type }) => type === 'list');
    if (action !== 'migrate' || search === undefined || lines?.type !== 'list') continue;
    const { count } = plannedLines(lines.source);
    const isOpen = search.read.route.startsWith('/open_channels');
    const channel: Address = `${isOpen ? 'open_channel' : 'group_channel'}.${keyOf(address)}`;
    const first = Number(search.read.query?.message_ts ?? 0);
    sent.set(channel, [...(sent.get(channel) ?? []), { first, last: search.until, count }]);
  }
  const histories = new Histories();
  for (const [address, batches] of sent) {
    const record = state.get(address);
    histories.add(address, created.get(address) ?? record?.attributes ?? {}, batches, record !== undefined);
  }
  return histories.all();
}

/** The attributes of a channel that count here, from the body that creates it. */
function asDeclared(body: JsonObject): JsonObject {
  const members = Object.fromEntries(idsOf(body, 'user_ids').map((id) => [id, {}]));
  return { custom_type: textOf(body, 'custom_type') ?? '', members };
}

class Histories {
  readonly #byType = new Map<string, History>();

  add(channel: Address, attributes: JsonObject, batches: readonly SentTimes[], isStanding: boolean): void {
    const customType = textOf(attributes, 'custom_type') ?? '';
    const history = this.#byType.get(customType) ?? newHistory(customType);
    this.#byType.set(customType, history);
    const messages = batches.reduce((sum, { count }) => sum + count, 0);
    history.channels += 1;
    history.messages += messages;
    for (const batch of batches) history.batches.push(batch);
    if (!channel.startsWith('group_channel.')) return;
    const { group } = history;
    group.channels += 1;
    group.messages += messages;
    if (isStanding) group.standing += 1;
    for (const id of Object.keys(mapOf(attributes, 'members'))) group.people.add(id);
  }

  all(): History[] {
    return [...this.#byType.values()];
  }
}

function newHistory(customType: string): History {
  const group = { channels: 0, messages: 0, standing: 0, people: new Set<string>() };
  return { customType, channels: 0, messages: 0, group, batches: [] };
}

/** Reads only the objects of this kind: there may be a million users. */
export function* eachOfKind<T extends { readonly address: Address }>(sorted: Series<T>, kind: string): Generator<T> {
  const prefix = `${kind}.`;
  for (let place = firstPlace(sorted, prefix); ; place += 1) {
    if (addressAt(sorted, place)?.startsWith(prefix) !== true) return;
    const object = sorted.at(place);
    if (object !== undefined) yield object;
  }
}
