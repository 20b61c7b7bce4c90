// Whose state is a file, and can this version read it? The first line of a snapshot and of a journal.
import type { StateHeader } from '../model/ports.ts';
import { type StateFormats, stateFormatVersion } from './format.ts';
import { corrupt, newerFormat, otherApplication } from './refusals.ts';

/** The header in a parsed first line, in the format that it was written in. Other members are left to the caller. */
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

/** A state never meets another application (semantics §10). */
export function checkApplication(header: StateHeader | undefined, application: string, state: string): void {
  if (header !== undefined && header.application !== application) {
    throw otherApplication(state, header.application, application);
  }
}

/** Files of one folder belong together. */
export function checkLineage(header: StateHeader, expected: StateHeader, state: string, name: string): void {
  if (header.lineage !== expected.lineage || header.application !== expected.application) {
    throw corrupt(state, `${name} line 1`, `names another lineage or application than the rest of the folder`);
  }
}
