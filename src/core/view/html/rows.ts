// The rows of the page's table as data for its script: one line of JSON per change.

import { firstOf, printNumber } from '../../../lib/words.ts';
import { type Address, kindOf } from '../../model/address.ts';
import { type Change, type Drift, rotatesToken } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { ShownChange } from '../diff/attribute-rows.ts';
import { changeDiff } from '../diff/change-diff.ts';
import { DangerCounter, type DangerGroup, liveFacts } from '../summary/dangers.ts';
import { changeSymbol } from '../terminal/change-lines.ts';
import { driftWords, reasonInWords } from '../text/change-words.ts';
import { safe, safeJson } from '../text/text.ts';
import { fragmentOf } from './application-map.ts';

/** Characters of one line of a diff, which the page wraps. */
const maxLine = 2_000;
const maxAttributes = 6;

/** The keys are short because there may be a hundred thousand rows. Undefined values are left out. */
interface HtmlRow {
  /** Address, kind, symbol, actions, attributes in words. */
  readonly a: string;
  readonly k: string;
  readonly y: string;
  readonly v: readonly string[];
  readonly w: string;
  /** Dangerous; cannot be undone. */
  readonly d?: 1 | undefined;
  readonly i?: 1 | undefined;
  /** Cause: request, pending or drift; plan where there is no base to compare with. */
  readonly c: 'request' | 'pending' | 'drift' | 'plan';
  /** Source, reason, notes, live facts, calls. */
  readonly s?: string | undefined;
  readonly r: string;
  readonly n?: readonly string[] | undefined;
  readonly l?: readonly string[] | undefined;
  /** Where the state's page shows the object. */
  readonly m?: string | undefined;
  readonly q?: readonly string[] | undefined;
  /** Lines of the diff: sign, text, and 1 if the line adds something that takes a right from people. */
  readonly x?: readonly (readonly [string, string, 1?])[] | undefined;
}

/** What the page shows above its rows: the dangers, and how many objects are new, changed and gone. */
export class RowTally {
  readonly #dangers = new DangerCounter();
  readonly #counts = { added: 0, changed: 0, removed: 0 };
  #position = 0;

  add(change: Change): void {
    this.#dangers.add(change, this.#position++);
    this.#counts[effectOf(change)] += 1;
  }

  end(): { readonly dangers: readonly DangerGroup[]; readonly counts: Readonly<Record<ObjectEffect, number>> } {
    return { dangers: this.#dangers.end(), counts: this.#counts };
  }
}

export function tallyOf(changes: Iterable<Change>): ReturnType<RowTally['end']> {
  const tally = new RowTally();
  for (const change of changes) tally.add(change);
  return tally.end();
}

export type ObjectEffect = 'added' | 'changed' | 'removed';

/** Each object has one, so that the counts add up. */
function effectOf(change: Change): ObjectEffect {
  const symbol = changeSymbol(change);
  if (symbol === '+' || symbol === '=') return 'added';
  return symbol === '-' ? 'removed' : 'changed';
}

/** Adds each change to `tally` when its row is made. `statePage` as in the options of a view. */
export function* rowsOf(plan: Plan, tally: RowTally, statePage?: string): Generator<string> {
  for (const change of plan.changes) {
    tally.add(change);
    const isNew = change.actions.includes('create');
    yield print({ ...rowOf(change), m: isNew ? undefined : placeOnPage(change.address, statePage) });
  }
  for (const drift of plan.drift ?? []) yield print({ ...driftRow(drift), m: placeOnPage(drift.address, statePage) });
}

function placeOnPage(address: Address, statePage: string | undefined): string | undefined {
  const fragment = statePage === undefined ? undefined : fragmentOf(address);
  return fragment === undefined ? undefined : `${statePage}#${fragment}`;
}

/** Safe inside a script element: it contains no `<`. */
function print(row: HtmlRow): string {
  return safeJson(row).replaceAll('<', '\\u003c');
}

function rowOf(change: Change): HtmlRow {
  const { address, attributes, source, actions, dangerous, reversibility, notes, requests } = change;
  const isIrreversible = reversibility === 'irreversible';
  return {
    a: safe(address),
    k: kindOf(address),
    w: inWords(attributes),
    s: placeOf(source),
    y: changeSymbol(change),
    v: rotatesToken(change) ? [...actions, 'rotate token'] : actions,
    d: dangerous || isIrreversible ? 1 : undefined,
    i: isIrreversible ? 1 : undefined,
    c: change.cause ?? 'plan',
    r: safe(reasonInWords(change.reason)),
    n: someOf([...notes.map(safe), ...(change.stage === undefined ? [] : [`Stage ${change.stage}.`])]),
    l: someOf(liveFacts(change)),
    q: someOf(requests.map(({ method, route, count }) => `${printNumber(count)} ${method} ${safe(route)}`)),
    x: someOf(diffOf(change)),
  };
}

function driftRow({ address, attributes, source, type, note }: Drift): HtmlRow {
  return {
    a: safe(address),
    k: kindOf(address),
    w: inWords(attributes),
    s: placeOf(source),
    y: '≠',
    v: [`drift: ${driftWords[type]}`],
    c: 'drift',
    r: safe(note),
    x: someOf(diffOf({ actions: [], attributes })),
  };
}

function inWords(attributes: Change['attributes']): string {
  const heads = [...new Set(attributes.map(({ path }) => safe(path[0] ?? '')))];
  return firstOf(heads, maxAttributes);
}

function placeOf(source: SourcePosition | undefined): string | undefined {
  return source === undefined ? undefined : safe(printPosition(source));
}

function diffOf(change: ShownChange): NonNullable<HtmlRow['x']> {
  return [...changeDiff(change, maxLine)].map(({ sign, text, effect }) =>
    effect === 'takes' && sign !== '-' ? [sign, text, 1] : [sign, text],
  );
}

function someOf<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
