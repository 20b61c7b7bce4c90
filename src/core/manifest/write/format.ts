// Formats a manifest in its canonical order and layout, without changing comments or meaning.
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseAllDocuments,
  Scalar,
  visit,
} from 'yaml';
import { isObject } from '../../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { parseYaml } from '../files/read-yaml.ts';
import type { Tree } from '../files/tree.ts';
import { Problems, SourceText } from '../problems/problems.ts';
import { layoutSchema } from '../schema/schema.ts';
import { formatInChunks } from './format-chunks.ts';
import { sortKeys, textOfKey } from './key-order.ts';
import { documentOptions, isPlain, printDocument } from './printer.ts';
import { minChunkedLength } from './sound-chunks.ts';

const maxPasses = 4;

/** The length of a chunk, in characters. */
const chunkLength = 8000;

/** Returns undefined and reports a problem for a text that cannot be read. Keeps CR LF if the first line ends with it. */
export function formatManifest(
  source: SourceText,
  kinds: readonly KindDefinition[],
  problems: Problems,
): string | undefined {
  const schema = layoutSchema(kinds);
  const unix = source.text.replaceAll('\r\n', '\n');
  const sections = new Set(kinds.filter(({ onlyKey }) => onlyKey === undefined).map(({ section }) => section));
  const inChunks =
    unix.length > minChunkedLength
      ? formatInChunks(unix, sections, (page) => formattedPage(page, schema).text, chunkLength)
      : undefined;
  const formatted = inChunks ?? formatWhole(source, unix, schema, problems);
  if (formatted === undefined) return undefined;
  return /^[^\n]*\r\n/u.test(source.text) ? formatted.replaceAll('\n', '\r\n') : formatted;
}

/** `unix` is the text of the source without CR LF. */
function formatWhole(source: SourceText, unix: string, schema: JsonSchema, problems: Problems): string | undefined {
  const countBefore = problems.count;
  parseYaml(source, problems);
  if (problems.count > countBefore) return undefined;
  const { text, why } = formattedPage(unix, schema);
  if (why !== undefined) problems.add('manifest.unusual', `${why} The file was not changed.`, { source, offset: 0 });
  return text;
}

/** The text is absent if the page has to be left as it is, and `why` says in one sentence why. */
interface FormattedPage {
  readonly text?: string;
  readonly why?: string;
}

function formattedPage(text: string, schema: JsonSchema): FormattedPage {
  const documents = parseDocuments(text);
  if (!documents.every((document) => isOurs(document, schema))) {
    return { why: 'One document is not a map with keys of a manifest.' };
  }
  const formatted = settled(text, documents, schema);
  const isSame = (page: string): boolean =>
    page === text || (meanSame(text, page) && commentsOf(page) === commentsOf(text));
  if (formatted !== undefined && isSame(formatted)) return { text: formatted };
  return { why: 'Formatting would lose a comment or change a text. Look for comments inside brackets or texts.' };
}

function parseDocuments(text: string): readonly Document.Parsed[] {
  const isFolded = ({ range }: Scalar) => range != null && text.slice(range[0], range[1]).trimEnd().includes('\n');
  return parseAllDocuments(text, documentOptions(isFolded)) as Document.Parsed[];
}

/** Formats until the result is stable, because the package places some comments only in a second pass. Undefined if it never is. */
function settled(text: string, documents: readonly Document.Parsed[], schema: JsonSchema): string | undefined {
  let page = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = layOut(page, pass === 0 ? documents : parseDocuments(page), schema);
    if (next === page) return page;
    page = next;
  }
  return undefined;
}

