// Explains one object. Plans everything, because the steps of one object wait for steps of others.

import { InternalError } from '../../lib/errors.ts';
import { type Address, parseAddress } from '../model/address.ts';
import { usage } from '../model/errors.ts';
import type { ObjectExplanation } from '../model/explanation.ts';
import type { Resource } from '../model/resource.ts';
import { explainObject } from '../planner/explain.ts';
import { findKind } from '../resources/index.ts';
import type { Ports } from './context/ports.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from './opening/declared-estate.ts';
import { nowOf, planManifests } from './plans/plan-manifests.ts';
import { noteOfDoubt } from './plans/state-notes.ts';
import { meansNothing } from './plans/targets.ts';

export interface ExplainAddressOptions extends DeclaredEstateOptions {
  readonly address: string;
  /** Whether to read the live object, which needs a token. */
  readonly refresh?: string | undefined;
}

/** Refused for an invalid address (64), and for one that is neither declared nor in state (66). */
export async function explainAddress(options: ExplainAddressOptions, ports: Ports): Promise<ObjectExplanation> {
  const address = parseAddress(options.address);
  if (address === undefined) {
    throw usage(
      `"${options.address}" is not an address.`,
      'Write it as kind.key, for example: chatform explain group_channel.support-42',
    );
  }
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  const resource = find(manifest.resources, address);
  const record = state.get(address);
  if (resource === undefined && record === undefined) {
    throw meansNothing([address], 'ADDRESS', [manifest.resources, state.records()]);
  }
  const kind = findKind(address);
  if (kind === undefined) throw new InternalError(`no kind of ${address}`);
  const isRead = options.refresh !== undefined && options.refresh !== 'none';
  const refreshedObject = isRead
    ? await (await import('./plans/refresh.ts')).refreshOne({ resource, record }, application, ports)
    : undefined;
  // Nothing is applied, so missing manifests elsewhere are no reason to refuse.
  const { plan, problems, refusals } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    isComparison: true,
    live: refreshedObject?.live,
  });
  return explainObject({
    address,
    kind,
    resource,
    record,
    removed: manifest.removed,
    policy: manifest.policy,
    plan,
    ...(refreshedObject?.object === undefined ? {} : { found: refreshedObject.object }),
    diagnostics: [...problems, ...refusals, ...noteOfDoubt(state.pending, address)],
  });
}

/** Stops at the first match, because resources may be read from disk one by one. */
function find(resources: Iterable<Resource>, address: Address): Resource | undefined {
  for (const resource of resources) if (resource.address === address) return resource;
  return undefined;
}
