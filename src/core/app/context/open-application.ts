// Opens an application: its address and limits, and what is known about it from behaviours.
import { type BehavioursFile, decidedBehaviours, knownLimits } from '../../model/behaviours.ts';
import { type Application, type DeclaredApplication, resolveApplication } from './application.ts';
import { behavioursBeside } from './behaviours-beside.ts';
import type { ApplicationOverrides, Ports } from './ports.ts';

/** Refused as `resolveApplication`. `paths` name the manifests; the behaviours may be beside them. */
export function openApplication(
  options: ApplicationOverrides,
  ports: Pick<Ports, 'env' | 'cwd'>,
  declared: DeclaredApplication | undefined,
  paths: readonly string[],
): Promise<Application> {
  return withBehaviours(resolveApplication(options, ports, declared), behavioursBeside(paths, ports));
}

/** Adds the first behaviours that are about this application. */
export async function withBehaviours(
  application: Application,
  candidates: AsyncIterable<BehavioursFile> | Iterable<BehavioursFile>,
): Promise<Application> {
  for await (const behaviours of candidates) {
    if (behaviours.application !== application.identity) continue;
    const decided = decidedBehaviours(behaviours);
    const length = decided.get('messageLength');
    const measuredRates = {
      known: knownLimits(behaviours),
      ...(typeof length === 'number' ? { messageLength: length } : {}),
    };
    return { ...application, behaviours, decided, rates: { ...measuredRates, ...application.rates } };
  }
  return application;
}
