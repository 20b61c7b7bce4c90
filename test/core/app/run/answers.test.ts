// Tests what answers with status 200 prove: one that does not show what its call documents is resolved by a read.
import { describe, expect, test } from 'vitest';
import { answerReader } from '../../../../src/core/app/run/run-plan.ts';
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import { neverDisabled } from '../../../../src/core/kinds/definition/kind.ts';
import { keyOf } from '../../../../src/core/model/address.ts';
import { answeredCalls } from '../../../../src/core/model/calls/answers.ts';
import type { Answer, Platform } from '../../../../src/core/model/ports.ts';
import { type ApiRequest, routeName } from '../../../../src/core/model/request.ts';
import { diffAttributes } from '../../../../src/core/planner/diff/diff.ts';
import { answerOf } from '../../../../src/core/platform/answer.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { planFor, resource, resources } from '../../../support/planning/planning.ts';
import { StrictPlatform } from '../../../support/planning/strict-platform.ts';
import { FakePacer } from '../../applier/support/fake-pacer.ts';
import { Disk, FakeState } from '../../applier/support/fake-state.ts';
import { leastOf, sampleOf, valuesOf } from '../../resources/support/samples.ts';

/** The body of an answer with status 200, instead of the platform's. */
type Garble = (request: ApiRequest) => JsonObject | undefined;

/** Garbles the first answer to a call, before or after it took effect. */
function garbled(call: string, body: JsonObject, when: 'before' | 'after', times: number) {
  const platform = new StrictPlatform();
  const calls: string[] = [];
  let left = times;
  const garble: Garble = (request) => (routeName(request) === call && left-- > 0 ? body : undefined);
  const send: Platform['send'] = async (request): Promise<Answer> => {
    calls.push(routeName(request));
    const instead = garble(request);
    if (instead === undefined) return platform.answer(request);
    if (when === 'after') platform.answer(request);
    return answerOf({ status: 200, text: JSON.stringify(instead) }, () => new Date(0));
  };
  return { platform, calls, send };
}

const shared = {
  user: { alice: { nickname: 'A', metadata: { team: 'x' } }, bob: { nickname: 'B' } },
  open_channel: { lobby: { name: 'L' } },
  group_channel: { room: { name: 'R', members: { alice: {} } } },
  custom_type: { support: { allow_links: true } },
};
const first = resources({ ...shared, settings: { application: { push_enabled: false } } });
const second = resources({
  user: { alice: { nickname: 'A2', metadata: { team: 'y' } }, bob: { nickname: 'B', deactivated: true } },
  open_channel: { lobby: { name: 'L2', frozen: true, banned: { bob: {} } } },
  group_channel: { room: { name: 'R2', members: { alice: {}, carol: {} }, metadata: { a: 'b' } } },
  custom_type: { support: { allow_links: false } },
  settings: { application: { push_enabled: true, all_channels: { allow_links: false } } },
});
const carol = resources({ user: { carol: { nickname: 'C' } } });

/** Applies both estates, the second with a garbled answer. */
async function run(call: string, body: JsonObject, when: 'before' | 'after', times = 1) {
  const { platform, calls, send } = garbled(call, body, when, times);
  const disk = new Disk();
  const clock = new VirtualClock(new Date('2026-06-01T00:00:00Z'));
  const apply = (desired: readonly ReturnType<typeof resource>[]) => {
    const { plan } = planFor(desired, new Map(disk.records));
    const ports = {
      platform: { send },
      pacer: new FakePacer(clock),
      state: new FakeState(clock, { disk }),
      clock,
      emit: () => {},
    };
    return clock.run(applyPlan(plan, ports, { random: () => 0.5, answers: answerReader }));
  };
  const { report: before } = await apply([...first, ...carol]);
  const { report } = await apply([...second, ...carol]);
  return { before, report, calls, faults: await platform.faults([...second, ...carol], new Map()) };
}

