// Tests which message keeps a reaction or pin when a later history file has its line edited, in another order, or among others of
// the same sender and time.

import { describe, expect, test } from 'vitest';
import { type HistoryFileLine, identityOfLine, lineMark } from '../../../../src/core/history/lines/line.ts';
import { type KnownMarks, knownMarks } from '../../../../src/core/history/marks/known-marks.ts';
import { targetOf } from '../../../../src/core/history/sending/message-search.ts';
import { defaultMessagesPolicy, type MessagesPolicy } from '../../../../src/core/model/policy.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../../support/history-files.ts';
import { openPolicy, planFor, resources, type State, stateAfter, stateOf } from '../../../support/planning/planning.ts';

const time = 1_600_000_000_000;
const address = 'messages.room-1';
const policy = { ...defaultMessagesPolicy, edited: 'update', deleted: 'delete', late: 'insert' } as const;
const estate = resources({
  user: { alice: {}, bob: {} },
  group_channel: { 'room-1': { members: { alice: {}, bob: {} } } },
});

function line(message: string, more: JsonObject = {}): HistoryFileLine {
  return { message_type: 'MESG', timestamp: time, user_id: 'alice', message, ...more };
}

const marked = { reactions: { up: ['bob'] }, pinned: true };
/** Every history file manages reactions and pins, so that those that it lacks are removed. */
const other: HistoryFileLine = { ...line('other'), timestamp: time + 1, reactions: {}, pinned: false };

function history(lines: readonly HistoryFileLine[]) {
  return historyFileResource('group_channel', 'room-1', historyFileOfLines('a.ndjson', [...lines, other]));
}

function keyOf(of: HistoryFileLine, number = 0): string {
  return `${of.timestamp}.${identityOfLine(of)}.${lineMark(of)}.${number}`;
}

function stateWith(lines: readonly HistoryFileLine[]): State {
  return stateOf([...estate, history(lines)]);
}

/** The calls of a plan that add and remove marks, and what state has afterwards. */
function planned(state: State, lines: readonly HistoryFileLine[], messages: Partial<MessagesPolicy> = {}) {
  const { plan } = planFor([...estate, history(lines)], state, {
    policy: { ...openPolicy, messages: { ...policy, ...messages } },
  });
  const calls = [...plan.steps].flatMap(({ request, search }) =>
    targetOf(search)?.reaction === undefined && targetOf(search)?.pin === undefined
      ? []
      : [`${request?.method} ${request?.route.split('/').at(-1)}`],
  );
  return { calls, after: stateAfter(state, plan.steps).get(address)?.attributes ?? {} };
}

function marksIn({ reacted = {}, pins = [], unsure = {}, unsure_pins = [] }: JsonObject) {
  return { reacted, pins, unsure, unsure_pins };
}

function known(state: State, lines: readonly HistoryFileLine[]) {
  return knownMarks({ before: state.get(address)?.attributes ?? {}, after: history(lines).attributes, policy });
}

const [a, b] = [line('a'), line('b')];
const [aMarked, bMarked] = [line('a', marked), line('b', marked)];

function messagesInDoubt({ unsure }: KnownMarks) {
  const of = (isReaction: boolean) =>
    unsure
      .filter(({ reaction }) => (reaction !== undefined) === isReaction)
      .map(({ message }) => message)
      .sort();
  return { reactions: of(true), pins: of(false) };
}

