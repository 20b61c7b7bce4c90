// Unified diffs of values and files, and other ways to show two values that do not fit on one line.
import { isList, isObject, type JsonValue } from '../../lib/json.ts';
import { lookOf, spelledOut } from '../../lib/lookalikes.ts';
import packages from '../../lib/packages.cjs';
import { chop } from '../text/clipping.ts';
import type { ViewOptions } from '../text/options.ts';
import { painter, signStyle } from '../text/paint.ts';
import { printValue, safe } from '../text/text.ts';

export interface DiffLine {
  /** `!` for a changed entry, `@` for a position. */
  readonly sign: '+' | '-' | '!' | ' ' | '@';
  readonly text: string;
  /** The effect on people's rights, if the colour differs from that of the sign. */
  readonly effect?: 'takes' | 'gives';
}

/** The cost of a diff grows with the square of the edits. With more edits than this, none is shown. */
const maxEdits = 200;
const maxLines = 60;
const context = 2;

/** A unified diff of two values with several lines: texts, or objects and lists as indented JSON. Otherwise undefined. */
export function unifiedDiff(
  before: JsonValue,
  after: JsonValue,
  columns: number,
  whole = false,
): DiffLine[] | undefined {
  const texts = comparable(before, after);
  if (texts === undefined) return undefined;
  // If both lack a final line end, drop diff's remark about it.
  const end = texts.some((text) => text.endsWith('\n')) ? '' : '\n';
  const [left, right] = [texts[0] + end, texts[1] + end];
  // Load the package on demand, because most runs show no diff.
  const { structuredPatch } = packages.diff();
  const patch = structuredPatch('', '', left, right, undefined, undefined, { context, maxEditLength: maxEdits });
  if (patch === undefined) {
    return [{ sign: '@', text: `${lineCount(left)} → ${lineCount(right)} lines, too many differences to show` }];
  }
  const lines: DiffLine[] = patch.hunks.flatMap((hunk) => [
    { sign: '@', text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` },
    ...hunk.lines.flatMap((line) => pieces(line, columns)),
  ]);
  if (whole || lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), { sign: '@', text: `… ${lines.length - maxLines} more lines of this diff` }];
}

/** A unified diff of two versions of a file. Yields lines with their ends. */
export function* fileDiff(name: string, before: string, after: string, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const { createTwoFilesPatch } = packages.diff();
  const file = safe(name);
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, { context: 3 });
  const [, ...lines] = patch.trimEnd().split('\n');
  for (const line of lines) {
    const shown = safe(line.replace(/\r$/u, '').replaceAll('\t', '  '));
    const isHead = /^(?:---|\+\+\+) /u.test(line);
    const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : undefined;
    yield `${isHead ? paint('bold', shown) : sign === undefined ? shown : paint(signStyle[sign], shown)}\n`;
  }
}

/** Each value on its own line. Texts that look the same are escaped. */
export function printBoth(before: JsonValue, after: JsonValue): readonly [string, string] {
  const left = printValue(before);
  const right = printValue(after);
  return lookOf(left) === lookOf(right) ? [spelledOut(left), spelledOut(right)] : [left, right];
}

/** Cuts the start of both texts if necessary, so that the first difference is visible. */
export function aroundDifference(before: string, after: string, columns: number): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const shown = Math.floor(columns / 3);
  if (same <= shown) return [before, after];
  const from = same - shown;
  return [`…${before.slice(from)}`, `…${after.slice(from)}`];
}

function comparable(before: JsonValue, after: JsonValue): readonly [string, string] | undefined {
  const left = withLines(before);
  const right = withLines(after);
  if (left !== right && (left.includes('\n') || right.includes('\n'))) return [left, right];
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return before.includes('\n') || after.includes('\n') ? [before, after] : undefined;
}

/** `data` is often JSON in a string, which is easier to compare when indented. It is left alone if that would lose anything. */
function withLines(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2);
  // Parse only texts that look like JSON, because parse errors are slow.
  if (value.includes('\n') || !/^\s*[[{]/u.test(value)) return value;
  try {
    const inner = JSON.parse(value) as JsonValue;
    const isWhole = JSON.stringify(inner).replace(/\s/gu, '') === value.replace(/\s/gu, '');
    return isWhole && (isObject(inner) || isList(inner)) ? JSON.stringify(inner, undefined, 2) : value;
  } catch {
    return value;
  }
}

function lineCount(text: string): number {
  return text.split('\n').length - 1;
}

function pieces(line: string, columns: number): DiffLine[] {
  const [first = ' '] = line;
  const sign = first === '+' || first === '-' ? first : first === '\\' ? '@' : ' ';
  const [head = '', ...tail] = chop(safe(line.slice(1)), columns - 2);
  return [{ sign, text: head }, ...tail.map((text): DiffLine => ({ sign, text: `↳${text}` }))];
}
