// What do the manifests declare, all together? Files → documents → checked resources, with every problem on the way.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { compareText } from '../model/json.ts';
import type { Policy } from '../model/policy.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { Series } from '../model/series.ts';
import type { SourcePosition } from '../model/source.ts';
import type { KindDefinition } from '../resources/define.ts';
import { type BlockContext, checkDefaults, readBlock } from './block.ts';
import { collectBlocks, type DeclaredBlock } from './declared.ts';
import { discover, type ManifestFile, readSource } from './discover.ts';
import { type LoadContext, type ManifestDocument, readDocument, spotIn } from './document.ts';
import { disk, type FileAccess } from './files.ts';
import { Problems } from './problems.ts';
import { readYaml } from './read-yaml.ts';
import { checkDistinctChannels, checkReferences, checkSharedKeys, type Surroundings } from './relations.ts';
import { readRemoved } from './removed.ts';
import { type ApplicationSettings, readApplication, readExternal, readPolicy } from './settings.ts';
import { Suggestions } from './suggest.ts';
import { checksFor } from './validate.ts';
import type { Variables } from './variables.ts';

export interface LoadOptions {
  readonly kinds: readonly KindDefinition[];
  /** Absolute. Paths are relative to it, and shown so. */
  readonly cwd: string;
  readonly variables: Variables;
  /** `warn` where nothing is sent. Default: `error`. */
  readonly missingVariables?: 'error' | 'warn';
  readonly files?: FileAccess;
}

export interface LoadedManifest {
  /** Sorted by address, by code unit. With errors among the diagnostics, as far as they could be read. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /** Absent when no manifest has the block. */
  readonly application?: ApplicationSettings;
  readonly policy: Policy;
  /** Sorted: errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly LoadedFile[];
  /** Sections that are declared to hold nothing: `users: {}`. */
  readonly empty: readonly { readonly section: string; readonly source: SourcePosition }[];
}

interface LoadedFile {
  /** As shown: relative to the working folder, with `/`. */
  readonly file: string;
  /** How many objects the file declares, by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function loadManifests(paths: readonly string[], options: LoadOptions): Promise<LoadedManifest> {
  const { kinds, cwd, variables, missingVariables = 'error', files = disk } = options;
  const problems = new Problems();
  const suggestions = new Suggestions();
  const context: LoadContext = { kinds, checks: checksFor(kinds), problems, suggestions, variables, missingVariables };
  const found = await discover(paths, cwd, files, problems);
  const { documents, isPartial } = await readDocuments(found, files, context);
  const policy = readPolicy(documents, kinds, problems);
  const external = readExternal(documents, problems);
  const application = readApplication(documents, problems);
  const { blocks, empty } = collectBlocks(documents, kinds, problems);
  const removed = readRemoved(documents, blocks, context);
  checkAllDefaults(documents, context);
  const personalData = policy.personal_data === 'warn' ? 'warning' : 'error';
  const resources = await readBlocks(blocks, { ...context, cwd, files, personalData });
  const around: Surroundings = { blocks, removed, external };
  // What is missing may stand in the part that could not be read.
  if (!isPartial) checkReferences(resources, around, context);
  checkSharedKeys(around, context);
  checkDistinctChannels(resources, around, context);
  return {
    resources,
    removed: sortedByAddress([...removed.values()]),
    ...(application === undefined ? {} : { application }),
    policy,
    diagnostics: problems.sorted(),
    files: countFiles(found, blocks),
    empty: empty.map(({ section, spot }) => ({ section, source: spot.source.position(spot.offset) })),
  };
}

async function readDocuments(found: readonly ManifestFile[], files: FileAccess, context: LoadContext) {
  const documents: ManifestDocument[] = [];
  let isPartial = context.problems.count > 0;
  for (const file of found) {
    const source = await readSource(file, files, context.problems);
    const yaml = source === undefined ? undefined : readYaml(source, context.problems);
    if (source === undefined || yaml === undefined || yaml.isPartial) isPartial = true;
    for (const tree of yaml?.trees ?? []) if (source) documents.push(readDocument(file, source, tree, context));
  }
  return { documents, isPartial: isPartial || documents.some((document) => document.isPartial) };
}

/** A block of defaults that no object of the file takes is checked all the same. */
function checkAllDefaults(documents: readonly ManifestDocument[], context: LoadContext): void {
  for (const document of documents) {
    const defaults = document.tree.type === 'map' ? document.tree.entries.get('defaults')?.value : undefined;
    if (defaults?.type !== 'map') continue;
    for (const kind of context.kinds) {
      const entry = defaults.entries.get(kind.section);
      if (entry?.value.type !== 'map') continue;
      for (const { code, detail, path, at } of checkDefaults(kind, entry, context)) {
        context.problems.add(code, detail, spotIn(document, ['defaults', kind.section, ...path], at));
      }
    }
  }
}

async function readBlocks(blocks: ReadonlyMap<Address, DeclaredBlock>, context: BlockContext): Promise<Resource[]> {
  const resources: Resource[] = [];
  for (const block of blocks.values()) resources.push(await readBlock(block, context));
  return sortedByAddress(resources);
}

function sortedByAddress<T extends { readonly address: Address }>(values: readonly T[]): T[] {
  return [...values].sort((left, right) => compareText(left.address, right.address));
}

function countFiles(
  found: readonly ManifestFile[],
  blocks: ReadonlyMap<Address, DeclaredBlock>,
): readonly LoadedFile[] {
  const byFile = new Map(found.map(({ name }): [string, Record<string, number>] => [name, {}]));
  for (const { kind, document } of blocks.values()) {
    const counts = byFile.get(document.file.name);
    if (counts !== undefined) counts[kind.kind] = (counts[kind.kind] ?? 0) + 1;
  }
  return Array.from(byFile, ([file, counts]) => ({ file, counts }));
}
