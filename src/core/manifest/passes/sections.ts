// Finds the objects that documents declare in their sections.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { Declarations } from '../checks/declarations.ts';
import { SectionList } from '../document/declared-block.ts';
import type { ManifestDocument } from '../document/document.ts';
import { type SectionItems, wholeItem } from '../files/documents.ts';
import { entryIn, type TreeEntry } from '../files/tree.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import type { SourceContext } from '../rows/read-sources.ts';
import type { SourceList } from '../rows/source-list.ts';
import { idPathsOf } from '../schema/block-schema.ts';

/** A section that is declared empty: `users: {}`. */
export interface EmptySection {
  readonly section: string;
  readonly source: SourcePosition;
}

/** All lists of declared objects: sections of documents, and files under `sources`. */
export interface DeclaredLists {
  readonly sections: readonly SectionList[];
  readonly sources: readonly SourceList[];
}

interface SectionLists {
  /** Sorted by document, then by kind. */
  readonly sections: readonly SectionList[];
  readonly empty: readonly EmptySection[];
  /** Whether rows of a block could not be read. */
  readonly isPartial: boolean;
}

/** `defaults` are keyed by shown file name. */
export async function sectionLists(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, TreeEntry>,
  context: SourceContext,
): Promise<SectionLists> {
  let isPartial = false;
  const sections: SectionList[] = [];
  const empty: EmptySection[] = [];
  for (const document of documents) {
    const { source, tree } = document;
    for (const kind of context.kinds) {
      const written = document.sections.get(kind.section);
      if (written === undefined) continue;
      const spot: Spot = { source, offset: entryIn(tree, kind.section)?.offset ?? 0 };
      const common = entryIn(defaults.get(source.file)?.value, kind.section);
      const items =
        kind.onlyKey === undefined ? written : wholeItem(kind.onlyKey, written, spot.offset, common !== undefined);
      if (items.length === 0) empty.push({ section: kind.section, source: source.position(spot.offset) });
      const declared = await declaredItems(items, kind, document, context);
      isPartial ||= declared.isPartial;
      for (const part of declared.parts) {
        sections.push(new SectionList(kind, document, part, spot, common, idPathsOf(kind, context.kinds)));
      }
    }
  }
  return { sections, empty, isPartial };
}

/** Loads the code that fills in placeholders and expands rows only if a document needs it. */
async function declaredItems(
  items: SectionItems,
  kind: KindDefinition,
  document: ManifestDocument,
  context: SourceContext,
) {
  if (!document.hasPlaceholders && !document.hasForEach) {
    return { parts: [{ items, isExpanded: false }], isPartial: false };
  }
  const { expandItems } = await import('../rows/expand.ts');
  return expandItems(items, kind, document, context);
}

/** The number of objects in YAML above which files under `sources` are recommended. */
const manyInYaml = 10_000;

export function adviseSources(sections: readonly SectionList[], declarations: Declarations, problems: Problems): void {
  const written = sections.filter(({ isExpanded }) => !isExpanded);
  const count = written.reduce((sum, list) => sum + declarations.countOf(list), 0);
  const [most] = written.sort((left, right) => declarations.countOf(right) - declarations.countOf(left));
  if (count <= manyInYaml || most === undefined) return;
  const { name: kind, section, keyName }: KindDefinition = most.kind;
  const detail = `${count.toLocaleString('en')} objects are declared in YAML. NDJSON and CSV files load much faster and need little memory. Write "sources: [{ kind: ${kind}, file: ${section}.ndjson }]" and put one object with its ${keyName} on each line of the file.`;
  problems.add('manifest.many-in-yaml', detail, most.spot, 'note');
}
