// A plan as JSON. The format is a contract (semantics §12): keys are only added.

import type { Series } from '../../lib/series.ts';
import { type AttributeChange, type Change, type Drift, printPath } from '../../model/change.ts';
import type { PlanDocument } from '../../model/documents.ts';
import type { Unmanaged } from '../../model/live.ts';
import type { PeopleSection } from '../../model/people/effects.ts';
import type { Plan } from '../../model/plan.ts';
import { firstThatFit, utf8Length, writeWithin } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safeJson } from '../text/text.ts';

type JsonOptions = Pick<ViewOptions, 'maxBytes' | 'refusals' | 'signature'>;

/**
 * One JSON document with one line per change, so that large plans can be streamed and compared. With `maxBytes`, the last
 * drift, refusals, warnings and changes are left out, and `omitted` gives their numbers.
 */
export function* planAsJson(plan: Plan, options: JsonOptions = {}): Generator<string> {
  const { maxBytes } = options;
  const head = [
    '{',
    member('format_version', plan.format_version),
    member('application', plan.application),
    ...(plan.state === undefined ? [] : [member('state', plan.state)]),
    ...(plan.new_state === undefined ? [] : [member('new_state', plan.new_state)]),
    ...(plan.lineage === undefined ? [] : [member('lineage', plan.lineage)]),
    member('summary', plan.summary),
    ...(plan.changes.length === 0 ? [] : ['  "changes": [']),
  ].map((line) => `${line}\n`);
  const rest = tailOf(plan, options);
  const parts = {
    head: head.join(''),
    items: lines(plan.changes, changeAsJson),
    separator: ',\n',
    total: plan.changes.length,
    tail: (leftOut: number) => (plan.changes.length === 0 ? `${member('changes', [])}\n` : '\n  ],\n') + rest(leftOut),
  };
  if (maxBytes !== undefined || plan.drift === undefined) {
    yield* writeWithin(parts, maxBytes);
    return;
  }
  // Without a limit, drift may be as long as the changes, so it is streamed too.
  yield* writeWithin({ ...parts, tail: () => (plan.changes.length === 0 ? `${member('changes', [])}\n` : '\n  ],\n') });
  yield* streamedList('drift', plan.drift, driftAsJson);
  yield rest(0);
}

/** The part after the changes. Refusals and warnings get a quarter of the bytes, drift another quarter. */
function tailOf(plan: Plan, { maxBytes, refusals: found = [], signature }: JsonOptions): (leftOut: number) => string {
  const most = maxBytes === undefined ? Number.POSITIVE_INFINITY : Math.floor(maxBytes / 4);
  const refusals = firstThatFit([...lines(found, (refusal) => refusal)], most, 2);
  const warningRoom = refusals.reduce((room, line) => room - utf8Length(line) - 2, most);
  const warnings = firstThatFit([...lines(plan.warnings, (warning) => warning)], warningRoom, 2);
  const drift = maxBytes === undefined ? [] : fittingLines(plan.drift, most);
  const unmanaged = plan.unmanaged === undefined ? undefined : fittingTypes(plan.unmanaged, most);
  const people = plan.people === undefined ? undefined : fittingPeople(plan.people, most);
  const isBounded = maxBytes !== undefined && plan.drift !== undefined;
  const rest = [
    ...(isBounded ? [wholeList('drift', drift)] : []),
    ...(plan.refreshed === undefined ? [] : [`${member('refreshed', plan.refreshed)}\n`]),
    ...(unmanaged === undefined ? [] : [`${member('unmanaged', unmanaged.shown)}\n`]),
    ...(people === undefined ? [] : [`${member('people', people)}\n`]),
    ...(plan.notices === undefined ? [] : [`${member('notices', plan.notices)}\n`]),
    ...(plan.stages === undefined ? [] : [`${member('stages', plan.stages)}\n`]),
    wholeList('requests', [...lines(plan.requests, ({ method, route, count }) => ({ method, route, count }))]),
    `${member('duration', plan.duration)}\n`,
    ...(signature === undefined ? [] : [`${member('signature', signature)}\n`]),
    ...(found.length === 0 ? [] : [wholeList('refusals', refusals)]),
    wholeList('warnings', warnings),
  ].join('');
  return (leftOut) => {
    const omitted = {
      ...(leftOut === 0 ? {} : { changes: leftOut }),
      ...(isBounded && drift.length < (plan.drift?.length ?? 0) ? { drift: plan.drift.length - drift.length } : {}),
      ...(refusals.length < found.length ? { refusals: found.length - refusals.length } : {}),
      ...(unmanaged === undefined || unmanaged.omitted === 0 ? {} : { custom_types: unmanaged.omitted }),
      ...(warnings.length < plan.warnings.length ? { warnings: plan.warnings.length - warnings.length } : {}),
    };
    const remark = Object.keys(omitted).length === 0 ? '' : `${member('omitted', omitted)}\n`;
    return `${rest}${remark}  "hash": ${safeJson(plan.hash)}\n}\n`;
  };
}

