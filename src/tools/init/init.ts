// Creates the files of a new project. Existing files are never overwritten.
import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { keptPath, nameOfFolder, writeOutput } from '../../core/app/context/output-files.ts';
import { ownFile } from '../../core/app/context/own-file.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../../core/app/context/ports.ts';
import { repositoryOf } from '../../core/app/context/repository.ts';
import { readManifest } from '../../core/manifest/document/document.ts';
import { disk, readSource } from '../../core/manifest/files/access.ts';
import { discover, type ManifestFile } from '../../core/manifest/files/discover.ts';
import { isIgnored } from '../../core/manifest/files/ignore-lists.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { usage } from '../../core/model/errors.ts';
import type { Exported } from '../../core/model/report.ts';
import { registry } from '../../core/resources/index.ts';
import { demandStatePlace } from '../../core/state/index.ts';
import { isObject, parsedObject } from '../../lib/json.ts';
import { type OwnName, ownName } from '../../lib/own-names.ts';
import { isInside, shownPath } from '../../lib/paths.ts';
import { exportApplication } from '../live-import/export.ts';
import { packaged, schemaText } from '../package-files.ts';
import { agentFiles } from './agent-files.ts';
import { programIn } from './program.ts';
import { emptyManifest, ignoredLines, startingManifest, startingTests } from './texts.ts';
import { type Environments, editWorkflow, environmentsOf, type Pipeline, workflowFiles } from './workflows.ts';

const schemaName = ownName('manifestSchema');
const testSchemaName = ownName('testSchema');
/** The folder of an export, because an export needs an empty one. */
const exportName = 'estate';
/** The slowest plan is never too fast. */
const cautiousRatePlan = 'free_trial';

export interface InitializeOptions extends ApplicationOverrides, StateOptions {
  /** The folder, relative to the working folder. Other paths and the emulator's data are relative to the folder. */
  readonly dir: string;
  readonly pipeline: Pipeline;
  /** Whether to write what the application contains as manifests, with its state. */
  readonly exports?: boolean | undefined;
  /** Whether to write the guide and the skills for agents. */
  readonly agents?: boolean | undefined;
}

export interface InitializedFolder {
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly InitializedFile[];
  /** Whether a package.json names chatform, from the folder up to the repository's root. */
  readonly isInstalled: boolean;
  /** Whether it names a git address, from which `npm ci --ignore-scripts` makes no program. */
  readonly isFromGit: boolean;
  /** The absolute folder of that package.json, or the one where it belongs. */
  readonly packageFolder: string;
  readonly exported?: Exported;
  /** The environments that the workflows name. People have to set them up. */
  readonly environments: readonly Environments[];
  /** The branch that the workflows apply. */
  readonly branch: string;
  /** The words that start chatform there: `npx --no-install chatform`. */
  readonly program: string;
}

interface InitializedFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly what: 'written' | 'kept' | 'left out' | 'added to';
  readonly why?: string;
}

/** Refused (64) for a place that cannot have a state. What is there is not looked at. */
export function demandState(place: string): void {
  demandStatePlace(place);
}

/** Whether the folder contains manifests. */
export async function hasManifests(dir: string, { cwd }: Pick<Ports, 'cwd'>): Promise<boolean> {
  return (await existingManifests(resolve(cwd, dir))).length > 0;
}

