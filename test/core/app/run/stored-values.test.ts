// Tests a platform that stores something else than it is sent. One apply converges for every attribute of every kind, a later
// change by others is still seen, and a platform that stores values as sent leaves no trace in state.
import { describe, expect, test } from 'vitest';
import { answerReader } from '../../../../src/core/app/run/run-plan.ts';
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { compareAddresses, keyOf } from '../../../../src/core/model/address.ts';
import type { Answer } from '../../../../src/core/model/ports.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import { diffAttributes } from '../../../../src/core/planner/diff/diff.ts';
import { findKind, registry } from '../../../../src/core/resources/index.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { resource, stateAfter } from '../../../support/planning/planning.ts';
import { FakePacer } from '../../applier/support/fake-pacer.ts';
import { Disk, FakeState } from '../../applier/support/fake-state.ts';
import { Rig } from '../../refresh/support/rig.ts';
import { leastOf, sampleOf, valuesOf } from '../../resources/support/samples.ts';

type Change = (request: ApiRequest, attribute: string) => JsonObject | undefined;

/** Fields that identify objects and people, or are no attributes. */
const kept = new Set([
  'user_id',
  'user_ids',
  'bot_userid',
  'channel_url',
  'operator_ids',
  'inviter_id',
  'invitation_status',
  'hidden_status',
  'ip_whitelist_addresses',
  'enabled_events',
  'is_active',
  'freeze',
  'strict',
  // An emoji's.
  'key',
  'upsert',
]);

/** How the platform changes what it is sent. */
const changes: Readonly<Record<string, Change>> = {
  'cuts texts': ({ body }) => texts(body ?? {}, (text) => [...text].slice(0, -1).join('')),
  'rewrites texts': ({ body }) =>
    texts(body ?? {}, (text) => (text.startsWith('http') ? `${text}/` : text.toUpperCase())),
  'drops an attribute': ({ body = {} }, attribute) => without(body, attribute),
};

function texts(body: JsonObject, change: (text: string) => string): JsonObject {
  const inner = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (isList(value)) return value.map(inner);
    return isObject(value) ? texts(value, change) : value;
  };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      kept.has(name) || name === 'custom_type' ? value : inner(value),
    ]),
  );
}

/** Drops the field of the attribute, or the first entry of a map that is sent in parts. */
function without(body: JsonObject, attribute: string): JsonObject {
  if (kept.has(attribute)) return body;
  const { [attribute]: value, ...others } = body;
  if (!isObject(value)) return others;
  return { ...others, [attribute]: Object.fromEntries(Object.entries(value).slice(1)) };
}

/** A platform that changes what it is sent, unless it would refuse that. Its applier is the real one. */
class ChangingRig extends Rig {
  readonly #change: ((request: ApiRequest) => JsonObject | undefined) | undefined;

  constructor(change?: (request: ApiRequest) => JsonObject | undefined) {
    super();
    this.#change = change;
  }

  override async send(request: ApiRequest): Promise<Answer> {
    this.sent.push(request);
    const body = request.body === undefined ? undefined : this.#change?.(request);
    const changed = body === undefined ? undefined : this.answer({ ...request, body });
    return changed?.type === 'ok' ? changed : this.answer(request);
  }

  /** Plans with a refresh, and applies the plan. */
  async converge(desired: readonly Resource[]): Promise<ApplyReport> {
    const { plan, problems } = await this.refresh(desired);
    if (problems.length > 0) throw new Error(problems[0]?.detail);
    const clock = new VirtualClock(new Date('2026-06-01T00:00:00Z'));
    const disk = new Disk();
    for (const [address, record] of this.state) disk.records.set(address, record);
    const ports = {
      platform: this,
      pacer: new FakePacer(clock),
      state: new FakeState(clock, { disk }),
      clock,
      emit: () => {},
    };
    const { report } = await clock.run(applyPlan(plan, ports, { random: () => 0.5, answers: answerReader }));
    this.state = disk.records;
    return report;
  }
}

interface Case {
  readonly kind: KindDefinition;
  readonly name: string;
  readonly stages: readonly (readonly Resource[])[];
}

/** The attributes that a refresh reads, each alone in an object with its first value, then with its second one. */
const cases = registry.flatMap((kind): Case[] =>
  Object.entries(kind.attributes).flatMap(([name, { change, shown, shape }]) => {
    const isIds = shape === 'set' || name === kind.memberships;
    if (kind.live === undefined || isIds || shown.as !== 'compared') return [];
    if (change !== 'mutable' && change !== 'create_only' && change !== 'one_way') return [];
    const values = valuesOf(kind, name);
    if (values === undefined) return [];
    const stages = (change === 'mutable' ? values : values.slice(0, 1)).map((value) => desiredWith(kind, name, value));
    return [{ kind, name, stages }];
  }),
);

function desiredWith(kind: KindDefinition, name: string, value: JsonValue): Resource[] {
  const { besides = {}, lenient } = sampleOf(kind);
  const block = { ...leastOf(kind), ...besides[name], [name]: value };
  const target = resource(kind.name, kind.onlyKey ?? 'key-1', { ...block, ...lenient?.(block) });
  const named = kind.references?.(target.attributes) ?? [];
  const people = named.flatMap(({ kinds, key }) => (kinds.includes('user') ? [key] : []));
  return [target, ...[...new Set(people)].map((id) => resource('user', id, { nickname: id }))];
}

