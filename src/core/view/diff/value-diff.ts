// Unified diffs of values and files, and other ways to show two values that do not fit on one line.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import { lookOf, spelledOut } from '../../../lib/lookalikes.ts';
import packages from '../../../lib/packages.cjs';
import { plural } from '../../../lib/words.ts';
import { chop, prefixThatFits } from '../text/clipping.ts';
import { displayWidth } from '../text/layout.ts';
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

/**
 * Two texts of one line, each in at most `columns`. Long parts that are the same are cut. Differences that do not fit are counted, and so
 * are the characters of a difference that is longer than the line.
 */
export function aroundDifferences(before: string, after: string, columns: number): readonly [string, string] {
  if (displayWidth(before) <= columns && displayWidth(after) <= columns) return [before, after];
  const { differences, end } = differencesOf(before, after, Math.max(4, Math.floor(columns / 6)));
  const lines = ['', ''] as [string, string];
  for (const [index, { lead, texts }] of differences.entries()) {
    const isLast = index === differences.length - 1;
    const others = restInWords(differences.length - index - 1);
    const tail = isLast ? end : others;
    const longer = lines.map((line, side) => line + lead + texts[side]);
    if (longer.every((line) => displayWidth(line + tail) <= columns)) {
      lines.splice(0, 2, ...longer);
    } else if (index === 0) {
      return [clipCounting(longer[0] ?? '', others, columns), clipCounting(longer[1] ?? '', others, columns)];
    } else {
      const count = restInWords(differences.length - index);
      return [lines[0] + count, lines[1] + count];
    }
  }
  return [lines[0] + end, lines[1] + end];
}

interface TextDifference {
  /** The end of what both texts have before it. */
  readonly lead: string;
  /** How each text reads here. */
  readonly texts: readonly [string, string];
}

/** Where two texts differ, and the start of what both have after it. `around`: characters kept beside a difference. */
function differencesOf(
  before: string,
  after: string,
  around: number,
): { readonly differences: readonly TextDifference[]; readonly end: string } {
  const differences: TextDifference[] = [];
  let same = '';
  for (const run of runsOf(before, after)) {
    if (typeof run === 'string') {
      same += run;
      continue;
    }
    const start = differences.length === 0 ? '' : same.slice(0, around);
    const isShort = same.length <= start.length + around;
    differences.push({ lead: isShort ? same : `${start}…${same.slice(-around)}`, texts: run });
    same = '';
  }
  return { differences, end: same.length <= around ? same : `${same.slice(0, around)}…` };
}

/** What both texts have, and, where they differ, what each of them has. Compared by words, and within the words that differ. */
function* runsOf(before: string, after: string): Generator<string | readonly [string, string]> {
  const { diffWordsWithSpace } = packages.diffOfWords();
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxEdits });
  if (changes === undefined) {
    yield [before, after];
    return;
  }
  let removed = '';
  for (const [index, { value, ...change }] of changes.entries()) {
    if (change.removed) removed = value;
    else if (change.added) yield* withinWords(removed, value);
    else yield value;
    if (!change.removed) removed = '';
    else if (changes[index + 1]?.added !== true) yield [value, ''];
  }
}

function* withinWords(before: string, after: string): Generator<string | readonly [string, string]> {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  yield after.slice(0, start);
  yield [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  yield after.slice(after.length - end);
}

function restInWords(count: number): string {
  return count === 0 ? '' : `… (${plural(count, 'more difference')})`;
}

function clipCounting(line: string, others: string, columns: number): string {
  if (displayWidth(line + others) <= columns) return line + others;
  // The length of the whole line has as many digits as any count.
  const kept = prefixThatFits(line, columns - displayWidth(`… (${plural(line.length, 'more character')})${others}`));
  return `${kept}… (${plural(line.length - kept.length, 'more character')})${others}`;
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
