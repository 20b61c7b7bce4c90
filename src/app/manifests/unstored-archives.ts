// Refuses archives of channels that are ephemeral on the platform, though no manifest says so: they would vanish.
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Resource } from '../../model/resource.ts';
import { messages } from '../../resources/messages/messages.ts';
import { textOf } from '../../resources/values.ts';
import { invalidManifests } from './load-declared.ts';

/** `ephemeral`: channels of which the platform says that it stores no message. Refused (65), as if they were declared so. */
export function refuseUnstoredArchives(resources: Iterable<Resource>, ephemeral: ReadonlySet<Address>): void {
  if (ephemeral.size === 0) return;
  const diagnostics: Diagnostic[] = [];
  for (const { address, attributes: after, source } of resources) {
    const key = keyOf(address);
    if (kindOf(address) !== messages.kind || !ephemeral.has(addressOf(textOf(after, 'channel') ?? '', key))) continue;
    const parent = () => ({ is_ephemeral: true });
    const problems = messages.checks({ type: 'create', address, key, before: {}, after, attributes: [], parent });
    for (const { path: _archive, ...problem } of problems) diagnostics.push({ ...problem, address, source });
  }
  if (diagnostics.length > 0) throw invalidManifests(diagnostics);
}
