// The attributes of one change on one line.

import type { Change } from '../../model/change.ts';
import { attributeRows, type SetRow, type ValueRow } from '../diff/attribute-rows.ts';
import { entryText } from '../diff/change-diff.ts';
import { printBoth } from '../diff/value-diff.ts';
import { clip } from '../text/clipping.ts';
import { displayWidth } from '../text/layout.ts';
import { safe } from '../text/text.ts';
import { valueText } from './change-lines.ts';
import type { LineRoom } from './set-lines.ts';

/** The maximum width of one of several values on a line. */
const maxShortColumns = 24;

/**
 * The values on one line: `nickname "Alice", members alice, bob, metadata.team "sales" → "support"`. Members are named if
 * all of them fit, else counted.
 */
export function attributesInShort(change: Change, { columns, whole }: Omit<LineRoom, 'paint'>): string {
  const cut = (text: string) => (whole === true ? text : clip(text, maxShortColumns));
  const rows = attributeRows(change);
  const print = (isNamed: boolean) =>
    rows
      .map((row) =>
        row.type === 'value'
          ? `${safe(row.name)} ${shortValue(row, cut)}`
          : `${safe(row.name)} ${isNamed ? signedIds(row) : row.entries.length}`,
      )
      .join(', ');
  const named = print(true);
  if (whole === true || displayWidth(named) <= columns) return named;
  return clip(print(false), columns);
}

function shortValue(row: ValueRow, cut: (text: string) => string): string {
  const { before, after } = row;
  if (before === undefined || after === undefined) return cut(valueText(row));
  return printBoth(before, after).map(cut).join(' → ');
}

/** `(alice, bob)`, `(-bob, +carol)`. */
function signedIds({ entries }: SetRow): string {
  return `(${entries.map((entry) => `${entry.sign.trim()}${entryText(entry)}`).join(', ')})`;
}
