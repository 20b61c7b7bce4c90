// Creates the files of a new project. Existing files are never overwritten.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject, type JsonValue } from '../lib/json.ts';
import { readManifest } from '../manifest/document/parsed-file.ts';
import { disk } from '../manifest/files/access.ts';
import { discover, shownPath } from '../manifest/files/discover.ts';
import { readSource } from '../manifest/files/manifest-text.ts';
import { Problems } from '../manifest/problems/problems.ts';
import { registry } from '../resources/index.ts';
import { writeOutput } from './context/output-files.ts';
import type { Ports } from './context/ports.ts';
import { ignoredLines, isPlainFolder, startingManifest, startingTests, workflow, workflows } from './init/texts.ts';
import { packaged, schemaText } from './package-files.ts';

const manifestName = 'chatform.yaml';
const testsName = 'chatform.test.yaml';
const schemaName = '.chatform/manifest.schema.json';
const testSchemaName = '.chatform/test.schema.json';

export interface InitializedFolder {
  /** The absolute folder, and its path relative to the working folder. */
  readonly folder: string;
  readonly shown: string;
  readonly files: readonly InitializedFile[];
  /** Whether a package.json names chatform, from the folder up to the repository's root. */
  readonly isInstalled: boolean;
}

interface InitializedFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly what: 'written' | 'kept' | 'left out' | 'added to';
  readonly why?: string;
}

export async function initializeFolder(dir: string, { cwd }: Pick<Ports, 'cwd'>): Promise<InitializedFolder> {
  const folder = resolve(cwd, dir);
  const root = (await repositoryOf(folder)) ?? folder;
  const packages = await packageFolderOf(folder, root);
  const files: InitializedFile[] = [];
  const add = (what: InitializedFile['what'], file: string, why?: string) =>
    files.push({ name: shownPath(cwd, file), what, ...(why === undefined ? {} : { why }) });
  const write = async (file: string, text: string, whyKept = 'it already exists') => {
    const found = await textOf(file);
    if (found === undefined) await writeOutput(file, text);
    add(found === undefined ? 'written' : 'kept', file, found === undefined || found === text ? undefined : whyKept);
  };

  const manifests = await existingManifests(folder);
  const manifest = join(folder, manifestName);
  if (manifests.length > 0 && !manifests.includes(manifest))
    add('left out', manifest, 'the folder already contains manifests');
  else await write(manifest, startingManifest(schemaName));
  const stale = 'from another version; chatform schema prints the schema of this version';
  await write(join(folder, schemaName), schemaText('manifest'), stale);
  // The tests fit only the starting manifest.
  const isStarting = (await textOf(manifest)) === startingManifest(schemaName);
  if (isStarting) await write(join(folder, testsName), startingTests(testSchemaName));
  await write(join(folder, testSchemaName), schemaText('test'), stale);
  const ignored = new Map([[folder, ignoredLines]]);
  ignored.set(packages.folder, [...(ignored.get(packages.folder) ?? []), 'node_modules/']);
  for (const [place, lines] of ignored) {
    const file = join(place, '.gitignore');
    add(await ignore(file, lines), file);
  }
  const place = { folder: below(root, folder) };
  for (const [name, example] of Object.entries(workflows)) {
    const file = join(root, '.github/workflows', name);
    if (isPlainFolder(place.folder)) await write(file, workflow(await readFile(packaged(example), 'utf8'), place));
    else add('left out', file, 'the folder name contains characters that a workflow would have to quote');
  }
  const former = join(root, '.github/workflows/chatform.yaml');
  if ((await textOf(former))?.includes('npm install --global chatform@') === true) {
    add('kept', former, 'delete it: it installs an npm package name that chatform does not own');
  }
  return { folder, shown: shownPath(cwd, folder), files, isInstalled: packages.isInstalled };
}

/** Absolute paths. Empty if the folder does not exist yet. */
async function existingManifests(folder: string): Promise<readonly string[]> {
  const problems = new Problems();
  const manifests: string[] = [];
  for (const file of await discover([folder], folder, disk, problems)) {
    const source = await readSource(file, disk, problems);
    // An unreadable file may be a manifest.
    if (source === undefined || (await readManifest(file, source, registry, problems)) !== undefined) {
      manifests.push(file.path);
    }
  }
  return manifests;
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

/** The nearest folder above with a .git: workflows belong there. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let here = folder; ; here = dirname(here)) {
    if (await stat(join(here, '.git')).catch(() => undefined)) return here;
    if (dirname(here) === here) return undefined;
  }
}

/** The nearest folder up to `root` whose package.json names chatform, or else the one where `npm install` would write. */
async function packageFolderOf(folder: string, root: string): Promise<{ folder: string; isInstalled: boolean }> {
  let nearest: string | undefined;
  for (let here = folder; ; here = dirname(here)) {
    const text = await textOf(join(here, 'package.json'));
    if (text !== undefined && namesChatform(text)) return { folder: here, isInstalled: true };
    if (text !== undefined) nearest ??= here;
    if (here === root || dirname(here) === here) return { folder: nearest ?? folder, isInstalled: false };
  }
}

function namesChatform(packageJson: string): boolean {
  let found: JsonValue;
  try {
    found = JSON.parse(packageJson) as JsonValue;
  } catch {
    return false;
  }
  return isObject(found) && [found.dependencies, found.devDependencies].some((of) => isObject(of) && 'chatform' in of);
}

function below(root: string, folder: string): string {
  return relative(root, folder).split(sep).join('/');
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
