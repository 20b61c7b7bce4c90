// Tests that people are let into a channel only with the access code that is declared, whatever others did before.
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../src/core/model/address.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import type { Lifecycle } from '../../../src/core/model/resource.ts';
import { restorationOf } from '../../../src/core/planner/undo/restoration.ts';
import { planWords } from '../../../src/core/view/text/plan-problems.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { kindNamed, resource } from '../../support/planning/planning.ts';
import { Rig } from './support/rig.ts';

const people = [resource('user', 'alice', { nickname: 'A' })];
const channel = '/group_channels/club';
const members = { members: { alice: {} } };
const coded = { is_public: true, access_code: { env: 'CODE', revision: 1 } };
const declare = (block: JsonObject | undefined, lifecycle: Lifecycle = {}) =>
  block === undefined ? people : [...people, resource('group_channel', 'club', { ...members, ...block }, lifecycle)];

const befores: Readonly<Record<string, JsonObject | undefined>> = {
  'not there': undefined,
  private: {},
  'private and frozen': { frozen: true },
  'public without a code': { is_public: true },
  'public with the code': coded,
  'public with the code, and frozen': { ...coded, frozen: true },
};
const byHand: Readonly<Record<string, JsonObject>> = {
  nothing: {},
  'made private': { is_public: false },
  'made public without the code': { is_public: true, access_code: '' },
};

describe.each(Object.entries(befores))('a channel that was %s', (_, before) => {
  describe.each(Object.entries(byHand))('others: %s', (hand, body) => {
    test.for([{ isRetired: false }, { isRetired: true }])('is open only with its code, $isRetired', async (how) => {
      const rig = new Rig();
      rig.apply(declare(before));
      if (how.isRetired) rig.apply(people);
      rig.answer({ method: 'PUT', route: channel, body });
      const isSeen = hand !== 'made public without the code';
      const { plan } = await rig.refresh(declare(coded));
      let hasCode = false;
      for (const { request } of plan.steps) {
        if (request === undefined) continue;
        hasCode ||= carriesCode(request);
        if (opens(request)) expect({ request, hasCode }).toEqual({ request, hasCode: true });
      }
      rig.run(plan.steps);
      const live = rig.call({ method: 'GET', route: channel });
      const isOpenedHere = plan.steps.length > 0 || isSeen;
      if (isOpenedHere && live.is_public === true) expect(live.is_access_code_required).toBe(true);
    });
  });
});

test('a channel does not become public if its code is ignored', async () => {
  const rig = new Rig();
  rig.apply(declare(coded));
  rig.edit('PUT', channel, { is_public: false });
  const planned = await rig.refresh(declare(coded, { ignore_changes: ['access_code'] }));
  expect(planned.problems.map(({ code }) => code)).toEqual(['group_channel.code-ignored']);
  expect(planned.plan.steps).toEqual([]);
});

test('an undo does not make a channel public whose code it cannot send', () => {
  const address = addressOf('group_channel', 'club');
  const [before, after] = [coded, {}].map((block) => {
    const { attributes } = resource('group_channel', 'club', { ...members, ...block });
    return { address, attributes: block === coded ? { ...attributes, access_code: { revision: 1 } } : attributes };
  });
  const losses: unknown[] = [];
  const touched = { kind: kindNamed('group_channel'), address, before, after, now: after, existed: false };
  const restoration = restorationOf(
    { ...touched, ends: undefined },
    () => undefined,
    (loss) => losses.push(loss),
    planWords,
  );
  expect(restoration?.resource?.attributes.is_public ?? false).toBe(false);
  expect(losses).toEqual(['access_code', 'is_public'].map((what) => ({ reason: 'hidden', address, what })));
});

function carriesCode({ placeholders = [] }: ApiRequest): boolean {
  return placeholders.some(({ field }) => field === 'access_code');
}

function opens({ body = {} }: ApiRequest): boolean {
  return body.is_public === true || body.freeze === false;
}
