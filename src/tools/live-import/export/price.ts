// Says what an export costs before it reads what is expensive: histories, marks, and hidden channels.

import { pageSize } from '../../../core/history/searching/batch-search.ts';
import { messagesRoute } from '../../../core/history/sending/requests.ts';
import { lowerBoundOf } from '../../../core/model/calls/loads.ts';
import type { ExportPrice } from '../../../core/model/event.ts';
import type { LimitsOf } from '../../../core/model/limits.ts';
import type { LiveReader } from '../../../core/refresh/send.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** The number of channels whose messages are counted. The platform counts one channel for each request. */
const maxCounted = 100;

export interface PricedChannel {
  readonly kind: string;
  readonly key: string;
  readonly attributes: JsonObject;
  /** Messages that are there already. */
  readonly written: number;
}

export interface Priced {
  /** Those whose history is to be read, several times. */
  readonly channels: () => Iterable<PricedChannel>;
  readonly reactions: boolean;
  /** Users whose hidden channels are to be read. */
  readonly users: number;
}

/** Counts the messages of at most a hundred channels, spread evenly, and takes the others to be like them. */
export async function priceOf(priced: Priced, reader: LiveReader, limitsOf: LimitsOf): Promise<ExportPrice> {
  let [channels, pinned] = [0, 0];
  for (const { kind, attributes } of priced.channels()) {
    channels += 1;
    if (priced.reactions && kind === 'group_channel' && attributes.is_super !== true) pinned += 1;
  }
  const every = Math.max(1, Math.ceil(channels / maxCounted));
  const counted = [...everyOf(priced.channels(), every)];
  const totals = await Promise.all(counted.map((channel) => messagesIn(channel, reader)));
  const share = counted.length === 0 ? 0 : channels / counted.length;
  const messages = Math.round(sum(totals) * share);
  const reads = Math.round(sum(totals.map(requestsFor)) * share);
  const kinds = [
    { what: 'messages', objects: messages, requests: reads, route: messagesRoute('group_channel') },
    { what: 'pins', objects: pinned, requests: pinned, route: '/group_channels/{channel_url}' },
    {
      what: 'hidden_channels',
      objects: priced.users,
      requests: priced.users,
      route: '/users/{user_id}/my_group_channels',
    },
  ] as const;
  return {
    kinds: kinds
      .filter(({ requests }) => requests > 0)
      .map(({ what, objects, requests }) => ({ what, objects, requests })),
    requests: sum(kinds.map(({ requests }) => requests)),
    lower_bound_s: lowerBoundOf(
      kinds.map(({ route, requests }) => ({ method: 'GET', route, calls: requests })),
      limitsOf,
    ),
    is_estimate: every > 1,
  };
}

function* everyOf<T>(all: Iterable<T>, every: number): Generator<T> {
  let place = 0;
  for (const item of all) {
    if (place % every === 0) yield item;
    place += 1;
  }
}

async function messagesIn({ kind, key, written }: PricedChannel, reader: LiveReader): Promise<number> {
  const said = await reader.send({
    method: 'GET',
    route: `${messagesRoute(kind)}/total_count`,
    params: { channel_url: key },
  });
  const total = said.type === 'ok' && typeof said.body.total === 'number' ? said.body.total : 0;
  return Math.max(0, total - written);
}

/** The count, and the pages: each but the first repeats the last message of the page before, and the last shows nothing new. */
function requestsFor(messages: number): number {
  return messages === 0 ? 2 : 3 + Math.ceil(Math.max(0, messages - pageSize) / (pageSize - 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
