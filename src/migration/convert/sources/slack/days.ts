// Finds the day files of a Slack export and the channel of each folder.
import type { TreeFile } from '../../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { textIn } from '../../export/values.ts';

export function bytesOf(files: readonly TreeFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

const dayFile = /^(?<folder>.+)\/\d{4}-\d{2}-\d{2}\.json$/u;

export function isDay(path: string): boolean {
  return dayFile.test(path);
}

/** In archive order; the days of each folder in date order. */
export function daysByFolder(files: readonly TreeFile[]): Map<string, readonly TreeFile[]> {
  const folders = new Map<string, TreeFile[]>();
  for (const file of files) {
    const folder = dayFile.exec(file.path)?.groups?.folder;
    if (folder === undefined) continue;
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [file]);
    else known.push(file);
  }
  for (const days of folders.values()) days.sort((left, right) => (left.path < right.path ? -1 : 1));
  return folders;
}

type ExportLists = readonly { readonly values: readonly JsonValue[] }[];

/** Workspace folders in the export of an organisation. */
const ofWorkspace = /^teams\/[^/]+\//u;

/**
 * The channel of each folder, found by name or id. An ambiguous folder has no channel unless people decided. `lists` are those
 * of the export, then those of the exports around it.
 */
export function ownersOf(
  root: string,
  lists: readonly ExportLists[],
  folders: Iterable<string>,
  decided: (folder: string) => string | undefined,
): ReadonlyMap<string, string> {
  const known = lists.map(namesOf);
  const owners = new Map<string, string>();
  for (const folder of folders) {
    // File systems of macOS decompose letters with accents, which the lists of the export do not.
    const name = folder.slice(root.length).replace(ofWorkspace, '').normalize();
    const candidates = known.map((ids) => ids.get(name)).find((ids) => ids !== undefined);
    const owner = decided(folder) ?? (candidates?.size === 1 ? [...candidates][0] : undefined);
    if (owner !== undefined) owners.set(folder, owner);
  }
  return owners;
}

/** Channel ids by name and by id. An id takes precedence over another channel's name. */
function namesOf(lists: ExportLists): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  const values = lists.flatMap((list) => list.values.filter(isListed));
  for (const value of values) {
    const name = textIn(value, 'name')?.normalize();
    const id = textIn(value, 'id') ?? '';
    if (name !== undefined) named.set(name, (named.get(name) ?? new Set()).add(id));
  }
  for (const value of values) {
    const id = textIn(value, 'id') ?? '';
    named.set(id, new Set([id]));
  }
  return named;
}

/** Whether an entry of a list of users or channels is intact. */
export function isListed(value: JsonValue): value is JsonObject {
  return isObject(value) && textIn(value, 'id') !== undefined;
}
