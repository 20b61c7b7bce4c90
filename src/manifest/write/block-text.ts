// Writes declared objects as YAML: one attribute on a line, one member on a line, everything else as `fmt` lays it out.
//
// Builds the layout directly and prints it with the printer of `fmt`. Writing a text and formatting it gives the same, and
// takes ten times as long.
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { inOrder } from '../format/key-order.ts';
import {
  type FlowEntry,
  type Layout,
  type LayoutEntry,
  type LayoutItem,
  noNames,
  type ScalarLayout,
  step,
} from '../format/layout.ts';
import { printLayout } from '../format/print-layout.ts';
import { layoutSchema } from '../schema/schema.ts';
import { escapePlaceholders } from '../variables/fill.ts';

/** Short maps and lists stand on one line up to this column. */
const maxColumn = 100;
/** Maps that keep one entry on a line, however short, so that diffs stay small. */
const oneALine: ReadonlySet<string> = new Set(['members']);

/** A manifest of named sections. */
export function manifestText(sections: Iterable<readonly [string, Layout]>, kinds: readonly KindDefinition[]): string {
  const entries = [entryOf('version', onOneLine(1))];
  for (const [name, layout] of sections) entries.push({ ...entryOf(name, layout), lead: [''] });
  const layout = inOrder(mapOf(entries), layoutSchema(kinds));
  return `${printLayout(layout, 0).join('\n')}\n`;
}

/** The objects of a section, in the given order. */
export function objectsLayout(objects: Iterable<readonly [string, JsonObject]>): Layout {
  const entries: LayoutEntry[] = [];
  for (const [key, found] of objects) {
    const isBare = Object.keys(found).length === 0;
    const block = isBare ? found : withoutPlaceholders(found);
    entries.push(entryOf(escapePlaceholders(key), isBare ? onOneLine({}) : linesOf(block, 2 * step)));
  }
  return mapOf(entries);
}

/** Texts of the platform are no placeholders, whatever they say. */
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

/** The block of an object whose section it is. */
export function blockLayout(block: JsonObject): Layout {
  return linesOf(withoutPlaceholders(block), step);
}

/** A section of settings, one on a line; undefined when there are none. */
export function settingsLayout(settings: readonly JsonValue[] | JsonObject): Layout | undefined {
  if (Object.keys(settings).length === 0) return undefined;
  if (isList(settings)) return { type: 'list', items: settings.map((item) => itemOf(onOneLine(item))), tail: [] };
  return mapOf(Object.entries(settings).map(([name, value]) => entryOf(name, onOneLine(value))));
}

/** `around`: the name of the map. */
function linesOf(block: JsonObject, indent: number, around = ''): Layout {
  // A member without statuses.
  const isBare = (value: JsonValue) => around === 'members' && isObject(value) && Object.keys(value).length === 0;
  const entries = Object.entries(block);
  return mapOf(entries.map(([name, value]) => (isBare(value) ? entryOf(name) : attribute(name, value, indent))));
}

function attribute(name: string, value: JsonValue, indent: number): LayoutEntry {
  if (isList(value)) {
    const line = onOneLine(value);
    if (fits(name, line, indent)) return entryOf(name, line);
    return entryOf(name, { type: 'list', items: value.map((item) => itemOf(onOneLine(item))), tail: [] });
  }
  if (!isObject(value)) return entryOf(name, onOneLine(value));
  if (Object.keys(value).length === 0) return entryOf(name, onOneLine(value));
  const line = oneALine.has(name) ? undefined : onOneLine(value);
  return entryOf(name, line !== undefined && fits(name, line, indent) ? line : linesOf(value, indent + step, name));
}

function fits(name: string, value: Layout, indent: number): boolean {
  return indent + scalar(name).source.length + ': '.length + widthOf(value) <= maxColumn;
}

/** On one line, with the quotes that the printer would set. */
function widthOf(layout: Layout | undefined): number {
  if (layout?.type === 'scalar') return layout.source.length;
  if (layout?.type !== 'flow-map' && layout?.type !== 'flow-list') return 0;
  const widths = layout.entries.map(
    ({ key, value }) => (key === undefined ? 0 : key.source.length + ': '.length) + widthOf(value),
  );
  const inner = widths.reduce((sum, width) => sum + width, 0) + ', '.length * Math.max(0, widths.length - 1);
  return inner + (layout.type === 'flow-map' && widths.length > 0 ? '{  }' : '[]').length;
}

function onOneLine(value: JsonValue): Layout {
  if (isList(value)) return { type: 'flow-list', entries: value.map((item) => flowEntry(onOneLine(item))) };
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => flowEntry(onOneLine(inner), scalar(key)));
    return { type: 'flow-map', entries };
  }
  if (typeof value === 'string') return scalar(value);
  const source = JSON.stringify(value);
  return { type: 'scalar', source, text: source, style: 'plain' };
}

function mapOf(entries: readonly LayoutEntry[]): Layout {
  return { type: 'map', entries, tail: [] };
}

function entryOf(name: string, value?: Layout): LayoutEntry {
  return { ...itemOf(value), keyProps: '', key: scalar(name) };
}

function itemOf(value?: Layout): LayoutItem {
  return { lead: [], props: '', comment: '', names: noNames, ...(value === undefined ? {} : { value }) };
}

function flowEntry(value: Layout, key?: ScalarLayout): FlowEntry {
  return { keyProps: '', props: '', names: noNames, value, ...(key === undefined ? {} : { key }) };
}

/** Ids and words that every YAML reader takes for text. */
const plain = /^[\p{L}_][\p{L}\p{N}_.@/-]*(?: [\p{L}\p{N}_.@/-]+)*$/u;
const otherThanText = /^(?:null|true|false|yes|no|on|off|y|n)$/iu;
/** Characters that must be escaped, or that end a line for some readers. */
const escaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/gu;

/** In double quotes unless it surely reads the same without; the printer removes needless quotes. */
function scalar(text: string): ScalarLayout {
  if (plain.test(text) && !otherThanText.test(text)) return { type: 'scalar', source: text, text, style: 'plain' };
  const source = JSON.stringify(text).replaceAll(
    escaped,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { type: 'scalar', source, text, style: 'quoted' };
}
