// Support: builds planner input from plain blocks, makes plans, and applies their entries to a state in memory.

import { proven } from '../../../src/core/app/plans/plan-file.ts';
import { rememberAll } from '../../../src/core/kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { type Address, addressOf, compareAddresses, kindOf } from '../../../src/core/model/address.ts';
import type { LimitsOf } from '../../../src/core/model/limits.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Policy } from '../../../src/core/model/policy.ts';
import { applyEntry, type StateRecord } from '../../../src/core/model/record.ts';
import { type ApiRequest, requestPath } from '../../../src/core/model/request.ts';
import type { Lifecycle, Resource } from '../../../src/core/model/resource.ts';
import type { Step } from '../../../src/core/model/step.ts';
import type { JudgedPlan, JudgeInput } from '../../../src/core/planner/judges/judge.ts';
import { judge } from '../../../src/core/planner/judges/judges.ts';
import { makePlan } from '../../../src/core/planner/plan.ts';
import { PlanFileReader } from '../../../src/core/planner/plan-file/reader.ts';
import type { PlanInput } from '../../../src/core/planner/plan-input.ts';
import { scopeOf } from '../../../src/core/planner/targets.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { planWords } from '../../../src/core/view/text/plan-problems.ts';
import { InternalError } from '../../../src/lib/errors.ts';
import { isList, isObject, type JsonObject } from '../../../src/lib/json.ts';
import { type Collect, collectInMemory, type Series } from '../../../src/lib/series.ts';

export type State = ReadonlyMap<Address, StateRecord>;

/** The default policy with reopening allowed and wide budgets, so that plans are about steps. */
export const openPolicy: Policy = {
  on_remove: {},
  removals: { max_share: 1, free_count: 1_000_000 },
  acknowledge: [],
  existing: 'refuse',
  external: {},
  personal_data: 'error',
  departed: 'leave_alone',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  leave_channels_on_deactivation: false,
  read_each: 1000,
  refresh: 'none',
};

/** The default policy of manifests. */
export const defaultPolicy: Policy = {
  ...openPolicy,
  removals: { max_share: 0.1, free_count: 10 },
  reopen: { frozen: 'allow', deactivated: 'refuse' },
};

export function kindNamed(name: string): KindDefinition {
  const kind = registry.find(({ name: known }) => known === name);
  if (kind === undefined) throw new InternalError(`no kind ${name}`);
  return kind;
}

/** A block in normal form, as the loader returns it. */
export function resource(kind: string, key: string, block: JsonObject, lifecycle: Lifecycle = {}): Resource {
  return {
    address: addressOf(kind, key),
    attributes: kindNamed(kind).normalise(key, block).attributes,
    lifecycle,
    source: { file: 'manifest.yaml', line: 1, column: 1 },
  };
}

/** `{user: {alice: {nickname: 'Alice'}}}` as resources. A key `lifecycle` of a block is the lifecycle. */
export function resources(blocks: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>): Resource[] {
  return Object.entries(blocks).flatMap(([kind, keys]) =>
    Object.entries(keys).map(([key, { lifecycle, ...block }]) =>
      resource(kind, key, block, (isObject(lifecycle) ? lifecycle : {}) as Lifecycle),
    ),
  );
}

const onePerSecond: LimitsOf = ({ method, route }) => [{ name: `${method} ${route}`, calls: 1, windowS: 1, share: 1 }];

type PlanOptions = Omit<PlanInput, 'resources' | 'records' | 'now' | 'words'> &
  Omit<JudgeInput, 'words'> & { targets?: readonly Address[]; excluded?: readonly Address[] };

export function planFor(
  desired: readonly Resource[],
  state: State = new Map(),
  { targets = [], excluded = [], today = '2026-06-01', ...more }: Partial<PlanOptions & Pick<PlanInput, 'now'>> = {},
): JudgedPlan {
  const selection = { targets: targets.map(exactly), excluded: excluded.map(exactly) };
  const input: PlanInput = {
    kinds: registry,
    resources: [...desired].sort((left, right) => compareAddresses(left.address, right.address)),
    records: [...state.values()].sort((left, right) => compareAddresses(left.address, right.address)),
    removed: [],
    policy: openPolicy,
    application: 'example.com/v3',
    settings: { base_url: 'https://example.com/v3', rate_plan: '5k_mau', limits: {}, rate_share: 1 },
    limitsOf: onePerSecond,
    now: today,
    words: planWords,
    isToBeSaved: true,
    ...(targets.length + excluded.length === 0 ? {} : { scope: scopeOf(selection, desired, state.values(), registry) }),
    ...more,
  };
  const { policy, scope } = input;
  return judge(makePlan(input), { ...more, words: planWords, policy, today, isPartial: scope !== undefined });
}

export function exactly(text: Address) {
  return { text, isPattern: false, matches: (address: Address) => address === text };
}

/** Reads the text of a plan file as an apply does, in pieces of this length. */
export function readPlanText(text: Iterable<string>, collect: Collect = collectInMemory): Plan {
  const reader = new PlanFileReader('plan.chatform', collect);
  for (const piece of text) reader.add(piece);
  return proven(reader.end(), 'plan.chatform', collect);
}

/** The state after steps that all succeeded. */
export function stateAfter(state: State, steps: Series<Step>): Map<Address, StateRecord> {
  const next = new Map(state);
  for (const { entry, address } of steps) {
    const record = applyEntry(next.get(address), entry);
    if (record === undefined) next.delete(address);
    else next.set(address, record);
  }
  return next;
}

/** By the text of one or two resources: their state. Tables of attributes plan each many times. */
const states = new Map<string, State>();

/** The state after a plan that creates these resources was applied completely. */
export function stateOf(desired: readonly Resource[]): Map<Address, StateRecord> {
  const applied = () => stateAfter(new Map(), planFor(desired).plan.steps);
  // The texts of history files are in no attribute.
  if (desired.length > 2 || desired.some(({ address }) => kindOf(address) === 'messages')) return applied();
  const text = JSON.stringify(desired);
  const state = states.get(text) ?? applied();
  states.set(text, state);
  return new Map(state);
}

/** The expected record of a resource when nothing is left to do. */
export function rememberedOf({ address, attributes }: Resource): JsonObject {
  return withoutEmpty(rememberAll(kindNamed(address.slice(0, address.indexOf('.'))).attributes, attributes));
}

/** An empty map or list manages nothing, so it is the same as none. */
export function withoutEmpty(attributes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([, value]) => !(isList(value) && value.length === 0) && !(isObject(value) && Object.keys(value).length === 0),
    ),
  );
}

/** `PUT /users/alice {"nickname":"A"}`: method, path with its parameters, query, body, placeholders. */
export function printRequest(request: ApiRequest | undefined): string {
  if (request === undefined) return '(state alone)';
  const { method, query, body, placeholders } = request;
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return [
    `${method} ${requestPath(request)}${search}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...(placeholders ?? []).map(
      (placeholder) =>
        `+${placeholder.type} ${placeholder.field}=${placeholder.type === 'secret' ? placeholder.variable : placeholder.type === 'seconds' ? placeholder.until : placeholder.type === 'list' ? placeholder.source.file : placeholder.file}`,
    ),
  ].join(' ');
}

export function printSteps(steps: Series<Step>): string[] {
  return [...steps].map(({ request, action }) => (request === undefined ? `(${action})` : printRequest(request)));
}
