// Opens an application: its address and limits, and what is known about it from readings.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { decidedReadings, knownLimits } from '../../model/readings.ts';
import { type Application, type DeclaredApplication, resolveApplication } from './application.ts';
import { ownFile } from './output-files.ts';
import type { ApplicationOverrides, Ports } from './ports.ts';

/** Refused as `resolveApplication`. `paths` are those of the manifests, beside which the readings may be. */
export function openApplication(
  options: ApplicationOverrides,
  ports: Pick<Ports, 'env' | 'cwd'>,
  declared: DeclaredApplication | undefined,
  paths: readonly string[],
): Promise<Application> {
  return withReadings(resolveApplication(options, ports, declared), paths, ports);
}

/**
 * Adds the readings from the folder of the manifests, or else from the working folder, if they are about this application.
 */
export async function withReadings(
  application: Application,
  paths: readonly string[],
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<Application> {
  const folders = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(resolve(cwd, path)).catch(() => undefined);
      return found?.isDirectory() === true ? resolve(cwd, path) : dirname(resolve(cwd, path));
    }),
  );
  for (const folder of new Set([...folders, cwd])) {
    const file = ownFile(folder, 'readings');
    if ((await stat(file).catch(() => undefined)) === undefined) continue;
    // Loaded on demand, because most applications have no such file.
    const { readReadings } = await import('./readings-file.ts');
    const readings = await readReadings(file, cwd);
    if (readings.application !== application.identity) continue;
    const decided = decidedReadings(readings);
    const length = decided.get('messageLength');
    const known = { known: knownLimits(readings), ...(typeof length === 'number' ? { messageLength: length } : {}) };
    return { ...application, readings, decided, rates: { ...known, ...application.rates } };
  }
  return application;
}
