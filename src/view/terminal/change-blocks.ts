// The changes and drift of a plan, for a terminal: each in full, or one line each under a title when many are similar.
import { symbolOf } from '../../model/action.ts';
import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { type ChangeGroup, groupTitle } from '../summary/groups.ts';
import { safe } from '../text.ts';
import { attributeLines, attributesInShort } from './attribute-lines.ts';
import { changeInFull, driftInFull, mainAction, noteLines, reasonLines } from './change-lines.ts';
import { clip, displayWidth, padEnd, withEnds } from './layout.ts';
import { actionStyle, type Paint } from './paint.ts';

/** In a group of more changes than this, each gets one line. */
const maxAlikeInFull = 10;
/** So many addresses decide how wide their column is. */
const maxMeasured = 1_000;

type Blocks = Generator<string>;

/** `limit`: the maximum number of blocks. */
export interface BlockOptions {
  readonly columns: number;
  readonly paint: Paint;
  readonly limit: number;
  readonly whole?: boolean | undefined;
}

/** One text per change that was not pending before this request. */
export function* requestedBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Blocks {
  const blocks = blocksOf(plan, groups, options);
  const hasBase = plan.changes.at(0)?.cause !== undefined;
  yield* hasBase ? titled('Caused by this request', blocks, options.paint) : blocks;
}

export function pendingBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Blocks {
  return titled('Pending before this request', blocksOf(plan, groups, options), options.paint);
}

export function driftBlocks(plan: Plan, options: BlockOptions): Blocks {
  return titled('Changed on the platform since the last apply', allDrift(plan, options), options.paint);
}

function* allDrift({ drift = [] }: Plan, options: BlockOptions): Blocks {
  for (const one of drift) yield block(driftInFull(one, options));
}

/** Puts the title above the first block. Without blocks there is no title. */
function* titled(title: string, blocks: Blocks, paint: Paint): Blocks {
  let lead = `\n${paint('bold', title)}\n`;
  for (const text of blocks) {
    yield lead + text;
    lead = '';
  }
}

function* blocksOf(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Blocks {
  const shown = groups.flatMap((group) => {
    const isFolded = group.positions.length > maxAlikeInFull;
    const positions = isFolded ? group.positions.slice(0, 1) : group.positions;
    return positions.map((position) => ({ position, group, isFolded }));
  });
  for (const { position, group, isFolded } of shown.sort((left, right) => left.position - right.position)) {
    const change = plan.changes.at(position);
    if (change === undefined) continue;
    if (isFolded) yield* foldedBlocks(plan, group, change, options);
    else yield block(changeInFull(change, options));
  }
}

function* foldedBlocks(plan: Plan, group: ChangeGroup, first: Change, options: BlockOptions): Blocks {
  const { columns, paint } = options;
  const values = group.isSame && first.attributes.length > 0;
  const shared = values ? [...withEnds(attributeLines(first, '    ', options))].join('') : '';
  const why = group.reason === undefined ? '' : [...withEnds(reasonLines(group.reason, columns, paint))].join('');
  let lead = `\n  ${paint('bold', groupTitle(group))}\n${why}${shared}`;
  const addressColumns = widthOfAddresses(plan, group.positions.slice(0, maxMeasured), Math.floor(columns / 2));
  for (const position of group.positions) {
    const change = plan.changes.at(position);
    if (change === undefined) continue;
    yield lead + blockInShort(change, values, group.reason, addressColumns, options);
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
  const { columns, paint } = options;
  let text = `${lineInShort(change, isSaid, addressColumns, options)}\n`;
  if (sharedReason === undefined) for (const line of reasonLines(change.reason, columns, paint)) text += `${line}\n`;
  for (const line of noteLines(change, columns, paint)) text += `${line}\n`;
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
  const head = `${main === undefined ? '.' : symbolOf(main)} ${address}`;
  const verbs = change.actions.filter((action) => action !== 'create' && action !== 'update').join(', ');
  const values = isSaid
    ? ''
    : attributesInShort(change, { columns: columns - addressColumns - verbs.length - 8, whole });
  const parts = [
    paint(main === undefined ? 'dim' : actionStyle[main], isSaid && verbs === '' ? head.trimEnd() : head),
    values === '' ? '' : paint('dim', values),
    verbs,
  ];
  return `  ${parts.filter((part) => part !== '').join('  ')}`;
}

function block(lines: Iterable<string>): string {
  return `\n${[...withEnds(lines)].join('')}`;
}
