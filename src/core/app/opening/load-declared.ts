// Loads the manifests of a use case, with the cache of history files.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPath } from '../../../lib/path-streams.ts';
import { demandOwnForm, ForeignFormError } from '../../../lib/tools/foreign-form.ts';
import { environmentName, variableIn, variableNamesIn } from '../../manifest/document/application-variables.ts';
import type { FileAccess } from '../../manifest/files/access.ts';
import { reasonOf } from '../../manifest/files/read-failure.ts';
import type { KnownHistoryFiles } from '../../manifest/history-files/history-files.ts';
import type { LoadedManifest, LoadOptions } from '../../manifest/passes/loaded-manifest.ts';
import { adjusted, hasErrors } from '../../model/diagnostic.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { allowedHostsOf } from '../context/application.ts';
import { ownFile } from '../context/own-file.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { repositoryAround } from '../context/repository.ts';
import { temporarySpool } from '../context/this-process.ts';
import { type CacheSealing, HistoryFileCache } from '../history-files/history-cache.ts';

/** The context that an encrypted cache entry is bound to. */
const sealedPlace = 'history';

export interface LoadDeclaredOptions
  extends Pick<LoadOptions, 'files' | 'rules' | 'base' | 'isForApplication' | 'isForSettings'> {
  /** The severity of a missing `CHATFORM_VAR_…`: a warning where nothing is sent, so that forks can validate and plan. */
  readonly missingVariables?: 'warn' | 'error';
  /** Whether callbacks may name any host, because the platform already calls them. */
  readonly trustsHosts?: boolean;
  /** Whether `files` is the disk with edits of manifests, so that the cache of history files still serves. */
  readonly isEditedDisk?: boolean;
  /** What is known about history files, instead of the cache. */
  readonly knownHistoryFiles?: KnownHistoryFiles;
}

/**
 * Loads files or folders, by default the current folder. `files` replaces the disk, `rules` the policy of the manifests.
 * Problems are in the result. Refused when a path is a saved plan (64) or a half-converted folder (65).
 */
export async function loadDeclared(
  paths: readonly string[],
  { env, cwd, clock, variablesFile }: Pick<Ports, 'env' | 'cwd' | 'clock' | 'variablesFile'>,
  {
    missingVariables = 'warn',
    files,
    rules,
    base,
    isForApplication = false,
    isForSettings = false,
    trustsHosts = false,
    isEditedDisk = false,
    knownHistoryFiles,
  }: LoadDeclaredOptions = {},
): Promise<LoadedManifest> {
  const [{ loadManifests }, { registry }] = await Promise.all([
    import('../../manifest/load.ts'),
    import('../../resources/index.ts'),
  ]);
  // The cache is only for files on disk, not for files of a commit.
  const isOnDisk = files === undefined || isEditedDisk;
  const sealing = isOnDisk ? await cacheSealing({ env, cwd }) : undefined;
  let cache: HistoryFileCache | undefined;
  const opened = (): HistoryFileCache => {
    cache ??= new HistoryFileCache(ownFile(cwd, 'cache'), () => clock.date().getTime(), sealing);
    return cache;
  };
  const cached: KnownHistoryFiles = {
    recall: (reading) => opened().recall(reading),
    keep: (reading, historyFile) => opened().keep(reading, historyFile),
  };
  const historyFileCache = knownHistoryFiles ?? (isOnDisk ? cached : undefined);
  const values = variablesFile === undefined ? undefined : await valuesIn(variablesFile, cwd, files);
  const loaded = loadManifests(paths.length === 0 ? ['.'] : paths, {
    cwd,
    kinds: registry,
    repository: () => repositoryAround(cwd, !isOnDisk),
    variables: (name) => variableIn(env, name),
    variableNames: () => variableNamesIn(env),
    isSecret: (name) => isApiToken(env[environmentName(name)], env),
    missingVariables,
    isForApplication,
    isForSettings,
    allowedHosts: trustsHosts ? 'all' : allowedHostsOf(env),
    collect: temporarySpool().collect,
    collectHistoryFiles: temporarySpool().collect,
    ...(historyFileCache === undefined ? {} : { knownHistoryFiles: historyFileCache }),
    ...(files === undefined ? {} : { files }),
    ...(rules === undefined ? {} : { rules }),
    ...(base === undefined ? {} : { base }),
    ...(values === undefined ? {} : { values }),
  });
  const manifest = await loaded.finally(() => cache?.end());
  if (isForSettings) return manifest;
  if (files === undefined)
    await refuseHalfConverted(
      [...(paths.length === 0 ? ['.'] : paths), ...manifest.files.map(({ file }) => dirname(file))],
      cwd,
    );
  if (files === undefined && hasErrors(manifest.diagnostics)) {
    const { refuseSavedPlans } = await import('../plans/plan-file.ts');
    await refuseSavedPlans(paths, cwd);
  }
  return manifest;
}

