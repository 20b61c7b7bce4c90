// Which rows does the table of a page have? Data for the page's script, one line of JSON a change.
import { actionSymbol } from '../../model/action.ts';
import { kindOf } from '../../model/address.ts';
import type { Change, Drift } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { ShownChange } from '../attribute-rows.ts';
import { changeDiff } from '../change-diff.ts';
import { mainAction } from '../change-lines.ts';
import { liveFacts } from '../dangers.ts';
import { safe, safeJson } from '../text.ts';
import { printNumber } from '../words.ts';

/** Characters of one line of a diff: the page wraps it. */
const maxLine = 2_000;
const maxAttributes = 6;

/** Keys are short, since there may be a hundred thousand of each; the page's script says what they mean. */
interface Row {
  /** Address, kind, symbol, actions, attributes in words. */
  readonly a: string;
  readonly k: string;
  readonly y: string;
  readonly v: readonly string[];
  readonly w: string;
  /** A danger; cannot be undone. */
  readonly d?: 1;
  readonly i?: 1;
  /** Cause: request, pending or drift. */
  readonly c: string;
  /** Source, reason, notes, live facts, calls. */
  readonly s?: string;
  readonly r: string;
  readonly n?: readonly string[];
  readonly l?: readonly string[];
  readonly q?: readonly string[];
  /** Lines of the diff: sign and text. */
  readonly x?: readonly (readonly [string, string])[];
}

export function* rowsOf(plan: Plan): Generator<string> {
  for (const change of plan.changes) yield print(rowOf(change));
  for (const drift of plan.drift ?? []) yield print(driftRow(drift));
}

/** Inert inside of a script element: no tag begins in it. */
function print(row: Row): string {
  return safeJson(row).replaceAll('<', '\\u003c');
}

function rowOf(change: Change): Row {
  const main = mainAction(change);
  const { dangerous, reversibility, notes, requests } = change;
  return {
    ...commonOf(change),
    y: main === undefined ? '.' : actionSymbol[main],
    v: change.actions,
    ...(dangerous || reversibility === 'irreversible' ? { d: 1 } : {}),
    ...(reversibility === 'irreversible' ? { i: 1 } : {}),
    c: change.cause ?? 'request',
    r: safe(change.reason),
    ...present('n', notes.map(safe)),
    ...present('l', liveFacts(change)),
    ...present(
      'q',
      requests.map(({ method, route, count }) => `${printNumber(count)} ${method} ${safe(route)}`),
    ),
    ...present('x', diffOf(change)),
  };
}

function driftRow(drift: Drift): Row {
  const words = { changed: 'changed', missing: 'gone', departed: 'members left' } as const;
  return {
    ...commonOf(drift),
    y: '≠',
    v: [`drift: ${words[drift.type]}`],
    c: 'drift',
    r: safe(drift.note),
    ...present('x', diffOf({ actions: [], attributes: drift.attributes })),
  };
}

function commonOf({ address, attributes, source }: Pick<Change, 'address' | 'attributes' | 'source'>) {
  return { a: safe(address), k: kindOf(address), w: inWords(attributes), ...placeOf(source) };
}

function inWords(attributes: Change['attributes']): string {
  const heads = [...new Set(attributes.map(({ path }) => safe(path[0] ?? '')))];
  const more = heads.length - maxAttributes;
  return more > 0 ? `${heads.slice(0, maxAttributes).join(', ')} and ${more} more` : heads.join(', ');
}

function placeOf(source: SourcePosition | undefined): { readonly s?: string } {
  return source === undefined ? {} : { s: safe(printPosition(source)) };
}

function diffOf(change: ShownChange): [string, string][] {
  return [...changeDiff(change, maxLine)].map(({ sign, text }) => [sign, text]);
}

function present<Key extends string, Item>(
  key: Key,
  items: readonly Item[],
): { readonly [K in Key]?: readonly Item[] } {
  return items.length === 0 ? {} : ({ [key]: items } as { readonly [K in Key]?: readonly Item[] });
}
