// Fills the simulated platform with the objects in state.
//
// Records are read as declarations, and a plan that creates them runs on the emulator, call by call, before the clock
// starts. Undeclared users that the plan names are created as well, because others manage them.

import { type Address, addressOf, compareAddresses, keyOf } from '../../../core/model/address.ts';
import { applyEntry, entryAddress, type StateRecord } from '../../../core/model/record.ts';
import { type ApiRequest, requestPath, requestQuery, withSeconds } from '../../../core/model/request.ts';
import type { Resource } from '../../../core/model/resource.ts';
import type { Step } from '../../../core/model/step.ts';
import { makePlan } from '../../../core/planner/plan.ts';
import type { PlanInput } from '../../../core/planner/plan-input.ts';
import { findKind, registry } from '../../../core/resources/index.ts';
import { planWords } from '../../../core/view/text/plan-problems.ts';
import type { Body } from '../../../emulator/api/request.ts';
import type { EmulatedPlatform as Emulator } from '../../../emulator/platform.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { MappedSeries, type Series } from '../../../lib/series.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';

export interface SetUp {
  readonly emulator: Emulator;
  readonly token: string;
  readonly nowMs: number;
  /** Sorted by address. May include chatform's own records, which belong to no kind. */
  readonly records: Series<StateRecord>;
  readonly steps: Series<Step>;
  readonly planInput: Pick<PlanInput, 'policy' | 'application' | 'settings' | 'limitsOf' | 'now' | 'collect'>;
}

/** The objects of state that could not be set up, each with the reason. */
export function setUpPlatform(setUp: SetUp): string[] {
  const { records, steps } = setUp;
  const known = new MappedSeries(records, resourceOf);
  return [...notMade(externalUsers(records, steps), setUp), ...notMade(known, setUp)];
}

/** Undeclared users that state or steps name. */
export function setUpExternalUsers(setUp: Pick<SetUp, 'emulator' | 'token' | 'nowMs' | 'records' | 'steps'>): void {
  const { emulator, token, nowMs, records, steps } = setUp;
  for (const { address, attributes } of externalUsers(records, steps)) {
    const body = { user_id: keyOf(address), profile_url: '', ...attributes };
    emulator.handle(
      {
        method: 'POST',
        path: '/v3/users',
        query: '',
        headers: { 'api-token': token },
        body: { type: 'json', value: body },
      },
      nowMs,
    );
  }
}

function* notMade(resources: Series<Resource>, { emulator, token, nowMs, planInput }: SetUp): Generator<string> {
  const { plan, problems } = makePlan({
    ...planInput,
    kinds: registry,
    resources,
    removed: [],
    records: [],
    words: planWords,
  });
  for (const { address, summary } of problems) yield `${address}: ${summary}`;
  for (const { request, address } of plan.steps) {
    if (request === undefined) continue;
    const answer = emulator.handle(
      {
        method: request.method,
        path: `/v3${requestPath(request)}`,
        query: requestQuery(request),
        headers: { 'api-token': token },
        body: bodyOf(request, nowMs),
      },
      nowMs,
    );
    if (answer.status !== 200) yield `${address}: ${JSON.stringify(answer.body)}`;
  }
}

/** Fills in only the ends of bans and mutes, because records contain no files and secrets. */
function bodyOf({ body, placeholders = [] }: ApiRequest, nowMs: number): Body {
  let filled = body;
  for (const placeholder of placeholders) {
    if (placeholder.type !== 'seconds') continue;
    const seconds = Math.max(1, Math.ceil((Date.parse(placeholder.until) - nowMs) / 1000));
    filled = withSeconds(filled, placeholder, seconds);
  }
  return filled === undefined ? { type: 'none' } : { type: 'json', value: filled };
}

/** Omits files and secrets, of which state has only the digest or revision. */
function resourceOf({ address, attributes }: StateRecord): Resource {
  const definitions = findKind(address)?.attributes ?? {};
  const known = Object.entries(attributes).filter(([name]) => definitions[name]?.remember === undefined);
  return declare(address, Object.fromEntries(known));
}

/** Users that state or steps name and that are neither in state nor created by a step. Sorted by address. */
function externalUsers(records: Iterable<StateRecord>, steps: Iterable<Step>): readonly Resource[] {
  const known = new NameTable();
  const named = new Map<string, readonly string[]>();
  const addNamed = ({ address, attributes }: StateRecord): void => {
    const kind = findKind(address);
    for (const { kinds, key } of kind?.references?.(attributes) ?? []) named.set(key, kinds);
  };
  for (const record of records) {
    known.add(record.address);
    addNamed(record);
  }
  for (const { entry } of steps) {
    const address = entryAddress(entry);
    if (entry.type === 'put') known.add(address);
    // A patch names only the users that it adds.
    const after = applyEntry({ address, attributes: {} }, entry);
    if (after !== undefined) addNamed(after);
  }
  return [...named]
    .filter(([key, kinds]) => kinds.every((kind) => known.find(addressOf(kind, key)) === undefined))
    .map(([key, [kind = '']]) => addressOf(kind, key))
    .sort(compareAddresses)
    .map((address) => declare(address, leastOf(address)));
}

/** Required attributes are strings, for which a part of the key is good enough. */
function leastOf(address: Address): JsonObject {
  const names = findKind(address)?.required ?? [];
  return Object.fromEntries(names.map((name) => [name, keyOf(address).slice(0, 20)]));
}

function declare(address: Address, attributes: Resource['attributes']): Resource {
  return { address, attributes, lifecycle: {}, source: { file: '', line: 1, column: 1 } };
}
