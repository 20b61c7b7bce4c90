// The header of a state, in each head and in the first line of a copy: the format, the lineage and the application.
import type { StateHeader } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import { corrupt, newerFormat, otherApplication } from './refusals.ts';

/** Upgrades from one format to the next. Digests and begins do not change. */
export interface FormatUpgrade {
  record(record: StateRecord): StateRecord;
  /** Upgrades a journal entry that was written in the older format. */
  entry(entry: StateEntry): StateEntry;
}

export interface StateFormats {
  /** The format of new files. */
  readonly current: number;
  /** By older format, its upgrade to the next one. */
  readonly upgrades: Readonly<Record<number, FormatUpgrade>>;
}

/** The first format is the current one. */
export const stateFormats: StateFormats = { current: 1, upgrades: {} };

const prefix = 'chatform-state/';

export function stateFormatName(version: number): string {
  return `${prefix}${version}`;
}

/** Returns undefined if the text does not name a format of chatform. */
export function stateFormatVersion(format: string): number | undefined {
  const digits = format.startsWith(prefix) ? format.slice(prefix.length) : '';
  return /^[1-9]\d{0,5}$/u.test(digits) ? Number(digits) : undefined;
}

/** Returns the upgrade from a format to the current one. It leaves the current format as it is. */
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

/** Returns the header in a parsed first line, in its own format. The line may have other members. Throws a Refusal. */
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

/** Throws a Refusal if the state belongs to another application (semantics §10.5). */
export function checkApplication(header: StateHeader | undefined, application: string, state: string): void {
  if (header === undefined || header.application === application) return;
  const found = header.application;
  const differsInPort = identityWithoutPort(application) === (identityWithoutPort(found) ?? found);
  throw otherApplication(state, found, application, differsInPort);
}

/** Returns the identity that versions up to 0.2.0 gave a loopback address, without its port. Undefined for other addresses. */
export function identityWithoutPort(application: string): string | undefined {
  const [, host, path] = /^(localhost|127(?:\.\d+){3}|\[::1\]):\d+(\/.*)$/u.exec(application) ?? [];
  return host === undefined ? undefined : `${host}${path}`;
}
