// How is a plan written for programs? By the contract of design, Command line; keys may be added, never changed.
import { type Change, printPath } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { safeJson } from './text.ts';

/** One JSON document, written a change at a time, so that a plan of a million changes is never one string. */
export function* planAsJson(plan: Plan): Generator<string> {
  const { format_version, application, summary, requests, duration, warnings, hash } = plan;
  const head = safeJson({ format_version, application, summary });
  yield `${head.slice(0, -1)},"changes":[`;
  let separator = '\n';
  for (const change of plan.changes) {
    yield separator + safeJson(changeAsJson(change));
    separator = ',\n';
  }
  const tail = safeJson({ requests, duration, warnings, hash });
  yield `\n],${tail.slice(1)}\n`;
}

function changeAsJson(change: Change): object {
  const { address, actions, attributes, source, reason, reversibility, dangerous, notes } = change;
  return {
    address,
    actions,
    attributes: attributes.map(({ path, ...rest }) => ({ path: printPath(path), ...rest })),
    ...(source === undefined ? {} : { source }),
    reason,
    reversibility,
    dangerous,
    notes,
  };
}
