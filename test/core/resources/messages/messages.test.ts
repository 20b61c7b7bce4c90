// Tests how history files are planned: the calls, their order, the state, and refused changes, most of it in goldens/messages.md.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyFileOf } from '../../../../src/core/history/lines/history-file.ts';
import { type PlannedLines, plannedLines } from '../../../../src/core/history/lines/range.ts';
import { sentOf } from '../../../../src/core/history/sent/recorded-calls.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import { defaultMessagesPolicy, type MessagesPolicy, type Policy } from '../../../../src/core/model/policy.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../../support/history-files.ts';
import { livePart } from '../../../support/planning/live-objects.ts';
import {
  openPolicy,
  planFor,
  printRequest,
  resources,
  type State,
  stateAfter,
  stateOf,
} from '../../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';

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
  return historyFileResource('group_channel', 'room-1', historyFileOfLines('history/room-1.ndjson', of, perCall), more);
}

function estate(room: JsonObject = {}, alice: JsonObject = {}): Resource[] {
  return resources({
    user: { alice: { nickname: 'A', ...alice }, bob: { nickname: 'B' } },
    group_channel: { 'room-1': { members: { alice: {}, bob: {} }, ...room } },
  });
}

function linesSent(steps: Iterable<Step>): PlannedLines[] {
  return [...steps]
    .flatMap(({ request }) => request?.placeholders ?? [])
    .flatMap((placeholder) => (placeholder.type === 'list' ? [plannedLines(placeholder.source)] : []));
}

const before = estate();
const sent = (of: readonly JsonObject[], more: JsonObject = {}): State => stateOf([...before, history(of, more)]);
const next = (resource: Resource, state: State) => planFor([...before, resource], state);

const room = 'group_channel.room-1';
const hidden = { hidden_status: 'hidden_allow_auto_unhide' };
const carl = resources({ user: { carl: { nickname: 'C' } } });
const members = (bob: JsonObject): Resource[] => [...estate({ members: { alice: {}, bob, carl: hidden } }), ...carl];
const closed = (resource: Resource) => [...estate({ frozen: true }, { deactivated: true }), resource];
const crowd = (of: JsonObject) =>
  resources({
    user: Object.fromEntries(['u0', 'u1', 'u2', 'u3'].map((id) => [id, { nickname: 'U' }])),
    group_channel: { 'room-1': { is_super: true, members: of } },
  });

interface Scenario {
  readonly desired: readonly Resource[];
  readonly state?: State;
  /** Whether a refresh has found that the channel is gone. */
  readonly isGone?: boolean;
  readonly targets?: Address[];
  /** What the policy says of edited lines. */
  readonly edited?: MessagesPolicy['edited'];
}

const was150 = sent(lines(150));
const withHistory = (of: readonly JsonObject[], more?: JsonObject) => [...before, history(of, more)];
const edited = (count: number, place: number) => lines(count).with(place, { ...lines(150)[place], message: 'another' });

const dataEdited = lines(150).with(7, { ...lines(150)[7], data: '{"seen":true}' });
const bothEdited = dataEdited.with(119, { ...lines(150)[119], message: 'another' });

