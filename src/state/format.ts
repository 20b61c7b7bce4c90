// Which formats of state are there, and how does one of an older version of chatform become the current one?
import type { StateEntry, StateRecord } from '../model/record.ts';

/** From one format to the next. Digests and begins stay what they are. */
export interface FormatUpgrade {
  record(record: StateRecord): StateRecord;
  /** An entry of a journal that was written in the older format. */
  entry(entry: StateEntry): StateEntry;
}

export interface StateFormats {
  /** What is written. */
  readonly current: number;
  /** By the format that they lead away from. One for every format before the current one. */
  readonly upgrades: Readonly<Record<number, FormatUpgrade>>;
}

/** The first format is the current one: there is nothing older yet. */
export const stateFormats: StateFormats = { current: 1, upgrades: {} };

const prefix = 'chatform-state/';

export function stateFormatName(version: number): string {
  return `${prefix}${version}`;
}

/** Undefined: no format of ours. */
export function stateFormatVersion(format: string): number | undefined {
  const digits = format.startsWith(prefix) ? format.slice(prefix.length) : '';
  return /^[1-9]\d{0,5}$/u.test(digits) ? Number(digits) : undefined;
}

/** All the way from a format that is older than the current one; of the current one nothing changes. */
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
