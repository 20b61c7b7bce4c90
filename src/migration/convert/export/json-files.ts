// Reads exports with one JSON file per channel, with `channel` beside `messages`. Large channels may have several files.
import type { FileTree, TreeFile } from '../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { JsonStreamError, streamJson } from '../../../lib/json-stream.ts';
import type { SourceChannel, SourceItem } from './items.ts';
import type { ItemBatch } from './source.ts';
import { isTooDeep } from './values.ts';

/** The JSON files, with the parts of one export in the order of their numbers. */
function jsonFiles(tree: FileTree): readonly TreeFile[] {
  const files = tree.type === 'file' ? tree.files : tree.files.filter(({ path }) => path.endsWith('.json'));
  const collator = new Intl.Collator('en', { numeric: true });
  return [...files].sort((left, right) => collator.compare(left.path, right.path));
}

/** The named properties of the root that are objects or texts. Stops when the `needed` ones have been read. */
export async function headOf(
  tree: FileTree,
  file: string,
  names: readonly string[],
  needed = names,
): Promise<JsonObject | undefined> {
  const head: Record<string, JsonValue> = {};
  try {
    const paths = names.map((name) => `$.${name}`);
    for await (const { values } of streamJson(await tree.stream(file), paths)) {
      for (const { key, value } of values) {
        if (typeof value === 'string' || (isObject(value) && !isTooDeep(value))) head[String(key)] = value;
      }
      if (needed.every((name) => head[name] !== undefined)) return head;
    }
  } catch (error) {
    // A truncated file is reported when its messages are read.
    if (!(error instanceof JsonStreamError)) throw error;
  }
  return Object.keys(head).length === 0 ? undefined : head;
}

/** Whether a file has this form. An export may contain any number of other files. */
export async function someHead(
  tree: FileTree,
  names: readonly string[],
  isExport: (head: JsonObject | undefined) => boolean,
): Promise<boolean> {
  for (const { path } of jsonFiles(tree)) {
    if (isExport(await headOf(tree, path, names))) return true;
  }
  return false;
}

/** The files of an export with their channels. */
export interface ChannelFiles {
  readonly channels: readonly SourceChannel[];
  readonly totalBytes: number;
  readonly paths: readonly string[];
  /** Whether the file contains a channel with its messages. */
  has(path: string): boolean;
  /** Yields, file by file, its channel or part, the items of `besides`, and its messages. `others` yields the rows of other files. */
  read(
    itemOf: (at: string, message: JsonObject, channelId: string) => SourceItem,
    besides?: (path: string) => Promise<readonly SourceItem[]>,
    others?: (file: TreeFile) => AsyncIterable<ItemBatch> | undefined,
  ): AsyncGenerator<ItemBatch>;
}

/**
 * `channelOf` returns the channel of a file from its head, or undefined for files of other kinds. If a channel has several
 * files, the one with the latest message describes it. `timeOf` returns the time of a message.
 */
export async function channelFiles(
  tree: FileTree,
  names: readonly string[],
  channelOf: (head: JsonObject | undefined, path: string) => SourceChannel | undefined,
  timeOf: (message: JsonObject) => number,
  needed = names,
): Promise<ChannelFiles> {
  const files = jsonFiles(tree);
  const byId = new Map<string, { readonly path: string; readonly channel: SourceChannel }[]>();
  const ids = new Map<string, string>();
  for (const { path } of files) {
    const channel = channelOf(await headOf(tree, path, names, needed), path);
    if (channel === undefined) continue;
    ids.set(path, channel.id);
    byId.set(channel.id, [...(byId.get(channel.id) ?? []), { path, channel }]);
  }
  const channels: SourceChannel[] = [];
  // The other files of a channel are parts of it.
  const firsts = new Set<string>();
  for (const parts of byId.values()) {
    firsts.add(parts[0]?.path ?? '');
    let latest = { time: Number.NEGATIVE_INFINITY, channel: parts[0]?.channel };
    for (const { path, channel } of parts.length > 1 ? parts : []) {
      const time = await lastTime(tree, path, timeOf);
      if (time >= latest.time) latest = { time, channel };
    }
    if (latest.channel !== undefined) channels.push(latest.channel);
  }
  const channelFiles = files.filter(({ path }) => ids.has(path));
  return {
    channels,
    totalBytes: channelFiles.reduce((sum, { bytes }) => sum + bytes, 0),
    paths: channelFiles.map(({ path }) => path),
    has: (path) => ids.has(path),
    async *read(itemOf, besides = async () => [], others = () => undefined) {
      for (const file of files) {
        const { path } = file;
        const id = ids.get(path);
        const batches = id === undefined ? others(file) : undefined;
        if (batches !== undefined) yield* batches;
        if (id === undefined) continue;
        const channel: SourceItem = firsts.has(path)
          ? { type: 'channel', at: path, id }
          : { type: 'part', at: path, id: `${id}:${path}`, of: { type: 'channel', id } };
        yield { items: [channel, ...(await besides(path))], bytes: 0, file: path };
        for await (const batch of messageItems(tree, file, (at, message) => itemOf(at, message, id)))
          yield { ...batch, window: windowNameOf(path) };
      }
    },
  };
}

/** Parts of one export have numbers after the file name. */
const partNumber = / \[part \d+\](?=\.[^./]+$)/u;

/** Every file is a separate window, but the parts of one export share a window. */
export function windowNameOf(path: string): string {
  return path.replace(partNumber, '');
}

/** The time of the last message. `-Infinity` for a file without messages, or a truncated one. */
async function lastTime(tree: FileTree, path: string, timeOf: (message: JsonObject) => number): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  try {
    for await (const { values } of streamJson(await tree.stream(path), ['$.messages.*'])) {
      for (const { value } of values) {
        const time = isObject(value) ? timeOf(value) : Number.NaN;
        if (time > last) last = time;
      }
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
  }
  return last;
}

/** Yields an item for each message, and one for the place where a file is truncated. */
async function* messageItems(
  tree: FileTree,
  { path }: TreeFile,
  itemOf: (at: string, message: JsonObject) => SourceItem,
): AsyncGenerator<ItemBatch> {
  let number = 0;
  try {
    for await (const { values, bytes } of streamJson(await tree.stream(path), ['$.messages.*'])) {
      const items = values.map(({ value }): SourceItem => {
        number += 1;
        const at = `${path}#${number}`;
        return isObject(value) && !isTooDeep(value)
          ? itemOf(at, value)
          : { type: 'left_out', at, id: at, reason: 'object.broken' };
      });
      yield { items, bytes, file: path };
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    const at = `${path}#${number + 1}`;
    yield { items: [{ type: 'left_out', at, id: at, reason: 'file.broken-json' }], bytes: 0, file: path };
  }
}
