// The formats of state, and the upgrades from older ones to the current one.
import type { StateEntry, StateRecord } from '../model/record.ts';

/** Upgrades from one format to the next. Digests and begins do not change. */
export interface FormatUpgrade {
  record(record: StateRecord): StateRecord;
  /** An entry of a journal that was written in the older format. */
  entry(entry: StateEntry): StateEntry;
}

export interface StateFormats {
  /** The format that is written. */
  readonly current: number;
  /** By the format that they upgrade from: one for every format before the current one. */
  readonly upgrades: Readonly<Record<number, FormatUpgrade>>;
}

/** The first format is the current one. */
export const stateFormats: StateFormats = { current: 1, upgrades: {} };

const prefix = 'chatform-state/';

export function stateFormatName(version: number): string {
  return `${prefix}${version}`;
}

/** Undefined when it is not a format of chatform. */
export function stateFormatVersion(format: string): number | undefined {
  const digits = format.startsWith(prefix) ? format.slice(prefix.length) : '';
  return /^[1-9]\d{0,5}$/u.test(digits) ? Number(digits) : undefined;
}

/** The upgrade from a format to the current one; the current format is left as it is. */
export function upgradeFrom(format: string, { current, upgrades }: StateFormats): FormatUpgrade {
  let all: FormatUpgrade = { record: (record) => record, entry: (entry) => entry };
  for (let version = stateFormatVersion(format) ?? current; version < current; version += 1) {
    const before = all;
    const next = upgrades[version];
    if (next === undefined) continue;
    all = {
      record: (record) => next.record(before.record(record)),
      entry: (entry) => next.entry(before.entry(entry)),
    };
  }
  return all;
}