/** Changes the documents of the text. */
function layOut(text: string, documents: readonly Document.Parsed[], schema: JsonSchema): string {
  for (const document of documents) {
    tidy(document, text);
    if (document.contents !== null) sortKeys(document.contents, schema);
  }
  const printed = documents.map((document) => printDocument(document).replaceAll(besideAnchor, ' #'));
  return printed.map((page, at) => (at > 0 && !/^(?:#|%|---)/u.test(page) ? `---\n${page}` : page)).join('');
}

/** Begins a comment that belongs on the line of an anchor. No manifest may contain the character. */
const besideMark = '\u0000';
const besideAnchor = new RegExp(`\\n *#${besideMark}`, 'gu');

/** Whether the document is a manifest. Other YAML must keep its order. */
function isOurs({ contents }: Document.Parsed, { properties }: JsonSchema): boolean {
  if (!isMap(contents) || contents.anchor !== undefined) return false;
  const keys = contents.items.map(({ key }) => textOfKey(key));
  return !isObject(properties) || keys.length === 0 || keys.some((key) => Object.hasOwn(properties, key));
}

/** Removes needless quotes and blank lines, and puts comments where they belong. */
function tidy(document: Document.Parsed, text: string): void {
  const { contents } = document;
  document.commentBefore = withoutGaps(document.commentBefore);
  document.comment = withoutGaps(document.comment);
  // A document in brackets may be JSON and must stay valid JSON.
  const isJson = isMap(contents) && contents.flow === true;
  visit(document, {
    Node(_key, node) {
      node.commentBefore = withoutGaps(node.commentBefore);
      node.comment = withoutGaps(node.comment);
      const isQuoted = isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
      if (isQuoted && !isJson && isPlain(String(node.value))) node.type = Scalar.PLAIN;
      if (!isMap(node) || node.flow === true) return;
      for (const [at, pair] of node.items.entries()) placeComments(pair, node.items[at + 1]?.key, text);
      const first = node.items[0]?.key;
      if (isNode(first)) first.spaceBefore = false;
    },
  });
  // A comment at the top belongs to the whole document and stays there.
  const first = isMap(contents) ? contents.items[0]?.key : undefined;
  if (contents === null || !isNode(first)) return;
  contents.commentBefore = joined(contents.commentBefore, first.commentBefore);
  first.commentBefore = null;
}

/**
 * Moves comments back. The package attaches a comment on the line of a key to the map below, and a comment between two keys
 * to the upper key if that has no value, or a list in its own column.
 */
function placeComments({ key, value }: Pair, next: unknown, text: string): void {
  if (!isNode(key) || !isNode(value) || key.range == null || value.range == null) return;
  const isBeside = /^[^\n]*#/u.test(text.slice(key.range[1]));
  if (!isScalar(value)) value.spaceBefore = false;
  if (!isScalar(value) && isBeside && value.commentBefore != null && value.anchor === undefined) {
    const [beside = '', ...below] = value.commentBefore.split('\n');
    key.comment = beside;
    value.commentBefore = below.length === 0 ? null : below.join('\n');
  }
  const child = firstIn(value);
  if (isNode(child)) {
    child.commentBefore = joined(value.commentBefore, child.commentBefore);
    value.commentBefore = null;
  }
  // Like prettier, puts a single comment beside an anchor, and several below it.
  if (!isScalar(value) && value.anchor !== undefined && isNode(child) && /^[^\n]+\n?$/u.test(child.commentBefore ?? ''))
    child.commentBefore = `${besideMark}${child.commentBefore}`;
  const isEmpty = isScalar(value) && value.value === null && value.source === '' && !isBeside;
  const isInColumn = isSeq(value) && value.flow !== true && columnOf(value, text) === columnOf(key, text);
  if (value.comment == null || !isNode(next) || next.range == null || !(isEmpty || isInColumn)) return;
  next.commentBefore = joined(value.comment, next.commentBefore);
  next.spaceBefore = /\n *\n/u.test(text.slice(value.range[0], next.range[0]));
  value.comment = null;
}

/** The first key of a map in lines, or the first entry of a list with an anchor, to which comments above them belong. */
function firstIn(value: Node): unknown {
  if (isMap(value) && value.flow !== true) return value.items[0]?.key;
  return isSeq(value) && value.flow !== true && value.anchor !== undefined ? value.items[0] : undefined;
}

function columnOf({ range }: Node, text: string): number {
  const offset = range?.[0] ?? 0;
  return offset - text.lastIndexOf('\n', offset - 1);
}

function joined(first: string | null | undefined, second: string | null | undefined): string | null {
  return first == null || second == null ? (first ?? second ?? null) : `${first}\n${second}`;
}

/** Reduces blank lines to one in a row. */
function withoutGaps(comment: string | null | undefined): string | null {
  return comment?.replace(/\n{3,}/gu, '\n\n').replace(/\n+$/u, '\n') ?? null;
}

/** Returns all comments, sorted. */
export function commentsOf(text: string): string {
  const comments = Array.from(new Lexer().lex(text)).filter((lexeme) => lexeme.startsWith('#'));
  return comments
    .map((comment) => comment.trim())
    .sort()
    .join('\n');
}

// Compares the meaning of two texts of a manifest. Every file is compared before it is rewritten.

/** The first text must be valid YAML, of one document or several. */
function meanSame(before: string, after: string): boolean {
  const treesBefore = parseYaml(new SourceText('', before), new Problems()).trees;
  const treesAfter = parseYaml(new SourceText('', after), new Problems()).trees;
  return treesBefore.length === treesAfter.length && treesBefore.every((tree, at) => sameTree(tree, treesAfter[at]));
}

/** Ignores the order of keys. Scalars must agree in value and in source text. */
function sameTree(left: Tree, right: Tree | undefined): boolean {
  switch (left.type) {
    case 'scalar':
      return right?.type === 'scalar' && left.value === right.value && left.text === right.text;
    case 'list':
      return (
        right?.type === 'list' &&
        left.items.length === right.items.length &&
        left.items.every((item, at) => sameTree(item, right.items[at]))
      );
    case 'map':
      return (
        right?.type === 'map' &&
        left.entries.size === right.entries.size &&
        [...left.entries].every(([key, { value }]) => sameTree(value, right.entries.get(key)?.value))
      );
  }
}