const SCENARIOS: Readonly<Record<string, Readonly<Record<string, Scenario>>>> = {
  'A new archive': {
    'is sent in calls of a hundred': { desired: withHistory(lines(250)) },
    'is sent before its channel is frozen and its sender deactivated': { desired: closed(history(lines(150))) },
    'is sent after invitations to a supergroup, and before a member is hidden': {
      desired: [...crowd({ u0: {}, u1: hidden, u2: {}, u3: {} }), history(lines(3, ['u0']))],
      state: stateOf(crowd({ u0: {}, u1: {} })),
    },
    'needs no call if it has no lines': { desired: withHistory([]), state: stateOf(before) },
    'is sent with mark_as_read: true': { desired: withHistory(lines(5), { mark_as_read: true }) },
  },
  'A sent archive': {
    'needs no call as it was': { desired: withHistory(lines(150)), state: was150 },
    'fills up the call that it ended in when it has grown': { desired: withHistory(lines(320)), state: was150 },
    'needs no call when it is cut into other calls': {
      desired: [...before, history(lines(150), {}, 30)],
      state: was150,
    },
    'has a call for each added reader': {
      desired: withHistory(lines(150), { mark_as_read: ['alice', 'bob'] }),
      state: was150,
    },
    'has no call for a removed reader': {
      desired: withHistory(lines(150), { mark_as_read: ['alice'] }),
      state: sent(lines(150), { mark_as_read: ['alice', 'bob'] }),
    },
    'marks new messages as read for all readers': {
      desired: withHistory(lines(160), { mark_as_read: ['alice', 'bob'] }),
      state: sent(lines(150), { mark_as_read: ['alice', 'bob'] }),
    },
    'has no call for mark_as_read: true': {
      desired: withHistory(lines(150), { mark_as_read: true }),
      state: was150,
    },
    'has an edited line': { desired: withHistory(edited(150, 119)), state: was150 },
    'lacks a line': { desired: withHistory(lines(150).toSpliced(30, 1)), state: was150 },
    'has a line that was put in': { desired: withHistory(lines(200).toSpliced(0, 0, ...lines(1))), state: was150 },
    'lacks its end': { desired: withHistory(lines(149)), state: was150 },
    'is edited and has grown': { desired: withHistory(edited(400, 149)), state: was150 },
    'has a line with other data alone': { desired: withHistory(dataEdited), state: was150 },
    'has an edited text and other data, which the policy changes alike': {
      ...{ desired: withHistory(bothEdited), state: was150, edited: 'update' },
    },
    'has an edited text and other data, and the policy keeps data': {
      ...{ desired: withHistory(bothEdited), state: was150, edited: { text: 'update', data: 'keep' } },
    },
    'has an edited text and other data, and the policy keeps texts': {
      ...{ desired: withHistory(bothEdited), state: was150, edited: { text: 'keep', data: 'update' } },
    },
    'has an edited text and other data, and the policy says nothing of data': {
      ...{ desired: withHistory(bothEdited), state: was150, edited: { text: 'update' } },
    },
    'is unchanged if only the order of keys differs': {
      desired: withHistory(lines(150).map((line) => Object.fromEntries(Object.entries(line).reverse()))),
      state: was150,
    },
    'is retired when it is no longer declared': { desired: before, state: was150 },
    'is reopened to grow in a frozen channel by a deactivated sender': {
      desired: closed(history(lines(160))),
      state: stateOf(closed(history(lines(150)))),
    },
    'needs only the senders of new lines': {
      desired: closed(
        history([
          ...lines(150, ['alice', 'bob']),
          ...lines(10, ['bob']).map((line) => ({ ...line, timestamp: Number(line.timestamp) + 1000 })),
        ]),
      ),
      state: stateOf(closed(history(lines(150, ['alice', 'bob'])))),
    },
    'cannot be in a channel that became ephemeral': {
      desired: withHistory(lines(3)),
      state: stateOf(estate({ is_ephemeral: true })),
    },
    'may be in a channel that is not ephemeral': {
      desired: withHistory(lines(3)),
      state: stateOf(estate({ is_ephemeral: false })),
    },
  },
  'A member with hidden_allow_auto_unhide': {
    'is hidden after the messages and read marks': {
      desired: [...members(hidden), history(lines(250), { mark_as_read: ['alice'] })],
    },
    'is hidden by a separate call when invited': {
      desired: [...members({}), history(lines(1))],
      state: stateOf([...estate(), ...carl]),
    },
    'comes hidden where no messages are declared': { desired: members({}) },
    'comes hidden where the history file has no lines': { desired: [...members({}), history([])] },
    'comes hidden where all messages were sent before': {
      desired: [...members({}), history(lines(3))],
      state: stateOf([...estate(), history(lines(3))]),
    },
    'comes hidden where no message makes the channel reappear': {
      desired: [
        ...estate({ members: { alice: {}, carl: { hidden_status: 'hidden_prevent_auto_unhide' } } }),
        ...[...carl, history(lines(3))],
      ],
    },
  },
  'When the channel is deleted, a history file': {
    'is forgotten first, and sent to the new channel': {
      desired: withHistory(lines(160)),
      state: was150,
      isGone: true,
    },
    'whose sent lines changed is sent in its current form': {
      desired: withHistory(lines(10, ['bob'])),
      state: was150,
      isGone: true,
    },
    'that is no longer declared is forgotten': { desired: before, state: was150, isGone: true },
    'outside --target is forgotten, and the next plan sends it': {
      ...{ desired: withHistory(lines(150)), state: was150, isGone: true, targets: [room] },
    },
    'is forgotten if its channel is no longer declared': {
      desired: before.slice(0, 2),
      state: was150,
      isGone: true,
    },
    'is sent before members are hidden': {
      desired: [...members({}), history(lines(1))],
      state: stateOf([...members({}), history(lines(1))]),
      isGone: true,
    },
    'is in doubt without a refresh if state lacks the channel': {
      desired: withHistory(lines(150)),
      state: new Map([...was150].filter(([address]) => address !== room)),
    },
    'is sent again after a refresh if state lacks the channel': {
      desired: withHistory(lines(150)),
      state: new Map([...was150].filter(([address]) => address !== room)),
      isGone: true,
    },
  },
};

