// Finds the line of one entry of a map or list, such as a member. Resources know the lines of their attributes alone.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import { parseYaml } from '../../manifest/files/read-yaml.ts';
import type { Tree, TreeEntry } from '../../manifest/files/tree.ts';
import { Problems, SourceText } from '../../manifest/problems/problems.ts';
import { keyOf, kindOf } from '../../model/address.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import { findKind } from '../../resources/index.ts';

/** A longer file is not read again. Its entries have the line of their attribute. */
const maxFileLength = 4 << 20;

interface ParsedText {
  readonly source: SourceText;
  readonly trees: readonly Tree[];
}

export class EntryPositions {
  readonly #cwd: string;
  readonly #files = new Map<string, ParsedText | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Undefined if the resource does not declare the path. An entry that its file does not show has the line of its attribute. */
  of(resource: Resource, [name, entry]: readonly string[]): SourcePosition | undefined {
    if (name === undefined) return resource.source;
    const value = resource.attributes[name];
    if (value === undefined) return undefined;
    const position = resource.attributeSources?.[name] ?? resource.source;
    if (entry === undefined) return position;
    if (!hasEntry(value, entry)) return undefined;
    const section = findKind(resource.address)?.section ?? kindOf(resource.address);
    for (let layer: SourcePosition | undefined = position; layer !== undefined; layer = layer.over) {
      const entryPosition = this.#find(layer.file, [section, keyOf(resource.address), name, entry]);
      if (entryPosition !== undefined) return entryPosition;
    }
    return position;
  }

  #find(file: string, path: readonly string[]): SourcePosition | undefined {
    const parsed = this.#parsed(file);
    for (const tree of parsed?.trees ?? []) {
      const offset = offsetIn(tree, path);
      if (offset !== undefined) return parsed?.source.position(offset);
    }
    return undefined;
  }

  #parsed(file: string): ParsedText | undefined {
    if (!this.#files.has(file)) this.#files.set(file, this.#read(file));
    return this.#files.get(file);
  }

  #read(file: string): ParsedText | undefined {
    if (!/\.ya?ml$/u.test(file)) return undefined;
    let text: string;
    try {
      text = readFileSync(resolve(this.#cwd, file), 'utf8');
    } catch {
      return undefined;
    }
    if (text.length > maxFileLength) return undefined;
    const source = new SourceText(file, text);
    return { source, trees: parseYaml(source, new Problems()).trees };
  }
}

function hasEntry(value: JsonValue, entry: string): boolean {
  return isList(value) ? value.includes(entry) : isObject(value) && Object.hasOwn(value, entry);
}

/** The offset of the last key, or of the item of a list that is its text. */
function offsetIn(tree: Tree, path: readonly string[]): number | undefined {
  let value = tree;
  let entry: TreeEntry | undefined;
  for (const part of path) {
    if (value.type === 'list') {
      const item = value.items.find((candidate) => candidate.type === 'scalar' && candidate.text === part);
      return item?.offset;
    }
    entry = value.type === 'map' ? value.entries.get(part) : undefined;
    if (entry === undefined) return undefined;
    value = entry.value;
  }
  return entry?.offset;
}
