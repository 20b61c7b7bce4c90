// A plan as JSON. The format is a contract (semantics §12): keys are only added.

import type { Series } from '../../../lib/series.ts';
import { type AttributeChange, type Change, type Drift, printPath } from '../../model/change.ts';
import type { PlanDocument } from '../../model/documents.ts';
import type { Unmanaged } from '../../model/live.ts';
import type { PeopleSection } from '../../model/people/effects.ts';
import type { Plan } from '../../model/plan.ts';
import { peopleOf } from '../summary/people.ts';
import { firstThatFit, utf8Length, writeWithin } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { safeJson } from '../text/text.ts';

type JsonOptions = Pick<ViewOptions, 'maxBytes' | 'refusals' | 'signature'>;

/** The members by place. One that is in no place does not compile. */
type HeadPart =
  | 'format_version'
  | 'application'
  | 'state'
  | 'new_state'
  | 'unknown_application'
  | 'lineage'
  | 'summary';
type TailPart = Exclude<keyof PlanDocument, HeadPart | 'changes' | 'drift' | 'omitted' | 'hash'>;

/**
 * One JSON document with one line per change, so that large plans can be streamed and compared. With `maxBytes`, the last
 * drift, refusals, warnings and changes are left out, and `omitted` gives their numbers.
 */
export function* planAsJson(plan: Plan, options: JsonOptions = {}): Generator<string> {
  const { maxBytes } = options;
  const members: Readonly<Record<HeadPart, string>> = {
    format_version: member('format_version', plan.format_version),
    application: member('application', plan.application),
    state: member('state', plan.state),
    new_state: member('new_state', plan.new_state),
    unknown_application: member('unknown_application', plan.unknown_application),
    lineage: member('lineage', plan.lineage),
    summary: member('summary', plan.summary),
  };
  const head = `{\n${Object.values(members).join('')}`;
  const rest = tailOf(plan, options);
  const parts = {
    head: plan.changes.length === 0 ? head : `${head}  "changes": [\n`,
    items: lines(plan.changes, changeAsJson),
    separator: ',\n',
    total: plan.changes.length,
    tail: (leftOut: number) => (plan.changes.length === 0 ? member('changes', []) : '\n  ],\n') + rest(leftOut),
  };
  if (maxBytes !== undefined || plan.drift === undefined) {
    yield* writeWithin(parts, maxBytes);
    return;
  }
  // Without a limit, drift may be as long as the changes, so it is streamed too.
  yield* writeWithin({ ...parts, tail: () => (plan.changes.length === 0 ? member('changes', []) : '\n  ],\n') });
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
  const changes = peopleOf(plan);
  const isBounded = maxBytes !== undefined && plan.drift !== undefined;
  const members: Readonly<Record<TailPart, string>> = {
    refreshed: member('refreshed', plan.refreshed),
    unmanaged: member('unmanaged', unmanaged?.shown),
    people: member('people', people),
    people_of: member('people_of', people === undefined ? undefined : changes),
    notices: member('notices', plan.notices),
    stages: member('stages', plan.stages),
    requests: wholeList('requests', [...lines(plan.requests, (request) => request)]),
    duration: member('duration', plan.duration),
    signature: member('signature', signature),
    refusals: found.length === 0 ? '' : wholeList('refusals', refusals),
    warnings: wholeList('warnings', warnings),
  };
  const rest = (isBounded ? wholeList('drift', drift) : '') + Object.values(members).join('');
  return (leftOut) => {
    const omitted: NonNullable<PlanDocument['omitted']> = {
      ...(leftOut === 0 ? {} : { changes: leftOut }),
      ...(isBounded && drift.length < (plan.drift?.length ?? 0) ? { drift: plan.drift.length - drift.length } : {}),
      ...(refusals.length < found.length ? { refusals: found.length - refusals.length } : {}),
      ...(unmanaged === undefined || unmanaged.omitted === 0 ? {} : { custom_types: unmanaged.omitted }),
      ...(warnings.length < plan.warnings.length ? { warnings: plan.warnings.length - warnings.length } : {}),
    };
    const remark = Object.keys(omitted).length === 0 ? '' : member('omitted', omitted);
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
    dangers,
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
    ...(dangers === undefined ? {} : { dangers }),
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

/** Empty for a value that is absent. */
function member(name: keyof PlanDocument, value: unknown): string {
  return value === undefined ? '' : `  ${safeJson(name)}: ${safeJson(value)},\n`;
}

function* lines<Item>(items: Iterable<Item>, print: (item: Item) => object): Generator<string> {
  for (const item of items) yield `    ${safeJson(print(item))}`;
}

function wholeList(name: keyof PlanDocument, printed: readonly string[]): string {
  return printed.length === 0 ? member(name, []) : `  ${safeJson(name)}: [\n${printed.join(',\n')}\n  ],\n`;
}

function* streamedList<Item>(
  name: keyof PlanDocument,
  items: Series<Item>,
  print: (item: Item) => object,
): Generator<string> {
  if (items.length === 0) {
    yield member(name, []);
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
