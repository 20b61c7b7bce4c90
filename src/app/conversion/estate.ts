// The application that the folder of a conversion declares.
import { join, resolve } from 'node:path';
import { disk, type FileAccess } from '../../manifest/files/access.ts';
import { Refusal } from '../../model/errors.ts';
import { messageLengths } from '../../model/limits.ts';
import { type Application, type DeclaredApplication, resolveApplication } from '../context/application.ts';
import { withReadings } from '../context/known-readings.ts';
import type { Ports } from '../context/ports.ts';
import { loadDeclared } from '../plans/load-declared.ts';

export type EstatePorts = Pick<Ports, 'env' | 'cwd' | 'clock'>;

/**
 * The longest text that the application of the folder accepts, in Unicode code points. Reads only manifests that people wrote,
 * so it is quick. `generated`: the others, relative to `out`. Refused (65) for a readings file that is not valid.
 */
export async function messageLengthOf(out: string, generated: Iterable<string>, ports: EstatePorts): Promise<number> {
  const { usual } = messageLengths;
  const { application } = await loadDeclared([out], { ...ports, cwd: out }, { files: without(out, generated) });
  if (application === undefined) return usual;
  const { messageLength = usual } = (await resolved(application, out, ports))?.rates ?? {};
  // Manifests with longer texts than usual are only valid if the application declares the length.
  return application.message_length ?? Math.min(messageLength, usual);
}

/** Nothing is sent, so every base URL is trusted. Undefined if the base URL is missing or cannot be used. */
async function resolved(
  declared: DeclaredApplication,
  out: string,
  ports: EstatePorts,
): Promise<Application | undefined> {
  try {
    const application = resolveApplication({ baseUrl: declared.base_url }, ports, declared, { mayBeUnknown: true });
    return await withReadings(application, [out], ports);
  } catch (error) {
    if (error instanceof Refusal && error.code.startsWith('application.')) return undefined;
    throw error;
  }
}

/** The disk without the files that conversions generated in `out`. */
function without(out: string, generated: Iterable<string>): FileAccess {
  const hidden = new Set([...generated].map((name) => join(out, name)));
  return {
    ...disk,
    async listFolder(path) {
      const entries = await disk.listFolder(path);
      return entries.filter(({ name }) => !hidden.has(resolve(path, name)));
    },
  };
}
