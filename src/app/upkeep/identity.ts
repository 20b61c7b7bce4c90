// Finds out whose state is meant where state is looked at or repaired.
import { declaredApplication, type LoadPorts } from '../manifests/load-declared.ts';
import type { ApplicationOptions, LockOptions } from '../options.ts';
import { resolveApplication } from '../session/application.ts';
import type { StatePorts } from '../session/open-state.ts';

export interface UpkeepOptions extends ApplicationOptions, LockOptions {}

export type UpkeepPorts = LoadPorts & StatePorts;

/** The identity of the application of `baseUrl`, or of the manifests in the working folder. */
export async function applicationMeant(options: ApplicationOptions, ports: LoadPorts): Promise<string> {
  const declared = options.baseUrl === undefined ? await declaredApplication(ports) : undefined;
  return resolveApplication(options, ports, declared).identity;
}