function fittingLines(drift: Series<Drift> | undefined, maxBytes: number): string[] {
  const shown: string[] = [];
  let room = maxBytes;
  for (const line of lines(drift ?? [], driftAsJson)) {
    room -= utf8Length(line) + 2;
    if (room < 0) break;
    shown.push(line);
  }
  return shown;
}

/** Leaves out all custom types if they do not fit. The counts of the kinds are short. */
function fittingTypes(unmanaged: Unmanaged, maxBytes: number): { readonly shown: Unmanaged; readonly omitted: number } {
  if (utf8Length(safeJson(unmanaged)) <= maxBytes) return { shown: unmanaged, omitted: 0 };
  const kinds = unmanaged.kinds.map(({ custom_types: _types, ...kind }) => kind);
  const omitted = unmanaged.kinds.reduce((sum, { custom_types: types = [] }) => sum + types.length, 0);
  return { shown: { ...unmanaged, kinds }, omitted };
}

/** Leaves out all statements if they do not fit. The counts are short. */
function fittingPeople(people: PeopleSection, maxBytes: number): PeopleSection {
  if (utf8Length(safeJson(people)) <= maxBytes) return people;
  const effects = people.effects.map((effect) => {
    return { ...effect, statements: [], omitted: effect.omitted + effect.statements.length };
  });
  return { ...people, effects };
}

function changeAsJson(change: Change): PlanDocument['changes'][number] {
  const {
    address,
    actions,
    attributes,
    source,
    reason,
    reversibility,
    dangerous,
    notes,
    note_codes,
    requests,
    cause,
    stage,
    live,
    ...others
  } = change;
  // A member that is not named above does not compile.
  others satisfies Record<string, never>;
  return {
    address,
    actions,
    attributes: attributesAsJson(attributes),
    ...(source === undefined ? {} : { source }),
    reason,
    reversibility,
    dangerous,
    notes,
    ...(note_codes === undefined ? {} : { note_codes }),
    requests,
    ...(cause === undefined ? {} : { cause }),
    ...(stage === undefined ? {} : { stage }),
    ...(live === undefined ? {} : { live }),
  };
}

function driftAsJson(drift: Drift): NonNullable<PlanDocument['drift']>[number] {
  const { address, type, attributes, source, note, note_codes, ...others } = drift;
  others satisfies Record<string, never>;
  return {
    address,
    type,
    attributes: attributesAsJson(attributes),
    ...(source === undefined ? {} : { source }),
    note,
    ...(note_codes === undefined ? {} : { note_codes }),
  };
}

function attributesAsJson(attributes: readonly AttributeChange[]): PlanDocument['changes'][number]['attributes'] {
  return attributes.map(({ path, ...rest }) => ({ path: printPath(path), ...rest }));
}

function member(name: string, value: unknown): string {
  return `  ${safeJson(name)}: ${safeJson(value)},`;
}

function* lines<Item>(items: Iterable<Item>, print: (item: Item) => object): Generator<string> {
  for (const item of items) yield `    ${safeJson(print(item))}`;
}

function wholeList(name: string, printed: readonly string[]): string {
  return printed.length === 0 ? `${member(name, [])}\n` : `  ${safeJson(name)}: [\n${printed.join(',\n')}\n  ],\n`;
}

function* streamedList<Item>(name: string, items: Series<Item>, print: (item: Item) => object): Generator<string> {
  if (items.length === 0) {
    yield `${member(name, [])}\n`;
    return;
  }
  const head = `  ${safeJson(name)}: [\n`;
  yield* writeWithin({
    head,
    items: lines(items, print),
    separator: ',\n',
    total: items.length,
    tail: () => '\n  ],\n',
  });
}
