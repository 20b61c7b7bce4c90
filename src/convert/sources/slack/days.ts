// The days of a Slack export: in which folders they lie, whose messages these are, and in which parts they can be read.
import type { TreeFile } from '../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { SourceChannel } from '../../model.ts';
import { textIn } from '../../values.ts';

/** The messages of one channel on one day. */
export interface Day extends TreeFile {
  readonly folder: string;
}

/** A part has at least so many bytes, since there may be ten thousand channels. */
const partBytes = 8_000_000;

/** Whole folders. When a channel has two, all are one part. */
export function partsOf(
  days: ReadonlyMap<string, readonly TreeFile[]>,
  owners: ReadonlyMap<string, string>,
): readonly (readonly Day[])[] {
  const isShared = new Set(owners.values()).size < owners.size;
  const parts: Day[][] = [];
  let room = 0;
  for (const [folder, files] of days) {
    if (room <= 0 && (parts.length === 0 || !isShared)) {
      parts.push([]);
      room = partBytes;
    }
    for (const file of files) parts.at(-1)?.push({ folder, ...file });
    room -= bytesOf(files);
  }
  return parts;
}

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
