// Loads the start of most use cases: valid manifests, their application, and the place of its state.
import type { LoadedManifest } from '../../manifest/load.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { withReadings } from '../context/known-readings.ts';
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

/** Refused for invalid manifests (65), a missing application or an invalid place (64), and an untrusted host (6). */
export async function openDeclaredEstate(options: EstateOptions, ports: Ports): Promise<DeclaredEstate> {
  const manifest = await loadValid(options.paths, ports);
  const resolved = resolveApplication(options, ports, manifest.application);
  const application = await withReadings(resolved, options.paths, ports);
  return { manifest, application, backend: await openState(options, ports) };
}
