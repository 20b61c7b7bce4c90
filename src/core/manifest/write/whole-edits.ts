// Edits values of blocks in a text that is parsed as a whole. Everything else keeps its bytes: comments, order, quotes and layout.
//
// The edits become splices at the ranges of the parsed nodes. Values that are used elsewhere (anchors, aliases, merge keys) or
// come from elsewhere (variables, defaults) are refused.
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { equalJson, isList, isObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { escapePlaceholders } from '../document/fill.ts';
import { Problems, SourceText } from '../problems/problems.ts';
import { commentsOf, formatManifest } from './format.ts';
import { textOfKey } from './key-order.ts';
import { isPlain, quotedLine } from './printer.ts';

/** A change of one attribute of one block. Only what differs between the two values, in normal form, is edited. */
export interface BlockEdit {
  readonly section: string;
  /** Undefined for a section that is the block of its only object. */
  readonly key: string | undefined;
  readonly attribute: string;
  readonly before: JsonValue;
  /** Undefined removes the line. */
  readonly after: JsonValue | undefined;
}

/** Longer texts are not edited: the package needs about sixty bytes of memory for each character. */
const maxLength = 8_000_000;

/** Replaces the text from one offset to another. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Says in one sentence why a value cannot be edited. */
class NotPlainError extends Error {}

export interface Edited<Edit> {
  readonly text: string;
  readonly refused: ReadonlyMap<Edit, string>;
}

export const noBlock = 'The block has no plain key in the file.';

/** `refused` says, by edit, why the edit cannot be made. */
export function editWhole<Edit extends BlockEdit>(
  text: string,
  edits: readonly Edit[],
  kinds: readonly KindDefinition[],
): Edited<Edit> {
  const refused = new Map<Edit, string>();
  let edited = text;
  for (let pending = edits; pending.length > 0; ) {
    const splices = splicesFor(edited, pending, kinds, refused);
    const apart = withoutOverlap(splices);
    edited = spliced(edited, [...apart.values()].flat());
    pending = [...splices.keys()].filter((edit) => !apart.has(edit));
  }
  if (commentsOf(edited) !== commentsOf(text)) {
    const why = 'A comment would be lost, because it is inside brackets or a text.';
    return { text, refused: new Map(edits.map((edit) => [edit, why])) };
  }
  const format = (page: string) => formatManifest(new SourceText('', page), kinds, new Problems());
  return { text: format(text) === text ? (format(edited) ?? edited) : edited, refused };
}

function splicesFor<Edit extends BlockEdit>(
  text: string,
  edits: readonly Edit[],
  kinds: readonly KindDefinition[],
  refused: Map<Edit, string>,
): ReadonlyMap<Edit, readonly Splice[]> {
  const splices = new Map<Edit, readonly Splice[]>();
  const isTooLong = text.length > maxLength;
  const options = { schema: 'core', merge: false, uniqueKeys: false, logLevel: 'silent' } as const;
  const roots = isTooLong
    ? []
    : [...parseAllDocuments(text, options)].flatMap(({ contents }) => (isMap(contents) ? [contents] : []));
  for (const edit of edits) {
    try {
      if (isTooLong) throw new NotPlainError('The file is too big to be edited.');
      splices.set(edit, splicesOf(text, roots, edit, kinds));
    } catch (error) {
      if (!(error instanceof NotPlainError)) throw error;
      refused.set(edit, error.message);
    }
  }
  return splices;
}

function splicesOf(
  text: string,
  roots: readonly YAMLMap[],
  edit: BlockEdit,
  kinds: readonly KindDefinition[],
): readonly Splice[] {
  const { section, key } = edit;
  for (const root of roots) {
    const ofSection = pairIn(root, section);
    const around = key === undefined ? root : ofSection?.value;
    const pair = key === undefined || !isMap(around) ? ofSection : pairIn(around, escapePlaceholders(key));
    if (pair === undefined || !isMap(around)) continue;
    const block = pair.value;
    if (!isMap(block)) throw new NotPlainError('The block is an alias, or empty.');
    if ([root, around, block].some(({ anchor }) => anchor !== undefined)) {
      throw new NotPlainError('The block has an anchor, so that a change would also change what refers to it.');
    }
    const { attribute, before, after } = asSpelled(edit, block, kinds);
    const line = pairIn(block, attribute);
    if (line === undefined) {
      throw new NotPlainError('The value is not in the block itself: it comes from defaults or a merge key.');
    }
    demandPlain(line.value, text);
    return new Editor(text, root.flow === true).entries(
      pair,
      block,
      { [attribute]: before },
      after === undefined ? {} : { [attribute]: after },
    );
  }
  throw new NotPlainError(noBlock);
}

/** Returns the edit in the spelling of the block. */
function asSpelled(edit: BlockEdit, block: YAMLMap, kinds: readonly KindDefinition[]): BlockEdit {
  const { section, attribute, before, after } = edit;
  if (pairIn(block, attribute) !== undefined) return edit;
  const { spellings = {} } = kinds.find((kind) => kind.section === section) ?? {};
  const spelled = Object.entries(spellings).find(
    ([name, { use }]) => use === attribute && pairIn(block, name) !== undefined,
  );
  if (spelled === undefined) return edit;
  const [name, { form }] = spelled;
  if (form === 'same') return { ...edit, attribute: name };
  if (form === 'opposite') {
    return {
      ...edit,
      attribute: name,
      before: before !== true,
      after: after === undefined ? undefined : after !== true,
    };
  }
  if (form === 'ids' && isObject(before) && (after === undefined || isObject(after))) {
    const hasOnlyIds = Object.entries(after ?? {}).every(([id, value]) => equalJson(value, ownValue(before, id) ?? {}));
    const ids = after === undefined ? undefined : Object.keys(after);
    if (hasOnlyIds) return { ...edit, attribute: name, before: Object.keys(before), after: ids };
  }
  throw new NotPlainError(`The value is written as ${name}. Write ${attribute} to let drift --write edit it.`);
}

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((item) => textOfKey(item.key) === key);
}

