// Tests what happens to an archive when its channel is removed, restored, or created anew by a plan without the archive.
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { archiveOfLines, archiveResource } from '../../support/archives.ts';
import { openPolicy, planFor, resources, stateAfter, stateOf } from '../../support/planning/planning.ts';

const blocks = { user: { alice: { nickname: 'Alice' } }, open_channel: { lobby: {} } };
const lines = [1, 2, 3].map((place) => ({
  message_type: 'MESG',
  timestamp: 1_600_000_000_000 + place,
  user_id: 'alice',
  message: `${place}`,
}));
const archive = archiveResource('open_channel', 'lobby', archiveOfLines('lobby.ndjson', lines));
const channel = resources(blocks);
const whole = [...channel, archive];
const applied = stateOf(whole);
const deleting = { policy: { ...openPolicy, on_remove: { open_channel: 'delete' as const } } };
const removed = resources({ user: blocks.user });

const told = (desired: readonly Resource[], state: ReadonlyMap<Address, StateRecord>, more = {}) => {
  const { plan, problems } = planFor(desired, state, { ...deleting, ...more });
  return [
    ...problems.map(({ code }) => code),
    ...Array.from(plan.steps, ({ address, action }) => `${action} ${address}`),
  ];
};
/** The state after a run that stopped after this number of steps. */
const cutAfter = (count: number) =>
  stateAfter(applied, [...planFor(removed, applied, deleting).plan.steps].slice(0, count));

describe('an archive whose channel is deleted', () => {
  test('is marked before the deletion and forgotten after it', () => {
    const { steps } = planFor(removed, applied, deleting).plan;
    expect(Array.from(steps, ({ id, needs }) => ({ id, needs }))).toEqual([
      { id: 'messages.lobby#1', needs: [] },
      { id: 'open_channel.lobby#1', needs: ['messages.lobby#1'] },
      { id: 'messages.lobby#2', needs: ['messages.lobby#1', 'open_channel.lobby#1'] },
    ]);
  });

  test('counts as sent when both are declared again before the deletion', () => {
    expect(told(whole, cutAfter(1))).toEqual(['update messages.lobby']);
  });

  test('is sent again when the channel was deleted in between', () => {
    expect(told(whole, cutAfter(2))).toEqual([
      'forget messages.lobby',
      'create open_channel.lobby',
      'migrate messages.lobby',
    ]);
  });

  test('is forgotten before a new channel without an archive is made', () => {
    const { steps } = planFor(channel, cutAfter(2), deleting).plan;
    expect(Array.from(steps, ({ id, needs }) => ({ id, needs }))).toEqual([
      { id: 'messages.lobby#1', needs: [] },
      { id: 'open_channel.lobby#1', needs: ['messages.lobby#1'] },
    ]);
  });

  test('is forgotten in the end if nothing is declared again', () => {
    expect(told(removed, cutAfter(2))).toEqual(['forget messages.lobby']);
  });
});

describe('an archive whose channel alone was taken out of state', () => {
  const halfForgotten = new Map([...applied].filter(([address]) => address !== 'open_channel.lobby'));

  test('may have been sent', () => {
    expect(told(whole, halfForgotten)).toContain('plan.part-in-doubt');
  });

  test('may have been sent, also with --target on the channel alone', () => {
    expect(told(whole, halfForgotten, { targets: ['open_channel.lobby'] })).toContain('plan.part-in-doubt');
  });
});

describe('an archive whose line is removed while its channel stays', () => {
  const retired = stateAfter(applied, planFor(channel, applied).plan.steps);
  const grown = archiveOfLines('lobby.ndjson', [...lines, { ...lines[2], timestamp: 1_600_000_001_000 }]);

  test('is retired without a call, and then nothing is left to do', () => {
    expect(told(channel, applied)).toEqual(['retire messages.lobby']);
    expect(retired.get('messages.lobby')?.retired).toBe(true);
    expect(told(channel, retired)).toEqual([]);
  });

  test('is recognised when declared again, and nothing is sent', () => {
    const { plan } = planFor(whole, retired);
    expect(Array.from(plan.steps, ({ action, request }) => ({ action, request }))).toEqual([{ action: 'update' }]);
    expect(stateAfter(retired, plan.steps)).toEqual(applied);
  });

  test('sends only new lines when declared again', () => {
    const { steps } = planFor([...channel, archiveResource('open_channel', 'lobby', grown)], retired).plan;
    const [sent] = Array.from(steps, ({ request }) => request?.placeholders?.[0]).filter((one) => one !== undefined);
    expect(sent).toMatchObject({ skip: 3, count: 1 });
  });

  test('is restored with its channel, which was frozen meanwhile', () => {
    const frozen = stateAfter(applied, planFor(removed, applied).plan.steps);
    const back = planFor(whole, frozen).plan.steps;
    expect(Array.from(back, ({ action }) => action)).not.toContain('migrate');
  });

  test('is forgotten when an entry under removed says so, also later', () => {
    const source = { file: 'a.yaml', line: 1, column: 1 };
    const forgotten = [{ address: 'messages.lobby', on_remove: 'forget', source }] as const;
    for (const state of [applied, retired]) {
      expect(told(channel, state, { removed: forgotten })).toEqual(['forget messages.lobby']);
    }
  });

  test('is forgotten when its channel is deleted later', () => {
    expect(told(removed, retired)).toEqual([
      'forget messages.lobby',
      'delete open_channel.lobby',
      'forget messages.lobby',
    ]);
  });
});

test('removes a channel by the current policy if its return from retirement was interrupted', () => {
  const retired = stateAfter(applied, planFor(removed, applied).plan.steps);
  const [opening] = [...planFor(channel, retired).plan.steps];
  expect(opening?.action).toBe('unfreeze');
  const returning = stateAfter(retired, opening === undefined ? [] : [opening]);
  expect(told(removed, returning)).toEqual([
    'forget messages.lobby',
    'delete open_channel.lobby',
    'forget messages.lobby',
  ]);
  expect(told(removed, retired)).toEqual([]);
});
