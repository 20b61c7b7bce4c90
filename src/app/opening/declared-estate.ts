// Opens what most use cases begin with: valid manifests, their application, and the place of its state. Later stages take these
// values and open nothing of it again.
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import type { Application } from '../context/application.ts';
import { openApplication } from '../context/open-application.ts';
import { openState, withDeclaredState } from '../context/open-state.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../context/ports.ts';
import { type LoadDeclaredOptions, loadValid } from './load-declared.ts';

export interface DeclaredOptions extends ApplicationOverrides {
  /** Manifests: files or folders. */
  readonly paths: readonly string[];
}

export interface DeclaredEstateOptions extends DeclaredOptions, StateOptions {}

export interface Declared {
  readonly manifest: LoadedManifest;
  readonly application: Application;
}

export interface DeclaredEstate extends Declared {
  readonly backend: UpkeepBackend;
  /** The options with the place of the state. */
  readonly placed: StateOptions;
}

/** Refused for invalid manifests (65), a missing application (64), and an untrusted host (6). */
export async function openDeclared(
  options: DeclaredOptions,
  ports: Ports,
  loading: LoadDeclaredOptions = {},
): Promise<Declared> {
  const manifest = await loadValid(options.paths, ports, loading);
  return { manifest, application: await openApplication(options, ports, manifest.application, options.paths) };
}

/** Refused as `openDeclared`, and for an invalid place (64). */
export async function openDeclaredEstate(options: DeclaredEstateOptions, ports: Ports): Promise<DeclaredEstate> {
  const declared = await openDeclared(options, ports);
  const placed = withDeclaredState(options, declared.manifest.statePlace, ports);
  return { ...declared, placed, backend: await openState(placed, ports) };
}
