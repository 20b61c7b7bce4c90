// The attributes of one change, for a terminal.
import {
  type AttributeRow,
  attributeRows,
  type SetRow,
  type ShownChange,
  type ValueRow,
} from '../diff/attribute-rows.ts';
import { entryText } from '../diff/change-diff.ts';
import { aroundDifference, printBoth, unifiedDiff } from '../diff/value-diff.ts';
import { fold, foldToLines } from '../text/folding.ts';
import { clip, displayWidth, padEnd } from '../text/layout.ts';
import { effectStyle, type Paint, signStyle } from '../text/paint.ts';
import { printValue, safe } from '../text/text.ts';

const maxNameColumns = 28;
/** Above this many ids of one sign, ids share lines. */
const maxSingleIds = 12;
const diffStyle = { '+': 'green', '-': 'red', '!': 'yellow', ' ': 'reset', '@': 'cyan' } as const;

/** Lines of members before the rest is counted. */
const maxIdLines = 8;

/** The available room. With `whole`, lines wrap and nothing is omitted. */
export interface LineRoom {
  readonly columns: number;
  readonly paint: Paint;
  readonly whole?: boolean | undefined;
}

/** All attributes, aligned, with changed values in full. */
export function* attributeLines(change: ShownChange, indent: string, room: LineRoom): Generator<string> {
  const rows = attributeRows(change);
  const nameColumns = Math.min(maxNameColumns, Math.max(0, ...rows.map((row) => displayWidth(safe(row.name)))));
  const inner = { ...room, columns: room.columns - indent.length };
  for (const row of rows) {
    const label = padEnd(safe(row.name), nameColumns);
    for (const line of rowLines(row, label, inner)) yield indent + line;
  }
}

function* rowLines(row: AttributeRow, label: string, room: LineRoom): Generator<string> {
  if (row.type === 'value') yield* valueLines(row, label, room);
  else if (row.entries.every((entry) => entry.sign === ' ')) yield* idLines(row, label, room);
  else yield* setLines(row, room);
}

/** The ids of a new object behind the name, on as many lines as they need, up to a maximum. */
function* idLines({ entries }: SetRow, label: string, { columns, whole }: LineRoom): Generator<string> {
  const lead = ' '.repeat(displayWidth(label) + 4);
  let prefix = `  ${label}  `;
  const most = whole === true ? Number.POSITIVE_INFINITY : maxIdLines;
  for (const line of foldToLines(entries.map(entryText), columns - lead.length, most)) {
    yield prefix + line;
    prefix = lead;
  }
}

function* valueLines(row: ValueRow, label: string, { columns, paint, whole }: LineRoom): Generator<string> {
  const [old, fresh] =
    row.effect === undefined ? (['red', 'green'] as const) : [effectStyle[row.effect], effectStyle[row.effect]];
  const sign = paint(row.effect === undefined ? signStyle[row.sign] : effectStyle[row.effect], row.sign);
  const remark = row.remark === undefined ? '' : `  (${row.remark})`;
  const room = columns - displayWidth(label) - 4;
  const cutTo = (text: string, most: number): string => (whole === true ? text : clip(text, most));
  const { before, after } = row;
  if (before === undefined || after === undefined) {
    const value = cutTo(valueText(row), room - displayWidth(remark));
    yield `${sign} ${label}  ${row.effect === undefined ? value : paint(fresh, value)}${paint('dim', remark)}`;
    return;
  }
  const [left, right] = printBoth(before, after);
  const diff = isShort(left, right, room - displayWidth(remark))
    ? undefined
    : unifiedDiff(before, after, columns - 4, whole);
  if (diff !== undefined) {
    yield `${sign} ${label.trimEnd()}${paint('dim', remark)}`;
    for (const line of diff)
      yield `    ${paint(diffStyle[line.sign], line.sign === '@' ? line.text : line.sign + line.text)}`;
  } else if (isShort(left, right, room - displayWidth(remark))) {
    yield `${sign} ${label}  ${paint(old, left)} ${paint('dim', '→')} ${paint(fresh, right)}${paint('dim', remark)}`;
  } else {
    const [from, to] = whole === true ? [left, right] : aroundDifference(left, right, room - 2);
    yield `${sign} ${label}  ${paint(old, `- ${cutTo(from, room - 2)}`)}`;
    yield `  ${' '.repeat(displayWidth(label))}  ${paint(fresh, `+ ${cutTo(to, room - 2)}`)}${paint('dim', remark)}`;
  }
}

function isShort(left: string, right: string, room: number): boolean {
  return displayWidth(left) + 3 + displayWidth(right) <= room;
}

export function valueText({ before, after }: ValueRow): string {
  const value = after ?? before;
  return value === undefined ? '' : printValue(value);
}

/** Removed ids come before added ones. Few ids get a line each. */
function* setLines(row: SetRow, { columns, paint, whole }: LineRoom): Generator<string> {
  const remark = row.remark === undefined ? '' : paint('dim', `  (${row.remark})`);
  yield `${paint('yellow', '~')} ${safe(row.name)}${remark}`;
  for (const sign of ['-', '+', '~'] as const) {
    const entries = row.entries.filter((entry) => entry.sign === sign);
    const texts = entries.map(entryText);
    const lines = entries.length > maxSingleIds ? fold(texts, columns - 6) : texts;
    let mark = `${sign} `;
    for (const line of lines) {
      const style = row.restricts === true ? effectStyle[sign === '-' ? 'gives' : 'takes'] : signStyle[sign];
      yield `    ${paint(style, mark + (whole === true ? line : clip(line, columns - 6)))}`;
      if (entries.length > maxSingleIds) mark = '  ';
    }
  }
}
