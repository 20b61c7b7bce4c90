// Tests channels at their limits: a hundred members who are replaced, growing supergroups, invitations by the hundred.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { seededRandom } from '../../../../src/emulator/random.ts';
import type { Series } from '../../../../src/lib/series.ts';
import { stateFaults } from '../../../support/planning/expected.ts';
import { planFor, resources, type State } from '../../../support/planning/planning.ts';
import { StrictPlatform } from '../../../support/planning/strict-platform.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { run } from '../support/run.ts';

const everybody = Array.from({ length: 330 }, (_, index) => `u${String(index).padStart(3, '0')}`);

/** Returns `count` users from `start` on, starting over at the end. All of them exist. */
function room(start: number, count: number, isSuper: boolean): Resource[] {
  const members = Array.from({ length: count }, (_, index) => everybody[(start + index) % everybody.length] ?? '');
  return resources({
    user: Object.fromEntries(everybody.map((id) => [id, { nickname: id }])),
    group_channel: {
      room: {
        members: Object.fromEntries(members.map((id) => [id, {}])),
        operators: [...members].reverse().slice(0, 100),
        ...(isSuper ? { is_super: true } : {}),
      },
    },
  });
}

async function apply(desired: readonly Resource[], state: State, platform: StrictPlatform, random: () => number) {
  const planned = planFor(desired, state);
  expect(planned.problems).toEqual([]);
  const after = run([...planned.plan.steps], state, platform, { random }).state;
  expect(stateFaults(desired, after)).toEqual([]);
  expect(await platform.faults(desired, after)).toEqual([]);
  return { state: after, steps: planned.plan.steps };
}

function shape(steps: Series<Step>): string[] {
  return [...steps]
    .filter(({ address }) => address === 'group_channel.room')
    .map(({ request }) => {
      const ids = request?.body?.user_ids;
      const count = Array.isArray(ids) ? ` ${ids.length}` : '';
      return request === undefined ? '-' : `${request.method} ${request.route}${count}`;
    });
}

const base = '/group_channels/{channel_url}';

describe('full channels', () => {
  test('never have more members than fit, whatever the edits', async () => {
    const revision = fc.record({
      start: fc.nat(329),
      count: fc.oneof(fc.constantFrom(1, 99, 100), fc.integer({ min: 101, max: 330 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(revision, { minLength: 2, maxLength: 4 }), fc.integer(), async (revisions, seed) => {
        const platform = new StrictPlatform();
        let state: State = new Map();
        let isSuper = false;
        for (const { start, count } of revisions) {
          isSuper ||= count > 100;
          state = (await apply(room(start, count, isSuper), state, platform, seededRandom(seed))).state;
        }
      }),
      { numRuns: inSuite(4, 15) },
    );
  });

  fastTest('lose a member and the rights before the next one is invited', async () => {
    const platform = new StrictPlatform();
    const random = seededRandom(1);
    const { state } = await apply(room(0, 100, false), new Map(), platform, random);
    const { steps } = await apply(room(1, 100, false), state, platform, random);
    expect(shape(steps)).toEqual([
      `DELETE ${base}/operators`,
      `PUT ${base}/leave 1`,
      `POST ${base}/invite 1`,
      `POST ${base}/operators`,
    ]);
  });

  fastTest('are created with a hundred members, and invitations of at most a hundred', async () => {
    const { steps } = await apply(room(0, 330, true), new Map(), new StrictPlatform(), seededRandom(1));
    expect(shape(steps)).toEqual([
      'POST /group_channels 100',
      `POST ${base}/invite 100`,
      `POST ${base}/invite 100`,
      `POST ${base}/invite 30`,
      // Only state remains: the creation has finished.
      '-',
    ]);
  });

  fastTest('become supergroups before they exceed the limit of a group channel', async () => {
    const platform = new StrictPlatform();
    const random = seededRandom(1);
    const { state } = await apply(room(0, 100, false), new Map(), platform, random);
    const wanted = room(0, 330, true).map((resource) => {
      const { operators: _same, ...attributes } = resource.attributes;
      const before = state.get(resource.address)?.attributes.operators;
      return before === undefined ? resource : { ...resource, attributes: { ...attributes, operators: before } };
    });
    const { steps } = await apply(wanted, state, platform, random);
    expect(shape(steps)).toEqual([
      `PUT ${base}`,
      `POST ${base}/invite 100`,
      `POST ${base}/invite 100`,
      `POST ${base}/invite 30`,
    ]);
  });
});