describe('the marks of a message', () => {
  test.for<[name: string, sent: HistoryFileLine[], next: HistoryFileLine[]]>([
    ['keep it in a history file with the lines in another order', [aMarked, b], [b, aMarked]],
    [
      'keep it among lines that differ in nothing that the platform shows',
      [line('a', { ...marked, dedup_id: '1' }), line('a', { dedup_id: '2' })],
      [line('a', { dedup_id: '2' }), line('a', { ...marked, dedup_id: '1' })],
    ],
    ['keep the first of equal lines', [aMarked, a], [aMarked, a]],
    ['keep it when a message of another sender is deleted', [aMarked, line('b', { user_id: 'bob' })], [aMarked]],
  ])('%s', ([, sent, next]) => {
    const state = stateWith(sent);
    expect(known(state, next)).toMatchObject({ unsure: [], firstEdits: [], lastEdits: [] });
    expect(planned(state, next).calls).toEqual([]);
  });

  test('are those of the only line of its sender and time, whether or not it is edited', () => {
    const state = stateWith([aMarked]);
    expect(known(state, [bMarked])).toMatchObject({
      sure: [{ message: keyOf(b), reaction: { key: 'up', user: 'bob' } }, { message: keyOf(b) }],
      unsure: [],
      lastEdits: [],
    });
    const { calls, after } = planned(state, [bMarked]);
    expect(calls).toEqual([]);
    expect(marksIn(after)).toEqual(marksIn(stateWith([bMarked]).get(address)?.attributes ?? {}));
    const renamed: State = new Map([[address, { address, attributes: after }]]);
    expect(known(renamed, [aMarked]).sure).toEqual(known(state, [aMarked]).sure);
  });

  test('stay with the line as it was sent if edited lines are kept', () => {
    const state = stateWith([aMarked]);
    expect(planned(state, [bMarked], { edited: 'keep' }).calls).toEqual([]);
    expect(planned(state, [b], { edited: 'keep' }).calls).toEqual(['DELETE reactions', 'DELETE pin']);
  });

  const edited = line('c');
  test.for<[name: string, next: HistoryFileLine[]]>([
    ['edited', [aMarked, edited]],
    ['deleted', [aMarked]],
    ['inserted', [edited, aMarked, b]],
  ])('are looked for on each message of its sender and time when one is %s', ([, next]) => {
    const state = stateWith([aMarked, b]);
    const keys = next.map((one) => keyOf(one)).sort();
    expect(messagesInDoubt(known(state, next))).toEqual({ reactions: keys, pins: keys });
    const { calls, after } = planned(state, next);
    const looks = next.flatMap((one) => {
      const method = one === aMarked ? 'POST' : 'DELETE';
      return [`${method} pin`, `${method} reactions`];
    });
    expect([...calls].sort()).toEqual(looks.sort());
    const [day = ''] = Object.keys(after.reacted ?? {});
    expect(after).toMatchObject({ pins: [keyOf(a)], reacted: { [day]: { [keyOf(a)]: { up: ['bob'] } } } });
    expect(known(new Map([[address, { address, attributes: after }]]), next)).toMatchObject({
      unsure: [],
      lastEdits: [],
    });
  });

  test('are looked for on each message of its sender and time when one is appended', () => {
    const historyFile = (lines: readonly HistoryFileLine[]) =>
      historyFileResource('group_channel', 'room-1', historyFileOfLines('a.ndjson', lines, 1));
    const before = stateOf([...estate, historyFile([aMarked])]).get(address)?.attributes ?? {};
    const withMore = knownMarks({ before, after: historyFile([aMarked, b, other]).attributes, policy });
    const keys = [keyOf(a), keyOf(b)].sort();
    expect(messagesInDoubt(withMore)).toEqual({ reactions: keys, pins: keys });
    expect(knownMarks({ before, after: historyFile([aMarked, other]).attributes, policy }).firstEdits).toEqual([]);
  });

  test('stay in doubt without a line, and are looked for when it returns', () => {
    const state = stateWith([aMarked]);
    const gone = planned(state, []);
    expect(gone.calls).toEqual([]);
    const record: StateRecord = { address, attributes: gone.after };
    const returned = known(new Map([[address, record]]), [a]);
    expect(returned.sure).toEqual([]);
    expect(messagesInDoubt(returned)).toEqual({ reactions: [keyOf(a)], pins: [keyOf(a)] });
  });

  test('are looked for at a line that was to be deleted, if a kill prevents that and the next history file has it', () => {
    const [c, later] = [line('c'), line('later', { timestamp: time + 1 })];
    const edited = { ...later, message: 'edited' };
    const state = stateWith([aMarked, b, c, later]);
    const [first] = planFor([...estate, history([b, c, edited])], state, {
      policy: { ...openPolicy, messages: policy },
    }).plan.steps;
    expect(first?.action).toBe('update');
    const after = stateAfter(state, first === undefined ? [] : [first]);
    const keys = [a, b, c].map((one) => keyOf(one)).sort();
    expect(messagesInDoubt(known(after, [a, b, c, edited]))).toEqual({ reactions: keys, pins: keys });
  });

  test('are looked for once if they are in doubt at one message', () => {
    const record = stateWith([aMarked, b]).get(address);
    const attributes = { ...record?.attributes, pins: [], unsure_pins: [keyOf(a)] };
    const state: State = new Map([...stateWith([aMarked, b]), [address, { address, attributes }]]);
    const { calls, after } = planned(state, [aMarked, b, line('c', { timestamp: time + 1 })]);
    expect([...calls].sort()).toEqual(['DELETE pin', 'DELETE reactions', 'POST pin', 'POST reactions']);
    expect(marksIn(after)).toMatchObject({ pins: [keyOf(a)], unsure_pins: [] });
  });
});
