// The sections of a plan in Markdown: groups of changes, drift and load.
import type { Series } from '../../../lib/series.ts';
import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import type { Change, Drift } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { printPosition } from '../../model/source.ts';
import { changeDiff } from '../diff/change-diff.ts';
import { liveFacts } from '../summary/dangers.ts';
import { alsoAt, type EqualProblems } from '../summary/equal-problems.ts';
import { type ChangeGroup, groupTitle } from '../summary/groups.ts';
import { chainSentences, takesTime } from '../summary/verdict.ts';
import { attributesInShort } from '../terminal/short-attributes.ts';
import { utf8Length } from '../text/budget.ts';
import { driftWords, reasonInWords } from '../text/change-words.ts';
import { clip } from '../text/clipping.ts';
import { safe, safeLines } from '../text/text.ts';
import type { MarkdownSection } from './section-fit.ts';
import { codeSpan, collapsed, diffLine, fenced } from './text.ts';

const columns = 160;
/** The maximum size of `<details>`, its summary's tags and the two fences. */
const frameBytes = 160;
/** Of the places of equal problems. */
const placesColumns = 120;
const maxNamedInShort = 3;
const maxAddressColumns = 80;
const maxBuckets = 12;
/** In a group of more creations than this, each gets one line. */
const maxCreationsInFull = 10;
/** Limits one change, so that it does not push out all others. */
const maxLinesOfChange = 120;

/** A group of similar changes: one line, or collapsed details with the diff of each. */
export function groupSection(plan: Plan, group: ChangeGroup): MarkdownSection {
  const title = groupTitle(group);
  const named = firstAddresses(plan, group);
  const amount = group.positions.length;
  const names = `${named.map(codeSpan).join(', ')}${amount > named.length ? ', …' : ''}`;
  return objectsSection(title, amount, () => linesOfGroup(plan, group), named, `- ${title}: ${names}\n`);
}

/** Several groups in one collapsed section: pending changes, or groups beyond the maximum. */
export function groupsSection(plan: Plan, groups: readonly ChangeGroup[], title: string): MarkdownSection {
  const amount = groups.reduce((sum, { positions }) => sum + positions.length, 0);
  return objectsSection(`${title}: ${plural(amount, 'change')}`, amount, () => linesOfGroups(plan, groups));
}

export function driftSection(drift: Series<Drift>): MarkdownSection {
  const summary = `Drift: ${plural(drift.length, 'object')} changed on the platform since the last apply`;
  return objectsSection(summary, drift.length, () => linesOfDrift(drift));
}

/** A collapsed section of `amount` objects, as many as fit. `named` has the addresses of its summary line. */
function objectsSection(
  summary: string,
  amount: number,
  objects: () => Iterable<ShownObjects>,
  named: readonly string[] = [],
  short = `${summary}.\n\n`,
): MarkdownSection {
  const frame = frameBytes + utf8Length(named.length === 0 ? summary : collapsed(summary, '', named));
  return {
    short,
    hiddenWhenShort: amount,
    full: (maxBytes) => {
      const { lines, shown } = fill(objects(), maxBytes - frame);
      if (shown === 0) return undefined;
      const hidden = amount - shown;
      if (hidden > 0) lines.push(`# … and ${printNumber(hidden)} more`);
      const isMore = named.length > 0 && amount > named.length;
      return { text: collapsed(summary, fenced('diff', lines), named, isMore), hidden };
    },
  };
}

/** `error[code]: summary`, the position, the detail and the places of equal problems, for a fence. */
export function diagnosticLines(group: EqualProblems): string[] {
  const [{ severity, code: id, summary, detail, address, source }] = group;
  const others = alsoAt(group, placesColumns);
  const place = [
    ...(source === undefined ? [] : [safe(printPosition(source))]),
    ...(address === undefined ? [] : [safe(address)]),
  ];
  return [
    `${severity}[${safe(id)}]: ${safe(summary)}`,
    ...(place.length === 0 ? [] : [`  ${place.join('  ')}`]),
    ...safeLines(detail).map((line) => `    ${line}`),
    ...(others === undefined ? [] : [`    ${others}`]),
  ];
}

/** The calls that each rate limit has to let through, or the calls by route if no limit makes them wait. */
export function loadLines({ duration, requests }: Plan): string[] {
  const buckets = duration.buckets.filter(takesTime);
  if (buckets.length === 0) {
    return requests.map(({ method, route, count }) => `${printNumber(count).padStart(10)}  ${method} ${safe(route)}`);
  }
  const { others = 0 } = duration;
  const quick = duration.buckets.length - buckets.length;
  const lines = buckets.slice(0, maxBuckets).map(({ name, calls, rate, seconds }) => {
    return `${printNumber(calls).padStart(10)}  ${safe(name)} at ${printNumber(rate)}/s: ${printDuration(seconds)}`;
  });
  const more = Math.max(0, buckets.length - maxBuckets) + (quick === 0 ? others : 0);
  return [
    ...lines,
    ...(more === 0 ? [] : [`${' '.repeat(12)}… and ${printNumber(more)} more limits that take less time`]),
    ...(quick === 0
      ? []
      : [`${' '.repeat(12)}${plural(quick + others, 'other limit')}, which no call has to wait for`]),
    ...[chainSentences(duration)].filter((text) => text !== ''),
  ];
}

/** The lines of one object, or of several objects that share them. */
interface ShownObjects {
  readonly lines: readonly string[];
  readonly objects: number;
}

