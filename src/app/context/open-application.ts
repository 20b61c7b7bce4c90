// Opens an application: its address and limits, and what is known about it from readings.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FileAccess } from '../../manifest/files/access.ts';
import { decidedReadings, knownLimits, type ReadingsFile } from '../../model/readings.ts';
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
    const known = { known: knownLimits(readings), ...(typeof length === 'number' ? { messageLength: length } : {}) };
    return { ...application, readings, decided, rates: { ...known, ...application.rates } };
  }
  return application;
}

/**
 * The readings in the folders of the manifests, then those in the working folder. `files` are those of a commit, instead of the
 * disk. Refused as `readReadings`.
 */
export async function* readingsBeside(
  paths: readonly string[],
  { cwd }: Pick<Ports, 'cwd'>,
  files?: FileAccess,
): AsyncGenerator<ReadingsFile> {
  const typeOf = async (path: string): Promise<string | undefined> => {
    if (files !== undefined) return (await files.stat(path).catch(() => undefined))?.type;
    const status = await stat(path).catch(() => undefined);
    return status?.isDirectory() === true ? 'folder' : status && 'file';
  };
  const folders = await Promise.all(
    paths.map(async (path) => {
      const place = resolve(cwd, path);
      return (await typeOf(place)) === 'folder' ? place : dirname(place);
    }),
  );
  for (const folder of new Set([...folders, cwd])) {
    const file = ownFile(folder, 'readings');
    if ((await typeOf(file)) === undefined) continue;
    // Loaded on demand, because most applications have no such file.
    const { readReadings } = await import('./readings-file.ts');
    yield await readReadings(file, cwd, files);
  }
}