const errorObject = { error: true, code: 400111, message: 'no' };
const withId = ['POST /users', 'PUT /users/{user_id}', 'POST /open_channels', 'PUT /open_channels/{channel_url}'];
const others = [
  'POST /group_channels',
  'PUT /group_channels/{channel_url}',
  'POST /group_channels/{channel_url}/invite',
  'PUT /open_channels/{channel_url}/freeze',
  'POST /open_channels/{channel_url}/ban',
  'PUT /group_channels/{channel_url}/metadata',
  'PUT /users/{user_id}/metadata',
  'POST /applications/settings_by_channel_custom_type',
  'PUT /applications/settings_by_channel_custom_type/{custom_type}',
  'PUT /applications/push/settings',
  'PUT /applications/settings_global',
];
const cases = [...withId, ...others].flatMap((call) => [
  { call, body: errorObject, when: 'before' as const },
  { call, body: {}, when: 'after' as const },
  ...(withId.includes(call)
    ? [{ call, body: { user_id: 'other', channel_url: 'other' }, when: 'before' as const }]
    : []),
]);

test.for(cases)(
  '$call answered with $body $when its effect is not taken for a success',
  async ({ call, body, when }) => {
    const { before, report, faults, calls } = await run(call, body, when);
    expect([before.outcome, before.failures, report.outcome, report.failures]).toEqual(['done', [], 'done', []]);
    expect(faults).toEqual([]);
    expect([before, report].map(({ stored_otherwise: stored }) => stored)).toEqual([undefined, undefined]);
    // A read, or the same call again, told what had happened.
    expect(calls.filter((made) => made === call || made.startsWith('GET ')).length).toBeGreaterThan(1);
  },
);

test('an edit that is never answered as documented fails, unless a read shows that it took effect', async () => {
  const never = await run('PUT /open_channels/{channel_url}', errorObject, 'before', 1_000);
  expect(never.report).toMatchObject({ exit_code: 4, steps: { unknown: 1 } });
  const always = await run('PUT /open_channels/{channel_url}', {}, 'after', 1_000);
  expect(always.report).toMatchObject({ exit_code: 0 });
});

test.for(['alice ', 'ALICE', 'ａlice'])('an id that comes back as %s is a conflict that names both', async (id) => {
  const { before } = await run('POST /users', { user_id: id }, 'after');
  expect(before.failures).toMatchObject([
    { address: 'user.alice', message: expect.stringContaining(`user_id ${JSON.stringify(id)} instead of "alice"`) },
  ]);
});

describe('the list of calls', () => {
  /** Every call that some edit of an object makes, without those for messages. */
  function callsOfKinds(): Set<string> {
    const made = new Set<string>();
    const note = (requests: readonly (ApiRequest | undefined)[]) => {
      for (const request of requests) if (request !== undefined) made.add(routeName(request));
    };
    for (const kind of registry.filter(({ live }) => live !== undefined)) {
      const key = kind.onlyKey ?? 'key-1';
      note(kind.onlyKey === undefined ? [kind.view(key), kind.remove(key)] : [kind.view(key)]);
      const erasure = kind.erase?.(key);
      note([erasure?.request, erasure?.search?.read]);
      if (kind.disabledState !== neverDisabled) note([kind.disabledState.request(key, true, { leaveChannels: false })]);
      for (const name of Object.keys(kind.attributes)) {
        const values = valuesOf(kind, name);
        const base = { ...leastOf(kind), ...sampleOf(kind).besides?.[name] };
        const blocks = [base, ...(values ?? []).map((value) => ({ ...base, [name]: value })), base];
        const stages = blocks.map((block) => resource(kind.name, key, block));
        for (const [place, { address, attributes: after }] of stages.entries()) {
          const before = stages[place - 1]?.attributes ?? {};
          const type = place === 0 ? ('create' as const) : ('update' as const);
          const { attributes } = diffAttributes(kind, before, after, []);
          const change = { type, address, key: keyOf(address), before, after, attributes, isKnown: () => true };
          note(kind.steps(change).map(({ request }) => request));
        }
      }
    }
    return made;
  }

  test('has every call that a plan makes, and no others', () => {
    const made = callsOfKinds();
    expect([...made].filter((call) => !answeredCalls.has(call))).toEqual([]);
    const isElsewhere = (call: string) =>
      /\/messages|\/migration|\/gdpr\/|\/accept$|\/hide$|^DELETE \/bots.*channel_url/u.test(call);
    expect([...answeredCalls].filter((call) => !made.has(call) && !isElsewhere(call))).toEqual([]);
  });
});