/** Whether a variable contains the token by mistake. In the application block its value would be shown and looked up. */
function isApiToken(value: string | undefined, { CHATFORM_API_TOKEN: token }: Ports['env']): boolean {
  return token !== undefined && token.trim() !== '' && value?.trim() === token.trim();
}

/** Loaded only if there is a key. */
async function cacheSealing(ports: Pick<Ports, 'env' | 'cwd'>): Promise<CacheSealing | undefined> {
  const { CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_COMMAND: command } = ports.env;
  if (key === undefined && command === undefined) return undefined;
  const [{ stateSealer }, { sealText, unsealWhole }] = await Promise.all([
    import('../context/state-key.ts'),
    import('../../state/seal/sealed-text.ts'),
  ]);
  const sealer = await stateSealer(ports);
  return {
    seal: (text) => [...sealText([text], sealedPlace, sealer)].join(''),
    unseal: (text) => unsealWhole(text, sealedPlace, sealer, 'the cache'),
  };
}

/** Prefers the version in the commit, because a branch may edit the values. Refused (64) without the file. */
async function valuesIn(name: string, cwd: string, files: FileAccess | undefined) {
  const path = resolve(cwd, name);
  const ofCommit = await files?.readFile(path).catch(() => undefined);
  try {
    const bytes = ofCommit ?? (await readPath(path));
    demandOwnForm(bytes);
    return { name, bytes };
  } catch (error) {
    throw usage(
      `The variables file ${name} cannot be read: ${reasonOf(error)}.`,
      error instanceof ForeignFormError ? 'Nothing was done.' : 'Check the path given to --variables.',
    );
  }
}

/** `loadDeclared` for use cases that need valid manifests. Refused (65) with all problems if there is an error. */
export async function loadValid(
  paths: readonly string[],
  ports: Ports,
  options?: LoadDeclaredOptions,
): Promise<LoadedManifest> {
  const manifest = await loadDeclared(paths, ports, options);
  if (hasErrors(manifest.diagnostics)) {
    const { undecidedProblems } = await import('./undecided.ts');
    const undecided = adjusted(
      await undecidedProblems(manifest, ports.clock.date().getTime()),
      manifest.policy.diagnostics,
    );
    throw invalidManifests([...manifest.diagnostics, ...undecided]);
  }
  notifyRemarks(manifest, ports);
  return manifest;
}

export function notifyRemarks({ diagnostics }: LoadedManifest, ports: Pick<Ports, 'notify'>): void {
  if (diagnostics.length > 0) ports.notify({ type: 'remarks', diagnostics });
}

/** Refuses a folder with files of two conversions: a plan of it would delete objects that only one contains. */
async function refuseHalfConverted(paths: readonly string[], cwd: string): Promise<void> {
  for (const folder of new Set(paths.map((path) => resolve(cwd, path)))) {
    if (!existsSync(join(folder, 'conversion'))) continue;
    const { hasUnfinishedCommit } = await import('../../../lib/staging/staged-files.ts');
    if (!(await hasUnfinishedCommit(folder, 'conversion'))) continue;
    throw new Refusal(
      'convert.unfinished',
      exitCode.invalid,
      `A conversion into ${folder} was interrupted while it replaced the files, so the folder mixes two conversions.`,
      'Convert again, which first completes the interrupted conversion. Nothing was planned.',
    );
  }
}
