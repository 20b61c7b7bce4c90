// Many similar changes, for a terminal: one line each under a title.
import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { type ChangeGroup, groupTitle } from '../summary/groups.ts';
import { reasonInWords } from '../text/change-words.ts';
import { clip } from '../text/clipping.ts';
import { displayWidth, padEnd, withEnds } from '../text/layout.ts';
import { actionStyle } from '../text/paint.ts';
import { safe } from '../text/text.ts';
import {
  attributeLines,
  type BlockOptions,
  changeSymbol,
  mainAction,
  noteLines,
  reasonLines,
  withPlace,
} from './change-lines.ts';
import { attributesInShort } from './short-attributes.ts';

/** The number of addresses that determine the column width. */
const maxMeasured = 1_000;

export function* foldedBlocks(plan: Plan, group: ChangeGroup, first: Change, options: BlockOptions): Generator<string> {
  const { columns, paint } = options;
  const values = group.isSame && first.attributes.length > 0;
  const shared = values ? [...withEnds(attributeLines(first, options))].join('') : '';
  const why = group.reason === undefined ? '' : [...withEnds(reasonLines(group.reason, options))].join('');
  let lead = `\n  ${paint('bold', groupTitle(group))}\n${why}${shared}`;
  const addressColumns = widthOfAddresses(plan, group.positions.slice(0, maxMeasured), Math.floor(columns / 2));
  for (const position of group.positions) {
    const change = plan.changes.at(position);
    if (change === undefined) continue;
    yield lead + blockInShort(change, group.isSame, group.reason, addressColumns, options);
    lead = '';
  }
}

function widthOfAddresses(plan: Plan, positions: readonly number[], most: number): number {
  let widest = 0;
  for (const position of positions) {
    if (widest >= most) break;
    const change = plan.changes.at(position);
    if (change !== undefined) widest = Math.max(widest, displayWidth(safe(change.address)));
  }
  return Math.min(most, widest);
}

function blockInShort(
  change: Change,
  isSaid: boolean,
  sharedReason: string | undefined,
  addressColumns: number,
  options: BlockOptions,
): string {
  let text = `${lineInShort(change, isSaid, addressColumns, options)}\n`;
  if (sharedReason === undefined)
    for (const line of reasonLines(reasonInWords(change.reason), options)) text += `${line}\n`;
  for (const line of noteLines(change, options)) text += `${line}\n`;
  return text;
}

function lineInShort(
  change: Change,
  isSaid: boolean,
  addressColumns: number,
  { columns, paint, whole }: BlockOptions,
): string {
  const main = mainAction(change);
  const address = padEnd(
    whole === true ? safe(change.address) : clip(safe(change.address), addressColumns),
    addressColumns,
  );
  const head = `${changeSymbol(change)} ${address}`;
  const style = main === undefined ? 'dim' : actionStyle[main];
  const isNew = change.actions.includes('create');
  if (isSaid && !isNew) return [...withPlace(`  ${paint(style, head.trimEnd())}`, change, columns, paint)].join('\n');
  const verbs = change.actions.filter((action) => action !== 'create' && action !== 'update').join(', ');
  const values = isSaid
    ? ''
    : attributesInShort(change, { columns: columns - addressColumns - verbs.length - 8, whole });
  const parts = [
    paint(style, isSaid && verbs === '' ? head.trimEnd() : head),
    values === '' ? '' : paint('dim', values),
    verbs,
  ];
  return `  ${parts.filter((part) => part !== '').join('  ')}`;
}
