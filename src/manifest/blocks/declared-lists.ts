// Finds the lists of objects that documents declare: their sections, and the files under `sources`, with their defaults.

import type { SourcePosition } from '../../model/source.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { SecretVariables } from '../checks/application.ts';
import type { Problems, Spot } from '../checks/problems.ts';
import { declaredItems } from '../for-each/expand.ts';
import { type LayeredInput, LayeredList, Overlays } from '../overlays/overlay-lists.ts';
import type { OpenedSources, SourceContext } from '../sources/read-sources.ts';
import type { SourceList } from '../sources/source-list.ts';
import { wholeItem } from '../yaml/section-items.ts';
import { type TreeEntry, toJson } from '../yaml/tree.ts';
import { checkDefaults, idPathsOfCheck } from './block.ts';
import { type BlockList, SectionList } from './block-list.ts';
import type { DeclarationIndex } from './declaration-index.ts';
import { entryIn } from './declared-block.ts';
import { type LoadContext, type ManifestDocument, spotIn } from './document.ts';

interface DeclaredLists {
  /** In the order of documents; within a document, in that of kinds. */
  readonly sections: readonly SectionList[];
  readonly sources: OpenedSources['lists'];
  /** Sections that are declared empty: `users: {}`. */
  readonly empty: readonly { readonly section: string; readonly source: SourcePosition }[];
  /** All lists as they are checked and read: those of overlays last, and laid over those of their bases. */
  readonly lists: readonly BlockList[];
  /** Some file under `sources` cannot be read. */
  readonly isPartial: boolean;
}

export async function declaredLists(
  documents: readonly ManifestDocument[],
  context: SourceContext & { readonly secrets: SecretVariables },
): Promise<DeclaredLists> {
  checkAllDefaults(documents, context);
  const defaults = defaultsByFile(documents, context.problems);
  const { lists: sources, isPartial } = await openAll(documents, defaults, context);
  const declared = await sectionLists(documents, defaults, context);
  const lists = layeredLists([...declared.sections, ...sources], documents, context);
  return { ...declared, sources, lists, isPartial: isPartial || declared.isPartial };
}

async function sectionLists(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, TreeEntry>,
  context: SourceContext,
): Promise<Omit<DeclaredLists, 'sources' | 'lists'>> {
  let isPartial = false;
  const sections: SectionList[] = [];
  const empty: { section: string; source: SourcePosition }[] = [];
  for (const document of documents) {
    const { source, tree } = document;
    for (const kind of context.kinds) {
      const found = document.sections.get(kind.section);
      if (found === undefined) continue;
      const spot: Spot = { source, offset: entryIn(tree, kind.section)?.offset ?? 0 };
      const items = kind.onlyKey === undefined ? found : wholeItem(kind.onlyKey, found, spot.offset);
      if (items.length === 0) empty.push({ section: kind.section, source: source.position(spot.offset) });
      const common = entryIn(defaults.get(source.file)?.value, kind.section);
      const idPaths = idPathsOfCheck(context.checks.of(kind).block, context);
      const declared = await declaredItems(items, kind, document, context);
      isPartial ||= declared.isPartial;
      for (const part of declared.parts) sections.push(new SectionList(kind, document, part, spot, common, idPaths));
    }
  }
  return { sections, empty, isPartial };
}

function layeredLists(
  lists: readonly (SectionList | SourceList)[],
  documents: readonly ManifestDocument[],
  context: LoadContext,
): readonly BlockList[] {
  const files = new Map(documents.map((document) => [document.file.path, document]));
  if (documents.every(({ depth }) => depth === 0)) return lists;
  const inputs = lists.map((list): LayeredInput => {
    const { depth = 0, below = new Set<string>() } = files.get(list.manifest.path) ?? {};
    return { list, depth, below, keys: () => keysOf(list) };
  });
  const overlays = new Overlays(inputs, context);
  return inputs.sort((left, right) => left.depth - right.depth).map((input) => new LayeredList(input, overlays));
}

function keysOf(list: SectionList | SourceList): readonly string[] {
  if (list instanceof SectionList) return list.keysAt(Array.from({ length: list.items.length }, (_, index) => index));
  return list.keepAll();
}

/** By the shown name of the file: all its documents share the defaults. */
function defaultsByFile(documents: readonly ManifestDocument[], problems: Problems): ReadonlyMap<string, TreeEntry> {
  const byFile = new Map<string, TreeEntry>();
  for (const { tree, source } of documents) {
    const entry = entryIn(tree, 'defaults');
    if (entry === undefined) continue;
    const first = byFile.get(source.file);
    if (first === undefined) byFile.set(source.file, entry);
    else {
      const { line } = source.position(first.offset);
      const detail = `defaults apply to the whole file and are declared in line ${line} already. Merge the two.`;
      problems.add('manifest.declared-twice', detail, { source, offset: entry.offset });
    }
  }
  return byFile;
}

/** Blocks are checked with their defaults merged in; this checks defaults that no object of the file takes. */
function checkAllDefaults(
  documents: readonly ManifestDocument[],
  context: LoadContext & { readonly secrets: SecretVariables },
): void {
  for (const document of documents) {
    const defaults = entryIn(document.tree, 'defaults')?.value;
    for (const kind of context.kinds) {
      const entry = entryIn(defaults, kind.section);
      if (entry?.value.type !== 'map') continue;
      const spotOf = (path: readonly string[]) => spotIn(document, ['defaults', kind.section, ...path]);
      context.secrets.check(kind, toJson(entry.value), spotOf);
      for (const { code, detail, path, at } of checkDefaults(kind, entry, context)) {
        context.problems.add(code, detail, spotIn(document, ['defaults', kind.section, ...path], at));
      }
    }
  }
}

/** The code that reads rows is loaded only when a manifest has `sources`. */
async function openAll(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, TreeEntry>,
  context: SourceContext,
): Promise<OpenedSources> {
  if (documents.every(({ outline }) => outline.sources === undefined)) return { lists: [], isPartial: false };
  const { openSources } = await import('../sources/read-sources.ts');
  return openSources(documents, defaults, context);
}

/** With more objects than this in YAML, a file under `sources` is the better place. */
const manyInYaml = 10_000;

export function adviseSources(
  sections: readonly SectionList[],
  declarations: DeclarationIndex,
  problems: Problems,
): void {
  const written = sections.filter(({ isExpanded }) => !isExpanded);
  const count = written.reduce((sum, list) => sum + declarations.countOf(list), 0);
  const [most] = written.sort((left, right) => declarations.countOf(right) - declarations.countOf(left));
  if (count <= manyInYaml || most === undefined) return;
  const { kind, section, keyName }: KindDefinition = most.kind;
  const detail = `${count.toLocaleString('en')} objects are declared in YAML. NDJSON and CSV are read many times faster, and in little memory: write "sources: [{ kind: ${kind}, file: ${section}.ndjson }]", with one object on each line, its ${keyName} among its keys.`;
  problems.add('manifest.many-in-yaml', detail, most.spot, 'note');
}
