// Lists every text that the program can print, with its place and counts: `tsx test/support/texts.ts [FOLDER…]`.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

export interface PrintedText {
  /** The place in the sources, `src/core/app/plan.ts:12`. */
  readonly place: string;
  /** The words, with `{…}` for each computed part. */
  readonly text: string;
}

const hole = '{…}';
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Sources whose literals are code of another language, and validators that are generated. */
const otherLanguages = /generated\/|view\/html\/(?:style|script|script-.*)\.ts$/u;
/** SQL, selectors, styles and markup. */
const notProse =
  /^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN|WITH|FROM|ON|AND|WHERE|LOCK|SET)\b|^[\s<>/="{}:;.\w${…}-]*<\/?\w/u;

/** The texts of at least two words in the source files below the given folders of `src`. */
export function printedTexts(folders: readonly string[] = ['src']): PrintedText[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !otherLanguages.test(path))
      .sort()
      .flatMap((path) => {
        const texts = known.get(path) ?? textsOf(path, readFileSync(`${root}/${path}`, 'utf8'));
        known.set(path, texts);
        return texts;
      }),
  );
}

/** The texts of the files that were read before. */
const known = new Map<string, PrintedText[]>();

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function textsOf(path: string, source: string): PrintedText[] {
  const skipped: Range[] = [];
  const sums: Range[] = [];
  const pieces: Piece[] = [];
  const skip = (node: Range) => void skipped.push(node);
  const visitor = new Visitor({
    ImportDeclaration: skip,
    TSLiteralType: skip,
    TaggedTemplateExpression: skip,
    BinaryExpression: (node) => void (node.operator === '+' && sums.push(node)),
    TemplateLiteral: (node) => {
      const parts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
      pieces.push({ start: node.start, end: node.end, text: parts.join(hole) });
    },
    Literal: (node) => {
      if (typeof node.value === 'string') pieces.push({ start: node.start, end: node.end, text: node.value });
    },
  });
  visitor.visit(parseSync(path, source).program);
  const joined = new Map<string, Piece>();
  for (const piece of pieces.sort((a, b) => a.start - b.start)) {
    if (skipped.some((range) => within(piece, range))) continue;
    if (pieces.some((outer) => outer !== piece && within(piece, outer))) {
      if (!isProse(piece.text)) continue;
    }
    const sum = sums.find((range) => within(piece, range));
    const key = sum === undefined ? `${piece.start}` : `sum ${sum.start}`;
    const before = joined.get(key);
    joined.set(key, before === undefined ? piece : { ...before, text: before.text + piece.text });
  }
  return [...joined.values()]
    .filter(({ text }) => isProse(text))
    .map(({ start, text }) => ({ place: `${path}:${source.slice(0, start).split('\n').length}`, text }));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function within(inner: Range, outer: Range): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function isProse(text: string): boolean {
  return wordsOf(text) > 1 && !notProse.test(text);
}

function wordsOf(text: string): number {
  return text.replaceAll(hole, 'x').match(/(?<![\w.:/-])\p{L}[\p{L}’'-]*(?=[\s.,:;)?!`"]|$)/gu)?.length ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const texts = printedTexts(folders.length === 0 ? undefined : folders);
  for (const { place, text } of texts) console.log(`${place}\t${JSON.stringify(text).slice(1, -1)}`);
  const words = texts.reduce((sum, { text }) => sum + wordsOf(text), 0);
  console.log(`${texts.length} texts, ${words} words`);
}
