// Tests how archives are planned: the calls, their order, the state, and refused changes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { defaultMessagesPolicy, type Policy } from '../../../src/model/policy.ts';
import type { MessagesPlaceholder } from '../../../src/model/request.ts';
import type { Resource } from '../../../src/model/resource.ts';
import type { Step } from '../../../src/model/step.ts';
import { archiveOf } from '../../../src/resources/messages/archive.ts';
import { sentOf } from '../../../src/resources/messages/recorded-calls.ts';
import { archiveOfLines, archiveResource } from '../../support/archives.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { openPolicy, planFor, resources, type State, stateAfter, stateOf } from '../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const time = 1_600_000_000_000;

function lines(count: number, senders: readonly string[] = ['alice']): JsonObject[] {
  return Array.from({ length: count }, (_, place) => ({
    message_type: 'MESG',
    timestamp: time + place,
    user_id: senders[place % senders.length] ?? '',
    message: `text ${place}`,
  }));
}

function history(of: readonly JsonObject[], more: JsonObject = {}, perCall = 100): Resource {
  return archiveResource('group_channel', 'room-1', archiveOfLines('history/room-1.ndjson', of, perCall), more);
}

function estate(room: JsonObject = {}, alice: JsonObject = {}): Resource[] {
  return resources({
    user: { alice: { nickname: 'A', ...alice }, bob: { nickname: 'B' } },
    group_channel: { 'room-1': { members: { alice: {}, bob: {} }, ...room } },
  });
}

function placeholders(steps: Iterable<Step>): MessagesPlaceholder[] {
  return [...steps]
    .flatMap(({ request }) => request?.placeholders ?? [])
    .filter((placeholder) => placeholder.type === 'messages');
}

function shape(steps: Iterable<Step>): string[] {
  return [...steps].map(({ address, action, request }) => {
    const [placeholder] = request?.placeholders ?? [];
    return `${action} ${address}${placeholder?.type === 'messages' ? ` ${placeholder.skip}+${placeholder.count}` : ''}`;
  });
}

const before = estate();
const sent = (count: number, more: JsonObject = {}): State => stateOf([...before, history(lines(count), more)]);
const next = (resource: Resource, state: State) => planFor([...before, resource], state);

describe('a new archive', () => {
  fastTest('is sent in calls of a hundred, each with a begin and a search if its outcome is unknown', () => {
    const steps = [...planFor([...before, history(lines(250))]).plan.steps].filter(
      ({ action }) => action === 'migrate',
    );
    expect(placeholders(steps).map(({ skip, count }) => [skip, count])).toEqual([
      [0, 100],
      [0, 100],
      [0, 50],
    ]);
    for (const step of steps) expect(step).toMatchObject({ begin: true, phase: 'messages' });
    expect(steps[1]?.settle?.read).toMatchObject({
      route: '/group_channels/{channel_url}/messages',
      query: {
        ...{ message_ts: String(time + 100), next_limit: '200', including_removed: 'true' },
        with_sorted_meta_array: 'true',
      },
    });
    expect(steps[1]?.needs).toEqual([steps[0]?.id]);
    expect(JSON.stringify(steps)).not.toContain('text 1');
  });

  fastTest('is sent after its channel, members and senders, and before hiding, freezing and deactivating', () => {
    const desired = estate({ frozen: true }, { deactivated: true });
    const { plan } = planFor([...desired, history(lines(150))]);
    expect(shape(plan.steps)).toEqual([
      'create user.alice',
      'create user.bob',
      'create group_channel.room-1',
      'migrate messages.room-1 0+100',
      'migrate messages.room-1 0+50',
      'freeze group_channel.room-1',
      'deactivate user.alice',
    ]);
    const [, , , , last, freeze, deactivate] = [...plan.steps];
    expect(freeze?.needs).toContain(last?.id);
    expect(deactivate?.needs).toContain(last?.id);
  });

  fastTest('is sent after invitations to a supergroup, and before the status of members is set again', () => {
    const crowd = Object.fromEntries(Array.from({ length: 150 }, (_, place) => [`u${place}`, { nickname: 'U' }]));
    const members = Object.fromEntries(Object.keys(crowd).map((id) => [id, {}]));
    const room = (of: JsonObject) =>
      resources({ user: crowd, group_channel: { 'room-1': { is_super: true, members: of } } });
    const state = stateOf(room({ u0: {}, u1: {} }));
    const hidden = { ...members, u1: { hidden_status: 'hidden_allow_auto_unhide' } };
    const steps = [...planFor([...room(hidden), history(lines(3, ['u0']))], state).plan.steps];
    const [invite, migrate, hide] = [
      'POST /group_channels/{channel_url}/invite',
      'POST /migration/{channel_url}',
      'PUT /group_channels/{channel_url}/hide',
    ].map((name) => steps.filter(({ request }) => `${request?.method} ${request?.route}` === name));
    for (const one of invite ?? []) expect(migrate?.[0]?.needs).toContain(one.id);
    expect(hide?.[0]?.needs).toContain(migrate?.[0]?.id);
  });

  fastTest('has a change that gives its size in one sentence', () => {
    const change = [...planFor([...before, history(lines(250))]).plan.changes].find(
      ({ address }) => address === 'messages.room-1',
    );
    expect(change?.notes).toEqual(['250 messages in 3 calls, first 2020-09-13T12:26:40Z, last 2020-09-13T12:26:40Z']);
    expect(change).toMatchObject({ actions: ['migrate'], reversibility: 'irreversible' });
  });

  fastTest('needs no call if it has no lines', () => {
    expect(shape(next(history([]), stateOf(before)).plan.steps)).toEqual([]);
  });
});

