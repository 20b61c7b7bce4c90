// Support: plans as text for goldens. Each golden has a section for each case, headed by the claim that the section shows.
import { expect } from 'vitest';
import type { Address } from '../../../../src/core/model/address.ts';
import { type AttributeChange, printPath } from '../../../../src/core/model/change.ts';
import type { Policy } from '../../../../src/core/model/policy.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { JudgedPlan } from '../../../../src/core/planner/judges/judge.ts';
import { reasonInWords } from '../../../../src/core/view/text/change-words.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { livePart, type There } from '../../../support/planning/live-objects.ts';
import { openPolicy, planFor, printRequest, type State, stateAfter } from '../../../support/planning/planning.ts';

export interface Given extends Omit<NonNullable<Parameters<typeof planFor>[2]>, 'policy'> {
  readonly desired: readonly Resource[];
  /** Default: no records. */
  readonly state?: State;
  /** What a refresh finds. Absent: no refresh. */
  readonly there?: There;
  /** Other rules than those of `openPolicy`. */
  readonly policy?: Partial<Policy>;
}

/** The golden is beside the test, in `goldens/`. */
export async function expectPlans(golden: string, cases: Readonly<Record<string, Given>>): Promise<void> {
  const sections = Object.entries(cases).map(([claim, given]) => `## ${claim}\n${shown(given).join('\n')}\n`);
  await expect(sections.join('\n')).toMatchFileSnapshot(`goldens/${golden}.txt`);
}

/** The facts of every live channel. */
const facts = { members: 7, last_message_at: '2026-05-01T00:00:00.000Z' };

function shown({ desired, state = new Map(), there, policy, ...more }: Given): string[] {
  const options = { ...more, policy: { ...openPolicy, ...policy } };
  const made = planFor(desired, state, {
    ...options,
    ...(there === undefined ? {} : livePart(desired, state, there, facts)),
  });
  const after = stateAfter(state, made.plan.steps);
  const { targets: _targets, excluded: _excluded, ...whole } = options;
  const next = made.problems.length > 0 ? [] : [...planFor(desired, after, whole).plan.steps];
  const lines = [...stepLines(made), ...changeLines(made), ...driftLines(made), ...recordLines(state, after)];
  const all = [...lines, ...diagnosticLines(made)];
  if (next.length > 0)
    all.push(`the next plan: ${next.map(({ action, address }) => `${action} ${address}`).join(', ')}`);
  return all.length === 0 ? ['nothing to do'] : all;
}

/** Each step with the numbers of the steps that must succeed before it, and of those that must end, and what it marks. */
function stepLines({ plan: { steps } }: JudgedPlan): string[] {
  const places = new Map(Array.from(steps, ({ id }, place) => [id, place + 1]));
  const numbers = (word: string, ids: readonly string[] = []) =>
    ids.length === 0 ? [] : [`${word} ${ids.map((id) => places.get(id) ?? id).join(', ')}`];
  return Array.from(steps, ({ id, address, action, phase, request, entry, needs, after }) => {
    const marks =
      entry.type === 'patch' && entry.marks !== undefined ? [`marks ${canonicalJson(entry.marks as JsonObject)}`] : [];
    const more = [...numbers('needs', needs), ...numbers('after', after), ...marks].join(', ');
    const sent = (request?.placeholders ?? []).flatMap((one) =>
      one.type === 'list' ? [` (${one.source.count} after ${one.source.skip})`] : [],
    );
    const call = request === undefined ? '(state alone)' : `${printRequest(request)}${sent.join('')}`;
    return `${places.get(id)}. ${action} ${address} [${phase}] ${call}${more === '' ? '' : ` [${more}]`}`;
  });
}

function changeLines({ plan: { changes } }: JudgedPlan): string[] {
  return Array.from(changes, ({ address, actions, reason, reversibility, dangerous, notes, attributes, live }) => [
    `change ${address}: ${actions.join(' ')}, ${reversibility}${dangerous ? ', dangerous' : ''}: ${reasonInWords(reason)}`,
    ...attributes.map(attributeLine),
    ...notes.map((note) => `  note: ${note}`),
    ...(live === undefined ? [] : [`  live: ${canonicalJson({ ...live })}`]),
  ]).flat();
}

function driftLines({ plan: { drift = [] } }: JudgedPlan): string[] {
  return Array.from(drift, ({ address, type, note, attributes }) => [
    `drift ${address}: ${type}: ${note}`,
    ...attributes.map(attributeLine),
  ]).flat();
}

function attributeLine({ path, before, after, how }: AttributeChange): string {
  const print = (value: JsonValue | undefined) => (value === undefined ? '-' : canonicalJson(value));
  return `  ${printPath(path)}: ${print(before)} → ${print(after)} (${how})`;
}

/** The records that the plan changes, as they are in the end. */
function recordLines(before: State, after: State): string[] {
  const addresses = [...new Set<Address>([...before.keys(), ...after.keys()])].sort();
  return addresses.flatMap((address) => {
    const [was, is] = [printRecord(before.get(address)), printRecord(after.get(address))];
    return was === is ? [] : [`state ${address}: ${is}`];
  });
}

function printRecord(record: StateRecord | undefined): string {
  if (record === undefined) return 'gone';
  const { address: _address, ...rest } = record;
  return canonicalJson(JSON.parse(JSON.stringify(rest)) as JsonObject);
}

function diagnosticLines({ plan: { warnings }, problems, refusals }: JudgedPlan): string[] {
  const said = [...warnings, ...problems].map(({ severity, code, address = '', source, detail }) => {
    const place = source === undefined ? '' : ` at ${source.file}:${source.line}:${source.column}`;
    return `${severity} ${code} ${address}${place}: ${detail.replaceAll('\n', ' ')}`;
  });
  // Tests of safety have their texts.
  return [...said, ...refusals.map(({ code, address = 'as a whole' }) => `refused ${address}: ${code}`)];
}
