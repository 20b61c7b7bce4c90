// The passes over files: they are found, read, and laid over the files that they extend.

import { resolve } from 'node:path';
import { type ParsedFile, type ReadFiles, readFile } from '../document/document.ts';
import { type ForeignFile, reportForeign } from '../document/foreign-files.ts';
import { discover, type ManifestFile } from '../files/discover.ts';
import type { IgnoreListTexts } from '../files/ignore-lists.ts';
import { entryIn, type Tree } from '../files/tree.ts';
import type { LoadTools } from './load-tools.ts';

export interface FoundFiles {
  readonly found: readonly ManifestFile[];
  readonly ignoreLists: IgnoreListTexts;
}

export async function findFiles(paths: readonly string[], tools: LoadTools): Promise<FoundFiles> {
  const { cwd, files, problems, options } = tools;
  const ignoreLists: IgnoreListTexts = new Map();
  const all = await discover(paths, cwd, files, problems, 'manifests', ignoreLists);
  // The file of values may be among the manifests. Those of other runs count as foreign.
  const values = options.values === undefined ? undefined : resolve(cwd, options.values.name);
  return { found: all.filter(({ path }) => path !== values), ignoreLists };
}

export async function readFiles({ found }: FoundFiles, tools: LoadTools): Promise<ReadFiles> {
  const parsed: ParsedFile[] = [];
  const foreign: ForeignFile[] = [];
  let isPartial = false;
  for (const file of found) {
    const read = await readFile(file, tools);
    isPartial ||= read.isPartial;
    if (read.foreign !== undefined) foreign.push(read.foreign);
    if (read.parsed !== undefined) parsed.push(read.parsed);
  }
  return { found, parsed, foreign, isPartial };
}

/** All files, with those that they extend. Names the files of other programs. */
export async function withBases(read: ReadFiles, tools: LoadTools): Promise<ReadFiles> {
  const doExtend = read.parsed.some(({ documents }) => documents.some(hasKey('extends')));
  const all = doExtend ? await (await import('./layers.ts')).readBases(read, tools) : read;
  reportForeign({ ...all, problems: tools.problems });
  return all;
}

export function hasKey(key: string): (document: { readonly tree: Tree }) => boolean {
  return ({ tree }) => entryIn(tree, key) !== undefined;
}
