// Adds blocks to the text of a manifest, below those of the same section. Everything else keeps its bytes. A text in the layout of
// `fmt` stays in that layout.
import { isMap, isNode, isScalar, type Pair, parseAllDocuments, visit, type YAMLMap } from 'yaml';
import type { JsonObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { Problems, SourceText } from '../problems/problems.ts';
import { manifestText, objectsNode } from './block-text.ts';
import { commentsOf, formatManifest } from './format.ts';
import { textOfKey } from './key-order.ts';

/** Longer texts are not edited: the package needs about sixty bytes of memory for each character. */
const maxLength = 8_000_000;

/**
 * Returns the text with the blocks, or undefined if the file is not a good place for them: its objects get defaults or share an
 * anchor, it is in brackets, or it is too long.
 */
export function addBlocks(
  text: string,
  { section }: Pick<KindDefinition, 'section'>,
  objects: readonly (readonly [string, JsonObject])[],
  kinds: readonly KindDefinition[],
): string | undefined {
  const place = text.length > maxLength ? undefined : placeIn(text, section);
  if (place === undefined) return undefined;
  const { at, indent, hasSection } = place;
  const [, ...printed] = manifestText([[section, objectsNode(objects)]], kinds)
    .trimEnd()
    .split('\n');
  const from = printed.indexOf(`${section}:`);
  const lines = hasSection ? printed.slice(from + 1).map((line) => `${indent}${line.slice(2)}`) : printed.slice(from);
  const newline = /^[^\n]*\r\n/u.test(text) ? '\r\n' : '\n';
  const start = at === 0 || text[at - 1] === '\n' ? '' : newline;
  const gap = hasSection ? '' : newline;
  const added = `${start}${gap}${lines.map((line) => `${line}${newline}`).join('')}`;
  const edited = text.slice(0, at) + added + text.slice(at);
  if (commentsOf(edited) !== commentsOf(text)) return undefined;
  const format = (page: string) => formatManifest(new SourceText('', page), kinds, new Problems());
  return format(text) === text ? (format(edited) ?? edited) : edited;
}

interface Place {
  /** The offset of a line. */
  readonly at: number;
  /** The indentation of the blocks of the section. */
  readonly indent: string;
  readonly hasSection: boolean;
}

function placeIn(text: string, section: string): Place | undefined {
  const options = { schema: 'core', merge: false, uniqueKeys: false, logLevel: 'silent' } as const;
  const documents = [...parseAllDocuments(text, options)];
  const roots = documents.flatMap(({ contents }) => (isMap(contents) ? [contents] : []));
  const [root, ...more] = roots;
  if (root === undefined || roots.some((map) => hasDefaults(map, section))) return undefined;
  const pairs = roots.flatMap((map) => map.items.filter(({ key }) => textOfKey(key) === section));
  const [pair] = pairs;
  if (pair === undefined) {
    // A text that ends with a document mark has no end of a map to append to.
    const isOpen =
      more.length === 0 && documents.length === 1 && root.flow !== true && !/^(?:---|\.\.\.)\s*$/mu.test(text);
    return isOpen ? { at: text.length, indent: '', hasSection: false } : undefined;
  }
  const { value } = pair;
  if (pairs.length > 1 || !isMap(value) || value.flow === true || value.anchor !== undefined) return undefined;
  const first = value.items[0]?.key;
  if (!isNode(first) || first.range == null) return undefined;
  const start = text.lastIndexOf('\n', first.range[0] - 1) + 1;
  const indent = text.slice(start, first.range[0]);
  if (!/^ +$/u.test(indent)) return undefined;
  const newline = text.indexOf('\n', endOf(pair, text));
  return { at: newline === -1 ? text.length : newline + 1, indent, hasSection: true };
}

/** Whether the file has defaults that would change the blocks. */
function hasDefaults(map: YAMLMap, section: string): boolean {
  const defaults = map.items.find(({ key }) => textOfKey(key) === 'defaults')?.value;
  if (defaults === undefined) return false;
  return !isMap(defaults) || defaults.items.some(({ key }) => [section, '<<'].includes(textOfKey(key)));
}

/** The end of the last text in the pair, without blank lines and comments after it. */
function endOf(pair: Pair, text: string): number {
  let end = 0;
  visit(pair as never, (_key, node: unknown) => {
    if (!isNode(node) || node.range == null) return;
    const isWhole = isScalar(node) || !('items' in node) || (node as YAMLMap).flow === true;
    const [from, to] = node.range;
    if (isWhole) end = Math.max(end, from + text.slice(from, to).trimEnd().length);
  });
  return end;
}
