// The changes and drift of a plan, for a terminal: each in full, or one line each under a title when many are similar.

import { stripVTControlCharacters } from 'node:util';
import { type Action, isDangerous, symbolOf } from '../../model/action.ts';
import type { Change, Drift } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { printPosition } from '../../model/source.ts';
import { liveFacts } from '../summary/dangers.ts';
import { type ChangeGroup, groupTitle } from '../summary/groups.ts';
import { clip, displayWidth, padEnd, padStart, proseColumns, withEnds, wrap } from '../text/layout.ts';
import { actionStyle, type Paint } from '../text/paint.ts';
import { reasonInWords } from '../text/reasons.ts';
import { safe } from '../text/text.ts';
import { driftWords } from '../text/words.ts';
import { attributeLines, attributesInShort, type LineRoom, linesToPaste } from './attribute-lines.ts';

/** In a group of more changes than this, each gets one line. */
const maxAlikeInFull = 10;
/** The same limit for changes with the same values and reason, which are then described once. */
const maxEqualInFull = 3;
/** The number of addresses that determine the column width. */
const maxMeasured = 1_000;

type BlockTexts = Generator<string>;

/** `limit` is the maximum number of blocks. */
export interface BlockOptions {
  readonly columns: number;
  readonly paint: Paint;
  readonly limit: number;
  readonly whole?: boolean | undefined;
}

/** One text per change that was not pending before this request. */
export function* requestedBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): BlockTexts {
  const blocks = blocksOf(plan, groups, options);
  const hasBase = plan.changes.at(0)?.cause !== undefined;
  yield* hasBase ? titled('Caused by this request', blocks, options.paint) : blocks;
}

export function pendingBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): BlockTexts {
  return titled('Pending before this request', blocksOf(plan, groups, options), options.paint);
}

export function driftBlocks(plan: Plan, options: BlockOptions): BlockTexts {
  return titled('Changed on the platform since the last apply', allDrift(plan, options), options.paint);
}

function* allDrift({ drift = [] }: Plan, options: BlockOptions): BlockTexts {
  for (const item of drift) yield block(driftInFull(item, options));
}

/** Puts the title above the first block. Without blocks there is no title. */
function* titled(title: string, blocks: BlockTexts, paint: Paint): BlockTexts {
  let lead = `\n${paint('bold', title)}\n`;
  for (const text of blocks) {
    yield lead + text;
    lead = '';
  }
}

function* blocksOf(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): BlockTexts {
  const shown = groups.flatMap((group) => {
    const isFolded = group.positions.length > (isEqual(group) ? maxEqualInFull : maxAlikeInFull);
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

/** Whether one description fits all changes. New objects are shown one by one, because people look for their names. */
function isEqual({ isSame, reason, actions }: ChangeGroup): boolean {
  return isSame && reason !== undefined && !actions.includes('create');
}

function* foldedBlocks(plan: Plan, group: ChangeGroup, first: Change, options: BlockOptions): BlockTexts {
  const { columns, paint } = options;
  const values = group.isSame && first.attributes.length > 0;
  const shared = values ? [...withEnds(attributeLines(first, '    ', options))].join('') : '';
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

function block(lines: Iterable<string>): string {
  return `\n${[...withEnds(lines)].join('')}`;
}

function* changeInFull(change: Change, room: LineRoom): Generator<string> {
  const { columns, paint } = room;
  yield* headLines(change, columns, paint);
  yield* reasonLines(reasonInWords(change.reason), room);
  const facts = change.live === undefined ? [] : liveFacts(change);
  if (facts.length > 0) yield `    ${paint('red', 'at stake:')} ${facts.join(', ')}`;
  yield* attributeLines(change, '    ', room);
  yield* linesToPaste(change);
  yield* noteLines(change, room);
}

function* reasonLines(reason: string, { columns, whole, paint }: LineRoom): Generator<string> {
  for (const line of wrap(safe(reason), proseColumns(columns, whole) - 4)) yield `    ${paint('dim', line)}`;
}

function* noteLines({ notes }: Change, { columns, whole, paint }: LineRoom): Generator<string> {
  for (const note of notes) {
    let lead = 'note: ';
    for (const line of wrap(safe(note), proseColumns(columns, whole) - 4 - lead.length)) {
      yield `    ${paint('cyan', lead)}${line}`;
      lead = ' '.repeat(lead.length);
    }
  }
}

/** The current values next to those last applied, and the effect of an apply on them. */
function* driftInFull(drift: Drift, room: LineRoom): Generator<string> {
  const { columns, paint } = room;
  const head = `  ${paint('magenta', '≠')} ${paint('bold', safe(drift.address))}  ${driftWords[drift.type]}`;
  yield* withPlace(head, drift, columns, paint);
  yield* attributeLines({ actions: [], attributes: drift.attributes }, '    ', room);
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

/** Puts the position at the right, or below if there is no room. */
function* withPlace(
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

/** The action whose symbol represents the change: creation or deletion, or else a danger that is not undone at once. */
function mainAction({ actions }: Change): Action | undefined {
  const dangers = actions.filter(isDangerous);
  return (
    actions.find((action) => action === 'create' || action === 'delete' || action === 'adopt') ??
    (dangers.length === 1 ? dangers[0] : actions.find((action) => !isDangerous(action))) ??
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
