// What most use cases start from: valid manifests, the application that they declare, and the place of its state.
import type { LoadedManifest } from '../../manifest/load.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { openState } from '../context/open-state.ts';
import type { ApplicationOptions, Ports, StateOptions } from '../context/ports.ts';
import { loadValid } from './load-declared.ts';

export interface EstateOptions extends ApplicationOptions, StateOptions {
  /** Manifests: files or folders. */
  readonly paths: readonly string[];
}

export interface DeclaredEstate {
  readonly manifest: LoadedManifest;
  readonly application: Application;
  readonly backend: UpkeepBackend;
}

/** Refused for manifests with an error (65), without an application or for a place that cannot be one (64), and for an untrusted host (6). */
export async function openDeclaredEstate(options: EstateOptions, ports: Ports): Promise<DeclaredEstate> {
  const manifest = await loadValid(options.paths, ports);
  const application = resolveApplication(options, ports, manifest.application);
  return { manifest, application, backend: await openState(options, ports) };
}