/** As many whole objects as fit. A run of back-ticks in the text makes the fence that much longer. */
function fill(all: Iterable<ShownObjects>, maxBytes: number): { readonly lines: string[]; readonly shown: number } {
  const lines: string[] = [];
  let room = maxBytes - 40;
  let shown = 0;
  let longest = 0;
  for (const { lines: printed, objects } of all) {
    const runs = printed.flatMap((line) => line.match(/`+/gu) ?? []).map((run) => run.length);
    const longer = Math.max(0, ...runs) - longest;
    const bytes = printed.reduce((sum, line) => sum + utf8Length(line) + 1, 0) + 2 * Math.max(0, longer);
    if (bytes > room) break;
    room -= bytes;
    longest += Math.max(0, longer);
    lines.push(...printed);
    shown += objects;
  }
  return { lines, shown };
}

function* linesOfGroups(plan: Plan, groups: readonly ChangeGroup[]): Generator<ShownObjects> {
  for (const group of groups) {
    let lead = [`# ${groupTitle(group)}`];
    for (const { lines, objects } of linesOfGroup(plan, group)) {
      yield { lines: [...lead, ...lines], objects };
      lead = [];
    }
  }
}

function* linesOfGroup(plan: Plan, group: ChangeGroup): Generator<ShownObjects> {
  if (group.isSame && group.positions.length > 1 && !group.actions.includes('create')) {
    yield* alike(plan, group);
    return;
  }
  const isShort = group.actions.includes('create') && group.positions.length > maxCreationsInFull;
  let lead = isShort && group.reason !== undefined ? [reasonLine(group.reason)] : [];
  let reason = isShort ? group.reason : undefined;
  for (const change of changesOf(plan, group)) {
    const isPlain = isShort && change.notes.length === 0;
    const verbs = change.actions.join() === group.actions.join() ? [] : change.actions;
    const words = reasonInWords(change.reason);
    const isNews = words !== reason;
    const lines = isPlain
      ? [...(isNews ? [reasonLine(words)] : []), creationLine(change)]
      : changeLines(change, verbs, isNews);
    yield { lines: [...lead, ...lines], objects: 1 };
    lead = [];
    reason = words;
  }
}

/** The shared values and notes once, then the objects that get them. */
function* alike(plan: Plan, group: ChangeGroup): Generator<ShownObjects> {
  const first = plan.changes.at(group.positions[0] ?? 0);
  if (first === undefined) return;
  let lead = valueLines(first);
  let reason: string | undefined;
  for (const change of changesOf(plan, group)) {
    const words = reasonInWords(change.reason);
    const why = words === reason ? [] : [reasonLine(words)];
    yield { lines: [...why, ...lead, `  ${headOf(change)}`], objects: 1 };
    lead = [];
    reason = words;
  }
}

function* changesOf(plan: Plan, { positions }: ChangeGroup): Generator<Change> {
  for (const position of positions) {
    const change = plan.changes.at(position);
    if (change !== undefined) yield change;
  }
}

/** `verbs` has the actions, if the title of the group does not name them. */
function changeLines(change: Change, verbs: readonly string[], hasReason: boolean): string[] {
  return [
    `@@ ${headOf(change, verbs)} @@`,
    ...(hasReason ? [reasonLine(reasonInWords(change.reason))] : []),
    ...valueLines(change),
  ];
}

/** All that equal changes share: whether they can be undone, the values and the notes. */
function valueLines(change: Change): string[] {
  const irreversible = change.reversibility === 'irreversible' ? ['! cannot be undone'] : [];
  const diff = [...changeDiff(change, columns)].map(diffLine);
  const more = diff.length > maxLinesOfChange ? [`# … ${printNumber(diff.length - maxLinesOfChange)} more lines`] : [];
  return [
    ...irreversible,
    ...diff.slice(0, maxLinesOfChange),
    ...more,
    ...change.notes.map((note) => `! ${clip(safe(note), 4 * columns)}`),
  ];
}

function reasonLine(reason: string): string {
  return `  ${clip(safe(reason), 4 * columns)}`;
}

/** The address, what is at stake, the actions and the position. */
function headOf(change: Pick<Change, 'address' | 'live' | 'source'>, verbs: readonly string[] = []): string {
  const facts = liveFacts(change);
  const parts = [
    facts.length === 0 ? safe(change.address) : `${safe(change.address)} (${facts.join(', ')})`,
    ...(verbs.length === 0 ? [] : [verbs.join(', ')]),
    ...(change.source === undefined ? [] : [safe(printPosition(change.source))]),
  ];
  return parts.join('  ');
}

function creationLine(change: Change): string {
  const verbs = change.actions.filter((action) => action !== 'create');
  const parts = [safe(change.address), ...verbs, attributesInShort(change, { columns })];
  return `+ ${parts.filter((part) => part !== '').join('  ')}`;
}

function* linesOfDrift(drift: Series<Drift>): Generator<ShownObjects> {
  for (const item of drift) {
    const diff = [...changeDiff({ actions: [], attributes: item.attributes }, columns)];
    yield {
      lines: [
        `@@ ${headOf(item)}  ${driftWords[item.type]} @@`,
        ...diff.slice(0, maxLinesOfChange).map(diffLine),
        `! ${clip(safe(item.note), 4 * columns)}`,
      ],
      objects: 1,
    };
  }
}

function firstAddresses(plan: Plan, { positions }: ChangeGroup): string[] {
  return positions.slice(0, maxNamedInShort).flatMap((position) => {
    const change = plan.changes.at(position);
    return change === undefined ? [] : [clip(safe(change.address), maxAddressColumns)];
  });
}
