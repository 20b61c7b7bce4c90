// Loads the manifests of a use case, with the cache of message archives.
import { join } from 'node:path';
import { environmentName } from '../../manifest/blocks/variables.ts';
import type { LoadedManifest, LoadOptions } from '../../manifest/load.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { ArchiveCache } from '../archives/archive-cache.ts';
import { temporarySpool } from '../output-files.ts';
import type { Ports } from '../ports.ts';
import { allowedHostsOf } from '../session/allowed-hosts.ts';

/** What is known of so many archives stays in memory; of more, all in a temporary file. */
const archivesInMemory = 16;

export type LoadPorts = Pick<Ports, 'env' | 'cwd' | 'clock'>;

export interface LoadDeclaredOptions extends Pick<LoadOptions, 'files' | 'rules'> {
  /** A missing `CHATFORM_VAR_…`: a warning where nothing is sent, so that forks without secrets can validate and plan. */
  readonly missingVariables?: 'warn' | 'error';
  /** The platform may be told to call any host, since it does so already. */
  readonly trustsHosts?: boolean;
}

/**
 * Files or folders; without paths the current folder. `files` replaces the disk, `rules` the manifests' own policy.
 * Problems are in the result. Refused (64) when a path is a saved plan.
 */
export async function loadDeclared(
  paths: readonly string[],
  { env, cwd, clock }: LoadPorts,
  { missingVariables = 'warn', files, rules, trustsHosts = false }: LoadDeclaredOptions = {},
): Promise<LoadedManifest> {
  const [{ loadManifests }, { registry }] = await Promise.all([
    import('../../manifest/load.ts'),
    import('../../resources/index.ts'),
  ]);
  // A commit's files are read through git, and the cache knows files of the disk.
  const folder = join(cwd, '.chatform/cache');
  const cache = files === undefined ? new ArchiveCache(folder, () => clock.date().getTime()) : undefined;
  const loaded = loadManifests(paths.length === 0 ? ['.'] : paths, {
    cwd,
    kinds: registry,
    variables: (name) => env[environmentName(name)],
    isSecret: (name) => isApiToken(env[environmentName(name)], env),
    missingVariables,
    allowedHosts: trustsHosts ? 'all' : allowedHostsOf(env),
    collect: temporarySpool(archivesInMemory).collect,
    ...(cache === undefined ? {} : { knownArchives: cache }),
    ...(files === undefined ? {} : { files }),
    ...(rules === undefined ? {} : { rules }),
  });
  const manifest = await loaded.finally(() => cache?.end());
  if (files === undefined && hasErrors(manifest.diagnostics)) await refuseSavedPlans(paths, cwd);
  return manifest;
}

/** A name that holds the token by mistake would be shown and looked up as any other. */
function isApiToken(value: string | undefined, { CHATFORM_API_TOKEN: token }: LoadPorts['env']): boolean {
  return token !== undefined && token.trim() !== '' && value?.trim() === token.trim();
}

/** `loadDeclared` for use cases that need valid manifests: refused (65) with all problems when there is an error. */
export async function loadValid(
  paths: readonly string[],
  ports: LoadPorts & Pick<Ports, 'notify'>,
  options?: LoadDeclaredOptions,
): Promise<LoadedManifest> {
  const manifest = await loadDeclared(paths, ports, options);
  const { diagnostics } = manifest;
  if (hasErrors(diagnostics)) throw invalidManifests(diagnostics);
  if (diagnostics.length > 0) ports.notify({ type: 'remarks', diagnostics });
  return manifest;
}

/** The application of the manifests in the working folder, for use cases that need nothing else of them. */
export async function declaredApplication(ports: LoadPorts): Promise<LoadedManifest['application']> {
  const { application, diagnostics } = await loadDeclared([], ports);
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'manifest.no-manifests');
  if (application === undefined && errors.length > 0) throw invalidManifests(diagnostics);
  return application;
}

export function invalidManifests(diagnostics: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'manifest.invalid',
    exitCode.invalid,
    'The manifests cannot be used as they are.',
    'Fix what is listed above; nothing was changed.',
    { diagnostics },
  );
}

/** Read as a manifest, a saved plan gives an error for every line, though one thing is wrong. */
async function refuseSavedPlans(paths: readonly string[], cwd: string): Promise<void> {
  const { beginsAsPlan } = await import('../saved-plan/plan-file.ts');
  for (const path of paths) {
    if (!(await beginsAsPlan(path, cwd))) continue;
    throw usage(
      `${path} is a saved plan, not a manifest.`,
      `chatform show ${path} shows it, and chatform apply ${path} runs it; give no other paths with it.`,
    );
  }
}