/** A plan as a list: its steps with those that they need or follow, the notes of the history file, problems, drift, the next plan. */
function told({ desired, state = new Map(), isGone = false, targets, edited: word }: Scenario): string[] {
  const live = isGone ? livePart(desired, state, { [room]: null }) : {};
  const messages = word === undefined ? undefined : { ...defaultMessagesPolicy, edited: word };
  const policy = messages === undefined ? {} : { policy: { ...openPolicy, messages } };
  const only = targets === undefined ? {} : { targets };
  const { plan, problems } = planFor(desired, state, { ...live, ...only, ...policy });
  const steps = [...plan.steps];
  const numbers = (word: string, ids: readonly string[] = []) => {
    const places = ids.map((id) => steps.findIndex((step) => step.id === id) + 1).sort((left, right) => left - right);
    return places.length === 0 ? '' : `, ${word} ${places.join(' and ')}`;
  };
  const shown = steps.map(({ address, action, request, needs, after }, place) => {
    const [batch] = linesSent([steps[place] as Step]);
    const call =
      request === undefined
        ? 'state alone'
        : `\`${printRequest({ ...request, params: { message_id: 'FOUND', ...request.params }, placeholders: [] })}\``;
    const range = batch === undefined ? '' : ` ${batch.skip}+${batch.count}`;
    return `${place + 1}. ${action} ${address}${range}: ${call}${numbers('needs', needs)}${numbers('follows', after)}`;
  });
  const notes = [...plan.changes].filter(({ address }) => address.startsWith('messages.')).flatMap((one) => one.notes);
  const last = [...planFor(desired, stateAfter(state, steps), policy).plan.steps].map(
    ({ action, address }) => `${action} ${address}`,
  );
  return [
    ...(shown.length === 0 ? ['No step.'] : shown),
    ...notes.map((note) => `- note: ${note}`),
    ...problems.map(({ code, address, detail }) => `- problem at ${address}: ${code}: ${detail}`),
    ...[...(plan.drift ?? [])].map(({ address, type, note }) => `- drift: ${address} ${type}: ${note}`),
    ...(last.length === 0 ? [] : [`- the next plan: ${last.join(', ')}`]),
  ];
}

fastTest('the plans of history files equal goldens/messages.md', async () => {
  const page = ['# Plans of archives'];
  for (const [title, scenarios] of Object.entries(SCENARIOS)) {
    page.push('', `## ${title}`);
    for (const [name, scenario] of Object.entries(scenarios)) page.push('', `### … ${name}`, '', ...told(scenario));
  }
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../goldens/messages.md');
});

fastTest(
  'a call begins with an intent, is searched if its outcome is unknown, and the calls count as one chain',
  () => {
    const { steps, duration } = planFor(withHistory(lines(250))).plan;
    const calls = [...steps].filter(({ action }) => action === 'migrate');
    for (const step of calls) expect(step).toMatchObject({ begin: true, phase: 'messages' });
    expect(calls[1]?.search?.read).toMatchObject({
      route: '/group_channels/{channel_url}/messages',
      query: {
        ...{ message_ts: String(time + 100), next_limit: '200', including_removed: 'true', include_reply_type: 'ALL' },
        with_sorted_meta_array: 'true',
      },
    });
    expect(JSON.stringify(calls)).not.toContain('text 1');
    // A user, their channel, then three calls one after the other.
    expect(duration.chain).toEqual({ calls: 5, from: 'user.alice', to: 'messages.room-1' });
  },
);

fastTest('members are recorded as hidden only once they are', () => {
  const { steps } = planFor([...members(hidden), history(lines(1))]).plan;
  const create = [...steps].find(({ action, address }) => action === 'create' && address === room);
  expect(create?.entry).toMatchObject({ record: { attributes: { members: { alice: {}, bob: {}, carl: {} } } } });
});

fastTest('a history file of a channel that is adopted is not sent again', () => {
  const desired = withHistory(lines(150));
  const state: State = new Map([...was150].filter(([address]) => address !== room));
  const there = livePart(desired, state, { [room]: { members: { alice: {}, bob: {} } } });
  const { plan } = planFor(desired, state, { ...there, policy: { ...openPolicy, existing: 'adopt' } });
  expect([...plan.steps].map(({ action, address }) => `${action} ${address}`)).toEqual([`adopt ${room}`]);
});