/** Refuses a value that is shared with others or filled in. */
function demandPlain(value: unknown, text: string): void {
  if (!isNode(value)) return;
  visit(value, {
    Alias: () => {
      throw new NotPlainError('The value is an alias of an anchor, which others may share.');
    },
    Node: (_key, { anchor }) => {
      if (anchor !== undefined) throw new NotPlainError('The value has an anchor, which others may share.');
    },
  });
  const { from, to } = rangeOf(value);
  if (/(?<!\$)\$\{(?:var|each)\./u.test(text.slice(from, to)))
    throw new NotPlainError('The value comes from a variable.');
}

/** The edits whose splices overlap no other; of those that overlap, the first. */
function withoutOverlap<Edit>(splices: ReadonlyMap<Edit, readonly Splice[]>): ReadonlyMap<Edit, readonly Splice[]> {
  const all = [...splices].flatMap(([edit, ofEdit]) => ofEdit.map((splice) => ({ ...splice, edit })));
  const late = new Set<Edit>();
  let last: (typeof all)[number] | undefined;
  for (const splice of all.sort(inOrder)) {
    if (last !== undefined && splice.from < last.to && splice.edit !== last.edit) late.add(splice.edit);
    if (!late.has(splice.edit)) last = splice;
  }
  return new Map([...splices].filter(([edit]) => !late.has(edit)));
}

function inOrder(left: Splice, right: Splice): number {
  return left.from - right.from || left.to - right.to;
}

/** Returns the part of the text from one offset to another with the splices made. */
function spliced(text: string, splices: readonly Splice[], start = 0, end = text.length): string {
  let edited = '';
  let at = start;
  for (const { from, to, text: by } of [...splices].sort(inOrder)) {
    edited += text.slice(at, from) + by;
    at = to;
  }
  return edited + text.slice(at, end);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** An item of a collection, from its key to the end of its value. Without a text it is removed. */
interface Item extends Range {
  readonly text: string | undefined;
}

/** Makes the splices of one document. */
class Editor {
  readonly #text: string;
  readonly #isJson: boolean;
  readonly #end: string;

  /** A document in brackets may be JSON and stays valid JSON. */
  constructor(text: string, isJson: boolean) {
    this.#text = text;
    this.#isJson = isJson;
    this.#end = /^[^\n]*\r\n/u.test(text) ? '\r\n' : '\n';
  }

  /** Changes, adds and removes the entries of a map, the value of the pair, that differ. */
  entries(
    pair: Pair,
    map: YAMLMap,
    before: Readonly<Record<string, JsonValue>>,
    after: Readonly<Record<string, JsonValue>>,
  ): Splice[] {
    const splices = new Map<Pair, readonly Splice[]>();
    const added: string[] = [];
    const removed = new Set<Pair>();
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, value] = [ownValue(before, name), ownValue(after, name)];
      if (equalJson(was, value)) continue;
      const pair = pairIn(map, escapePlaceholders(name));
      if (pair === undefined && value === undefined) throw new NotPlainError('The entry comes from a merge key.');
      if (pair === undefined) added.push(this.#entry(name, value));
      else if (value === undefined) removed.add(pair);
      else splices.set(pair, this.#value(pair, was, value));
    }
    const inner = [...splices.values()].flat();
    if (removed.size + added.length === 0) return inner;
    // Brackets are rewritten as a whole, with the changes inside.
    const isFlow = map.flow === true;
    const items = map.items.map((item) => {
      const { from } = rangeOf(item.key);
      const to = this.#endOf(item);
      const ofItem = isFlow ? (splices.get(item) ?? []) : [];
      return { from, to, text: removed.has(item) ? undefined : spliced(this.#text, ofItem, from, to) };
    });
    return [...(isFlow ? [] : inner), ...this.#collection(pair, map, items, added, '')];
  }

  #value(pair: Pair, before: JsonValue | undefined, after: JsonValue): Splice[] {
    const { value } = pair;
    if (isMap(value) && isObject(before) && isObject(after)) return this.entries(pair, value, before, after);
    if (isSeq(value) && isList(before) && isList(after) && [...value.items, ...after].every(isText)) {
      const keptIds = new Set(after.map(String));
      const idsBefore = new Set(before.map(String));
      const items = value.items.map((item) => {
        const { from, to } = rangeOf(item);
        return { from, to, text: keptIds.has(textOfKey(item)) ? this.#text.slice(from, to) : undefined };
      });
      const added = [...keptIds].filter((id) => !idsBefore.has(id)).map((id) => this.#scalar(escapePlaceholders(id)));
      return this.#collection(pair, value, items, added, '- ');
    }
    const text = this.#print(after);
    const { from, to } = rangeOf(value);
    if ((isMap(value) || isSeq(value)) && value.flow !== true) {
      const [first] = value.items;
      const region = this.#linesOf(
        { from: rangeOf(isMap(value) ? (first as Pair).key : first).from, to: this.#endOf(pair) },
        isSeq(value) ? '- ' : '',
      );
      return [this.#afterColon(pair, text), { ...region, text: region.comments }];
    }
    return from === to ? [this.#afterColon(pair, text)] : [{ from, to: this.#endOf(pair), text }];
  }

  #collection(
    pair: Pair,
    node: YAMLMap | YAMLSeq,
    items: readonly Item[],
    added: readonly string[],
    bullet: '' | '- ',
  ): Splice[] {
    const keptItems = items.filter(({ text }) => text !== undefined);
    if (keptItems.length === items.length && added.length === 0) return [];
    const empty = bullet === '' ? '{}' : '[]';
    if (node.flow === true) return [this.#flow(rangeOf(node), items, added, empty)];
    const regions = items.map((item) => ({ ...this.#linesOf(item, bullet), isKept: item.text !== undefined }));
    const splices: Splice[] = regions.flatMap(({ from, to, comments, isKept }) =>
      isKept ? [] : [{ from, to, text: comments }],
    );
    if (keptItems.length + added.length === 0) return [this.#afterColon(pair, empty), ...splices];
    const last = regions.at(-1);
    if (last === undefined || added.length === 0) return splices;
    const lines = added.map((line) => `${last.indent}${bullet}${line}${this.#end}`).join('');
    const start = this.#text[last.to - 1] === '\n' ? '' : this.#end;
    return [...splices, { from: last.to, to: last.to, text: start + lines }];
  }

  /** Rewrites brackets. The separators of the items that stay are kept. */
  #flow({ from, to }: Range, items: readonly Item[], added: readonly string[], empty: string): Splice {
    const source = this.#text.slice(from, to);
    if (source.includes('\n') && source.includes('#'))
      throw new NotPlainError('The value is in brackets with a comment.');
    const between = (left: number | undefined, right: number | undefined) => this.#text.slice(left, right);
    const prefix = items.length === 0 ? (empty === '{}' ? ' ' : '') : between(from + 1, items[0]?.from);
    const suffix = items.length === 0 ? prefix : between(items.at(-1)?.to, to - 1);
    const parts = items.flatMap(({ text }, at) =>
      text === undefined ? [] : [{ text, by: between(items[at - 1]?.to, items[at]?.from) }],
    );
    const usual =
      items.length > 1 ? between(items.at(-2)?.to, items.at(-1)?.from) : `,${prefix.includes('\n') ? prefix : ' '}`;
    const all = [...parts, ...added.map((text) => ({ text, by: usual }))];
    if (all.length === 0) return { from, to, text: empty };
    const inner = all.map(({ text, by }, at) => (at === 0 ? text : by + text)).join('');
    return { from, to, text: source.charAt(0) + prefix + inner + suffix + source.slice(-1) };
  }

  /** The whole lines of an item, and its comments as lines of their own. */
  #linesOf({ from, to }: Range, bullet: '' | '- '): Range & { readonly indent: string; readonly comments: string } {
    const start = this.#text.lastIndexOf('\n', from - 1) + 1;
    const before = this.#text.slice(start, from);
    if (!(bullet === '' ? /^ *$/u : /^ *- +$/u).test(before))
      throw new NotPlainError('The value shares its line with another one.');
    const indent = /^ */u.exec(before)?.[0] ?? '';
    const newline = this.#text.indexOf('\n', to - 1);
    const end = newline === -1 ? this.#text.length : newline + 1;
    const comments = Array.from(new Lexer().lex(this.#text.slice(start, end))).filter((lexeme) =>
      lexeme.startsWith('#'),
    );
    return {
      from: start,
      to: end,
      indent,
      comments: comments.map((comment) => `${indent}${comment.trimEnd()}${this.#end}`).join(''),
    };
  }

  /** The end of a value, without the blank lines and comments that the package counts as a part of a block. */
  #endOf({ key, value }: Pair): number {
    if ((isMap(value) || isSeq(value)) && value.flow !== true) {
      const last: unknown = value.items.at(-1);
      return isNode(last) ? this.#endOf({ key, value: last } as Pair) : this.#endOf(last as Pair);
    }
    const { from, to } = isNode(value) ? rangeOf(value) : { from: 0, to: 0 };
    if (from < to) return from + this.#text.slice(from, to).trimEnd().length;
    return rangeOf(key).to + (/^\s*:/u.exec(this.#text.slice(rangeOf(key).to))?.[0].length ?? 0);
  }

  #afterColon({ key }: Pair, text: string): Splice {
    const { to } = rangeOf(key);
    const colon = /^\s*:/u.exec(this.#text.slice(to, to + 8));
    if (colon === null) throw new NotPlainError('The key is written in an unusual way.');
    return { from: to + colon[0].length, to: to + colon[0].length, text: ` ${text}` };
  }

  /** A member without statuses has no value. */
  #entry(name: string, value: JsonValue = null): string {
    const isBare = !this.#isJson && isObject(value) && Object.keys(value).length === 0;
    return `${this.#scalar(escapePlaceholders(name))}:${isBare ? '' : ` ${this.#print(value)}`}`;
  }

  #scalar(text: string): string {
    return !this.#isJson && isPlain(text) ? text : quotedLine(text);
  }

  /** Prints a value on one line. */
  #print(value: JsonValue): string {
    if (typeof value === 'string') return this.#scalar(escapePlaceholders(value));
    if (isList(value)) return `[${value.map((item) => this.#print(item)).join(', ')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const entries = Object.entries(value).map(
      ([key, item]) => `${this.#scalar(escapePlaceholders(key))}: ${this.#print(item)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
}

function isText(item: unknown): boolean {
  return isScalar(item) || typeof item === 'string';
}

function rangeOf(node: unknown): Range {
  const range = isNode(node) ? node.range : undefined;
  if (range == null) throw new NotPlainError('The value is written in an unusual way.');
  return { from: range[0], to: range[1] };
}
