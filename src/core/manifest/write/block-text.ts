// Writes declared objects as YAML, with one attribute or member per line and otherwise in the layout of `fmt`.
import { isMap, isScalar, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { escapePlaceholders } from '../document/fill.ts';
import { layoutSchema } from '../schema/schema.ts';
import { sortKeys } from './key-order.ts';
import { printMap, textScalar } from './printer.ts';

/** The nodes of a section, for `manifestText`. */
export type SectionNode = Node;

/** Maps and lists are written on one line up to this column. */
const maxColumn = 100;
const step = 2;
/** Maps with one entry per line however short, so that diffs stay small. */
const oneALine: ReadonlySet<string> = new Set(['members']);

/** Returns a manifest of named sections. */
export function manifestText(
  sections: Iterable<readonly [string, SectionNode]>,
  kinds: readonly KindDefinition[],
): string {
  const pairs = [new Pair(textScalar('version'), onOneLine(1))];
  for (const [name, node] of sections) {
    const key = textScalar(name);
    key.spaceBefore = true;
    pairs.push(new Pair(key, node));
  }
  const root = mapOf(pairs);
  sortKeys(root, layoutSchema(kinds));
  return printMap(root);
}

/** Returns the objects of a section in the given order. */
export function objectsNode(objects: Iterable<readonly [string, JsonObject]>): SectionNode {
  const pairs: Pair<Scalar, Node>[] = [];
  for (const [key, block] of objects) {
    pairs.push(new Pair(textScalar(escapePlaceholders(key)), linesOf(withoutPlaceholders(block), 2 * step)));
  }
  return mapOf(pairs);
}

/** Escapes texts from the platform that look like placeholders. */
function withoutPlaceholders<T extends JsonValue>(value: T): T;
function withoutPlaceholders(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapePlaceholders(value);
  if (isList(value)) return value.map((item) => withoutPlaceholders(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => [
    escapePlaceholders(key),
    withoutPlaceholders(inner),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the attributes of an object as lines, for people to paste below its key. */
export function pastedBlock(block: JsonObject): string {
  return printMap(linesOf(withoutPlaceholders(block), 2 * step));
}

/** Returns the block of an object that is a whole section. */
export function blockNode(block: JsonObject): SectionNode {
  return linesOf(withoutPlaceholders(block), step);
}

/** Returns a section of settings, one per line, or undefined if there are none. */
export function settingsNode(settings: readonly JsonValue[] | JsonObject): SectionNode | undefined {
  if (Object.keys(settings).length === 0) return undefined;
  if (isList(settings)) return listOf(settings);
  return mapOf(Object.entries(settings).map(([name, value]) => new Pair(textScalar(name), onOneLine(value))));
}

/** `around` is the name of the map. */
function linesOf(block: JsonObject, indent: number, around = ''): Node {
  // A member without statuses.
  const isBare = (value: JsonValue) => around === 'members' && isObject(value) && Object.keys(value).length === 0;
  return mapOf(
    Object.entries(block).map(
      ([name, value]) =>
        new Pair(textScalar(name), isBare(value) ? new Scalar(null) : attributeNode(name, value, indent)),
    ),
  );
}

function attributeNode(name: string, value: JsonValue, indent: number): Node {
  const line = onOneLine(value);
  const isEmpty = isObject(value) && Object.keys(value).length === 0;
  if (isEmpty || !(isObject(value) || isList(value))) return line;
  const fits = indent + widthOf(textScalar(name)) + ': '.length + widthOf(line) <= maxColumn;
  if (isList(value)) return fits ? line : listOf(value);
  return fits && !oneALine.has(name) ? line : linesOf(value, indent + step, name);
}

/** Returns the width of a node on one line, including quotes. */
function widthOf(node: unknown): number {
  if (isScalar(node)) {
    return node.type === Scalar.QUOTE_DOUBLE ? JSON.stringify(node.value).length : String(node.value).length;
  }
  if (!(node instanceof YAMLMap) && !(node instanceof YAMLSeq)) return 0;
  const widths = node.items.map((item) =>
    item instanceof Pair ? widthOf(item.key) + ': '.length + widthOf(item.value) : widthOf(item),
  );
  const inner = widths.reduce((sum, width) => sum + width, 0) + ', '.length * Math.max(0, widths.length - 1);
  return inner + (isMap(node) && widths.length > 0 ? '{  }' : '[]').length;
}

function onOneLine(value: JsonValue): Node {
  if (typeof value === 'string') return textScalar(value);
  // The printer treats numbers as texts.
  if (typeof value === 'number') return new Scalar(JSON.stringify(value));
  if (!isList(value) && !isObject(value)) return new Scalar(value);
  const node = isList(value)
    ? listOf(value)
    : mapOf(Object.entries(value).map(([key, inner]) => new Pair(textScalar(key), onOneLine(inner))));
  node.flow = true;
  return node;
}

function mapOf(pairs: Pair<Scalar, Node>[]): YAMLMap<Scalar, Node> {
  const map = new YAMLMap<Scalar, Node>();
  map.items = pairs;
  return map;
}

function listOf(values: readonly JsonValue[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items = values.map(onOneLine);
  return list;
}
