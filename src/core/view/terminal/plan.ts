// A plan for people on a terminal: the verdict, the dangers, the changes, the drift, the cost and the warnings.

import { compareText } from '../../../lib/json.ts';
import { listOf, plural, printNumber } from '../../../lib/words.ts';
import type { Plan } from '../../model/plan.ts';
import { dangersOf } from '../summary/dangers.ts';
import { type ChangeGroup, type PlanSurvey, surveyOf } from '../summary/groups.ts';
import { signatureSentence } from '../summary/signature.ts';
import { stageLines } from '../summary/stages.ts';
import {
  durationSentences,
  isEmpty,
  newStateSentence,
  sortedWarnings,
  totalRequests,
  verdict,
} from '../summary/verdict.ts';
import { cutAfter, writeWithin } from '../text/budget.ts';
import { flow, padStart, proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { type Paint, painter } from '../text/paint.ts';
import { safe } from '../text/text.ts';
import { wrapLines } from '../text/wrap-lines.ts';
import { type BlockOptions, block, changeInFull, driftInFull } from './change-lines.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { foldedBlocks } from './folded-changes.ts';
import { dangerLines, peopleSection, unmanagedLines } from './plan-sections.ts';

const defaultLimit = 1_000;
/** Wider terminals are not used in full, so that right-aligned text stays near. */
const maxColumns = 120;
const hashShown = 12;
/** In a group of more changes than this, each gets one line. */
const maxAlikeInFull = 10;
/** The same limit for changes with the same values and reason, which are then described once. */
const maxEqualInFull = 3;

/** Yields pieces, so that a large plan is never held as text. */
export function* planForPeople(plan: Plan, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const columns = Math.min(options.width, maxColumns);
  const { whole } = options;
  const limit = options.limit ?? (whole === true ? Number.POSITIVE_INFINITY : defaultLimit);
  const most = options.maxBytes === undefined ? undefined : Math.floor(options.maxBytes / 4);
  const proseWidth = proseColumns(columns, whole);
  const title = [newStateSentence(plan) ?? [], ...flow(verdict(plan).split(/(?<=,) /u), proseWidth)]
    .flat()
    .flatMap((line) => [...wrap(line, proseWidth)])
    .map((line) => `${paint('bold', line)}\n`)
    .join('');
  const survey = surveyOf(plan.changes);
  const state = plan.state === undefined ? '' : `${paint('dim', `State ${safe(plan.state)}`)}\n`;
  const signed = signatureText(options, paint, proseWidth);
  const sorted = sortedWarnings(plan.warnings);
  const room = { columns, paint, whole };
  const hasDangers = survey.dangers.length > 0 || sorted.first.length > 0;
  const aboveChanges = joined(
    hasDangers ? dangerLines(plan, survey.dangers, sorted.first, room) : [],
    plan.people === undefined && plan.notices === undefined ? [] : peopleSection(plan, room),
  );
  const dangers = cutAfter(withEnds(aboveChanges), '  …\n', most);
  const losses = [...warningPieces(sorted.losses, options, most)].join('');
  const warnings = [...warningPieces(sorted.others, options, most)].join('');
  const unmanaged = plan.unmanaged === undefined ? [] : unmanagedLines(plan.unmanaged, proseWidth, paint);
  const notManaged = [...cutAfter(withEnds(unmanaged), '  …\n', most)].join('');
  const cost = notManaged + [...withEnds(costLines(plan, proseWidth, paint))].join('');
  let head = title + state + signed + losses;
  if (most === undefined) {
    // There may be as many dangers as changes. Without a limit they can be streamed.
    yield head;
    yield* dangers;
    head = '';
  }
  yield* writeWithin(
    {
      head: head + [...dangers].join(''),
      items: blocksOf(plan, survey, { ...options, columns, paint, limit, whole }),
      total: plan.changes.length + (plan.drift?.length ?? 0),
      tail: (leftOut) => moreText(leftOut) + cost + warnings,
    },
    options.maxBytes,
  );
}

function signatureText({ signature }: ViewOptions, paint: Paint, columns: number): string {
  if (signature === undefined) return '';
  const style = signature.counts ? 'dim' : ['bold' as const, 'red' as const];
  return [...wrap(safe(signatureSentence(signature)), columns)].map((line) => `${paint(style, line)}\n`).join('');
}

/** The question before an apply, with a blank at its end. The plan was printed before. */
export function promptFor(plan: Plan): string {
  const dangers = dangersOf(plan.changes).map((group) => group.inWords);
  const warning = dangers.length === 0 ? '' : `! The plan ${listOf(dangers)}.\n`;
  const ofPlan = sortedWarnings(plan.warnings).first.map(({ summary }) => `! ${summary}.\n`);
  return `\n${verdict(plan)}\n${warning}${ofPlan.join('')}Apply this plan to ${safe(plan.application)}?\nOnly "yes" is accepted: `;
}

function* blocksOf(plan: Plan, { requested, pending }: PlanSurvey, options: BlockOptions): Generator<string> {
  let room = options.limit;
  for (const blocks of [
    requestedBlocks(plan, requested, options),
    pendingBlocks(plan, pending, options),
    driftBlocks(plan, options),
  ]) {
    for (const block of blocks) {
      if (room === 0) return;
      room -= 1;
      yield block;
    }
  }
}

/** One text per change that was not pending before this request. */
function* requestedBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Generator<string> {
  const blocks = changeBlocks(plan, groups, options);
  const hasBase = plan.changes.at(0)?.cause !== undefined;
  yield* hasBase ? titled('Caused by this request', blocks, options.paint) : blocks;
}

function pendingBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Generator<string> {
  return titled('Pending before this request', changeBlocks(plan, groups, options), options.paint);
}

function driftBlocks(plan: Plan, options: BlockOptions): Generator<string> {
  return titled('Changed on the platform since the last apply', allDrift(plan, options), options.paint);
}

function* allDrift({ drift = [] }: Plan, options: BlockOptions): Generator<string> {
  for (const item of drift) yield block(driftInFull(item, options));
}

/** Writes the title above the first block, and nothing if there are no blocks. */
function* titled(title: string, blocks: Generator<string>, paint: Paint): Generator<string> {
  let lead = `\n${paint('bold', title)}\n`;
  for (const text of blocks) {
    yield lead + text;
    lead = '';
  }
}

function* changeBlocks(plan: Plan, groups: readonly ChangeGroup[], options: BlockOptions): Generator<string> {
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

function moreText(leftOut: number): string {
  return leftOut === 0 ? '' : `\n… and ${plural(leftOut, 'more change')}; see --format json\n`;
}

function* warningPieces(
  warnings: Plan['warnings'],
  options: ViewOptions,
  maxBytes: number | undefined,
): Generator<string> {
  if (warnings.length === 0) return;
  yield '\n';
  yield* cutAfter(diagnosticsForPeople(warnings, options), '…\n', maxBytes);
}

function* joined(...parts: readonly Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}

function* costLines(plan: Plan, columns: number, paint: Paint): Generator<string> {
  if (plan.refreshed !== undefined) {
    const { objects, requests } = plan.refreshed;
    yield '';
    yield paint('dim', `Read ${plural(objects, 'live object')} with ${plural(requests, 'request')}`);
  }
  if (isEmpty(plan)) return;
  const total = totalRequests(plan);
  const rows = plan.requests
    .map(({ method, route, count }) => ({ count, name: `${method} ${safe(route)}` }))
    .sort((left, right) => right.count - left.count || compareText(left.name, right.name));
  const numberColumns = Math.max(0, ...rows.map(({ count }) => printNumber(count).length));
  yield '';
  yield paint('bold', total === 0 ? 'No requests: only the saved state changes' : plural(total, 'request'));
  for (const { count, name } of rows) yield `  ${padStart(printNumber(count), numberColumns)}  ${name}`;
  if (total > 0) yield* wrap(durationSentences(plan), columns);
  if (plan.stages !== undefined) yield wrapLines(stageLines(plan.stages).map(safe).join('\n'), columns);
  yield paint('dim', `Plan hash ${safe(plan.hash.slice(0, hashShown))} for ${safe(plan.application)}`);
}
