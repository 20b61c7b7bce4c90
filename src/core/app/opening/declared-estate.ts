// Opens what most use cases begin with: valid manifests, their application, and the place of its state. Later stages take these
// values and open nothing of it again.
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Policy } from '../../model/policy.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { behavioursBeside } from '../context/behaviours-beside.ts';
import { withBehaviours } from '../context/open-application.ts';
import { openStateAt, type StateAt } from '../context/open-state.ts';
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

export interface DeclaredEstate extends Declared, StateAt {}

/** Manifests that were loaded before, such as those under review, and the behaviours that count for them. */
export interface LoadedRules {
  readonly manifest: LoadedManifest;
  readonly behaviours: Parameters<typeof withBehaviours>[1];
}

interface OpeningEstate {
  readonly loaded?: LoadedRules | undefined;
  /** Whether nothing is sent to the application, so that it may be unknown. */
  readonly sendsNothing?: (policy: Policy) => boolean;
}

/** Refused for invalid manifests or an untrusted host (65), and a missing application (64). */
export async function openDeclared(
  options: DeclaredOptions,
  ports: Ports,
  loading: LoadDeclaredOptions = {},
): Promise<Declared> {
  const manifest = await loadValid(options.paths, ports, loading);
  const behaviours = behavioursBeside(options.paths, ports);
  return { manifest, application: await applicationOf({ manifest, behaviours }, options, ports) };
}

/** Refused as `openDeclared`, and for an invalid place (64). */
export async function openDeclaredEstate(
  options: DeclaredEstateOptions,
  ports: Ports,
  { loaded, sendsNothing = () => false }: OpeningEstate = {},
): Promise<DeclaredEstate> {
  const manifest = loaded?.manifest ?? (await loadValid(options.paths, ports));
  const mayBeUnknown = sendsNothing(manifest.policy);
  const resolved = resolveApplication(options, ports, manifest.application, { mayBeUnknown });
  const { placed, backend } = await openStateAt(manifest.statePlace, options, ports);
  const behaviours = loaded?.behaviours ?? behavioursBeside(options.paths, ports);
  return {
    manifest,
    application: await withBehaviours(await asStateKnows(resolved, backend), behaviours),
    placed,
    backend,
  };
}

/**
 * The application of manifests. With `mayBeUnknown`, its base URL may lack its variable. Refused without an application (64), and
 * for an untrusted host (65).
 */
export async function applicationOf(
  { manifest, behaviours }: LoadedRules,
  options: ApplicationOverrides,
  ports: Pick<Ports, 'env'>,
  identityOptions: { readonly mayBeUnknown?: boolean; readonly backend?: UpkeepBackend } = {},
): Promise<Application> {
  const resolved = resolveApplication(options, ports, manifest.application, identityOptions);
  return withBehaviours(await asStateKnows(resolved, identityOptions.backend), behaviours);
}

/** Without the variable of the base URL, a state with a single application determines the application. */
async function asStateKnows(application: Application, backend: UpkeepBackend | undefined): Promise<Application> {
  if (application.target.type !== 'unknown' || backend === undefined) return application;
  const [identity, ...others] = await backend.applications();
  return identity === undefined || others.length > 0 ? application : { ...application, identity };
}
