// How is a plan shown to machines? The contract of `plan --format json` (design, Command line): keys are only added.
import { type Change, printPath } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { Series } from '../model/series.ts';
import { withEnds } from './layout.ts';
import { safeJson } from './text.ts';

/** One JSON document, one line a change, so that big plans can be streamed and compared. */
export function planAsJson(plan: Plan): Generator<string> {
  return withEnds(planLines(plan));
}

function* planLines(plan: Plan): Generator<string> {
  yield '{';
  yield member('format_version', plan.format_version);
  yield member('application', plan.application);
  if (plan.lineage !== undefined) yield member('lineage', plan.lineage);
  yield member('summary', plan.summary);
  yield* list('changes', plan.changes, changeAsJson);
  yield* list('requests', plan.requests, ({ method, route, count }) => ({ method, route, count }));
  yield member('duration', plan.duration);
  yield* list('warnings', plan.warnings, (warning) => warning);
  yield `  "hash": ${safeJson(plan.hash)}`;
  yield '}';
}

function changeAsJson(change: Change): object {
  const { address, actions, attributes, source, reason, reversibility, dangerous, notes, requests, cause, live } =
    change;
  return {
    address,
    actions,
    attributes: attributes.map(({ path, ...rest }) => ({ path: printPath(path), ...rest })),
    ...(source === undefined ? {} : { source }),
    reason,
    reversibility,
    dangerous,
    notes,
    requests,
    ...(cause === undefined ? {} : { cause }),
    ...(live === undefined ? {} : { live }),
  };
}

function member(name: string, value: unknown): string {
  return `  ${safeJson(name)}: ${safeJson(value)},`;
}

function* list<Item>(name: string, items: Series<Item>, print: (item: Item) => object): Generator<string> {
  if (items.length === 0) {
    yield member(name, []);
    return;
  }
  yield `  ${safeJson(name)}: [`;
  let left = items.length;
  for (const item of items) {
    left -= 1;
    yield `    ${safeJson(print(item))}${left === 0 ? '' : ','}`;
  }
  yield '  ],';
}
