// How are two values shown whose difference does not fit on one line?
import { createRequire } from 'node:module';
import { isList, isObject, type JsonValue } from '../../lib/json.ts';
import { chop } from '../terminal/layout.ts';
import { printValue, safe } from '../text.ts';

export interface DiffLine {
  /** `!` for what stays and is altered, `@` for a remark on the place. */
  readonly sign: '+' | '-' | '!' | ' ' | '@';
  readonly text: string;
}

/** Diffing costs the square of the edits: beyond this the values are not compared line by line. */
const maxEdits = 200;
const maxLines = 60;
const context = 2;
/** Loaded with the first diff: most runs show none, and a generator cannot wait for an import. */
const load = createRequire(import.meta.url);

/** A unified diff, for values that have lines: texts, and objects or lists laid out as JSON. Else undefined. */
export function unifiedDiff(before: JsonValue, after: JsonValue, columns: number): DiffLine[] | undefined {
  const texts = comparable(before, after);
  if (texts === undefined) return undefined;
  // Where neither has a last line end, the remark that there is none says nothing.
  const end = texts.some((text) => text.endsWith('\n')) ? '' : '\n';
  const [left, right] = [texts[0] + end, texts[1] + end];
  const { structuredPatch } = load('diff/lib/patch/create.js') as typeof import('diff/lib/patch/create.js');
  const patch = structuredPatch('', '', left, right, undefined, undefined, { context, maxEditLength: maxEdits });
  if (patch === undefined) {
    return [{ sign: '@', text: `${lineCount(left)} → ${lineCount(right)} lines, with too many differences to show` }];
  }
  const lines: DiffLine[] = patch.hunks.flatMap((hunk) => [
    { sign: '@', text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` },
    ...hunk.lines.flatMap((line) => pieces(line, columns)),
  ]);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), { sign: '@', text: `… ${lines.length - maxLines} more lines of this diff` }];
}

/** Two texts that look the same and are not (one is composed, one is not) are spelled out. */
export function printBoth(before: JsonValue, after: JsonValue): readonly [string, string] {
  const left = printValue(before);
  const right = printValue(after);
  return left.normalize() === right.normalize() ? [spelledOut(left), spelledOut(right)] : [left, right];
}

function spelledOut(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Both values on a line each, cut so that the place where they begin to differ is in sight. */
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

/** `data` is often JSON in a string, which is easier to compare when it is laid out; but only where nothing gets lost. */
function withLines(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2);
  // What cannot be an object or a list is not tried: a refusal costs more than all else of a line.
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
