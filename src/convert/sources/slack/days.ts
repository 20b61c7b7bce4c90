// The days of a Slack export: in which folders they lie and whose messages these are.
import type { TreeFile } from '../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { SourceChannel } from '../../export/items.ts';
import { textIn } from '../../export/values.ts';

export function bytesOf(files: readonly TreeFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

const dayFile = /^(?<folder>.+)\/\d{4}-\d{2}-\d{2}\.json$/u;

export function isDay(path: string): boolean {
  return dayFile.test(path);
}

/** In the order of the archive; the days of each folder in theirs. */
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

/** The channel of each folder, which has its name or its id. A folder that two could own has none, unless somebody decided. */
export function ownersOf(
  channels: readonly SourceChannel[],
  lists: readonly { readonly values: readonly JsonValue[] }[],
  folders: Iterable<string>,
  decided: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const named = new Map<string, string[]>();
  for (const { values } of lists) {
    for (const value of values.filter(isListed)) {
      const name = textIn(value, 'name');
      const id = textIn(value, 'id') ?? '';
      if (name !== undefined) named.set(name, [...(named.get(name) ?? []), id]);
    }
  }
  const ids = new Set(channels.map(({ id }) => id));
  const owners = new Map<string, string>();
  for (const folder of folders) {
    const candidates = named.get(folder) ?? [];
    const owner =
      decided.get(folder) ?? (ids.has(folder) ? folder : candidates.length === 1 ? candidates[0] : undefined);
    if (owner !== undefined) owners.set(folder, owner);
  }
  return owners;
}

/** Not broken: an entry of a list of users or channels. */
export function isListed(value: JsonValue): value is JsonObject {
  return isObject(value) && textIn(value, 'id') !== undefined;
}
