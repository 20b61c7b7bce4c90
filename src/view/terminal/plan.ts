// A plan for people on a terminal: the verdict, the dangers, the changes, the drift, the cost and the warnings.

import { compareText } from '../../lib/json.ts';
import { isDangerous } from '../../model/action.ts';
import type { Plan } from '../../model/plan.ts';
import { type Danger, type DangerGroup, dangersOf, namedIn, printNamed } from '../summary/dangers.ts';
import { type PlanSurvey, surveyOf } from '../summary/groups.ts';
import { noticeLines } from '../summary/notices.ts';
import { peopleLines, restInWords } from '../summary/people.ts';
import { stageLines } from '../summary/stages.ts';
import { listingSentences, unmanagedRows, unmanagedSentence } from '../summary/unmanaged.ts';
import {
  durationSentences,
  isEmpty,
  newStateSentence,
  sortedWarnings,
  totalRequests,
  verdict,
} from '../summary/verdict.ts';
import { cutAfter, writeWithin } from '../text/budget.ts';
import { displayWidth, flow, fold, padEnd, padStart, proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { actionStyle, type Paint, painter } from '../text/paint.ts';
import { safe } from '../text/text.ts';
import { listOf, plural, printNumber } from '../text/words.ts';
import type { LineRoom } from './attribute-lines.ts';
import { type BlockOptions, driftBlocks, pendingBlocks, requestedBlocks } from './change-blocks.ts';
import { diagnosticsForPeople } from './diagnostics.ts';

const defaultLimit = 1_000;
/** Wider terminals are not used in full, so that right-aligned text stays near. */
const maxColumns = 120;
const maxNamed = 20;
const hashShown = 12;

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
  const sorted = sortedWarnings(plan.warnings);
  const room = { columns, paint, whole };
  const aboveChanges = joined(dangerLines(plan, survey.dangers, sorted.dangers, room), peopleSection(plan, room));
  const dangers = cutAfter(withEnds(aboveChanges), '  …\n', most);
  const losses = [...warningPieces(sorted.losses, options, most)].join('');
  const warnings = [...warningPieces(sorted.others, options, most)].join('');
  const notManaged = [...cutAfter(withEnds(unmanagedLines(plan, proseWidth, paint)), '  …\n', most)].join('');
  const cost = notManaged + [...withEnds(costLines(plan, proseWidth, paint))].join('');
  let head = title + state + losses;
  if (most === undefined) {
    // There may be as many dangers as changes. Without a limit they can be streamed.
    yield head;
    yield* dangers;
    head = '';
  }
  yield* writeWithin(
    {
      head: head + [...dangers].join(''),
      items: blocksOf(plan, survey, { columns, paint, limit, whole }),
      total: plan.changes.length + (plan.drift?.length ?? 0),
      tail: (leftOut) => moreText(leftOut) + cost + warnings,
    },
    options.maxBytes,
  );
}

/** The question before an apply, with a blank at its end. The plan was printed before. */
export function promptFor(plan: Plan): string {
  const dangers = dangersOf(plan.changes).map((group) => group.inWords);
  const warning = dangers.length === 0 ? '' : `! The plan ${listOf(dangers)}.\n`;
  const ofPlan = sortedWarnings(plan.warnings).dangers.map(({ summary }) => `! ${summary}.\n`);
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

/** `others`: those that no single change has. */
function* dangerLines(
  plan: Plan,
  groups: readonly DangerGroup[],
  others: Plan['warnings'],
  room: LineRoom,
): Generator<string> {
  const { columns, paint, whole } = room;
  const labels = groups.flatMap((group) => group.dangers.map((danger) => danger.label));
  const labelColumns = Math.max(0, ...labels.map(displayWidth));
  const indent = 6 + labelColumns;
  for (const { title, dangers } of groups) {
    yield '';
    yield paint(['bold', 'red'], `! ${title}`);
    for (const danger of dangers) {
      const [action = 'update'] = danger.actions;
      let heading = `  ${paint(actionStyle[action], `${danger.symbol} ${padEnd(danger.label, labelColumns)}`)}  `;
      for (const line of fold(namesOf(plan, danger, whole === true || isDangerous(action)), columns - indent)) {
        yield heading + line;
        heading = ' '.repeat(indent);
      }
    }
  }
  for (const { code, summary, detail } of others) {
    yield '';
    yield paint(['bold', 'red'], `! ${safe(summary)} (${safe(code)})`);
    for (const line of wrap(safe(detail), proseColumns(columns, whole) - 2)) yield `  ${line}`;
  }
}

function* joined(...parts: readonly Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}

/** What changes for people and what they notice, below the dangers. */
function* peopleSection({ people, notices }: Plan, { columns, paint }: LineRoom): Generator<string> {
  if (people === undefined && notices === undefined) return;
  yield '';
  yield paint('bold', 'People');
  const noticed = notices === undefined ? [] : noticeLines(notices).map((text) => ({ text, names: [], more: 0 }));
  for (const lines of [...(people?.effects ?? []).map(peopleLines), noticed]) {
    for (const { text, names, more } of lines) {
      const all = [...names, ...restInWords(more)].map(safe).join(', ');
      let indent = '  ';
      for (const line of wrap(`${safe(text)}${all === '' ? '' : `: ${all}`}`, columns - 4)) {
        yield indent + line;
        indent = '    ';
      }
    }
  }
}

/** Names all objects with restricted or restored access. Irreversible changes are cut, since they may be a whole migration. */
function* namesOf({ changes }: Plan, danger: Danger, isInFull: boolean): Generator<string> {
  const most = isInFull ? danger.positions.length : maxNamed;
  for (const name of namedIn(danger, changes, most)) yield* printNamed(name);
  if (danger.positions.length > most) yield `… and ${printNumber(danger.positions.length - most)} more`;
}

function* unmanagedLines({ unmanaged }: Plan, columns: number, paint: Paint): Generator<string> {
  if (unmanaged === undefined) return;
  yield '';
  for (const line of wrap(unmanagedSentence(unmanaged), columns)) yield paint('bold', line);
  const rows = unmanagedRows(unmanaged).flatMap((row) => [
    { ...row, indent: '' },
    ...row.types.map((type) => ({ ...type, indent: '  ' })),
  ]);
  const numberColumns = Math.max(0, ...rows.map(({ objects }) => printNumber(objects).length));
  for (const { objects, name, lastActivity, indent } of rows) {
    const activity = lastActivity === undefined ? '' : paint('dim', `, last activity ${lastActivity}`);
    yield `  ${indent}${padStart(printNumber(objects), numberColumns)}  ${name}${activity}`;
  }
  for (const line of wrap(listingSentences(unmanaged), columns)) yield paint('dim', line);
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
  for (const line of stageLines(plan.stages ?? [])) yield* wrap(safe(line), columns);
  yield paint('dim', `Plan hash ${safe(plan.hash.slice(0, hashShown))} for ${safe(plan.application)}`);
}