/** The number of declared values of which state keeps another form than was sent. */
function storedOtherwise({ state }: Rig, desired: readonly Resource[]): number {
  const values = desired.flatMap(({ address }) =>
    Object.entries(state.get(address)?.shown ?? {}).flatMap(([name, value]) =>
      findKind(address)?.attributes[name]?.shape === 'map' && isObject(value) ? Object.keys(value) : [name],
    ),
  );
  return values.length;
}

/** No answer to a call shows why somebody is muted, or banned from a custom type, so only a refresh sees these texts. */
const isUnseen = ({ kind, name }: Case) => name === 'muted' || (kind.name === 'custom_type' && name === 'banned');

describe.for(Object.entries(changes))('a platform that %s', ([, change]) => {
  test.for(cases.filter((one) => !isUnseen(one)))('converges for $kind.name $name', async ({ name, stages }) => {
    const rig = new ChangingRig((request) => change(request, name));
    for (const desired of stages) {
      const report = await rig.converge(desired);
      expect([report.outcome, report.failures]).toEqual(['done', []]);
      const { plan } = await rig.refresh(desired);
      expect([plan.drift, [...plan.steps]]).toEqual([[], []]);
      expect(plan.refreshed?.stored_otherwise ?? 0).toBe(storedOtherwise(rig, desired));
      // Without a refresh there is nothing to do either.
      expect([...rig.plan(desired).plan.steps]).toEqual([]);
    }
  });
});

test('a later change by others is drift, whatever the platform stored before', async () => {
  const seen = new Set<string>();
  for (const { kind, name, stages } of cases) {
    const [desired = [], other = []] = stages;
    const [target, edited] = [desired[0], other[0]];
    if (target === undefined || edited === undefined) continue;
    const rig = new ChangingRig((request) => changes['cuts texts']?.(request, name));
    await rig.converge(desired);
    const { attributes } = diffAttributes(kind, target.attributes, edited.attributes, []);
    const change = { type: 'update', address: target.address, key: keyOf(target.address), attributes } as const;
    const calls = kind.steps({ ...change, before: target.attributes, after: edited.attributes });
    if (calls.length === 0 || calls.some(({ request }) => rig.answer(request).type !== 'ok')) continue;
    const { plan } = await rig.refresh(desired);
    const names = [...(plan.drift ?? [])].flatMap((drift) => drift.attributes.map(({ path }) => path[0]));
    expect([kind.name, name, names.includes(name)]).toEqual([kind.name, name, true]);
    seen.add(kind.name);
  }
  expect([...seen]).toEqual(registry.filter(({ live }) => live !== undefined).map((kind) => kind.name));
});

test('a platform that stores what it is sent leaves no trace in state, and is not reported', async () => {
  for (const { stages } of cases) {
    const rig = new ChangingRig();
    for (const desired of stages) {
      const before = rig.state;
      const { plan } = await rig.refresh(desired);
      const report = await rig.converge(desired);
      expect(report.stored_otherwise).toBeUndefined();
      // Proofs are kept of every answer.
      const byAddress = (state: typeof before) =>
        [...state]
          .sort(([left], [right]) => compareAddresses(left, right))
          .map(([, { seen: _seen, ...record }]) => record);
      expect(byAddress(rig.state)).toEqual(byAddress(stateAfter(before, plan.steps)));
    }
  }
});

describe('the report', () => {
  const nickname = ' Alice  B ';
  const trimming = () => new ChangingRig(({ body }) => texts(body ?? {}, (text) => text.trim()));
  const alice = (value: string) => [resource('user', 'alice', { nickname: value, metadata: { team: value } })];

  test('says once which values the platform stored otherwise, and state keeps both', async () => {
    const rig = trimming();
    const { stored_otherwise: stored } = await rig.converge(alice(nickname));
    const address = 'user.alice';
    expect(stored).toEqual({
      count: 2,
      values: [
        { address, path: ['nickname'], sent: nickname, stored: 'Alice  B' },
        { address, path: ['metadata', 'team'], sent: nickname, stored: 'Alice  B' },
      ],
    });
    const record = rig.state.get(address);
    expect(record?.shown).toEqual({ nickname: 'Alice  B', metadata: { team: 'Alice  B' } });
    expect(record?.attributes).toMatchObject({ nickname, metadata: { team: nickname } });
    expect((await rig.converge(alice(nickname))).stored_otherwise).toBeUndefined();
  });

  test('an edited line is sent again, and state no longer keeps what was shown of it', async () => {
    const rig = trimming();
    await rig.converge(alice(nickname));
    const sent = rig.sent.length;
    await rig.converge(alice('Alice  B'));
    expect(rig.sent.slice(sent).some(({ method }) => method === 'PUT')).toBe(true);
    expect(rig.state.get('user.alice')?.shown).toBeUndefined();
  });
});
