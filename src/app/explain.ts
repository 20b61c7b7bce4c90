// Explains one object. Plans everything, since the steps of one object wait for others, and looks at one address.
import { InternalError } from '../lib/errors.ts';
import { type Address, kindOf, parseAddress } from '../model/address.ts';
import { usage } from '../model/errors.ts';
import type { ObjectExplanation } from '../model/explanation.ts';
import type { Resource } from '../model/resource.ts';
import { explainObject } from '../planner/explain.ts';
import { registry } from '../resources/index.ts';
import { loadValid } from './manifests/load-declared.ts';
import { nowOf, planManifests } from './manifests/plan-manifests.ts';
import { meansNothing } from './manifests/targets.ts';
import type { ApplicationOptions, StateOptions } from './options.ts';
import { resolveApplication } from './session/application.ts';
import type { ReadPorts } from './session/connect.ts';
import { inDoubt } from './session/in-doubt.ts';
import { openState, type StatePorts } from './session/open-state.ts';

export interface ExplainAddressOptions extends ApplicationOptions, StateOptions {
  /** `kind.key` */
  readonly address: string;
  readonly paths: readonly string[];
  /** Reads the object, which needs a token. */
  readonly refresh?: boolean | undefined;
}

/** Refused (64) for an address that is none, or that is neither declared nor in state. */
export async function explainAddress(
  options: ExplainAddressOptions,
  ports: ReadPorts & StatePorts,
): Promise<ObjectExplanation> {
  const address = parseAddress(options.address);
  if (address === undefined) {
    throw usage(
      `"${options.address}" is no address.`,
      'Write it as kind.key: chatform explain group_channel.support-42.',
    );
  }
  const manifest = await loadValid(options.paths, ports);
  const application = resolveApplication(options, ports, manifest.application);
  const state = await (await openState(options, ports)).read(application.identity);
  const resource = find(manifest.resources, address);
  const record = state.get(address);
  if (resource === undefined && record === undefined) {
    throw meansNothing([address], 'ADDRESS', [manifest.resources, state.records()]);
  }
  const kind = registry.find((one) => one.kind === kindOf(address));
  if (kind === undefined) throw new InternalError(`no kind of ${address}`);
  const found =
    options.refresh === true
      ? await (await import('./live/refresh.ts')).refreshOne({ resource, record }, application, ports)
      : undefined;
  // What is explained is not applied, so that nothing is refused for what is missing elsewhere.
  const { plan, problems, refusals } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    isComparison: true,
    live: found?.live,
  });
  return explainObject({
    address,
    kind,
    resource,
    record,
    removed: manifest.removed,
    policy: manifest.policy,
    plan,
    ...(found?.object === undefined ? {} : { found: found.object }),
    diagnostics: [...problems, ...refusals, ...inDoubt(state.pending, address)],
  });
}

/** Ends early: resources may be read from disk one by one. */
function find(resources: Iterable<Resource>, address: Address): Resource | undefined {
  for (const resource of resources) if (resource.address === address) return resource;
  return undefined;
}
