// How does a folder get what a beginner needs? File by file, and nothing that is there is overwritten.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { writeOutput } from '../../app/output-files.ts';
import { Problems } from '../../manifest/checks/problems.ts';
import { discover, shownPath } from '../../manifest/discover.ts';
import { disk } from '../../manifest/files.ts';
import { safe } from '../../view/text.ts';
import type { Environment } from '../environment.ts';
import { schemas } from '../reference/schemas.ts';
import { ignoredLines, startingManifest, workflow } from './texts.ts';

const manifestName = 'chatform.yaml';
const schemaName = '.chatform/manifest.schema.json';

/** Says of each file whether it was written or left alone, and what to do next. */
export async function runInit(dir: string, world: Environment): Promise<void> {
  const folder = resolve(world.cwd, dir);
  const repository = await repositoryOf(folder);
  const say = (what: string, file: string, why = '') =>
    world.stdout.write(`  ${what.padEnd(9)} ${safe(shownPath(world.cwd, file))}${why === '' ? '' : `  (${why})`}\n`);
  const write = async (file: string, text: string, leave = 'there is one already') => {
    const found = await readFile(file, 'utf8').catch(() => undefined);
    if (found === undefined) await writeOutput(file, text);
    say(found === undefined ? 'written' : 'kept', file, found === undefined || found === text ? '' : leave);
  };

  const manifests = await existingManifests(folder);
  const manifest = join(folder, manifestName);
  if (manifests.length > 0 && !manifests.includes(manifest)) say('left out', manifest, 'there are manifests already');
  else await write(manifest, startingManifest(schemaName));
  const stale = 'of another version: chatform schema prints the one of this';
  await write(join(folder, schemaName), schemas.manifest?.() ?? '', stale);
  await ignore(join(folder, '.gitignore'), say);
  const below = relative(repository ?? folder, folder)
    .split(sep)
    .join('/');
  await write(join(repository ?? folder, '.github/workflows/chatform.yaml'), workflow(below));

  const enter = folder === world.cwd ? '' : `  cd ${safe(shownPath(world.cwd, folder))}\n`;
  world.stdout.write(`\nNext:\n${enter}  chatform validate      are the manifests right?
  chatform plan          what would happen?
  chatform apply         make it so

The application is a platform inside chatform; application.base_url names it. For yours, write
https://api-APP_ID.sendbird.com/v3 there, and set CHATFORM_API_TOKEN.\n`);
}

/** Absolute paths. A folder that is not there yet has none. */
async function existingManifests(folder: string): Promise<readonly string[]> {
  const found = await discover([folder], folder, disk, new Problems());
  return found.map(({ path }) => path);
}

async function ignore(file: string, say: (what: string, file: string) => void): Promise<void> {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  const known = new Set((found ?? '').split(/\r?\n/u).map((line) => line.trim()));
  const missing = ignoredLines.filter((line) => !known.has(line));
  if (found !== undefined && missing.length === 0) return say('kept', file);
  const before = found === undefined || found === '' || found.endsWith('\n') ? (found ?? '') : `${found}\n`;
  const mode = found === undefined ? undefined : (await stat(file)).mode & 0o7777;
  await writeOutput(file, `${before}${missing.join('\n')}\n`, mode, mode === undefined ? undefined : 'exactly');
  say(found === undefined ? 'written' : 'added to', file);
}

/** The nearest folder above with a .git: workflows stand there. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let here = folder; ; here = dirname(here)) {
    if (await stat(join(here, '.git')).catch(() => undefined)) return here;
    if (dirname(here) === here) return undefined;
  }
}