fastTest('calls that may have been sent are searched first, and state records the progress at any interruption', () => {
  const resource = history(lines(50), {}, 10);
  const record = stateOf([...before, history(lines(13), {}, 10)]).get('messages.room-1');
  const historyFile = { ...(record?.attributes.history as JsonObject), unsure_to: 35 };
  let state: State = new Map([
    ...stateOf(before),
    ['messages.room-1', { address: 'messages.room-1', attributes: { ...record?.attributes, history: historyFile } }],
  ]);
  expect([...next(resource, state).plan.changes][0]?.notes[0]).toContain('some of the next 22 may have arrived');
  const unsure: boolean[] = [];
  for (let { plan } = next(resource, state); plan.steps.length > 0; { plan } = next(resource, state)) {
    const [step] = plan.steps;
    unsure.push(step?.search?.unsure === true);
    state = stateAfter(state, step === undefined ? [] : [step]);
  }
  expect(unsure).toEqual([true, true, true, false]);
  const { messages, digest } = historyFileOf(resource.attributes);
  expect(state.get('messages.room-1')?.attributes.history).toEqual({ messages, digest });
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
      const historyFile = (of: typeof all) =>
        of.length === 0
          ? []
          : [
              history(
                of.map(({ line }) => line),
                {},
                perCall,
              ),
            ];
      const state = stateOf([...people, ...historyFile(all.filter(({ isNew }) => !isNew))]);
      const { plan } = planFor([...people, ...historyFile(all)], state, { policy });
      const reactivated = [...plan.steps].flatMap(({ action, address }) => (action === 'reactivate' ? [address] : []));
      const writers = new Set(all.flatMap(({ isNew, writer }) => (isNew && writer !== 'bob' ? (writer ?? []) : [])));
      expect(reactivated.sort()).toEqual([...writers].map((id) => `user.${id}`).sort());
    }),
    { numRuns: inSuite(40, 200) },
  );
});

test('every line is in one call, in order, and in state, however a history file grows and is divided', () => {
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
        const { blocks } = historyFileOf(resource.attributes);
        for (const placeholder of linesSent(plan.steps)) {
          const block = blocks.findIndex(({ offset }) => offset === placeholder.offset);
          for (let line = 0; line < placeholder.count; line++) covered.push(block * perCall + placeholder.skip + line);
        }
        state = stateAfter(state, plan.steps);
        expect([...next(resource, state).plan.steps]).toEqual([]);
      }
      expect(covered).toEqual(Array.from({ length: count }, (_, place) => place));
      const marks = historyFileOf(history(all.slice(0, count)).attributes)
        .blocks.map((block) => block.marks)
        .join('');
      const { calls } = sentOf(state.get('messages.room-1')?.attributes ?? {});
      expect(calls.map((call) => call.marks).join('')).toBe(marks);
    }),
    { numRuns: inSuite(15, 60) },
  );
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
        for (const { offset } of linesSent(done)) covered.push(offset);
        state = stateAfter(state, done);
      }
      const { blocks } = historyFileOf(history(lines(has), {}, 10).attributes);
      expect(covered).toEqual(blocks.map(({ offset }) => offset));
      expect([...planFor(desired, state).plan.steps]).toEqual([]);
    }),
    { numRuns: inSuite(15, 60) },
  );
});

test('edits of texts and of data follow the policy of each, and the next plan has nothing to do', () => {
  const word = fc.constantFrom('update', 'keep');
  const edit = fc.constantFrom('none', 'text', 'data', 'both', 'gone');
  const sentLines = fc.array(fc.record({ at: fc.nat(3), edit }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sentLines, word, word, fc.integer({ min: 1, max: 5 }), (made, text, data, perCall) => {
      const all = made
        .toSorted((left, right) => left.at - right.at)
        .map(({ at, edit: what }, place) => {
          const line = { message_type: 'MESG', timestamp: time + at, user_id: 'alice', message: `${place}`, data: 'a' };
          const isText = what === 'text' || what === 'both';
          const isData = what === 'data' || what === 'both';
          return {
            what,
            line,
            now: { ...line, ...(isText ? { message: `${place}!` } : {}), data: isData ? 'b' : 'a' },
          };
        });
      const messages = { ...defaultMessagesPolicy, edited: { text, data }, deleted: 'delete' } as const;
      const options = { policy: { ...openPolicy, messages } };
      const state = stateOf([
        ...before,
        history(
          all.map(({ line }) => line),
          {},
          perCall,
        ),
      ]);
      const desired = withHistory(all.filter(({ what }) => what !== 'gone').map(({ now }) => now));
      const { plan } = planFor(desired, state, options);
      const steps = [...plan.steps];
      const count = (...edits: readonly string[]) => all.filter(({ what }) => edits.includes(what)).length;
      // A gone line takes the place of an edited one of its millisecond.
      if (count('gone') === 0) {
        const expected = (text === 'update' ? count('text', 'both') : 0) + (data === 'update' ? count('data') : 0);
        expect(steps.filter(({ request }) => request !== undefined)).toHaveLength(expected);
      }
      expect([...planFor(desired, stateAfter(state, steps), options).plan.steps]).toEqual([]);
    }),
    { numRuns: inSuite(60, 400) },
  );
});
