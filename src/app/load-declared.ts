// What do the manifests say? Loads them, tells all that is wrong with them, and goes on only when nothing is.

import { join } from 'node:path';
import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import type { LoadedManifest, LoadOptions } from '../manifest/load.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { ArchiveCache } from './archives/archive-cache.ts';
import { temporarySpool } from './output-files.ts';

/** What is known of so many archives stays in memory; of more, all in a temporary file. */
const archivesInMemory = 16;

/**
 * `variables: 'warn'` where nothing is sent, so that forks without secrets can validate and plan. `files` in place of
 * the disk; `rules` in place of the manifests' own policy.
 */
export async function loadDeclared(
  paths: readonly string[],
  world: Environment,
  variables: 'warn' | 'error',
  { files, rules }: Pick<LoadOptions, 'files' | 'rules'> = {},
): Promise<LoadedManifest> {
  const [{ loadManifests }, { registry }] = await Promise.all([
    import('../manifest/load.ts'),
    import('../resources/index.ts'),
  ]);
  // A commit's files are read through git, and known by nothing that is written down here.
  const folder = join(world.cwd, '.chatform/cache');
  const known = files === undefined ? new ArchiveCache(folder, () => world.clock.date().getTime()) : undefined;
  const loaded = loadManifests(paths.length === 0 ? ['.'] : paths, {
    cwd: world.cwd,
    kinds: registry,
    variables: (name) => world.env[`CHATFORM_VAR_${name}`],
    missingVariables: variables,
    collect: temporarySpool(archivesInMemory).collect,
    ...(known === undefined ? {} : { knownArchives: known }),
    ...(files === undefined ? {} : { files }),
    ...(rules === undefined ? {} : { rules }),
  });
  const manifest = await loaded.finally(() => known?.end());
  if (files === undefined && hasErrors(manifest.diagnostics)) await refuseSavedPlans(paths, world.cwd);
  return manifest;
}

/** Read as a manifest, a saved plan gives an error for every line; what is wrong is one thing. */
async function refuseSavedPlans(paths: readonly string[], cwd: string): Promise<void> {
  const { beginsAsPlan } = await import('./saved-plan/read-plan.ts');
  for (const path of paths) {
    if (!(await beginsAsPlan(path, cwd))) continue;
    throw usage(
      `${path} is a saved plan, and no manifest.`,
      `chatform show ${path} shows it, and chatform apply ${path} runs it; they take nothing besides.`,
    );
  }
}

/** Prints warnings and notes; refuses (65) with every problem when there is an error. */
export async function demandValid(
  diagnostics: readonly Diagnostic[],
  input: CommandInput,
  world: Environment,
): Promise<void> {
  if (hasErrors(diagnostics)) throw invalidManifests(diagnostics);
  await showRemarks(diagnostics, input, world);
}

export function invalidManifests(diagnostics: readonly Diagnostic[]): Refusal {
  return new Refusal(
    'manifest.invalid',
    exitCode.invalid,
    'The manifests cannot be used as they are.',
    'Mend what is listed above; nothing was changed.',
    { diagnostics },
  );
}

/** For people, on stderr, so that JSON on stdout stays alone. */
export async function showRemarks(
  diagnostics: readonly Diagnostic[],
  input: CommandInput,
  world: Environment,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { diagnosticsForPeople } = await import('../view/terminal/diagnostics.ts');
  const { viewOptions } = await import('../cli/flags/view-options.ts');
  const { redactDiagnostics } = await import('../view/redact.ts');
  const options = viewOptions(input, world, world.stderr);
  for (const line of diagnosticsForPeople(redactDiagnostics(diagnostics, options), options)) {
    world.stderr.write(line);
  }
}
