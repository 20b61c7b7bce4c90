// The header of a state, which is part of each head and the first line of a copy: the format, the lineage and the application.
import type { StateHeader } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import { corrupt, newerFormat, otherApplication } from './refusals.ts';

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
    all = { record: (record) => next.record(before.record(record)), entry: (entry) => next.entry(before.entry(entry)) };
  }
  return all;
}

/** The header in a parsed first line, in the format that it was written in. The line may have other members. */
export function readHeader(
  line: Readonly<Record<string, unknown>> | undefined,
  state: string,
  name: string,
  { current }: StateFormats,
): StateHeader {
  const { format, lineage, application } = line ?? {};
  if (typeof format !== 'string' || !format.startsWith('chatform-state/')) {
    throw corrupt(state, `${name} line 1`, 'is not the header of a chatform state');
  }
  if ((stateFormatVersion(format) ?? current + 1) > current) throw newerFormat(state, format);
  if (typeof lineage !== 'string' || typeof application !== 'string') {
    throw corrupt(state, `${name} line 1`, 'lacks the lineage or the application');
  }
  return { format, lineage, application };
}

/** A state is only used for its own application (semantics §10). */
export function checkApplication(header: StateHeader | undefined, application: string, state: string): void {
  if (header === undefined || header.application === application) return;
  const found = header.application;
  const differsInPort = identityWithoutPort(application) === (identityWithoutPort(found) ?? found);
  throw otherApplication(state, found, application, differsInPort);
}

/** What versions up to 0.2.0 bound the state of a loopback address to: they left its port out. */
export function identityWithoutPort(application: string): string | undefined {
  const [, host, path] = /^(localhost|127(?:\.\d+){3}|\[::1\]):\d+(\/.*)$/u.exec(application) ?? [];
  return host === undefined ? undefined : `${host}${path}`;
}
