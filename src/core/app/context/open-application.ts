// Opens an application: its address and limits, and what is known about it from readings.
import { decidedReadings, knownLimits, type ReadingsFile } from '../../model/readings.ts';
import { type Application, type DeclaredApplication, resolveApplication } from './application.ts';
import type { ApplicationOverrides, Ports } from './ports.ts';
import { readingsBeside } from './readings-beside.ts';

/** Refused as `resolveApplication`. `paths` are those of the manifests, beside which the readings may be. */
export function openApplication(
  options: ApplicationOverrides,
  ports: Pick<Ports, 'env' | 'cwd'>,
  declared: DeclaredApplication | undefined,
  paths: readonly string[],
): Promise<Application> {
  return withReadings(resolveApplication(options, ports, declared), readingsBeside(paths, ports));
}

/** Adds the first readings that are about this application. */
export async function withReadings(
  application: Application,
  candidates: AsyncIterable<ReadingsFile> | Iterable<ReadingsFile>,
): Promise<Application> {
  for await (const readings of candidates) {
    if (readings.application !== application.identity) continue;
    const decided = decidedReadings(readings);
    const length = decided.get('messageLength');
    const measuredRates = {
      known: knownLimits(readings),
      ...(typeof length === 'number' ? { messageLength: length } : {}),
    };
    return { ...application, readings, decided, rates: { ...measuredRates, ...application.rates } };
  }
  return application;
}
