// What do the manifests declare, all together? Files → documents → checked resources, with every problem on the way.

import { compareText } from '../lib/json.ts';
import { type Collect, collectInMemory, type Series } from '../lib/series.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Policy } from '../model/policy.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { SourcePosition } from '../model/source.ts';
import type { KindDefinition, Reference } from '../resources/define.ts';
import { archiveIn, archivesKind, archivesOfSources, maxMessagesPerCall, readArchives } from './archives/archives.ts';
import type { KnownArchives } from './archives/known-archives.ts';
import { type BlockContext, checkDefaults, type HeldPart } from './blocks/block.ts';
import type { SectionList } from './blocks/block-list.ts';
import { DeclarationIndex } from './blocks/declaration-index.ts';
import { entryIn } from './blocks/declared-block.ts';
import { type LoadContext, type ManifestDocument, readDocument, spotIn } from './blocks/document.ts';
import { FileAttributes } from './blocks/file-attributes.ts';
import { readRemoved, withoutDeclared } from './blocks/removed.ts';
import { resourcesOf } from './blocks/resources.ts';
import { defaultsByFile, sectionLists } from './blocks/section-lists.ts';
import { type ApplicationSettings, externalOf, readApplication, readExternal, readPolicy } from './blocks/settings.ts';
import type { Variables } from './blocks/variables.ts';
import { checkBlocks } from './checks/check-blocks.ts';
import { Problems } from './checks/problems.ts';
import { isKnown, type Surroundings } from './checks/relations.ts';
import { checkRestrictedRemoval, checkRestrictionFiles, Restrictions } from './checks/restrictions.ts';
import { Suggestions } from './checks/suggest.ts';
import { discover, type ManifestFile, readSource } from './discover.ts';
import { disk, type FileAccess } from './files.ts';
import { withSection } from './schema/schema.ts';
import { checksFor } from './schema/validate.ts';
import type { OpenedSources, SourceContext } from './sources/read-sources.ts';
import { readDocuments } from './yaml/documents.ts';
import { SourceText } from './yaml/source-text.ts';
import type { Entry } from './yaml/tree.ts';

export interface LoadOptions {
  readonly kinds: readonly KindDefinition[];
  /** Absolute. Paths are relative to it, and shown so. */
  readonly cwd: string;
  readonly variables: Variables;
  /** `warn` where nothing is sent. Default: `error`. */
  readonly missingVariables?: 'error' | 'warn';
  readonly files?: FileAccess;
  /** What they are checked by in place of their own policy: that of the base of a request. */
  readonly rules?: Policy;
  /** What earlier loads found in message archives. */
  readonly knownArchives?: KnownArchives;
  /** Where what may be much goes; into memory by default. */
  readonly collect?: Collect;
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
  const { kinds, cwd, variables, missingVariables = 'error', files = disk, rules } = options;
  const problems = new Problems();
  const suggestions = new Suggestions();
  const context: LoadContext = { kinds, checks: checksFor(kinds), problems, suggestions, variables, missingVariables };
  const found = await discover(paths, cwd, files, problems);
  const { documents, isPartial: isPartOfYaml } = await readAll(found, files, context);
  const policy = readPolicy(documents, kinds, problems);
  const ownExternal = readExternal(documents, problems);
  const external = rules === undefined ? ownExternal : externalOf(rules);
  const application = readApplication(documents, problems);
  const removals = readRemoved(documents, context);
  const restrictions = new Restrictions((rules ?? policy).restrictions ?? [], kinds);
  for (const removal of removals.values()) checkRestrictedRemoval(removal, restrictions, problems);
  checkAllDefaults(documents, context);
  const defaults = defaultsByFile(documents, problems);
  const { lists: sections, empty } = sectionLists(documents, defaults, context);
  const { lists: sources, isPartial: isPartOfSources } = await sourceLists(documents, defaults, {
    ...context,
    cwd,
    files,
  });
  const declarations = new DeclarationIndex([...sections, ...sources]);
  if (!isPartOfYaml && !isPartOfSources) {
    checkRestrictionFiles(
      documents,
      new Set([...found, ...sources.map(({ file }) => file)].map(({ name }) => name)),
      problems,
    );
  }
  const isUnread = ({ kind, key }: Pick<Reference, 'kind' | 'key'>) =>
    isPartOfYaml || isPartOfSources || sources.some((source) => source.kind.kind === kind && source.mayHold(key));
  const around: Surroundings = { declarations, removed: removals, external };
  const held: HeldPart[] = [];
  const blockContext: BlockContext = {
    ...context,
    fileAttributes: new FileAttributes(cwd, files),
    personalData: (rules ?? policy).personal_data === 'warn' ? 'warning' : 'error',
  };
  await checkBlocks(declarations, {
    ...blockContext,
    hold: (part) => void held.push(part),
    around,
    restrictions,
    isUnread,
  });
  const named = [
    ...held.flatMap(archiveIn),
    ...(await archivesOfSources(documents, declarations, { problems, files })),
  ];
  const archives = await readArchives(named, {
    ...context,
    cwd,
    files,
    messagesPerCall: application?.messages_per_migration ?? maxMessagesPerCall,
    collect: options.collect ?? collectInMemory,
    ...(options.knownArchives === undefined ? {} : { known: options.knownArchives }),
    isUser: (key) => isUnread({ kind: 'user', key }) || isKnown({ kind: 'user', key }, around, context),
  });
  const removed = withoutDeclared(removals, declarations, context);
  adviseSources(sections, declarations, problems);
  return {
    resources: resourcesOf(declarations, blockContext, new Map([[archivesKind, archives]])),
    removed: removed.sort((left, right) => compareText(left.address, right.address)),
    ...(application === undefined ? {} : { application }),
    policy,
    diagnostics: problems.sorted(),
    files: countFiles(found, declarations),
    empty: empty.map(({ section, spot }) => ({ section, source: spot.source.position(spot.offset) })),
  };
}

