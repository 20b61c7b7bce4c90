// Reads the value of `for_each` and opens its rows.

import { isObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { printPosition } from '../../model/source.ts';
import { forEachKey, type ManifestDocument, textAt } from '../document/document.ts';
import { fillTree } from '../document/fill.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { FileAccess } from '../files/access.ts';
import { findNamedFile } from '../files/named-file.ts';
import { nearest, type TreeEntry, toJson, valueOffset } from '../files/tree.ts';
import type { Spot } from '../problems/problems.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { CheckedSubject } from '../schema/sentences.ts';
import { BlockValues } from './block-values.ts';
import { listRows, type ManifestRows, maxRows, rangeRows } from './rows.ts';

export interface ExpandContext extends LoadContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

/** Returns undefined and reports a problem if the rows cannot be read. */
export async function rowsOf(
  each: TreeEntry,
  kind: KindDefinition,
  document: ManifestDocument,
  context: ExpandContext,
): Promise<ManifestRows | undefined> {
  const { source, file } = document;
  const { problems, checks } = context;
  const tree = fillTree(each.value, new BlockValues(kind, source, context)) ?? each.value;
  const root: TreeEntry = { offset: each.offset, value: tree };
  const spot: Spot = { source, offset: each.offset };
  const isMapWithoutForm = tree.type === 'map' && !['file', 'from', 'to'].some((key) => tree.entries.has(key));
  if (tree.type === 'scalar' || isMapWithoutForm) {
    const detail = 'for_each must be a list, { file: rooms.csv } or a range such as { from: 1, to: 50 }.';
    problems.add(isMapWithoutForm ? 'manifest.missing-key' : 'manifest.wrong-type', detail, spot);
    return undefined;
  }
  const check = checks.forEach[tree.type === 'list' ? 'list' : tree.entries.has('file') ? 'file' : 'range'];
  const json = toJson(tree);
  const subject: CheckedSubject = {
    check,
    title: forEachKey,
    textAt: (path) => textAt(root, path),
    isSecret: () => false,
    suggestions: context.suggestions,
  };
  const complaints = complaintsOf(json, subject);
  for (const { code, detail, path, at } of complaints) {
    const entry = nearest(root, path);
    problems.add(code, detail, { source, offset: at === 'key' ? entry.offset : valueOffset(entry) });
  }
  if (complaints.length > 0) return undefined;
  if (tree.type === 'list') {
    if (tree.items.length > maxRows) return refuseCount(tree.items.length, spot, context);
    return listRows(tree.items, (offset) => printPosition(source.position(offset)));
  }
  if (!isObject(json)) return undefined;
  if (typeof json.file === 'string') {
    const namedFile = await findNamedFile(json.file, file, context.cwd, context.files);
    const place = { source, offset: valueOffset(nearest(root, ['file'])) };
    if (namedFile.type === 'problem') {
      problems.add(namedFile.code, namedFile.detail, place);
      return undefined;
    }
    // Load the code that reads rows only if a block needs it.
    const { fileRows } = await import('./file-rows.ts');
    return fileRows({ name: namedFile.name, path: namedFile.path, root: file.root }, context.files, problems, place);
  }
  const [from, to] = [Number(json.from), Number(json.to)];
  if (to < from) {
    const detail = `The range starts at ${from} and ends at ${to}. Write the smaller number as from.`;
    problems.add('manifest.out-of-range', detail, spot);
    return undefined;
  }
  if (to - from >= maxRows) return refuseCount(to - from + 1, spot, context);
  return rangeRows(from, to, typeof json.digits === 'number' ? json.digits : undefined);
}

function refuseCount(count: number, spot: Spot, { problems }: LoadContext): undefined {
  const detail = `for_each would make ${count.toLocaleString('en')} objects, but one block makes at most ${maxRows.toLocaleString('en')}. Declare them under sources instead.`;
  problems.add('manifest.too-many', detail, spot);
  return undefined;
}
