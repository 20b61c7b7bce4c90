// The ids of a set, such as the members of a channel, and how it changes.
import type { SetRow } from '../diff/attribute-rows.ts';
import { entryText } from '../diff/change-diff.ts';
import { clip } from '../text/clipping.ts';
import { fold, foldToLines } from '../text/folding.ts';
import { displayWidth } from '../text/layout.ts';
import { effectStyle, type Paint, signStyle } from '../text/paint.ts';
import { safe } from '../text/text.ts';

/** The available room. With `whole`, lines wrap and nothing is omitted. */
export interface LineRoom {
  readonly columns: number;
  readonly paint: Paint;
  readonly whole?: boolean | undefined;
}

/** Above this many ids of one sign, ids share lines. */
const maxSingleIds = 12;

/** Lines of members before the rest is counted. */
const maxIdLines = 8;

/** The ids of a new object behind the name, on as many lines as they need, up to a maximum. */
export function* idLines({ entries }: SetRow, label: string, { columns, whole }: LineRoom): Generator<string> {
  const lead = ' '.repeat(displayWidth(label) + 4);
  let prefix = `  ${label}  `;
  const most = whole === true ? Number.POSITIVE_INFINITY : maxIdLines;
  for (const line of foldToLines(entries.map(entryText), columns - lead.length, most)) {
    yield prefix + line;
    prefix = lead;
  }
}

/** Removed ids come before added ones. Few ids get a line each. */
export function* setLines(row: SetRow, { columns, paint, whole }: LineRoom): Generator<string> {
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
