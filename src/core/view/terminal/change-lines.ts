// One change or drift of a plan in full, with its attributes, for a terminal.
import { stripVTControlCharacters } from 'node:util';
import { type Action, hasBudget, symbolOf } from '../../model/action.ts';
import type { Change, Drift } from '../../model/change.ts';
import { printPosition } from '../../model/source.ts';
import { type AttributeRow, attributeRows, type ShownChange, type ValueRow } from '../diff/attribute-rows.ts';
import { aroundDifferences, printBoth, unifiedDiff } from '../diff/value-diff.ts';
import { liveFacts } from '../summary/dangers.ts';
import { driftWords, reasonInWords } from '../text/change-words.ts';
import { clip } from '../text/clipping.ts';
import { displayWidth, padEnd, padStart, proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { actionStyle, effectStyle, type Paint, signStyle } from '../text/paint.ts';
import { printValue, safe } from '../text/text.ts';
import { linesToPaste } from './lines-to-paste.ts';
import { idLines, type LineRoom, setLines } from './set-lines.ts';

/** `limit` is the maximum number of blocks. */
export interface BlockOptions extends Pick<ViewOptions, 'blockText' | 'redactionKey'> {
  readonly columns: number;
  readonly paint: Paint;
  readonly limit: number;
  readonly whole?: boolean | undefined;
}

export function block(lines: Iterable<string>): string {
  return `\n${[...withEnds(lines)].join('')}`;
}

export function* changeInFull(change: Change, room: LineRoom & Partial<BlockOptions>): Generator<string> {
  const { columns, paint } = room;
  yield* headLines(change, columns, paint);
  yield* reasonLines(reasonInWords(change.reason), room);
  const facts = change.live === undefined ? [] : liveFacts(change);
  if (facts.length > 0) yield `    ${paint('red', 'at stake:')} ${facts.join(', ')}`;
  yield* attributeLines(change, room);
  if (isRefusedCreation(change)) yield* linesToPaste(change, room);
  yield* noteLines(change, room);
}

/** Whether the object exists with other values, so that the platform will refuse to create it. */
function isRefusedCreation({ actions, attributes }: Change): boolean {
  return actions.includes('conflict') && attributes.some(({ before }) => before !== undefined);
}

export function* reasonLines(reason: string, { columns, whole, paint }: LineRoom): Generator<string> {
  for (const line of wrap(safe(reason), proseColumns(columns, whole) - 4)) yield `    ${paint('dim', line)}`;
}

export function* noteLines({ notes }: Change, { columns, whole, paint }: LineRoom): Generator<string> {
  for (const note of notes) {
    let lead = 'note: ';
    for (const line of wrap(safe(note), proseColumns(columns, whole) - 4 - lead.length)) {
      yield `    ${paint('cyan', lead)}${line}`;
      lead = ' '.repeat(lead.length);
    }
  }
}

/** The current values next to those last applied, and the effect of an apply on them. */
export function* driftInFull(drift: Drift, room: LineRoom): Generator<string> {
  const { columns, paint } = room;
  const head = `  ${paint('magenta', '≠')} ${paint('bold', safe(drift.address))}  ${driftWords[drift.type]}`;
  yield* withPlace(head, drift, columns, paint);
  yield* attributeLines({ actions: [], attributes: drift.attributes }, room);
  for (const line of wrap(safe(drift.note), proseColumns(columns, room.whole) - 4)) yield `    ${paint('dim', line)}`;
}

function* headLines(change: Change, columns: number, paint: Paint): Generator<string> {
  const main = mainAction(change);
  const style = main === undefined ? 'dim' : actionStyle[main];
  const address = safe(change.address);
  const verbs = verbsOf(change, paint);
  const head = `  ${paint(style, changeSymbol(change))} ${paint('bold', address)}${verbs === '' ? '' : `  ${verbs}`}`;
  yield* withPlace(head, change, columns, paint);
}

/** Aligns the position to the right, or writes it on the next line if the first is too short. */
export function* withPlace(
  head: string,
  { source }: Pick<Change, 'source'>,
  columns: number,
  paint: Paint,
): Generator<string> {
  const used = displayWidth(stripVTControlCharacters(head));
  const place = source === undefined ? '' : safe(printPosition(source));
  if (place === '') yield head;
  else if (used + 2 + displayWidth(place) <= columns) yield head + paint('dim', padStart(place, columns - used));
  else {
    yield head;
    yield `    ${paint('dim', place)}`;
  }
}

/** The action whose symbol represents the change: creation or deletion, or else one with a budget that is not undone at once. */
export function mainAction({ actions }: Change): Action | undefined {
  const counted = actions.filter(hasBudget);
  return (
    actions.find((action) => action === 'create' || action === 'delete' || action === 'adopt') ??
    (counted.length === 1 ? counted[0] : actions.find((action) => !hasBudget(action))) ??
    actions[0]
  );
}

/** One column wide. A channel that members leave stays, so it has no `-`. */
export function changeSymbol(change: Change): string {
  const main = mainAction(change);
  if (main === undefined) return '.';
  return symbolOf(main === 'leave' ? 'update' : main);
}

/** Empty if the symbol alone is clear. */
function verbsOf({ actions, reversibility }: Change, paint: Paint): string {
  const isPlain = actions.length === 1 && (actions[0] === 'create' || actions[0] === 'update');
  const verbs = isPlain ? '' : actions.map((action) => paint(actionStyle[action], action)).join(', ');
  const warning = reversibility === 'irreversible' ? paint('red', '(cannot be undone)') : '';
  return [verbs, warning].filter((part) => part !== '').join(' ');
}

const maxNameColumns = 28;
const valueIndent = '    ';
const diffStyle = { '+': 'green', '-': 'red', '!': 'yellow', ' ': 'reset', '@': 'cyan' } as const;

/** All attributes, aligned, with changed values in full. */
export function* attributeLines(change: ShownChange, room: LineRoom): Generator<string> {
  const rows = attributeRows(change);
  const nameColumns = Math.min(maxNameColumns, Math.max(0, ...rows.map((row) => displayWidth(safe(row.name)))));
  const inner = { ...room, columns: room.columns - valueIndent.length };
  for (const row of rows) {
    const label = padEnd(safe(row.name), nameColumns);
    for (const line of rowLines(row, label, inner)) yield valueIndent + line;
  }
}

function* rowLines(row: AttributeRow, label: string, room: LineRoom): Generator<string> {
  if (row.type === 'value') yield* valueLines(row, label, room);
  else if (row.entries.every((entry) => entry.sign === ' ')) yield* idLines(row, label, room);
  else yield* setLines(row, room);
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
    const [from, to] = whole === true ? [left, right] : aroundDifferences(left, right, room - 2);
    yield `${sign} ${label}  ${paint(old, `- ${from}`)}`;
    yield `  ${' '.repeat(displayWidth(label))}  ${paint(fresh, `+ ${to}`)}${paint('dim', remark)}`;
  }
}

function isShort(left: string, right: string, room: number): boolean {
  return displayWidth(left) + 3 + displayWidth(right) <= room;
}

export function valueText({ before, after }: ValueRow): string {
  const value = after ?? before;
  return value === undefined ? '' : printValue(value);
}