/** Refused as `exportApplication` is, and (64) when manifests would join others by accident, before anything is written. */
export async function initializeFolder(options: InitializeOptions, ports: Ports): Promise<InitializedFolder> {
  const { cwd } = ports;
  if (options.state !== undefined) demandState(options.state);
  const folder = keptPath(cwd, options.dir, 'A project');
  // Workflows belong there.
  const repository = await repositoryOf(folder);
  const root = repository ?? folder;
  const packages = await packageFolderOf(folder, root);
  const { program, manager } = await programIn({
    packageFolder: packages.folder,
    root,
    isInstalled: packages.isInstalled,
    path: ports.env.PATH,
  });
  const placeOf = (name: OwnName) => ownFile(folder, name);
  const places = {
    manifest: placeOf('manifest'),
    tests: placeOf('tests'),
    manifestSchema: placeOf('manifestSchema'),
    testSchema: placeOf('testSchema'),
    gitIgnore: placeOf('gitIgnore'),
    ignoreList: placeOf('ignoreList'),
  };
  // A link is refused before anything is written.
  ownFile(packages.folder, 'gitIgnore');
  if (options.agents === true) for (const name of ['agentsBeside', 'skill', 'moveSkill'] as const) placeOf(name);
  for (const [name] of workflowFiles(options.pipeline)) ownFile(root, name);
  const files: InitializedFile[] = [];
  const add = (what: InitializedFile['what'], file: string, why?: string) =>
    files.push({ name: shownPath(cwd, file), what, ...(why === undefined ? {} : { why }) });
  const write = async (file: string, text: string, whyKept = 'it already exists') => {
    // An unreadable file exists, and so does a link that leads nowhere.
    const isKept = await exists(file);
    if (!isKept) await writeOutput(file, text);
    add(isKept ? 'kept' : 'written', file, !isKept || (await textOf(file)) === text ? undefined : whyKept);
  };

  const before = await existingManifests(folder);
  if (before.length === 0) await refuseBelow(repository ?? (isInside(cwd, folder) ? cwd : folder), folder, cwd);
  const exported = options.exports === true ? await exportInto(folder, before, options, ports) : undefined;
  for (const name of exported?.files ?? []) add('written', join(folder, exportName, name));
  const manifests = exported === undefined ? before : await existingManifests(folder);
  const manifest = places.manifest;
  const application = below(packages.folder, folder) || '.';
  const { baseUrl, ratePlan = cautiousRatePlan } = options;
  const starting = startingManifest(
    schemaName,
    application === '.' ? ownName('emulator') : ownName('otherEmulator', nameOfFolder(application)),
  );
  if (manifests.length > 0 && !manifests.includes(manifest)) {
    if (exported === undefined) add('left out', manifest, manifestsFound(manifests, cwd));
  } else await write(manifest, baseUrl === undefined ? starting : emptyManifest(schemaName, baseUrl, ratePlan));
  const stale = 'from another version; chatform schema prints the schema of this version';
  await write(places.manifestSchema, schemaText('manifest'), stale);
  // The tests match only the starting manifest.
  if ((await textOf(manifest)) === starting) await write(places.tests, startingTests(testSchemaName));
  await write(places.testSchema, schemaText('test'), stale);
  if (options.agents === true) {
    const { files: ofAgents, ofPeople } = await agentFiles(folder, program);
    for (const { file, text } of ofAgents) await write(file, text, 'from another version, or edited');
    if (ofPeople !== undefined) add('kept', ofPeople, `add to it: for chatform, read ${ownName('agentsBeside')} first`);
  }
  const ignored = new Map([[places.gitIgnore, ignoredLines]]);
  // Commands with --each run there.
  ignored.set(ownFile(packages.folder, 'gitIgnore'), [...ignoredLines, 'node_modules/']);
  for (const [file, lines] of ignored) add(await ignore(file, lines), file);
  // Every command would say that it skips the file.
  if (/\.ya?ml$/u.test(manager.lock) && (await exists(join(folder, manager.lock)))) {
    add(await ignore(places.ignoreList, [manager.lock]), places.ignoreList);
  }
  const folders = await applicationFolders(folder, before);
  const place = {
    packageFolder: below(root, packages.folder),
    applications: folders.map((application) => below(packages.folder, application) || '.'),
    branch: repository === undefined ? 'main' : await mainBranchOf(repository, ports),
    manager,
  };
  let isInPipeline = false;
  for (const [name, example] of workflowFiles(options.pipeline)) {
    const file = ownFile(root, name);
    const found = await textOf(file);
    const edit = editWorkflow(options.pipeline, await readFile(packaged(example), 'utf8'), place, found);
    isInPipeline ||= edit.type !== 'leave out';
    if (edit.type === 'leave out') add('left out', file, edit.why);
    else if (edit.type === 'keep') add('kept', file);
    else {
      await writeOutput(file, edit.text);
      add(found === undefined ? 'written' : 'added to', file);
    }
  }
  return {
    folder,
    files,
    isInstalled: packages.isInstalled,
    isFromGit: packages.isFromGit,
    packageFolder: packages.folder,
    ...(exported === undefined ? {} : { exported }),
    environments: isInPipeline ? place.applications.map(environmentsOf) : [],
    branch: place.branch,
    program,
  };
}

