// Reads Stream's files as rows: those of an import file, or the channels, members and messages of an export.
import type { FileTree } from '../../../../lib/file-tree.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { JsonStreamError, streamJson } from '../../../../lib/json-stream.ts';
import { headOf } from '../../export/json-files.ts';
import { parsedLines } from '../../export/lines.ts';
import { isTooDeep, naturally, objectsIn, textIn } from '../../export/values.ts';

export interface StreamRow {
  readonly at: string;
  /** Undefined if the row is neither {type, item} nor an object of an export. */
  readonly type: string | undefined;
  readonly item: JsonObject;
}

interface StreamRows {
  readonly rows: StreamRow[];
  readonly bytes: number;
}

/** The files of an export, with parts in the order of their numbers. */
export async function rowFiles(tree: FileTree): Promise<readonly string[]> {
  const paths = tree.files.map(({ path }) => path);
  const candidates = tree.type === 'file' ? paths : paths.filter((path) => /\.(?:json|jsonl|ndjson)$/u.test(path));
  const found: string[] = [];
  for (const path of naturally(candidates)) if (await hasRows(tree, path)) found.push(path);
  return found;
}

async function hasRows(tree: FileTree, file: string): Promise<boolean> {
  try {
    for await (const { rows } of rowsOf(tree, file)) {
      if (rows.length > 0) return rows[0]?.type !== undefined;
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
  }
  return false;
}

/** Distinguishes a JSON list, one channel as a JSON object, and JSONL by the first character and the first object. */
export async function* rowsOf(tree: FileTree, file: string): AsyncGenerator<StreamRows> {
  const context = new ExportContext();
  if (await beginsAsList(tree, file)) {
    for await (const { values, bytes } of streamJson(await tree.stream(file), ['$.*'])) {
      yield { rows: values.flatMap(({ key, value }) => context.rows(`${file}#${Number(key) + 1}`, value)), bytes };
    }
    return;
  }
  if (await mayBeOneObject(tree, file)) {
    const { channel, guild } = (await headOf(tree, file, ['channel', 'guild'], ['channel'])) ?? {};
    if (isChannel(channel) && guild === undefined) {
      yield* channelRows(tree, file, channel, context);
      return;
    }
  }
  for await (const { lines, bytes } of parsedLines(await tree.stream(file))) {
    yield { rows: lines.flatMap(({ number, value }) => context.rows(`${file}#${number}`, value)), bytes };
  }
}

async function beginsAsList(tree: FileTree, file: string): Promise<boolean> {
  for await (const piece of await tree.stream(file)) return /^\ufeff?\s*\[/u.test(Buffer.from(piece).toString('utf8'));
  return false;
}

/** Whether the first line is not a whole object. Then the whole file may be one object. */
async function mayBeOneObject(tree: FileTree, file: string): Promise<boolean> {
  for await (const { lines } of parsedLines(await tree.stream(file))) {
    const [first] = lines;
    if (first !== undefined) return first.value === undefined;
  }
  return false;
}

const parts = ['messages', 'members', 'reads', 'read', 'watchers'] as const;

/** Streams a channel with its messages and members, which may be hundreds of megabytes. */
async function* channelRows(
  tree: FileTree,
  file: string,
  channel: JsonObject,
  context: ExportContext,
): AsyncGenerator<StreamRows> {
  yield { rows: context.entity(`${file}/channel`, 'channel', channel), bytes: 0 };
  for (const [pass, part] of parts.entries()) {
    let number = 0;
    for await (const { values, bytes } of streamJson(await tree.stream(file), [`$.${part}.*`])) {
      const rows = values.flatMap(({ value }) => context.entity(`${file}/${part}#${++number}`, typeOf(part), value));
      yield { rows, bytes: pass === 0 ? bytes : 0 };
    }
  }
}

function typeOf(part: string): string {
  return part === 'messages' ? 'message' : part === 'members' ? 'member' : part;
}

const entities = ['channel', 'member', 'message', 'reaction', 'user', 'read'] as const;

/** Objects of an export name their channel by a cid, or follow it. */
class ExportContext {
  #channel: JsonObject = {};

  rows(at: string, value: JsonValue | undefined): StreamRow[] {
    const broken: StreamRow = { at, type: undefined, item: {} };
    if (!isObject(value) || isTooDeep(value)) return [broken];
    if (typeof value.type === 'string' && isObject(value.item)) return [{ at, type: value.type, item: value.item }];
    if (isChannel(value.channel) && (isList(value.messages) || isList(value.members))) {
      return [
        ...this.entity(`${at}/channel`, 'channel', value.channel),
        ...parts.flatMap((part) =>
          objectsIn(value, part).flatMap((object, place) =>
            this.entity(`${at}/${part}#${place + 1}`, typeOf(part), object),
          ),
        ),
      ];
    }
    const name = entities.find(
      (entity) => isObject(value[entity]) && (value.type === entity || Object.keys(value).length === 1),
    );
    if (name !== undefined && isEntity(name, value[name])) return this.entity(at, name, value[name]);
    const isTyped = entities.some((entity) => entity === value.type) && isEntity(String(value.type), value.data);
    return isTyped ? this.entity(at, String(value.type), value.data) : [broken];
  }

  entity(at: string, type: string, value: JsonValue | undefined): StreamRow[] {
    if (!isObject(value) || isTooDeep(value)) return [{ at, type: undefined, item: {} }];
    if (type === 'channel') this.#channel = value;
    const [ownType, ownId] = cidOf(value) ?? cidOf(this.#channel) ?? [this.#channel.type, this.#channel.id];
    const place =
      type === 'member' || type === 'message' ? { channel_type: ownType ?? '', channel_id: ownId ?? '' } : {};
    return [{ at, type, item: { ...meaningful(value), ...place } }];
  }
}

function cidOf(value: JsonObject): readonly [string, string] | undefined {
  const cid = textIn(value, 'cid');
  const colon = cid?.indexOf(':') ?? -1;
  return cid === undefined || colon < 0 ? undefined : [cid.slice(0, colon), cid.slice(colon + 1)];
}

function isChannel(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value) || textIn(value, 'id') === undefined || textIn(value, 'type') === undefined) return false;
  return textIn(value, 'cid') !== undefined || textIn(value, 'created_at') !== undefined;
}

function isEntity(name: string, value: JsonValue | undefined): boolean {
  if (name === 'channel') return isChannel(value);
  return isObject(value) && textIn(value, name === 'member' || name === 'read' ? 'user_id' : 'id') !== undefined;
}

/** Drops the many empty fields of responses. */
function meaningful(value: JsonObject): JsonObject {
  const isEmpty = (found: JsonValue): boolean =>
    found === null || found === '' || found === false || (typeof found === 'object' && Object.keys(found).length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, found]) => !isEmpty(found)));
}
