// How is a plan shown to a person? Verdict, dangers, changes, cost: in the order in which he needs them.
import { type Action, actionSymbol, actions, isDangerous } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { printPosition } from '../model/source.ts';
import { attributeLines, attributesInShort } from './attribute-lines.ts';
import { type DangerGroup, dangersOf } from './dangers.ts';
import { diagnosticsForPeople } from './diagnostics.ts';
import { displayWidth, fold, padEnd, padStart } from './layout.ts';
import type { ViewOptions } from './options.ts';
import { actionStyle, type Paint, painter } from './paint.ts';
import { safe } from './text.ts';
import { plural, printDuration, printNumber } from './words.ts';

const defaultLimit = 1_000;
const hashShown = 12;

/** What is said of an action in the verdict: `3 to create`. */
const verdictWord: Readonly<Record<Action, string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to update',
  invite: 'to invite into',
  leave: 'to remove members from',
  reactivate: 'to reactivate',
  unfreeze: 'to unfreeze',
  freeze: 'to freeze',
  deactivate: 'to deactivate',
  migrate: 'to migrate into',
  delete: 'to delete',
  forget: 'to forget',
};

/** Chunks of text, each ending with a line feed; of a plan of any size only one chunk is held. */
export function* planForPeople(plan: Plan, options: ViewOptions): Generator<string> {
  for (const line of planLines(plan, options)) yield `${line}\n`;
  yield* diagnosticsForPeople(plan.warnings, options);
}

function* planLines(plan: Plan, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  if (plan.changes.length === 0) {
    yield `${paint('green', 'No changes.')} ${safe(plan.application)} is as declared, as far as state knows.`;
    return;
  }
  yield `${paint('bold', 'Plan')} for ${safe(plan.application)}: ${verdict(plan, paint)}.`;
  yield '';
  const groups = dangersOf(plan.changes);
  if (groups.length > 0) {
    yield* dangerLines(groups, options.width, paint);
    yield '';
  }
  const limit = options.limit ?? defaultLimit;
  for (const change of plan.changes.slice(0, limit)) yield* changeLines(change, options.width, paint);
  if (plan.changes.length > limit) {
    yield `  … and ${plural(plan.changes.length - limit, 'more change')}; all of them: --format json`;
  }
  yield '';
  yield* costLines(plan, paint);
}

/** `3 to create, 1 to freeze`; what is dangerous stands out. */
export function verdict({ summary }: Pick<Plan, 'summary'>, paint: Paint = (_style, text) => text): string {
  return actions
    .flatMap((action) => {
      const value = summary[action];
      if (value === undefined) return [];
      const text = `${printNumber(value)} ${verdictWord[action]}`;
      return [isDangerous(action) ? paint(actionStyle[action], text) : text];
    })
    .join(', ');
}

function* dangerLines(groups: readonly DangerGroup[], columns: number, paint: Paint): Generator<string> {
  for (const { title, dangers } of groups) {
    yield paint(['bold', 'red'], title);
    for (const { symbol, action, label, named } of dangers) {
      const head = `  ${symbol} ${label} ${printNumber(named.length)}: `;
      let lead = paint(actionStyle[action], head);
      for (const line of fold(named, Math.max(20, columns - displayWidth(head)))) {
        yield lead + line;
        lead = ' '.repeat(displayWidth(head));
      }
    }
  }
}

function* changeLines(change: Change, columns: number, paint: Paint): Generator<string> {
  const first = change.actions[0] ?? 'update';
  const isNew = change.actions.includes('create');
  const symbol = paint(actionStyle[first], actionSymbol[first]);
  const also = change.actions.filter((action) => action !== 'create');
  const said = isNew && also.length === 0 ? '' : `  ${also.join(', ')}`;
  const position = change.source === undefined ? '' : safe(printPosition(change.source));
  const head = `  ${actionSymbol[first]} ${safe(change.address)}${said}`;
  const gap = Math.max(2, columns - displayWidth(head) - displayWidth(position));
  yield `  ${symbol} ${paint('bold', safe(change.address))}${paint(actionStyle[also.at(-1) ?? first], said)}${
    position === '' ? '' : ' '.repeat(gap) + paint('dim', position)
  }`;
  if (isNew) yield `      ${paint('dim', attributesInShort(change, columns - 6))}`;
  else {
    yield `      ${paint('dim', safe(change.reason))}`;
    yield* attributeLines(change, '      ', columns, paint);
  }
  for (const note of change.notes) yield `      ${paint('yellow', `! ${safe(note)}`)}`;
}

function* costLines({ requests, duration, hash }: Plan, paint: Paint): Generator<string> {
  const total = requests.reduce((sum, request) => sum + request.count, 0);
  yield paint('bold', total === 0 ? 'No calls: only state changes' : plural(total, 'call'));
  const routeColumns = Math.max(0, ...requests.map(({ method, route }) => method.length + 1 + route.length));
  const countColumns = Math.max(0, ...requests.map((request) => printNumber(request.count).length));
  for (const { method, route, count: calls } of requests) {
    yield `  ${padEnd(`${method} ${route}`, routeColumns)}  ${padStart(printNumber(calls), countColumns)}`;
  }
  if (total > 0) {
    const held = duration.bottleneck === undefined ? '' : `, held by ${duration.bottleneck}`;
    yield `At least ${printDuration(duration.lower_bound_s)}${held}.`;
  }
  yield paint('dim', `Plan hash ${hash.slice(0, hashShown)}… (whole: --format json)`);
}