describe('a sent archive', () => {
  const cases: readonly { name: string; resource: Resource; expected: string[]; more?: JsonObject }[] = [
    { name: 'as it was: nothing', resource: history(lines(150)), expected: [] },
    {
      name: 'has grown: the call that it ended in is filled up first',
      resource: history(lines(320)),
      expected: ['migrate messages.room-1 50+50', 'migrate messages.room-1 0+100', 'migrate messages.room-1 0+20'],
    },
    {
      name: 'cut into other calls: the marks are those of lines, not of calls',
      resource: history(lines(150), {}, 30),
      expected: [],
    },
    {
      name: 'readers added: a call for each',
      resource: history(lines(150), { mark_as_read: ['alice', 'bob'] }),
      expected: ['update messages.room-1', 'update messages.room-1'],
    },
    {
      name: 'a reader removed: state alone',
      resource: history(lines(150), { mark_as_read: ['alice'] }),
      more: { mark_as_read: ['alice', 'bob'] },
      expected: ['update messages.room-1'],
    },
    {
      name: 'grown, with readers: new messages are unread, so that all are marked again',
      resource: history(lines(160), { mark_as_read: ['alice', 'bob'] }),
      more: { mark_as_read: ['alice', 'bob'] },
      expected: ['migrate messages.room-1 50+10', 'migrate messages.room-1', 'migrate messages.room-1'],
    },
  ];
  fastTest.for(cases)('$name', ({ resource, expected, more }) => {
    const state = sent(150, more);
    const { plan, problems } = next(resource, state);
    expect(problems).toEqual([]);
    expect(shape(plan.steps)).toEqual(expected);
    expect([...next(resource, stateAfter(state, plan.steps)).plan.steps]).toEqual([]);
  });

  fastTest.for([
    {
      name: 'a line edited',
      of: lines(150).with(119, { ...lines(150)[119], message: 'another' }),
      says: 'has 1 sent line that was edited (line 120). ',
    },
    { name: 'a line taken out', of: lines(150).toSpliced(30, 1), says: 'has 1 sent line that is gone. ' },
    {
      name: 'a line put in',
      of: lines(200).toSpliced(0, 0, ...lines(1)),
      says: 'has 1 new line before lines that were sent (line 2). ',
    },
    { name: 'its end cut off', of: lines(149), says: 'has 1 sent line that is gone. ' },
    {
      name: 'edited and grown',
      of: lines(400).with(149, { ...lines(150)[149], message: 'new' }),
      says: 'has 1 sent line that was edited (line 150). ',
    },
  ])('$name: an error that says how many, at which line, and what to write', ({ of, says }) => {
    const { plan, problems } = next(history(of), sent(150));
    expect(problems).toMatchObject([{ code: 'messages.sent-part-changed', detail: expect.stringContaining(says) }]);
    expect(shape(plan.steps)).toEqual([]);
  });

  fastTest('is unchanged if only the order of keys differs', () => {
    const turned = lines(150).map((line) => Object.fromEntries(Object.entries(line).reverse()));
    expect(next(history(turned), sent(150)).problems).toEqual([]);
  });

  fastTest('is retired without a call when it is no longer declared', () => {
    const { plan } = planFor(before, sent(150));
    expect(shape(plan.steps)).toEqual(['retire messages.room-1']);
    expect([...plan.changes][0]?.notes.join()).toContain('state keeps what was sent');
  });

  fastTest('is reopened temporarily to grow in a frozen channel or by a deactivated sender', () => {
    const closed = (resource: Resource) => [...estate({ frozen: true }, { deactivated: true }), resource];
    const { plan } = planFor(closed(history(lines(160))), stateOf(closed(history(lines(150)))));
    expect(shape(plan.steps)).toEqual([
      'unfreeze group_channel.room-1',
      'reactivate user.alice',
      'migrate messages.room-1 50+10',
      'freeze group_channel.room-1',
      'deactivate user.alice',
    ]);
    const [, , migrate, freeze] = [...plan.steps];
    expect(freeze?.after).toContain(migrate?.id);
  });

  fastTest('needs only the senders of new lines, and others may be deactivated or deleted', () => {
    const old = lines(150, ['alice', 'bob']);
    const more = Array.from({ length: 10 }, (_, place) => ({
      ...lines(1, ['bob'])[0],
      timestamp: time + 1_000 + place,
    }));
    const closed = (resource: Resource) => [...estate({}, { deactivated: true }), resource];
    const { plan } = planFor(closed(history([...old, ...more])), stateOf(closed(history(old))));
    expect(shape(plan.steps)).toEqual(['migrate messages.room-1 50+10']);
  });
});

