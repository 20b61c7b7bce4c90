// The header of a state, in each head and in the first line of a copy: the format, the lineage and the application.
import type { StateHeader } from '../../model/ports.ts';
import { corrupt, newerFormat, otherApplication } from './refusals.ts';

/** The only format so far. Any other one is that of a later version. */
export const stateFormat = 'chatform-state/1';

/** Returns the header in a parsed first line. The line may have other members. Throws a Refusal. */
export function readHeader(
  line: Readonly<Record<string, unknown>> | undefined,
  state: string,
  name: string,
): StateHeader {
  const { format, lineage, application } = line ?? {};
  if (typeof format !== 'string' || !format.startsWith('chatform-state/')) {
    throw corrupt(state, `${name} line 1`, 'is not the header of a chatform state');
  }
  if (format !== stateFormat) throw newerFormat(state, format);
  if (typeof lineage !== 'string' || typeof application !== 'string') {
    throw corrupt(state, `${name} line 1`, 'lacks the lineage or the application');
  }
  return { format, lineage, application };
}

/** Throws a Refusal if the state belongs to another application (semantics §10.5). */
export function checkApplication(header: StateHeader | undefined, application: string, state: string): void {
  if (header === undefined || header.application === application) return;
  throw otherApplication(state, header.application, application);
}