async function readAll(found: readonly ManifestFile[], files: FileAccess, context: LoadContext) {
  const { kinds, problems } = context;
  const documents: ManifestDocument[] = [];
  const names = new Set(withSection(kinds).map(({ section }) => section));
  let isPartial = problems.count > 0;
  for (const file of found) {
    const source = (await isTooBig(file, files, problems)) ? undefined : await readSource(file, files, problems);
    const yaml = source === undefined ? undefined : await readDocuments(source, names, problems);
    if (source === undefined || yaml === undefined || yaml.isPartial) isPartial = true;
    for (const document of yaml?.documents ?? [])
      if (source) documents.push(readDocument(file, source, document, context));
  }
  return { documents, isPartial: isPartial || documents.some((document) => document.isPartial) };
}

/** Of a manifest: it is held as one text. */
const maxManifestBytes = 200_000_000;

async function isTooBig(file: ManifestFile, files: FileAccess, problems: Problems): Promise<boolean> {
  const bytes = await files.stat(file.path).then(
    (found) => found.bytes,
    () => 0,
  );
  if (bytes <= maxManifestBytes) return false;
  const detail = `${file.name} has ${bytes.toLocaleString('en')} bytes, and at most ${maxManifestBytes.toLocaleString('en')} are read of YAML. Move its objects to a file under sources, which may have any size.`;
  problems.add('manifest.file-too-big', detail, { source: new SourceText(file.name, ''), offset: 0 });
  return true;
}

/** A block of defaults that no object of the file takes is checked all the same. */
function checkAllDefaults(documents: readonly ManifestDocument[], context: LoadContext): void {
  for (const document of documents) {
    const defaults = entryIn(document.tree, 'defaults')?.value;
    for (const kind of context.kinds) {
      const entry = entryIn(defaults, kind.section);
      if (entry?.value.type !== 'map') continue;
      for (const { code, detail, path, at } of checkDefaults(kind, entry, context)) {
        context.problems.add(code, detail, spotIn(document, ['defaults', kind.section, ...path], at));
      }
    }
  }
}

/** Nothing of it is loaded when there are none. */
async function sourceLists(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, Entry>,
  context: SourceContext,
): Promise<OpenedSources> {
  if (documents.every(({ outline }) => outline.sources === undefined)) return { lists: [], isPartial: false };
  const { openSources } = await import('./sources/read-sources.ts');
  return openSources(documents, defaults, context);
}

/** Objects in YAML beyond which a file under `sources` is the better place. */
const manyInYaml = 10_000;

function adviseSources(sections: readonly SectionList[], declarations: DeclarationIndex, problems: Problems): void {
  const count = sections.reduce((sum, list) => sum + declarations.countOf(list), 0);
  const [most] = [...sections].sort((left, right) => declarations.countOf(right) - declarations.countOf(left));
  if (count <= manyInYaml || most === undefined) return;
  const { kind, section } = most.kind;
  const detail = `${count.toLocaleString('en')} objects are declared in YAML. NDJSON and CSV are read many times faster, and in little memory: write "sources: [{ kind: ${kind}, file: ${section}.ndjson }]", with one object a line, its ${most.kind.keyName} among its keys.`;
  problems.add('manifest.many-in-yaml', detail, most.spot, 'note');
}

function countFiles(found: readonly ManifestFile[], declarations: DeclarationIndex): readonly LoadedFile[] {
  const byFile = new Map(found.map(({ name }): [string, Record<string, number>] => [name, {}]));
  for (const list of declarations.lists) {
    const counts = byFile.get(list.file.name) ?? {};
    const count = declarations.countOf(list);
    if (count > 0) counts[list.kind.kind] = (counts[list.kind.kind] ?? 0) + count;
    byFile.set(list.file.name, counts);
  }
  return Array.from(byFile, ([file, counts]) => ({ file, counts }));
}
