// How is a plan shown to people on a terminal: the verdict, the dangers, the changes, the cost, the warnings?
import { type Action, actions, isDangerous } from '../model/action.ts';
import { kindOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { compareText } from '../model/json.ts';
import type { Plan } from '../model/plan.ts';
import type { Series } from '../model/series.ts';
import { attributesInShort } from './attribute-lines.ts';
import { changeInFull } from './change-lines.ts';
import { dangersOf } from './dangers.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { clip, displayWidth, flow, fold, padEnd, padStart, withEnds, wrap } from './layout.ts';
import type { ViewOptions } from './options.ts';
import { actionStyle, type Paint, painter } from './paint.ts';
import { safe } from './text.ts';
import { plural, printDuration, printNumber } from './words.ts';

const defaultLimit = 1_000;
/** With more creations of a kind than this, each gets one line. */
const maxCreationsInFull = 10;
/** Right-aligned text is not pushed further out than this. */
const maxColumns = 120;
const maxNamed = 20;
const hashShown = 12;

const verdictWords: Readonly<Record<Action, string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to update',
  invite: 'to invite into',
  leave: 'to take members from',
  reactivate: 'to reactivate',
  unfreeze: 'to unfreeze',
  freeze: 'to freeze',
  deactivate: 'to deactivate',
  migrate: 'to send messages to',
  delete: 'to delete',
  forget: 'to forget',
};

/** Line by line, so that a big plan is never held as text. */
export function* planForPeople(plan: Plan, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const columns = Math.min(options.width, maxColumns);
  for (const line of flow(verdict(plan).split(/(?<=,) /u), columns)) yield `${paint('bold', line)}\n`;
  yield* withEnds(dangerLines(plan, columns, paint));
  yield* withEnds(changeLines(plan, columns, paint, options.limit ?? defaultLimit));
  yield* withEnds(costLines(plan, columns, paint));
  if (plan.warnings.length === 0) return;
  yield '\n';
  yield* diagnosticsForPeople(plan.warnings, options);
}

/** `Plan: 3 to create, 1 to freeze.` The line that alone must suffice in most cases. */
export function verdict(plan: Plan): string {
  if (isEmpty(plan)) return 'No changes. Everything is as declared.';
  const parts = actions.flatMap((action) => {
    const amount = plan.summary[action] ?? 0;
    return amount === 0 ? [] : [`${printNumber(amount)} ${verdictWords[action]}`];
  });
  if (parts.length === 0) return `Plan: ${plural(plan.changes.length, 'change')} of the saved state alone.`;
  return `Plan: ${parts.join(', ')}.`;
}

function isEmpty(plan: Plan): boolean {
  return plan.changes.length === 0 && plan.steps.length === 0;
}

function* dangerLines(plan: Plan, columns: number, paint: Paint): Generator<string> {
  const groups = dangersOf(plan.changes);
  const labels = groups.flatMap((group) => group.dangers.map((danger) => danger.label));
  const labelColumns = Math.max(0, ...labels.map(displayWidth));
  const indent = 6 + labelColumns;
  for (const { title, dangers } of groups) {
    yield '';
    yield paint(['bold', 'red'], `! ${title}`);
    for (const { symbol, action, label, named } of dangers) {
      let left = `  ${paint(actionStyle[action], `${symbol} ${padEnd(label, labelColumns)}`)}  `;
      for (const line of fold(isDangerous(action) ? named : firstOf(named), columns - indent)) {
        yield left + line;
        left = ' '.repeat(indent);
      }
    }
  }
}

/** Who is taken something from is always named in full; what merely cannot be undone may be a whole migration. */
function firstOf(named: readonly string[]): readonly string[] {
  if (named.length <= maxNamed) return named;
  return [...named.slice(0, maxNamed), `… and ${printNumber(named.length - maxNamed)} more`];
}

function* numbered<Item>(items: Iterable<Item>): Generator<[number, Item]> {
  let position = 0;
  for (const item of items) yield [position++, item];
}

function* changeLines(plan: Plan, columns: number, paint: Paint, limit: number): Generator<string> {
  const addressColumns = columnsOfManyCreations(plan.changes, Math.floor(columns / 2));
  let afterShort = false;
  for (const [position, change] of numbered(plan.changes)) {
    if (position >= limit) break;
    const isPlain = isCreation(change) && change.notes.length === 0;
    const aligned = isPlain ? addressColumns.get(kindOf(change.address)) : undefined;
    if (aligned === undefined || !afterShort) yield '';
    if (aligned === undefined) yield* changeInFull(change, columns, paint);
    else yield creationInShort(change, aligned, columns, paint);
    afterShort = aligned !== undefined;
  }
  const hidden = plan.changes.length - limit;
  if (hidden > 0) {
    yield '';
    yield `… and ${plural(hidden, 'more change')}; see --format json`;
  }
}

function isCreation(change: Change): boolean {
  return change.actions.includes('create');
}

/** By kind with many creations: the width of the widest address, so that what follows can be aligned. */
function columnsOfManyCreations(changes: Series<Change>, most: number): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>();
  const widths = new Map<string, number>();
  for (const change of changes) {
    if (!isCreation(change)) continue;
    const { address } = change;
    const kind = kindOf(address);
    amounts.set(kind, (amounts.get(kind) ?? 0) + 1);
    widths.set(kind, Math.min(most, Math.max(widths.get(kind) ?? 0, displayWidth(safe(address)))));
  }
  return new Map([...widths].filter(([kind]) => (amounts.get(kind) ?? 0) > maxCreationsInFull));
}

function creationInShort(change: Change, addressColumns: number, columns: number, paint: Paint): string {
  const address = padEnd(clip(safe(change.address), addressColumns), addressColumns);
  const verbs = change.actions.filter((action) => action !== 'create').join(', ');
  const values = attributesInShort(change, columns - addressColumns - verbs.length - 8);
  const parts = [paint('green', `+ ${address}`), values === '' ? '' : paint('dim', values), verbs];
  return `  ${parts.filter((part) => part !== '').join('  ')}`;
}

function* costLines(plan: Plan, columns: number, paint: Paint): Generator<string> {
  if (isEmpty(plan)) return;
  const total = plan.requests.reduce((sum, request) => sum + request.count, 0);
  const rows = plan.requests
    .map(({ method, route, count }) => ({ count, name: `${method} ${safe(route)}` }))
    .sort((left, right) => right.count - left.count || compareText(left.name, right.name));
  const numberColumns = Math.max(0, ...rows.map(({ count }) => printNumber(count).length));
  yield '';
  yield paint('bold', total === 0 ? 'No requests: only the saved state changes' : plural(total, 'request'));
  for (const { count, name } of rows) yield `  ${padStart(printNumber(count), numberColumns)}  ${name}`;
  if (total > 0) {
    const { lower_bound_s, bottleneck } = plan.duration;
    const held = bottleneck === undefined ? '' : `, held by ${safe(bottleneck)}`;
    const takes = lower_bound_s === 0 ? 'Takes a moment.' : `Takes at least ${printDuration(lower_bound_s)}${held}.`;
    yield* wrap(takes, columns);
  }
  yield paint('dim', `Plan hash ${safe(plan.hash.slice(0, hashShown))} for ${safe(plan.application)}`);
}