/** The branch that a clone follows, or else one of the usual names that exists, or the current one. */
async function mainBranchOf(folder: string, ports: Ports): Promise<string> {
  const { openRepository } = await import('../../core/app/git/git.ts');
  const repository = await openRepository(folder, ports).catch(() => undefined);
  if (repository === undefined || 'problem' in repository) return 'main';
  const answer = async (...args: string[]): Promise<string> => {
    const { exit, stdout } = await repository.git(args);
    return exit === 0 ? stdout.toString('utf8').trim() : '';
  };
  const followed = await answer('symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  if (followed !== '') return followed.replace(/^origin\//u, '');
  for (const name of ['main', 'master', 'trunk']) {
    if ((await answer('rev-parse', '--verify', '--quiet', `refs/heads/${name}`)) !== '') return name;
  }
  return (await answer('symbolic-ref', '--short', 'HEAD')) || 'main';
}

async function exportInto(
  folder: string,
  manifests: readonly string[],
  options: InitializeOptions,
  ports: Ports,
): Promise<Exported> {
  if (manifests.length > 0)
    throw usage(
      'The folder already contains manifests, and an export would declare the same objects again.',
      'Nothing was written. Choose another folder, or leave out --export.',
    );
  await mkdir(folder, { recursive: true });
  return exportApplication({ ...options, out: exportName }, { ...ports, cwd: folder });
}

/** Refuses (64) a new application below the manifest of another one, whose commands read all files below their folder. */
async function refuseBelow(top: string, folder: string, cwd: string): Promise<void> {
  const manifest = ownFile(folder, 'manifest');
  for (let above = folder; above !== top; ) {
    above = dirname(above);
    for (const name of await readdir(above).catch(() => [])) {
      if (!/\.ya?ml$/iu.test(name) || !/^application:/mu.test((await textOf(join(above, name))) ?? '')) continue;
      if (await isIgnored(manifest, above, cwd, disk)) continue;
      if (!(await mayBeManifest({ name, path: join(above, name), root: above }))) continue;
      const [other, shown] = [shownPath(cwd, join(above, name)), shownPath(cwd, folder)];
      throw usage(
        `${other} declares an application, which would read the files in ${shown} as its own.`,
        `Nothing was written. Move the files of that application into a folder beside ${shown}, or list ${shown} in a .chatformignore beside ${other}.`,
      );
    }
  }
}

/** The folders of overlays with an application, or of several applications, which cannot be read together. */
async function applicationFolders(folder: string, manifests: readonly string[]): Promise<readonly string[]> {
  const [overlays, others] = [new Set<string>(), new Set<string>()];
  for (const file of manifests) {
    const text = (await textOf(file)) ?? '';
    if (/^application:/mu.test(text)) (/^extends:/mu.test(text) ? overlays : others).add(dirname(file));
  }
  if (overlays.size > 0) return [...overlays].sort();
  return others.size > 1 ? [...others].sort() : [folder];
}

/** Absolute paths. Empty if the folder does not exist yet. */
async function existingManifests(folder: string): Promise<readonly string[]> {
  const manifests: string[] = [];
  for (const file of await discover([folder], folder, disk, new Problems())) {
    if (await mayBeManifest(file)) manifests.push(file.path);
  }
  return manifests;
}

/** An unreadable file may be a manifest. */
async function mayBeManifest(file: ManifestFile): Promise<boolean> {
  const problems = new Problems();
  const source = await readSource(file, disk, problems);
  return source === undefined || !('is' in readManifest(file, source, registry, problems));
}

/** Names the manifests, because one of them may belong to another program. */
function manifestsFound([first = '', ...others]: readonly string[], cwd: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `the folder already contains manifests: ${shownPath(cwd, first)}${more}. Name files of other programs in .chatformignore`;
}

async function ignore(file: string, lines: readonly string[]): Promise<InitializedFile['what']> {
  const found = await textOf(file);
  const known = new Set(
    (found ?? '').split(/\r?\n/u).map((line) => line.trim().replace(/^\/?node_modules\/?$/u, 'node_modules/')),
  );
  const missing = lines.filter((line) => !known.has(line));
  if (found !== undefined && missing.length === 0) return 'kept';
  const before = found === undefined || found === '' || found.endsWith('\n') ? (found ?? '') : `${found}\n`;
  const mode = found === undefined ? undefined : (await stat(file)).mode & 0o7777;
  await writeOutput(file, `${before}${missing.join('\n')}\n`, mode, mode === undefined ? undefined : 'exactly');
  return found === undefined ? 'written' : 'added to';
}

interface PackageFolder {
  readonly folder: string;
  readonly isInstalled: boolean;
  readonly isFromGit: boolean;
}

/** The nearest folder up to `root` whose package.json names chatform, or else any package.json, or else `root`, for all applications. */
async function packageFolderOf(folder: string, root: string): Promise<PackageFolder> {
  let nearest: string | undefined;
  for (let here = folder; ; here = dirname(here)) {
    const text = await textOf(join(here, 'package.json'));
    const version = text === undefined ? undefined : versionOfChatform(text);
    if (version !== undefined) return { folder: here, isInstalled: true, isFromGit: isGitAddress(version) };
    if (text !== undefined) nearest ??= here;
    if (here === root || dirname(here) === here) {
      return { folder: nearest ?? root, isInstalled: false, isFromGit: false };
    }
  }
}

/** The version or the address with which package.json names chatform. */
function versionOfChatform(packageJson: string): string | undefined {
  const { dependencies, devDependencies } = parsedObject(packageJson) ?? {};
  for (const of of [dependencies, devDependencies]) if (isObject(of) && 'chatform' in of) return String(of.chatform);
  return undefined;
}

/** As npm reads addresses: a scheme of git, a host that it knows, `owner/name`, or `user@host:path`. */
function isGitAddress(version: string): boolean {
  return /^git(?:\+\w+)?:|^(?:github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+(?:#|$)|^[\w.-]+@[\w.-]+:|^https?:.*\.git(?:#|$)/iu.test(
    version,
  );
}

function below(root: string, folder: string): string {
  return relative(root, folder).split(sep).join('/');
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
