// How does the simulated platform come to hold what the real one holds, as far as state knows it?
//
// State's records are read as declarations, and a plan that creates them is run on the emulator, call by call, before
// the clock starts. Users whom nobody declared, but whom the work names, are there as well: others manage them.
import type { Platform as Emulator } from '../emulator/platform.ts';
import { type Address, addressOf, compareAddresses, keyOf, kindOf } from '../model/address.ts';
import { applyEntry, type StateRecord } from '../model/record.ts';
import { requestPath } from '../model/request.ts';
import type { Resource } from '../model/resource.ts';
import type { Step } from '../model/step.ts';
import { makePlan, type PlanInput } from '../planner/plan.ts';
import { registry } from '../resources/index.ts';

export interface SetUp {
  readonly emulator: Emulator;
  readonly token: string;
  readonly nowMs: number;
  readonly records: readonly StateRecord[];
  /** What is going to be rehearsed. */
  readonly steps: readonly Step[];
  readonly planInput: Pick<PlanInput, 'policy' | 'application' | 'settings' | 'limitsOf' | 'today'>;
}

/** The objects of state that could not be set up, each with the reason. */
export function setUpPlatform({ emulator, token, nowMs, records, steps, planInput }: SetUp): string[] {
  const resources = [...records.map(resourceOf), ...strangers(records, steps)].sort((left, right) =>
    compareAddresses(left.address, right.address),
  );
  const { plan, problems } = makePlan({ ...planInput, kinds: registry, resources, removed: [], records: [] });
  const failed = problems.map(({ address, summary }) => `${address}: ${summary}`);
  for (const { request, address } of plan.steps) {
    if (request === undefined) continue;
    const answer = emulator.handle(
      {
        method: request.method,
        path: `/v3${requestPath(request)}`,
        query: new URLSearchParams(request.query ?? {}).toString().replaceAll('+', '%20'),
        headers: { 'api-token': token },
        body: request.body === undefined ? { type: 'none' } : { type: 'json', value: request.body },
      },
      nowMs,
    );
    if (answer.status !== 200) failed.push(`${address}: ${JSON.stringify(answer.body)}`);
  }
  return failed;
}

/** Files and secrets are left out: state remembers their digest or revision alone. */
function resourceOf({ address, attributes }: StateRecord): Resource {
  const definitions = registry.find(({ kind }) => kind === kindOf(address))?.attributes ?? {};
  const known = Object.entries(attributes).filter(([name]) => definitions[name]?.remember === undefined);
  return declare(address, Object.fromEntries(known));
}

/** Users who are named now or after the work, and are neither in state nor created by it. */
function strangers(records: readonly StateRecord[], steps: readonly Step[]): Resource[] {
  const known = new Map<Address, StateRecord>(records.map((record) => [record.address, record]));
  const named = new Set<string>();
  const addNamed = (all: Iterable<StateRecord>): void => {
    for (const { address, attributes } of all) {
      const kind = registry.find((one) => one.kind === kindOf(address));
      for (const reference of kind?.references(attributes) ?? []) named.add(addressOf(reference.kind, reference.key));
    }
  };
  addNamed(known.values());
  const before = new Set(known.keys());
  for (const { address, entry } of steps) {
    const after = applyEntry(known.get(address), entry);
    if (after !== undefined) known.set(address, after);
  }
  addNamed(known.values());
  return ([...named] as Address[])
    .filter((address) => !before.has(address) && !known.has(address) && kindOf(address) === 'user')
    .map((address) => declare(address, { nickname: keyOf(address).slice(0, 20) }));
}

function declare(address: Address, attributes: Resource['attributes']): Resource {
  return { address, attributes, lifecycle: {}, source: { file: '', line: 1, column: 1 } };
}
