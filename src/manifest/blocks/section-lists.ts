// Which sections of objects do the documents have, and which defaults hold in them?
import type { KindDefinition } from '../../resources/define.ts';
import type { Problems, Spot } from '../checks/problems.ts';
import type { Entry } from '../yaml/tree.ts';
import { placesOf } from './block.ts';
import { SectionList } from './block-list.ts';
import { entryIn } from './declared-block.ts';
import type { LoadContext, ManifestDocument } from './document.ts';

/** A section that says of itself that it has no objects: `users: {}`. */
interface EmptySection {
  readonly section: string;
  readonly spot: Spot;
}

/** In the order of documents, and within one in that of kinds. */
export function sectionLists(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, Entry>,
  context: LoadContext,
): { readonly lists: readonly SectionList[]; readonly empty: readonly EmptySection[] } {
  const lists: SectionList[] = [];
  const empty: EmptySection[] = [];
  for (const document of documents) {
    for (const kind of context.kinds) {
      const items = document.sections.get(kind.section);
      if (items === undefined) continue;
      const spot = { source: document.source, offset: entryIn(document.tree, kind.section)?.offset ?? 0 };
      if (items.length === 0) empty.push({ section: kind.section, spot });
      const common = defaultsOf(kind, document, defaults);
      lists.push(
        new SectionList(kind, document, items, spot, common, placesOf(context.checks.of(kind).block, context)),
      );
    }
  }
  return { lists, empty };
}

function defaultsOf(kind: KindDefinition, { source }: ManifestDocument, defaults: ReadonlyMap<string, Entry>) {
  return entryIn(defaults.get(source.file)?.value, kind.section);
}

/** By the shown name of the file: all documents of one share its defaults. */
export function defaultsByFile(documents: readonly ManifestDocument[], problems: Problems): ReadonlyMap<string, Entry> {
  const byFile = new Map<string, Entry>();
  for (const { tree, source } of documents) {
    const entry = entryIn(tree, 'defaults');
    if (entry === undefined) continue;
    const first = byFile.get(source.file);
    if (first === undefined) byFile.set(source.file, entry);
    else {
      const { line } = source.position(first.offset);
      const detail = `defaults hold for the whole file and stand in line ${line} already. Merge the two.`;
      problems.add('manifest.declared-twice', detail, { source, offset: entry.offset });
    }
  }
  return byFile;
}