fastTest('sends mark_as_read: true with its calls, and never separately', () => {
  const marked = { mark_as_read: true };
  const [call] = holesAndBodies(planFor([...before, history(lines(5), marked)]).plan.steps);
  expect(call).toEqual({ update_read_ts: true });
  const { plan } = next(history(lines(150), marked), sent(150));
  expect([...plan.changes][0]?.notes.join()).toContain('from now on');
  expect([...plan.steps].map(({ request }) => request)).toEqual([undefined]);
});

test('only senders of new lines are reactivated, whether lines are appended or late', () => {
  const writer = fc.constantFrom('alice', 'bob', 'carl', undefined);
  const line = fc.record({ writer, isNew: fc.boolean() });
  const people = resources({
    user: { alice: { deactivated: true }, bob: {}, carl: { deactivated: true } },
    group_channel: { 'room-1': { members: { bob: {} } } },
  });
  const policy: Policy = { ...openPolicy, messages: { ...defaultMessagesPolicy, late: 'insert' } };
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (made, perCall) => {
      const all = made.map(({ writer, isNew }, place) => ({
        isNew,
        writer,
        line: {
          ...(writer === undefined ? { message_type: 'ADMM' } : { message_type: 'MESG', user_id: writer }),
          timestamp: time + place,
          message: `text ${place}`,
        },
      }));
      const archive = (of: typeof all) =>
        of.length === 0
          ? []
          : [
              history(
                of.map(({ line }) => line),
                {},
                perCall,
              ),
            ];
      const state = stateOf([...people, ...archive(all.filter(({ isNew }) => !isNew))]);
      const { plan } = planFor([...people, ...archive(all)], state, { policy });
      const reactivated = [...plan.steps].flatMap(({ action, address }) => (action === 'reactivate' ? [address] : []));
      const writers = new Set(all.flatMap(({ isNew, writer }) => (isNew && writer !== 'bob' ? (writer ?? []) : [])));
      expect(reactivated.sort()).toEqual([...writers].map((id) => `user.${id}`).sort());
    }),
    { numRuns: inSuite(40, 200) },
  );
});

