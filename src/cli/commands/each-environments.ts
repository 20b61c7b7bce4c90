// The environments of --each: which folders they are, and what belongs to each of them alone: its application, state and token.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nameOfFolder } from '../../core/app/context/output-files.ts';
import { ownFile } from '../../core/app/context/own-file.ts';
import { loadDeclared } from '../../core/app/opening/load-declared.ts';
import { isInCi } from '../../core/model/ci-systems.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import { refreshWord } from '../../core/model/policy.ts';
import { storeOf } from '../../core/model/stores/places.ts';
import { safe } from '../../core/view/text/text.ts';
import { shownPath } from '../../lib/paths.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { thisFolder } from '../output/joined-output.ts';
import { portsOf } from '../output/ports.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** Skips files, which a shell's `envs/*` includes. */
export async function foldersOf(input: CommandInput, { cwd, stderr }: CommandEnvironment): Promise<readonly string[]> {
  // A folder is where it is, however it is written.
  const named = [...new Set(input.list('each').map((name) => shownPath(cwd, resolve(cwd, name))))];
  const folders: string[] = [];
  for (const name of named) {
    const found = await stat(resolve(cwd, name)).catch(() => undefined);
    if (found === undefined)
      throw usage(`The folder ${name} of --each does not exist.`, 'Check the name and the working folder.');
    if (found.isDirectory()) folders.push(name);
    else stderr.write(`${safe(name)} is not a folder; skipped.\n`);
  }
  if (folders.length === 0)
    throw usage('--each matches no folder.', 'Pass the folder of each environment, for example: --each envs/*');
  return input.flag('in-order') ? folders : folders.sort();
}

/** What is named by a folder: files, states and tokens of one folder would be those of the other. */
export function demandDistinctNames(folders: readonly string[]): void {
  const known = new Map<string, string>();
  for (const folder of folders) {
    const name = nameOfFolder(folder);
    for (const shared of [`write files named ${name}`, `read the token of ${tokenVariable(name)}`]) {
      // Some file systems know no capital letters.
      const other = known.get(shared.toLowerCase());
      if (other !== undefined)
        throw usage(`${other} and ${folder} would both ${shared}.`, 'Rename one of the folders.');
      known.set(shared.toLowerCase(), folder);
    }
  }
}

interface FolderApplication {
  readonly folder: string;
  readonly url: string | undefined;
  /** Whether the policy may make a plan read the platform. */
  readonly mayRefresh: boolean;
}

export async function applicationsIn(
  folders: readonly string[],
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<readonly FolderApplication[]> {
  const applications: FolderApplication[] = [];
  for (const folder of folders) {
    const { application, policy } = await loadDeclared([folder], portsOf(input, environment));
    const url = input.text('base-url') ?? application?.base_url;
    applications.push({
      folder,
      url,
      mayRefresh: [refreshWord(policy, 'plan'), refreshWord(policy, 'apply')].some((word) => word !== 'none'),
    });
  }
  return applications;
}

/** Refuses two folders of one application, whose states would undo each other's work. */
export function demandDistinct(applications: readonly FolderApplication[]): void {
  const known = new Map<string, string>();
  for (const { folder, url } of applications) {
    if (url === undefined) continue;
    const other = known.get(url);
    if (other !== undefined) {
      throw usage(
        `${other} and ${folder} are the same application, ${url}.`,
        'Each folder of --each has its own state, so each needs a different application.',
      );
    }
    known.set(url, folder);
  }
}

/**
 * A database contains many applications, a folder only one. In CI the default folder is discarded with the checkout. A state
 * that exists in the folder itself, or that its manifests declare, stays in use.
 */
export async function stateOf(
  folder: string,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<string | undefined> {
  const { cwd, env } = environment;
  const stateFlag = input.text('state');
  if (stateFlag === undefined && isInCi(env)) return undefined;
  const name = nameOfFolder(folder);
  if (stateFlag !== undefined)
    return storeOf(stateFlag)?.scheme === 'file' && name !== thisFolder ? `${stateFlag}/${name}` : stateFlag;
  if (await declaresPlace(folder, input, environment)) return undefined;
  const began = ownFile(resolve(cwd, folder), 'state');
  const usual = join(ownFile(cwd, 'state'), name);
  return `file:${shownPath(cwd, !existsSync(usual) && existsSync(began) ? began : usual)}`;
}

/** Whether the manifests that the command goes by declare the place of the state: with --base-ref, those of the base. */
async function declaresPlace(folder: string, input: CommandInput, environment: CommandEnvironment): Promise<boolean> {
  const ports = portsOf(input, environment);
  const ref = input.text('base-ref');
  if (ref === undefined) {
    const { statePlace } = await loadDeclared([folder], ports, { isForSettings: true });
    return statePlace !== undefined;
  }
  const { placeAtBase } = await import('../../core/app/opening/base-ref.ts');
  try {
    return (await placeAtBase(ref, [folder], ports)) !== undefined;
  } catch (error) {
    // The command itself reports an unknown base.
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** A token belongs to one application: `CHATFORM_API_TOKEN_ENVS_STAGING` is that of `envs/staging`. */
export function tokenOf(name: string, { env }: CommandEnvironment): Readonly<Record<string, string>> {
  const token = env[tokenVariable(name)];
  return token === undefined ? {} : { CHATFORM_API_TOKEN: token };
}

function tokenVariable(name: string): string {
  return `CHATFORM_API_TOKEN_${name.replace(/\W+/gu, '_').toUpperCase()}`;
}
