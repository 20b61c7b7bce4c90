// Reads exports that are JSON files of one channel each: `channel` beside `messages`, in parts where there are many.
import type { FileTree, TreeFile } from '../../lib/file-tree.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { JsonStreamError, streamJson } from '../../lib/json-stream.ts';
import type { SourceItem } from '../model.ts';
import type { Batch } from './source.ts';

/** JSON files, parts of one export in the order of their numbers. */
export function jsonFiles(tree: FileTree): readonly TreeFile[] {
  const files = tree.type === 'file' ? tree.files : tree.files.filter(({ path }) => path.endsWith('.json'));
  const collator = new Intl.Collator('en', { numeric: true });
  return [...files].sort((left, right) => collator.compare(left.path, right.path));
}

/** The named properties of the root, as far as they are objects. Stops when all were read, unless they stand last. */
export async function headOf(tree: FileTree, file: string, names: readonly string[]): Promise<JsonObject | undefined> {
  const head: Record<string, JsonObject> = {};
  try {
    const paths = names.map((name) => `$.${name}`);
    for await (const { values } of streamJson(await tree.stream(file), paths)) {
      for (const { key, value } of values) if (isObject(value)) head[String(key)] = value;
      if (names.every((name) => head[name] !== undefined)) return head;
    }
  } catch (error) {
    // A file that is cut is told of when its messages are read.
    if (!(error instanceof JsonStreamError)) throw error;
  }
  return Object.keys(head).length === 0 ? undefined : head;
}

/** How many files are looked into: exports may hold others besides. */
const maxLookedAt = 20;

/** Is one of the first files of the form? */
export async function someHead(
  tree: FileTree,
  names: readonly string[],
  isExport: (head: JsonObject | undefined) => boolean,
): Promise<boolean> {
  for (const { path } of jsonFiles(tree).slice(0, maxLookedAt)) {
    if (isExport(await headOf(tree, path, names))) return true;
  }
  return false;
}

/** An item for each message, and one more for the place where a file breaks off. */
export async function* messageItems(
  tree: FileTree,
  { path }: TreeFile,
  itemOf: (at: string, message: JsonObject) => SourceItem,
): AsyncGenerator<Batch> {
  let number = 0;
  try {
    for await (const { values, bytes } of streamJson(await tree.stream(path), ['$.messages.*'])) {
      const items = values.map(({ value }): SourceItem => {
        number += 1;
        const at = `${path}#${number}`;
        return isObject(value) ? itemOf(at, value) : { type: 'left_out', at, id: at, reason: 'object.broken' };
      });
      yield { items, bytes };
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    const at = `${path}#${number + 1}`;
    yield { items: [{ type: 'left_out', at, id: at, reason: 'file.broken-json' }], bytes: 0 };
  }
}
