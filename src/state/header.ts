// The header of a state, which is the first line of a snapshot, a journal and a copy, and a row of the database.
import type { StateHeader } from '../model/ports.ts';
import { type StateFormats, stateFormatVersion } from './format.ts';
import { corrupt, newerFormat, otherApplication } from './refusals.ts';

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

/** All files of one folder must have the same lineage and application. */
export function checkLineage(header: StateHeader, expected: StateHeader, state: string, name: string): void {
  if (header.lineage !== expected.lineage || header.application !== expected.application) {
    throw corrupt(state, `${name} line 1`, 'names another lineage or application than the rest of the folder');
  }
}
