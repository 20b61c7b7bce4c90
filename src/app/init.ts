// Gives a folder what a beginner needs, file by file. Nothing that is there is overwritten.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Problems } from '../manifest/checks/problems.ts';
import { discover, readSource, shownPath } from '../manifest/discover.ts';
import { disk } from '../manifest/files.ts';
import { readManifest } from '../manifest/foreign.ts';
import { registry } from '../resources/index.ts';
import { ignoredLines, startingManifest, workflow } from './init/texts.ts';
import { writeOutput } from './output-files.ts';
import type { Ports } from './ports.ts';
import { schemaText } from './schemas.ts';

const manifestName = 'chatform.yaml';
const schemaName = '.chatform/manifest.schema.json';

export interface InitializedFolder {
  /** Absolute, and as it is shown: relative to the working folder. */
  readonly folder: string;
  readonly shown: string;
  readonly files: readonly InitializedFile[];
}

interface InitializedFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly what: 'written' | 'kept' | 'left out' | 'added to';
  readonly why?: string;
}

export async function initializeFolder(dir: string, { cwd }: Pick<Ports, 'cwd'>): Promise<InitializedFolder> {
  const folder = resolve(cwd, dir);
  const repository = await repositoryOf(folder);
  const files: InitializedFile[] = [];
  const add = (what: InitializedFile['what'], file: string, why?: string) =>
    files.push({ name: shownPath(cwd, file), what, ...(why === undefined ? {} : { why }) });
  const write = async (file: string, text: string, whyKept = 'there is one already') => {
    const found = await readFile(file, 'utf8').catch(() => undefined);
    if (found === undefined) await writeOutput(file, text);
    add(found === undefined ? 'written' : 'kept', file, found === undefined || found === text ? undefined : whyKept);
  };

  const manifests = await existingManifests(folder);
  const manifest = join(folder, manifestName);
  if (manifests.length > 0 && !manifests.includes(manifest)) add('left out', manifest, 'there are manifests already');
  else await write(manifest, startingManifest(schemaName));
  const stale = 'of another version: chatform schema prints the one of this';
  await write(join(folder, schemaName), schemaText('manifest'), stale);
  const ignoreFile = join(folder, '.gitignore');
  add(await ignore(ignoreFile), ignoreFile);
  const below = relative(repository ?? folder, folder)
    .split(sep)
    .join('/');
  await write(join(repository ?? folder, '.github/workflows/chatform.yaml'), workflow(below));
  return { folder, shown: shownPath(cwd, folder), files };
}

/** Absolute paths. A folder that is not there yet has none. */
async function existingManifests(folder: string): Promise<readonly string[]> {
  const problems = new Problems();
  const manifests: string[] = [];
  for (const file of await discover([folder], folder, disk, problems)) {
    const source = await readSource(file, disk, problems);
    // What cannot be read may be a manifest.
    if (source === undefined || (await readManifest(file, source, registry, problems)) !== undefined) {
      manifests.push(file.path);
    }
  }
  return manifests;
}

async function ignore(file: string): Promise<InitializedFile['what']> {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  const known = new Set((found ?? '').split(/\r?\n/u).map((line) => line.trim()));
  const missing = ignoredLines.filter((line) => !known.has(line));
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
