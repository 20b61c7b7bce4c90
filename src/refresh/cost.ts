// What does a refresh cost: how many requests of each kind, and how long at least?
import type { LimitsOf } from '../model/limits.ts';
import type { Batch, Subject } from './subjects.ts';

export interface RefreshCost {
  /** By kind, in the order of reading. `title` is for people. */
  readonly kinds: readonly { readonly title: string; readonly objects: number; readonly requests: number }[];
  /** The busiest list at its limit; what lists cut short comes on top. */
  readonly lower_bound_s: number;
}

export function costOf<S extends Subject>(batches: Iterable<Batch<S>>, limitsOf: LimitsOf): RefreshCost {
  const kinds = new Map<string, { title: string; objects: number; requests: number; rate: number }>();
  for (const { kind, reads, subjects } of batches) {
    const entry = kinds.get(kind.kind) ?? { title: kind.title, objects: 0, requests: 0, rate: 0 };
    const buckets = limitsOf({ method: 'GET', route: reads.list.route });
    const rate = Math.min(...buckets.map(({ calls, windowS, share }) => (calls / windowS) * share));
    kinds.set(kind.kind, {
      ...entry,
      objects: entry.objects + subjects.length,
      requests: entry.requests + 1,
      rate,
    });
  }
  const seconds = [...kinds.values()].map(({ requests, rate }) => (requests - 1) / rate);
  return {
    kinds: Array.from(kinds.values(), ({ title, objects, requests }) => ({ title, objects, requests })),
    lower_bound_s: Math.round(Math.max(0, ...seconds) * 1000) / 1000,
  };
}
