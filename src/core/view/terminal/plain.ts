// A plan for screen readers and simple terminals.
//
// Every line is a complete sentence without symbols, colours, columns or arrows. Lines are not wrapped, because the screen
// reader knows its own width.
import { isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { listOf, plural, printNumber } from '../../../lib/words.ts';
import type { Change, Drift } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import type { SourcePosition } from '../../model/source.ts';
import {
  type AttributeRow,
  attributeRows,
  type SetEntry,
  type SetRow,
  type ShownChange,
  type ValueRow,
} from '../diff/attribute-rows.ts';
import { type Danger, dangersOf, liveFacts, namedIn } from '../summary/dangers.ts';
import { noticeLines } from '../summary/notices.ts';
import { peopleLines, peopleTitle, restInWords } from '../summary/people.ts';
import { signatureSentence } from '../summary/signature.ts';
import { stageLines } from '../summary/stages.ts';
import { listingSentences, type UnmanagedRow, unmanagedRows, unmanagedSentence } from '../summary/unmanaged.ts';
import {
  durationSentences,
  isEmpty,
  isPending,
  newStateSentence,
  sortedWarnings,
  totalRequests,
  verdict,
} from '../summary/verdict.ts';
import { cutAfter, writeWithin } from '../text/budget.ts';
import { reasonInWords } from '../text/change-words.ts';
import { withEnds } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { printId, printValue, safe } from '../text/text.ts';
import { diagnosticsForPeople } from './diagnostics.ts';

const defaultLimit = 1_000;

function signatureOf({ signature }: ViewOptions): readonly string[] {
  return signature === undefined ? [] : [safe(signatureSentence(signature))];
}

export function* planInWords(plan: Plan, options: ViewOptions): Generator<string> {
  const sorted = sortedWarnings(plan.warnings);
  const [losses, warnings] = [sorted.losses, sorted.others].map((found) =>
    found.length === 0 ? '' : `\n${[...diagnosticsForPeople(found, options)].join('')}`,
  );
  const head = `${[newStateSentence(plan) ?? [], verdict(plan), signatureOf(options)].flat().join('\n')}\n${losses}${[...withEnds([...dangerSentences(plan, sorted.first), ...peopleSentences(plan)])].join('')}`;
  const most = options.maxBytes === undefined ? undefined : Math.floor(options.maxBytes / 4);
  const notManaged = [...cutAfter(withEnds(unmanagedSentences(plan)), '  …\n', most)].join('');
  const cost = notManaged + [...withEnds(costSentences(plan))].join('');
  yield* writeWithin(
    {
      head,
      items: changePieces(plan, options.limit ?? (options.whole === true ? Number.POSITIVE_INFINITY : defaultLimit)),
      total: plan.changes.length + (plan.drift?.length ?? 0),
      tail: (leftOut) =>
        (leftOut === 0 ? '' : `${plural(leftOut, 'more change')} not shown; see --format json.\n`) + cost + warnings,
    },
    options.maxBytes,
  );
}

function* peopleSentences(plan: Plan): Generator<string> {
  const { people, notices } = plan;
  const title = peopleTitle(plan);
  for (const effect of people?.effects ?? []) {
    for (const { text, names, more } of peopleLines(effect)) {
      const all = [...names, ...restInWords(more)].join(', ');
      yield safe(`${title}: ${text}${all === '' ? '' : `: ${all}`}.`);
    }
  }
  if (notices !== undefined) for (const line of noticeLines(notices)) yield `${title}: ${line}.`;
}

function* dangerSentences(plan: Plan, others: Plan['warnings']): Generator<string> {
  for (const { inWords, dangers } of dangersOf(plan.changes)) {
    yield `Danger: the plan ${inWords}.`;
    for (const danger of dangers) yield `  ${danger.label} ${namesIn(plan, danger)}.`;
  }
  for (const { summary, detail, code, dangerous } of others) {
    yield `${dangerous === true ? 'Danger' : 'Review'}: ${safe(summary)}, ${safe(code)}.`;
    yield `  ${safe(detail)}`;
  }
}

function namesIn({ changes }: Plan, danger: Danger): string {
  return listOf(
    Array.from(namedIn(danger, changes), ({ address, inside }) =>
      inside.length === 0 ? address : `${address}: ${listOf(inside)}`,
    ),
  );
}

function* unmanagedSentences({ unmanaged }: Plan): Generator<string> {
  if (unmanaged === undefined) return;
  yield '';
  yield unmanagedSentence(unmanaged);
  const activityOf = ({ lastActivity: day }: UnmanagedRow) => (day === undefined ? '' : `, last activity on ${day}`);
  for (const row of unmanagedRows(unmanaged)) {
    yield `Not managed: ${printNumber(row.objects)} ${row.name}${activityOf(row)}.`;
    for (const type of row.types)
      yield `  Of these, ${printNumber(type.objects)} with ${type.name}${activityOf(type)}.`;
  }
  yield listingSentences(unmanaged);
}

function* changePieces(plan: Plan, limit: number): Generator<string> {
  let number = 0;
  for (const change of plan.changes) {
    if (number === limit) return;
    number += 1;
    const place = `Change ${printNumber(number)} of ${printNumber(plan.changes.length)}`;
    yield `\n${[...withEnds(changeSentences(change, place))].join('')}`;
  }
  for (const drift of plan.drift ?? []) {
    if (number === limit) return;
    number += 1;
    yield `\n${[...withEnds(driftSentences(drift))].join('')}`;
  }
}

function* changeSentences(change: Change, place: string): Generator<string> {
  const verbs = change.actions.length === 0 ? 'only the saved state of' : listOf(change.actions);
  const undone = change.reversibility === 'irreversible' ? ', which cannot be undone' : '';
  yield `${place}: ${verbs} ${safe(change.address)}${undone}.${declaredAt(change.source)}`;
  yield `  Why: ${sentence(reasonInWords(change.reason))}`;
  if (change.cause !== undefined)
    yield isPending(change) ? '  It was already pending before this request.' : '  Caused by this request.';
  const facts = liveFacts(change);
  if (facts.length > 0) yield `  At stake: ${listOf(facts)}.`;
  for (const sentence of attributeSentences(change)) yield `  ${sentence}`;
  for (const note of change.notes) yield `  Note: ${sentence(note)}`;
}

const driftSentence: Readonly<Record<Drift['type'], (address: string) => string>> = {
  changed: (address) => `${address} was changed on the platform`,
  missing: (address) => `${address} disappeared from the platform`,
  departed: (address) => `members left ${address}`,
  made_anew: (address) => `${address} was deleted and made anew`,
};

function* driftSentences(drift: Drift): Generator<string> {
  yield `Since the last apply, ${driftSentence[drift.type](safe(drift.address))}.${declaredAt(drift.source)}`;
  for (const sentence of attributeSentences({ actions: [], attributes: drift.attributes })) yield `  ${sentence}`;
  yield `  ${sentence(drift.note)}`;
}

function sentence(text: string): string {
  return `${safe(text).replace(/\.$/u, '')}.`;
}

function declaredAt(source: SourcePosition | undefined): string {
  return source === undefined ? '' : ` Declared in ${safe(source.file)}, line ${source.line}.`;
}

/** `nickname changes from "Al" to "Alice".`, `members: bob is removed, carol is added.` */
export function attributeSentences(change: ShownChange): string[] {
  return attributeRows(change).map(sentenceOf);
}

function sentenceOf(row: AttributeRow): string {
  const remark = row.remark === undefined ? '' : `, ${row.remark}`;
  return `${row.type === 'value' ? valueWords(row) : setWords(row)}${remark}.`;
}

function valueWords({ name, sign, before, after }: ValueRow): string {
  const value = after ?? before;
  const text = value === undefined ? 'nothing' : printValue(value);
  if (before !== undefined && after !== undefined) {
    return `${safe(name)} changes from ${printValue(before)} to ${printValue(after)}`;
  }
  if (sign === '-') return `${safe(name)} is removed; it was ${text}`;
  return `${safe(name)} is ${sign === '+' ? 'set to ' : ''}${text}`;
}

function setWords({ name, entries }: SetRow): string {
  if (entries.every(({ sign }) => sign === ' ')) return `${safe(name)}: ${listOf(entries.map(entryWords))}`;
  const groups = [
    ['-', 'removed'],
    ['+', 'added'],
    ['~', 'changed'],
  ].flatMap(([sign, verb]) => {
    const found = entries.filter((entry) => entry.sign === sign);
    return found.length === 0 ? [] : [`${verb} ${listOf(found.map(entryWords))}`];
  });
  return `${safe(name)}: ${groups.join('; ')}`;
}

/** `carol, whose hidden_status is hidden_allow_auto_unhide`, or `… changes from … to …`. */
function entryWords({ id, before, after }: SetEntry): string {
  const [left, right] = [objectOf(before), objectOf(after)];
  const properties = Object.entries(after === undefined ? {} : { ...left, ...right })
    .filter(([name]) => ownValue(left, name) !== ownValue(right, name))
    .map(([name]) => {
      const [from, to] = [ownValue(left, name), ownValue(right, name)].map((value) =>
        value === undefined ? 'the default' : printValue(value),
      );
      return before === undefined ? `${safe(name)} is ${to}` : `${safe(name)} changes from ${from} to ${to}`;
    });
  return properties.length === 0 ? printId(id) : `${printId(id)}, whose ${listOf(properties)}`;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function* costSentences(plan: Plan): Generator<string> {
  if (plan.refreshed !== undefined) {
    const { objects, requests } = plan.refreshed;
    yield `\nRead ${plural(objects, 'live object')} with ${plural(requests, 'request')}.`;
  }
  if (isEmpty(plan)) return;
  const total = totalRequests(plan);
  yield total === 0 ? '\nNo requests: only the saved state changes.' : `\n${plural(total, 'request')} in all.`;
  for (const { method, route, count } of plan.requests) yield `  ${printNumber(count)} to ${method} ${safe(route)}.`;
  if (total > 0) yield durationSentences(plan);
  for (const line of stageLines(plan.stages ?? [])) yield safe(line);
  if (plan.state !== undefined) yield `State ${safe(plan.state)}.`;
  yield `Plan hash ${safe(plan.hash.slice(0, 12))} for ${safe(plan.application)}.`;
}
