// Tests that objects which are ordered by sketches of themselves get the same steps as when they are ordered whole.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { planObject } from '../../../src/planner/diff/object-plan.ts';
import { inFull, order } from '../../../src/planner/order/order.ts';
import { summaryOf } from '../../../src/planner/order/step-summary.ts';
import { archiveOfLines, archiveResource } from '../../support/archives.ts';
import { kindNamed, openPolicy, resources, stateOf } from '../../support/planning/planning.ts';

const lines = Array.from(
  { length: 40 },
  (_, place): JsonObject => ({
    message_type: 'MESG',
    timestamp: 1_600_000_000_000 + place,
    user_id: place % 2 === 0 ? 'alice' : 'bob',
    message: `text ${place}`,
  }),
);
const before = resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B' } } });
const room = (more: JsonObject) =>
  resources({ group_channel: { 'room-1': { members: { alice: {}, bob: {} }, ...more } } });
const archive = (count: number, marked: JsonObject) =>
  archiveResource('group_channel', 'room-1', archiveOfLines('a.ndjson', lines.slice(0, count), 4), marked);

test('whatever is sent, was sent, marked, hidden, frozen or gone', () => {
  const count = fc.nat({ max: 40 });
  const marked = fc.constantFrom<JsonObject>({}, { mark_as_read: true }, { mark_as_read: ['alice', 'bob'] });
  const channel = fc.constantFrom<JsonObject>(
    {},
    { frozen: true },
    { members: { alice: {}, bob: { hidden_status: 'hidden_allow_auto_unhide' } } },
  );
  fc.assert(
    fc.property(
      count,
      count,
      marked,
      channel,
      channel,
      fc.constantFrom(true, false, 'gone'),
      (had, more, marks, from, to, isKnown) => {
        const was = [...before, ...room(from), archive(had, marks)];
        const state = isKnown === false ? new Map() : stateOf(was);
        const wanted = [archive(Math.min(40, had + more), marks), ...before, ...room(to)];
        const fate = isKnown === 'gone' ? ({ type: 'lost', with: ['group_channel.room-1'] } as const) : undefined;
        const related = { hasChildrenToSend: () => true, ...(fate === undefined ? {} : { status: () => fate }) };
        const planned = () =>
          wanted.flatMap((resource) => {
            const { address } = resource;
            const kind = kindNamed(address.slice(0, address.indexOf('.')));
            const own = kind.isChild === true ? related : { hasChildrenToSend: related.hasChildrenToSend };
            return (
              planObject(kind, { resource, record: state.get(address) }, { policy: openPolicy, related: own }) ?? []
            );
          });
        const whole = order(planned(), { leaveChannels: false });
        const sketches = planned().map((plan) =>
          summaryOf(plan, () => planned().find(({ address }) => address === plan.address)),
        );
        for (const { drafts, address } of sketches)
          if (address.startsWith('messages.')) expect(drafts.length).toBeLessThan(7);
        const sketched = order(sketches, { leaveChannels: false }).map(inFull);
        expect(sketched.map(({ steps }) => steps)).toEqual(whole.map(({ steps }) => steps));
      },
    ),
    { numRuns: 100 },
  );
});
