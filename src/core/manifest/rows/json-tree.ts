// Reads a line of JSON with the offset of each part, for rows with problems.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isUnusableText, reservedKeys } from '../../../lib/json.ts';
import type { Tree, TreeEntry } from '../files/tree.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { quoted } from '../problems/wording.ts';

export interface JsonProblem {
  readonly code: ManifestCode;
  readonly detail: string;
  readonly offset: number;
}

type Report = (problem: JsonProblem) => void;

const maxDepth = 50;

/** Returns undefined if the line is not JSON or nests too deeply. The last problem says why. */
export function readJsonTree(text: string, report: Report): Tree | undefined {
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const detail = `Maps and lists are nested more than ${maxDepth} levels deep here. No object needs this.`;
    report({ code: 'manifest.too-deep', detail, offset: deep });
    return undefined;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (root !== undefined && first === undefined) return treeOf(root, text, report);
  const detail = first === undefined ? undefined : syntaxErrors[printParseErrorCode(first.error)];
  report({ code: 'manifest.bad-row', detail: `This is not JSON. ${detail ?? badValue}`, offset: first?.offset ?? 0 });
  return undefined;
}

/** Returns the offset of the bracket that nests too deeply for the recursive parser. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gu)) {
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > maxDepth) return index;
  }
  return undefined;
}

function treeOf(node: Node, text: string, report: Report): Tree {
  const { type, offset, length, children = [] } = node;
  if (type === 'array') return { type: 'list', offset, items: children.map((item) => treeOf(item, text, report)) };
  if (type === 'object') {
    const entries = new Map<string, TreeEntry>();
    for (const { children: [key, inner] = [] } of children) {
      if (key === undefined || inner === undefined) continue;
      const name = textOf(key, report);
      const value = treeOf(inner, text, report);
      if (isUsable(name, key.offset, entries, report)) entries.set(name, { offset: key.offset, value });
    }
    return { type: 'map', offset, entries };
  }
  if (type === 'string') {
    const value = textOf(node, report);
    return { type: 'scalar', offset, value, text: value };
  }
  const written = text.slice(offset, offset + length);
  const value = JSON.parse(written) as number | boolean | null;
  // JSON can express 1e999, but a number cannot.
  const isTooBig = typeof value === 'number' && !Number.isFinite(value);
  return { type: 'scalar', offset, value: isTooBig ? written : value, text: written };
}

function textOf({ value, offset }: Node, report: Report): string {
  const text = String(value);
  if (isUnusableText(text)) {
    const detail = `${quoted(text)} contains a NUL character or half of a surrogate pair, which the platform cannot store. Remove it.`;
    report({ code: 'manifest.bad-character', detail, offset });
  }
  return text;
}

function isUsable(key: string, offset: number, entries: ReadonlyMap<string, TreeEntry>, report: Report): boolean {
  if (entries.has(key)) {
    const detail = `${quoted(key)} appears twice in one map. Keep one of them.`;
    report({ code: 'manifest.duplicate-key', detail, offset });
  } else if (reservedKeys.has(key)) {
    const detail = `${quoted(key)} is reserved and cannot be used as a key. Choose another key.`;
    report({ code: 'manifest.reserved-key', detail, offset });
  } else return true;
  return false;
}

const badText = 'The text that begins here has no end, or contains a control character or an unknown escape.';
const badValue = 'Expected a value here: a text in double quotes, a number, true, false, null, { or [.';
const noEnd = 'Expected a comma or the end of the map or list here.';

/** Messages by the parser's error name. `badValue` covers the others. */
const syntaxErrors: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'Expected a key in double quotes here.',
  ColonExpected: 'Expected the colon after a key here.',
  CommaExpected: noEnd,
  CloseBraceExpected: noEnd,
  CloseBracketExpected: noEnd,
  EndOfFileExpected: 'The line continues after the end of the object. Write one object per line.',
  InvalidSymbol: 'Put keys and texts in double quotes. Other values are numbers, true, false and null.',
  UnexpectedEndOfString: badText,
  InvalidUnicode: badText,
  InvalidEscapeCharacter: badText,
  InvalidCharacter: badText,
};
