// Records the schedule of a rehearsal, the reason for an early stop, and the final contents of state.
import { kindOf } from '../../../model/address.ts';
import type { ApplyEvent } from '../../../model/event.ts';
import type { StateRecord } from '../../../model/record.ts';
import type { KindCount, LaneSchedule } from '../../../model/report.ts';
import { registry } from '../../../resources/index.ts';

export class Schedule {
  readonly #lanes = new Map<string, { fromMs: number; toMs: number; steps: number }>();
  #stopped: string | undefined;

  take(event: ApplyEvent, nowMs: number): void {
    if (event.type === 'run.stopping') this.#stopped ??= event.why;
    if (event.type === 'step.started' && event.route !== undefined && !this.#lanes.has(event.route)) {
      this.#lanes.set(event.route, { fromMs: nowMs, toMs: nowMs, steps: 0 });
    }
    const lane = event.type === 'step.ended' ? this.#lanes.get(event.route ?? '') : undefined;
    if (lane === undefined || event.type !== 'step.ended' || event.outcome === 'skipped') return;
    lane.toMs = nowMs;
    lane.steps++;
  }

  /** Why the run stopped early. Undefined if it started every step it could. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** In the order of their start. */
  get lanes(): readonly LaneSchedule[] {
    return [...this.#lanes]
      .sort(([, left], [, right]) => left.fromMs - right.fromMs)
      .map(([route, { fromMs, toMs, steps }]) => ({ route, from_s: tenths(fromMs), to_s: tenths(toMs), steps }));
  }
}

export function countKinds(records: Iterable<StateRecord>): KindCount[] {
  const counts = new Map(registry.map(({ name: kind }) => [kind, { objects: 0, closed: 0 }]));
  const closing = new Map(registry.map(({ name: kind, disabledState }) => [kind, disabledState.attribute]));
  for (const { address, attributes } of records) {
    const kind = kindOf(address);
    const count = counts.get(kind);
    if (count === undefined) continue;
    count.objects++;
    if (attributes[closing.get(kind) ?? ''] === true) count.closed++;
  }
  return [...counts].map(([kind, count]) => ({ kind, ...count })).filter(({ objects }) => objects > 0);
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10;
}