function holesAndBodies(steps: Iterable<Step>) {
  return [...steps].filter(({ action }) => action === 'migrate').map(({ request }) => request?.body);
}

test('every line is in one call, in order, and in state, however an archive grows and is divided', () => {
  const growth = fc.array(fc.record({ by: fc.nat({ max: 70 }), perCall: fc.integer({ min: 1, max: 30 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(growth, fc.integer({ min: 1, max: 5 }), (stages, sameTime) => {
      const all = lines(500).map((line, place) => ({
        ...line,
        timestamp: time + Math.floor(place / sameTime),
        message: `t${place % 3}`,
      }));
      let state: State = stateOf(before);
      let count = 0;
      const covered: number[] = [];
      for (const { by, perCall } of stages) {
        count += by;
        const resource = history(all.slice(0, count), {}, perCall);
        const { plan } = next(resource, state);
        const { blocks } = archiveOf(resource.attributes);
        for (const placeholder of placeholders(plan.steps)) {
          const block = blocks.findIndex(({ offset }) => offset === placeholder.offset);
          for (let line = 0; line < placeholder.count; line++) covered.push(block * perCall + placeholder.skip + line);
        }
        state = stateAfter(state, plan.steps);
        expect([...next(resource, state).plan.steps]).toEqual([]);
      }
      expect(covered).toEqual(Array.from({ length: count }, (_, place) => place));
      const marks = archiveOf(history(all.slice(0, count)).attributes)
        .blocks.map((block) => block.marks)
        .join('');
      const { calls } = sentOf(state.get('messages.room-1')?.attributes ?? {});
      expect(calls.map((call) => call.marks).join('')).toBe(marks);
    }),
    { numRuns: inSuite(15, 60) },
  );
});

describe('members with hidden_allow_auto_unhide', () => {
  const hidden = { hidden_status: 'hidden_allow_auto_unhide' };
  const members = (bob: JsonObject): Resource[] => estate({ members: { alice: {}, bob, carl: hidden } });
  const carl = resources({ user: { carl: { nickname: 'C' } } });
  const sentOf = (steps: Iterable<Step>) =>
    [...steps].flatMap(({ request }) =>
      request === undefined || request.route === '/users' ? [] : [`${request.method} ${request.route}`],
    );
  const hide = 'PUT /group_channels/{channel_url}/hide';
  const migrate = 'POST /migration/{channel_url}';

  fastTest('are hidden after the messages and read marks, and recorded only then', () => {
    const history250 = history(lines(250), { mark_as_read: ['alice'] });
    const wanted = [...members(hidden), ...carl, history250];
    const { plan } = planFor(wanted);
    expect(sentOf(plan.steps)).toEqual([
      'POST /group_channels',
      ...[migrate, migrate, migrate],
      'PUT /group_channels/{channel_url}/messages/mark_as_read',
      hide,
      hide,
    ]);
    const [create] = [...plan.steps].filter(({ action, address }) => action === 'create' && address.includes('room'));
    expect(create?.request?.body).not.toHaveProperty('hidden_status');
    expect(create?.entry).toMatchObject({ record: { attributes: { members: { alice: {}, bob: {}, carl: {} } } } });
    const last =
      [...plan.steps].filter(({ request }) => request?.route === '/migration/{channel_url}').at(-1)?.id ?? '';
    for (const step of [...plan.steps].filter(({ phase }) => phase === 'hide')) expect(step.needs).toContain(last);
    expect(planFor(wanted, stateAfter(new Map(), plan.steps)).plan.steps.length).toBe(0);
  });

  fastTest('are hidden by a separate call, also when they are invited', () => {
    const state = stateOf([...estate(), ...carl]);
    const { plan } = planFor([...members({}), ...carl, history(lines(1))], state);
    expect(sentOf(plan.steps)).toEqual(['POST /group_channels/{channel_url}/invite', migrate, hide]);
  });

  fastTest.for<{ name: string; wanted: Resource[]; state?: State }>([
    { name: 'no messages are declared', wanted: members({}) },
    { name: 'the archive has no lines', wanted: [...members({}), history([])] },
    {
      name: 'all of them were sent before',
      wanted: [...members({}), history(lines(3))],
      state: stateOf([...estate(), history(lines(3))]),
    },
    {
      name: 'no message makes the channel reappear',
      wanted: [
        ...estate({ members: { alice: {}, carl: { hidden_status: 'hidden_prevent_auto_unhide' } } }),
        history(lines(3)),
      ],
    },
  ])('come hidden where $name', ({ wanted, state }) => {
    const { plan } = planFor([...wanted, ...carl], state);
    expect(sentOf(plan.steps)).not.toContain(hide);
    const [first] = [...plan.steps].filter(({ phase }) => phase === 'channel' || phase === 'invite');
    expect(first?.request?.body).toHaveProperty('hidden_status.carl');
  });
});

fastTest('a channel that became ephemeral accepts no archive, also when its line is removed', () => {
  const made = { is_ephemeral: true };
  const { problems, plan } = next(history(lines(3)), stateOf(estate(made)));
  expect(problems).toMatchObject([{ code: 'messages.ephemeral', address: 'messages.room-1' }]);
  expect([...plan.steps].filter(({ action }) => action === 'migrate')).toEqual([]);
  expect(next(history(lines(3)), stateOf(estate({ is_ephemeral: false }))).problems).toEqual([]);
});

fastTest('calls that may have been sent are searched first, and state records the progress at any interruption', () => {
  const resource = history(lines(50), {}, 10);
  const record = stateOf([...before, history(lines(13), {}, 10)]).get('messages.room-1');
  const archive = { ...(record?.attributes.archive as JsonObject), unsure_to: 35 };
  let state: State = new Map([
    ...stateOf(before),
    ['messages.room-1', { address: 'messages.room-1', attributes: { ...record?.attributes, archive } }],
  ]);
  expect([...next(resource, state).plan.changes][0]?.notes[0]).toContain('some of the next 22 may have arrived');
  const unsure: boolean[] = [];
  for (let { plan } = next(resource, state); plan.steps.length > 0; { plan } = next(resource, state)) {
    const [step] = plan.steps;
    unsure.push(step?.settle?.unsure === true);
    state = stateAfter(state, step === undefined ? [] : [step]);
  }
  expect(unsure).toEqual([true, true, true, false]);
  const { messages, digest } = archiveOf(resource.attributes);
  expect(state.get('messages.room-1')?.attributes.archive).toEqual({ messages, digest });
});

fastTest('the calls of an archive form a chain, which the plan counts as a whole', () => {
  const { duration } = planFor([...before, history(lines(2_000))]).plan;
  // A user, their channel, then twenty calls one after the other.
  expect(duration.chain).toEqual({ calls: 22, from: 'user.alice', to: 'messages.room-1' });
});

describe('when the channel is deleted', () => {
  const room = 'group_channel.room-1';
  const stateWith = stateOf([...before, history(lines(150))]);
  const found = (desired: readonly Resource[], state: State, more: { targets?: `${string}.${string}`[] } = {}) =>
    planFor(desired, state, { ...livePart(desired, state, { [room]: null }), ...more });

  fastTest('the archive is forgotten before the channel is created again, and sent afterwards', () => {
    const { plan } = found([...before, history(lines(160))], stateWith);
    expect(shape(plan.steps)).toEqual([
      'forget messages.room-1',
      'create group_channel.room-1',
      'migrate messages.room-1 0+100',
      'migrate messages.room-1 0+60',
    ]);
    const [forget, create, migrate] = [...plan.steps];
    expect(create?.needs).toContain(forget?.id);
    expect(migrate?.needs).toContain(create?.id);
    expect([...(plan.drift ?? [])].map(({ address, type, note }) => `${address} ${type}: ${note}`)).toEqual([
      `${room} missing: it is gone from the platform: an apply creates it again; history that no archive holds does not come back`,
      `messages.room-1 missing: it is gone from the platform with ${room}: an apply sends it again`,
    ]);
  });

  fastTest('an archive whose sent lines changed is sent in its current form', () => {
    const { plan, problems } = found([...before, history(lines(10, ['bob']))], stateWith);
    expect(problems).toEqual([]);
    expect(shape(plan.steps)).toContain('migrate messages.room-1 0+10');
  });

  fastTest('an archive that is no longer declared is forgotten before the channel is created again', () => {
    const { plan } = found(before, stateWith);
    expect(shape(plan.steps)).toEqual(['forget messages.room-1', 'create group_channel.room-1']);
    expect([...plan.steps][1]?.needs).toEqual([[...plan.steps][0]?.id]);
    expect([...(plan.drift ?? [])].at(-1)?.note).toContain(`with ${room}: an apply forgets it`);
  });

  fastTest('an archive outside --target is forgotten, and the next plan sends it', () => {
    const { plan } = found([...before, history(lines(150))], stateWith, { targets: [room] });
    expect(shape(plan.steps)).toEqual(['forget messages.room-1', 'create group_channel.room-1']);
  });

  fastTest('an archive is forgotten if its channel is no longer declared', () => {
    expect(shape(found(before.slice(0, 2), stateWith).plan.steps)).toEqual([
      'forget messages.room-1',
      'forget group_channel.room-1',
    ]);
  });

  fastTest('members with hidden_allow_auto_unhide are hidden after the messages', () => {
    const desired = estate({ members: { alice: {}, bob: { hidden_status: 'hidden_allow_auto_unhide' } } });
    const { plan } = found([...desired, history(lines(1))], stateOf([...desired, history(lines(1))]));
    expect([...plan.steps].map(({ phase }) => phase)).toEqual(['revoke', 'channel', 'messages', 'hide']);
  });

  fastTest('an archive of a recreated channel without a record is searched', () => {
    const state: State = new Map([...stateWith].filter(([address]) => address !== room));
    const desired = [...before, history(lines(150))];
    expect(planFor(desired, state).problems).toMatchObject([
      { code: 'plan.part-in-doubt', address: 'messages.room-1' },
    ]);
    expect(shape(found(desired, state).plan.steps)).toEqual([
      'forget messages.room-1',
      'create group_channel.room-1',
      'migrate messages.room-1 0+100',
      'migrate messages.room-1 0+50',
    ]);
    const there = livePart(desired, state, { [room]: { members: { alice: {}, bob: {} } } });
    const { plan } = planFor(desired, state, { ...there, policy: { ...openPolicy, existing: 'adopt' } });
    expect(shape(plan.steps)).toEqual(['adopt group_channel.room-1']);
  });

  test('every line is sent to the new channel once, whatever interrupts the runs', () => {
    const cuts = fc.array(fc.nat({ max: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.nat({ max: 40 }), cuts, fc.boolean(), (had, has, stops, isRefreshed) => {
        const desired = [...before, history(lines(has), {}, 10)];
        let state: State = stateOf([...before, history(lines(had), {}, 10)]);
        let isThere = false;
        const covered: number[] = [];
        for (const [run, stop] of [...stops, Number.POSITIVE_INFINITY].entries()) {
          const live =
            run === 0 || isRefreshed || !isThere ? livePart(desired, state, isThere ? {} : { [room]: null }) : {};
          const { plan, problems } = planFor(desired, state, live);
          expect(problems).toEqual([]);
          const done = [...plan.steps].slice(0, stop);
          isThere ||= done.some(({ action }) => action === 'create');
          for (const { offset } of placeholders(done)) covered.push(offset);
          state = stateAfter(state, done);
        }
        const { blocks } = archiveOf(history(lines(has), {}, 10).attributes);
        expect(covered).toEqual(blocks.map(({ offset }) => offset));
        expect([...planFor(desired, state).plan.steps]).toEqual([]);
      }),
      { numRuns: inSuite(15, 60) },
    );
  });
});
