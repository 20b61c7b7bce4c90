// The lines of one change as a diff, with the sign in the first column.
import { isObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { clip } from '../text/clipping.ts';
import { fold } from '../text/folding.ts';
import { printId, printValue, safe } from '../text/text.ts';
import {
  type AttributeRow,
  attributeRows,
  isOfNewObject,
  type SetEntry,
  type SetRow,
  type ShownChange,
  type ValueRow,
} from './attribute-rows.ts';
import { aroundDifferences, type DiffLine, printBoth, unifiedDiff } from './value-diff.ts';

/** Above this many ids of one sign, ids share lines. */
const maxSingleIds = 12;

/** `columns` is the approximate maximum length of a line. */
export function* changeDiff(change: ShownChange, columns: number): Generator<DiffLine> {
  const isNew = isOfNewObject(change);
  for (const row of attributeRows(change)) {
    for (const line of rowDiff(row, isNew, columns)) {
      const effect = effectOfLine(row, line);
      yield effect === undefined ? line : { ...line, effect };
    }
  }
}

function effectOfLine(row: AttributeRow, { sign }: DiffLine): DiffLine['effect'] {
  if (row.type === 'value') return row.effect;
  if (row.restricts !== true || sign === ' ' || sign === '@') return undefined;
  return sign === '-' ? 'gives' : 'takes';
}

function rowDiff(row: AttributeRow, isNew: boolean, columns: number): Iterable<DiffLine> {
  return row.type === 'value' ? valueDiff(row, isNew, columns) : setDiff(row, isNew, columns);
}

function* valueDiff(row: ValueRow, isNew: boolean, columns: number): Generator<DiffLine> {
  const name = safe(row.name);
  const remark = row.remark === undefined ? '' : ` (${row.remark})`;
  const room = columns - name.length - 2;
  const { before, after } = row;
  if (row.sign === '.' || before === undefined || after === undefined) {
    const sign = row.sign === '.' ? ' ' : after === undefined ? '-' : isNew || before === undefined ? '+' : ' ';
    yield { sign, text: `${name}: ${clip(valueText(after ?? before), room - remark.length)}${remark}` };
    return;
  }
  const diff = unifiedDiff(before, after, columns - 2);
  if (diff !== undefined) {
    yield { sign: ' ', text: `${name}:${remark}` };
    yield* diff;
    return;
  }
  const [left, right] = aroundDifferences(...printBoth(before, after), room);
  yield { sign: '-', text: `${name}: ${left}` };
  yield { sign: '+', text: `${name}: ${right}${remark}` };
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? '' : printValue(value);
}

function* setDiff(row: SetRow, isNew: boolean, columns: number): Generator<DiffLine> {
  const name = safe(row.name);
  const remark = row.remark === undefined ? '' : ` (${row.remark})`;
  for (const sign of ['-', '+', '~', ' '] as const) {
    const entries = row.entries.filter((entry) => entry.sign === sign);
    const texts = entries.map(entryText);
    const lines = entries.length > maxSingleIds ? fold(texts, columns - name.length - 2) : texts;
    const shown = sign === '~' ? '!' : sign === ' ' && isNew ? '+' : sign;
    for (const line of lines) yield { sign: shown, text: `${name}: ${clip(line, columns)}${remark}` };
  }
}

/** `bob`, `bob (invitation_status invited_by_friend)`, `bob (hidden_status unhidden → hidden_allow_auto_unhide)`. */
export function entryText({ id, before, after }: SetEntry): string {
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  const names = after === undefined ? [] : [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const parts = names
    .filter((name) => ownValue(left, name) !== ownValue(right, name))
    .map((name) => {
      const values = [ownValue(left, name), ownValue(right, name)].map((value) =>
        value === undefined ? undefined : word(value),
      );
      if (before === undefined) return `${safe(name)} ${values[1]}`;
      return `${safe(name)} ${values[0] ?? '(default)'} → ${values[1] ?? '(default)'}`;
    });
  return parts.length === 0 ? printId(id) : `${printId(id)} (${parts.join(', ')})`;
}

function word(value: JsonValue): string {
  return typeof value === 'string' ? printId(value) : printValue(value);
}
