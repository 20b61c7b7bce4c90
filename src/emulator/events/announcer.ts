// Sends the events of each request to the webhook of the application and to bots, as their settings say.

import type { Readings } from '../api/readings.ts';
import type { RecordChange } from '../stored/changes.ts';
import type { State } from '../stored/state.ts';
import { BOT_CATEGORY, botCallbacksOf } from './bot-callbacks.ts';
import type { Deliveries } from './deliveries.ts';
import { eventsOf } from './events.ts';

export interface Committed {
  readonly changes: readonly RecordChange[];
  readonly nowMs: number;
  /** "METHOD template" of the request. */
  readonly route: string;
}

export class Announcer {
  readonly #deliveries: Deliveries;
  readonly #state: State;
  readonly #readings: Readings;

  constructor(deliveries: Deliveries, state: State, readings: Readings) {
    this.#deliveries = deliveries;
    this.#state = state;
    this.#readings = readings;
  }

  announce(committed: Committed): void {
    const state = this.#state;
    const { enabled, url, enabled_events: subscribed, include_members } = state.setting('webhook') ?? {};
    if (enabled === true && typeof url === 'string' && Array.isArray(subscribed)) {
      const context = { ...committed, state, readings: this.#readings, includesMembers: include_members === true };
      for (const { category, body } of eventsOf(committed.changes, context))
        if (subscribed.includes(category)) this.#deliveries.send({ kind: 'webhook', category, url, body });
    }
    if (state.bots.size === 0) return;
    for (const { bot, body } of botCallbacksOf(committed.changes, state))
      this.#deliveries.send({ kind: 'bot', category: BOT_CATEGORY, url: bot.bot.callbackUrl, body });
  }
}
