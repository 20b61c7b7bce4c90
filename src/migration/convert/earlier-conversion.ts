// Reads the history files and objects of the previous conversion, some of which are kept.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { demandFormat } from '../../core/model/documents.ts';
import { channelOfHistoryFile } from '../../core/model/migration/history-names.ts';
import { timeOfLine } from '../../core/model/migration/message-times.ts';
import { isList, isObject, type JsonObject, type JsonValue, parsedObject } from '../../lib/json.ts';
import type { Digests, NewFiles } from '../../lib/new-files.ts';
import { linesOfFile } from './export/lines.ts';
import { withoutParent } from './parent-text.ts';

type ObjectKind = 'user' | 'group_channel' | 'open_channel';

export interface TimedLine {
  readonly time: number;
  readonly text: string;
}

const keyNames: Readonly<Record<ObjectKind, string>> = {
  user: 'user_id',
  group_channel: 'channel_url',
  open_channel: 'channel_url',
};

export class EarlierConversion {
  readonly #root: string;
  readonly #files: Digests;
  /** The history files by channel_url. */
  readonly #historyFiles = new Map<string, string>();
  readonly #objects = new Map<ObjectKind, ReadonlyMap<string, JsonObject>>();

  /** `files`: paths from the root of the generated files, with digests. */
  constructor(root: string, files: Digests) {
    this.#root = root;
    this.#files = files;
    for (const file of Object.keys(files)) {
      const channelUrl = channelOfHistoryFile(file);
      if (channelUrl !== undefined) this.#historyFiles.set(channelUrl, file);
    }
  }

  /** channel_urls of the history files. */
  historyFiles(): Iterable<string> {
    return this.#historyFiles.keys();
  }

  /** Relative to the manifest folder. */
  get historyFileFiles(): Iterable<string> {
    return this.#historyFiles.values();
  }

  has(file: string): boolean {
    return Object.hasOwn(this.#files, file);
  }

  /** Whether the new history file of the channel equals the previous one. */
  isSame(url: string, file: string, files: NewFiles): boolean {
    const before = this.#historyFiles.get(url);
    return before !== undefined && files.digestOf(file) === this.#files[before];
  }

  /** Sorted by time, without threads. Empty without a history file, and for a file that somebody removed. */
  *lines(url: string): Generator<TimedLine> {
    const file = this.#historyFiles.get(url);
    if (file === undefined) return;
    for (const line of historyFileLinesOf(join(this.#root, file))) yield { ...line, text: withoutParent(line.text) };
  }

  /** Attributes by key. */
  objects(kind: ObjectKind): ReadonlyMap<string, JsonObject> {
    const known = this.#objects.get(kind);
    if (known !== undefined) return known;
    const found = new Map([...this.#inYaml(`${kind}s`), ...this.#inRows(`data/${kind}s.ndjson`, keyNames[kind])]);
    this.#objects.set(kind, found);
    return found;
  }

  /** The objects of a file with one on each line. Empty if somebody removed the file. */
  *rows(file: string): Generator<JsonObject> {
    const path = join(this.#root, file);
    if (!this.has(file) || !existsSync(path)) return;
    for (const { text = '' } of linesOfFile(path)) {
      const row = parsedObject(text);
      if (row !== undefined) yield row;
    }
  }

  /** The parsed value of a JSON file. Throws as `demandFormat`. */
  json(file: string): JsonValue | undefined {
    const value = this.has(file) ? this.#read(file, JSON.parse) : undefined;
    if (isObject(value)) demandFormat(file, value.format_version);
    return value;
  }

  #inYaml(section: string): readonly (readonly [string, JsonObject])[] {
    const value = this.has(`${section}.yaml`) ? this.#read(`${section}.yaml`, parse) : undefined;
    const objects = isObject(value) ? value[section] : undefined;
    return isObject(objects)
      ? Object.entries(objects).map(([key, attributes]) => [key, isObject(attributes) ? attributes : {}])
      : [];
  }

  #inRows(file: string, keyName: string): readonly (readonly [string, JsonObject])[] {
    const rows = this.has(file) ? this.#read(file, rowsIn) : undefined;
    return (isList(rows) ? rows.filter(isObject) : []).map((row) => {
      const { [keyName]: key, ...attributes } = row;
      return [String(key), attributes];
    });
  }

  /** Undefined if the file cannot be read or parsed. An edited file is refused later. */
  #read(file: string, parsed: (text: string) => unknown): JsonValue | undefined {
    try {
      return parsed(readFileSync(join(this.#root, file), 'utf8')) as JsonValue;
    } catch {
      return undefined;
    }
  }
}

function rowsIn(text: string): JsonValue {
  const rows = text.split('\n').filter((row) => row !== '');
  return rows.map((row) => JSON.parse(row) as JsonValue);
}

/** Returns the lines of a history file that a conversion wrote. Empty for a file that does not exist. */
export function* historyFileLinesOf(file: string): Generator<TimedLine> {
  if (!existsSync(file)) return;
  for (const { text = '' } of linesOfFile(file)) yield { time: timeOfLine(text), text };
}
