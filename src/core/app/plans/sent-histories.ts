// Compares what was sent of history files with what the lists of channels show of it: the last message, and who has read it (semantics §7).

import { lastLineIn, readersBehind, type SentHistory, sentHistoryOf } from '../../history/sent/last-message.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { type Address, addressOf, keyOf } from '../../model/address.ts';
import type { ObservedFacts } from '../../model/live.ts';
import type { Proof } from '../../model/people/comparison.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';
import { maxIds } from '../../planner/live/observed-state.ts';
import { eachOfKind } from '../visibility/histories.ts';

type ChangedHistory = Extract<PlanProblem, { readonly code: 'plan.history-changed' }>['changed'][number];

export class SentHistories {
  readonly #sent = new Map<Address, SentHistory>();
  readonly #changed: ChangedHistory[] = [];
  readonly #absent: string[] = [];
  readonly #proven = { last_message: 0, receipts: 0 };

  constructor(state: Pick<StateSnapshot, 'records'>, isWanted: (address: Address) => boolean) {
    for (const { address, attributes, retired } of eachOfKind(state.records(), 'messages')) {
      const channel = addressOf(textOf(attributes, 'channel') ?? '', keyOf(address));
      const sent = retired === true || !isWanted(address) ? undefined : sentHistoryOf(attributes);
      if (sent !== undefined) this.#sent.set(channel, sent);
    }
  }

  /** Whether the answer about the channel needs the receipts of its members. */
  wantsReceipts(channel: Address): boolean {
    return this.#sent.get(channel)?.readers !== undefined;
  }

  take(channel: Address, { last_message, receipts }: ObservedFacts): void {
    const sent = this.#sent.get(channel);
    if (sent === undefined) return;
    const key = keyOf(channel);
    const lastLineStatus = lastLineIn(sent, last_message);
    if (lastLineStatus === 'there' || lastLineStatus === 'edited') this.#proven.last_message += 1;
    if (lastLineStatus === 'edited') this.#changed.push({ channel: key, how: 'edited' });
    if (lastLineStatus === 'absent') this.#absent.push(key);
    this.#takeReceipts(key, sent, receipts);
  }

  /** How many histories were compared, and notes on those that others changed. */
  end(): { readonly proven: Readonly<Partial<Record<Proof, number>>>; readonly notes: PlanProblem[] } {
    // Whether the platform shows migrated messages as the last one is open. One that it shows settles it for all.
    const lost = this.#proven.last_message === 0 ? [] : this.#absent;
    const changed = [...this.#changed, ...lost.map((channel) => ({ channel, how: 'absent' as const }))];
    const proven = { ...this.#proven, last_message: this.#proven.last_message + lost.length };
    if (changed.length === 0) return { proven, notes: [] };
    const more = Math.max(0, changed.length - maxIds);
    return { proven, notes: [{ code: 'plan.history-changed', changed: changed.slice(0, maxIds), more }] };
  }

  #takeReceipts(channel: string, { at, readers }: SentHistory, receipts: ObservedFacts['receipts']): void {
    if (readers === undefined || receipts === undefined) return;
    const behind = readersBehind(readers, receipts, at);
    if (behind === undefined) return;
    this.#proven.receipts += 1;
    for (const user of behind) this.#changed.push({ channel, how: 'unread', user });
  }
}
