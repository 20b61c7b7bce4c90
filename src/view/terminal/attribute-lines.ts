// The attributes of one change, for a terminal.
import type { Change } from '../../model/change.ts';
import {
  type AttributeRow,
  attributeRows,
  type SetRow,
  type ShownChange,
  type ValueRow,
} from '../diff/attribute-rows.ts';
import { entryText } from '../diff/change-diff.ts';
import { aroundDifference, printBoth, unifiedDiff } from '../diff/value-diff.ts';
import { printValue, safe } from '../text.ts';
import { clip, displayWidth, fold, foldToLine, padEnd } from './layout.ts';
import { effectStyle, type Paint, signStyle } from './paint.ts';

const maxNameColumns = 28;
/** The maximum width of one of several values on a line. */
const maxShortColumns = 24;
/** Above this many ids of one sign, ids share lines. */
const maxSingleIds = 12;
const diffStyle = { '+': 'green', '-': 'red', '!': 'yellow', ' ': 'reset', '@': 'cyan' } as const;

/** All attributes, aligned, with changed values in full. */
export function* attributeLines(change: ShownChange, indent: string, columns: number, paint: Paint): Generator<string> {
  const rows = attributeRows(change);
  const nameColumns = Math.min(maxNameColumns, Math.max(0, ...rows.map((row) => displayWidth(safe(row.name)))));
  const inner = columns - indent.length;
  for (const row of rows) {
    const label = padEnd(safe(row.name), nameColumns);
    for (const line of rowLines(row, label, inner, paint)) yield indent + line;
  }
}

/** The values on one line: `nickname "Alice", metadata.team "sales" → "support"`. */
export function attributesInShort(change: Change, columns: number): string {
  const parts = attributeRows(change).map((row) =>
    row.type === 'value' ? `${safe(row.name)} ${shortValue(row)}` : `${safe(row.name)} ${row.entries.length}`,
  );
  return clip(parts.join(', '), columns);
}

function shortValue(row: ValueRow): string {
  const { before, after } = row;
  if (before === undefined || after === undefined) return clip(valueText(row), maxShortColumns);
  return printBoth(before, after)
    .map((side) => clip(side, maxShortColumns))
    .join(' → ');
}

function* rowLines(row: AttributeRow, label: string, columns: number, paint: Paint): Generator<string> {
  if (row.type === 'value') yield* valueLines(row, label, columns, paint);
  else if (row.entries.every((entry) => entry.sign === ' ')) {
    const room = columns - displayWidth(label) - 4;
    yield `  ${label}  ${foldToLine(row.entries.map(entryText), room)}`;
  } else yield* setLines(row, columns, paint);
}

function* valueLines(row: ValueRow, label: string, columns: number, paint: Paint): Generator<string> {
  const [old, fresh] =
    row.effect === undefined ? (['red', 'green'] as const) : [effectStyle[row.effect], effectStyle[row.effect]];
  const sign = paint(row.effect === undefined ? signStyle[row.sign] : effectStyle[row.effect], row.sign);
  const remark = row.remark === undefined ? '' : `  (${row.remark})`;
  const room = columns - displayWidth(label) - 4;
  const { before, after } = row;
  if (before === undefined || after === undefined) {
    const value = clip(valueText(row), room - displayWidth(remark));
    yield `${sign} ${label}  ${row.effect === undefined ? value : paint(fresh, value)}${paint('dim', remark)}`;
    return;
  }
  const [left, right] = printBoth(before, after);
  const diff = isShort(left, right, room - displayWidth(remark)) ? undefined : unifiedDiff(before, after, columns - 4);
  if (diff !== undefined) {
    yield `${sign} ${label.trimEnd()}${paint('dim', remark)}`;
    for (const line of diff)
      yield `    ${paint(diffStyle[line.sign], line.sign === '@' ? line.text : line.sign + line.text)}`;
  } else if (isShort(left, right, room - displayWidth(remark))) {
    yield `${sign} ${label}  ${paint(old, left)} ${paint('dim', '→')} ${paint(fresh, right)}${paint('dim', remark)}`;
  } else {
    const [from, to] = aroundDifference(left, right, room - 2);
    yield `${sign} ${label}  ${paint(old, `- ${clip(from, room - 2)}`)}`;
    yield `  ${' '.repeat(displayWidth(label))}  ${paint(fresh, `+ ${clip(to, room - 2)}`)}${paint('dim', remark)}`;
  }
}

function isShort(left: string, right: string, room: number): boolean {
  return displayWidth(left) + 3 + displayWidth(right) <= room;
}

function valueText({ before, after }: ValueRow): string {
  const value = after ?? before;
  return value === undefined ? '' : printValue(value);
}

/** Removed ids come before added ones. Few ids get a line each. */
function* setLines(row: SetRow, columns: number, paint: Paint): Generator<string> {
  const remark = row.remark === undefined ? '' : paint('dim', `  (${row.remark})`);
  yield `${paint('yellow', '~')} ${safe(row.name)}${remark}`;
  for (const sign of ['-', '+', '~'] as const) {
    const entries = row.entries.filter((entry) => entry.sign === sign);
    const texts = entries.map(entryText);
    const lines = entries.length > maxSingleIds ? fold(texts, columns - 6) : texts;
    let mark = `${sign} `;
    for (const line of lines) {
      const style = row.restricts === true ? effectStyle[sign === '-' ? 'gives' : 'takes'] : signStyle[sign];
      yield `    ${paint(style, mark + clip(line, columns - 6))}`;
      if (entries.length > maxSingleIds) mark = '  ';
    }
  }
}
