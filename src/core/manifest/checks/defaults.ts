// Reads and checks the blocks of `defaults`.
import { traitsOf } from '../document/block.ts';
import { subjectOf } from '../document/block-problems.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import { entryIn, type TreeEntry, toJson } from '../files/tree.ts';
import type { Problems } from '../problems/problems.ts';
import { idPathsOf } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { SecretVariables } from './secrets.ts';

/** Returns defaults by shown file name. All documents of a file share them. */
export function defaultsByFile(
  documents: readonly ManifestDocument[],
  problems: Problems,
): ReadonlyMap<string, TreeEntry> {
  const byFile = new Map<string, TreeEntry>();
  for (const { tree, source } of documents) {
    const entry = entryIn(tree, 'defaults');
    if (entry === undefined) continue;
    const first = byFile.get(source.file);
    if (first === undefined) byFile.set(source.file, entry);
    else {
      const { line } = source.position(first.offset);
      const detail = `defaults apply to the whole file and are already declared in line ${line}. Merge the two.`;
      problems.add('manifest.declared-twice', detail, { source, offset: entry.offset });
    }
  }
  return byFile;
}

/** Checks defaults that no object of the file uses. Others are checked as part of the blocks. */
export function checkDefaults(
  documents: readonly ManifestDocument[],
  context: LoadContext & { readonly secrets: SecretVariables },
): void {
  for (const document of documents) {
    const defaults = entryIn(document.tree, 'defaults')?.value;
    for (const kind of context.kinds) {
      const entry = entryIn(defaults, kind.section);
      if (entry?.value.type !== 'map') continue;
      const spotOf = (path: readonly string[]) => spotIn(document, ['defaults', kind.section, ...path]);
      if (traitsOf(kind).secrets.length > 0) context.secrets.check(kind, toJson(entry.value), spotOf);
      const check = context.checks.of(kind).defaults;
      const value = toJson(entry.value, idPathsOf(kind, context.kinds));
      for (const { code, detail, path, at } of complaintsOf(value, subjectOf(kind, entry, check, context))) {
        context.problems.add(code, detail, spotIn(document, ['defaults', kind.section, ...path], at));
      }
    }
  }
}
