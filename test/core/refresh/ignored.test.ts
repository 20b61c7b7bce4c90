// Tests that a value under `ignore_changes` stays as others left it, whatever else an apply changes, with and without a refresh.
// The fast suite samples the other attributes; ignored.long.test.ts takes all.
import { describe, expect, test } from 'vitest';
import type { KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { addressOf } from '../../../src/core/model/address.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { Chance } from '../../promise/support/chance.ts';
import { resource } from '../../support/planning/planning.ts';
import { inSuite, seedOfRun } from '../../support/suite.ts';
import { callsOfEdit, wholeAnswer } from '../resources/support/plain-kind.ts';
import { leastOf, sampleOf, valuesOf } from '../resources/support/samples.ts';
import { Rig } from './support/rig.ts';

const people = ['alice', 'bob', 'mallory', 'trudy'].map((id) => resource('user', id, { nickname: id }));
/** The field of a request that is an attribute's, if it has another name. */
const fields: Readonly<Record<string, string>> = { deactivated: 'is_active', frozen: 'freeze' };
/** By ignored attribute, the attribute whose edit necessarily sets it: an upload sets a URL, and an audience has a code. */
const bound: Readonly<Record<string, readonly string[]>> = {
  profile_url: ['profile_file'],
  cover_url: ['cover_file'],
  profile_file: ['profile_url'],
  cover_file: ['cover_url'],
};

interface Pair {
  readonly kind: KindDefinition;
  readonly ignored: string;
  readonly edited: string;
}

const chance = new Chance(seedOfRun());

/** By ignored attribute, its pairs with every other attribute, or with some of them. */
const byIgnored = registry
  .filter(({ live }) => live !== undefined)
  .flatMap((kind) => {
    const names = Object.keys(kind.attributes).filter((name) => kind.attributes[name]?.change !== 'mode');
    return names.map((ignored): [string, readonly Pair[]] => {
      const others = names.filter((edited) => edited !== ignored && !bound[ignored]?.includes(edited));
      const edits = inSuite([...new Set([chance.one(others), chance.one(others), chance.one(others)])], others);
      return [`${kind.name}.${ignored}`, edits.map((edited) => ({ kind, ignored, edited }))];
    });
  });

describe.each([{ isRefreshed: false }, { isRefreshed: true }])('with a refresh: $isRefreshed', ({ isRefreshed }) => {
  test.for(byIgnored)('%s stays while another attribute is edited', async ([, ofIgnored]) => {
    for (const pair of ofIgnored) await keeps(pair, isRefreshed);
  });
});

async function keeps({ kind, ignored, edited }: Pair, isRefreshed: boolean): Promise<void> {
  const key = kind.onlyKey ?? 'key-1';
  const [was, hand] = valuesOf(kind, ignored) ?? [null, null];
  const [before, after] = valuesOf(kind, edited) ?? [null, null];
  const { besides = {} } = sampleOf(kind);
  const { memberships = '' } = kind;
  const members = memberships === '' ? {} : { [memberships]: valuesOf(kind, memberships)?.[0] ?? {} };
  const base = { ...leastOf(kind), ...members, ...besides[ignored], ...besides[edited], [ignored]: was };
  const declare = (value: JsonValue): Resource[] => [
    ...people,
    resource(kind.name, key, { ...base, [edited]: value }, { ignore_changes: [ignored] }),
  ];
  const rig = new Rig();
  const context = `${kind.name}: ${ignored} ignored, ${edited} edited`;
  rig.apply(declare(before));
  for (const request of byHand(kind, key, ignored, was, hand)) rig.answer(request);
  // The platform drops the code of a channel that becomes private.
  if (ignored === 'access_code' && edited === 'is_public' && after !== true) return;
  const live = () => valueOn(rig, kind, key, ignored, { ...base, [edited]: after });
  const left = live();
  const { plan, problems, refusals } = isRefreshed ? await rig.refresh(declare(after)) : rig.plan(declare(after));
  if (problems.length > 0) return expect(plan.steps, context).toEqual([]);
  // Work on an object that others may have enabled is refused, because it was not read. Other refusals can be acknowledged.
  if (refusals.some(({ code }) => code === 'safety.reopen')) return expect(isRefreshed, context).toBe(false);
  const sent = [...plan.steps].filter(({ address }) => address === addressOf(kind.name, key));
  const carrying = sent.filter(({ action, request }) => !isTemporary(kind, action) && carries(request, ignored));
  expect(carrying, context).toEqual([]);
  for (const { request } of plan.steps) if (request !== undefined) rig.answer(request);
  expect(live(), context).toEqual(left);
}

/** A disabled object is reopened for work and disabled again, as it was read. */
function isTemporary({ disabledState: { disable, enable } }: KindDefinition, action: string): boolean {
  return action === disable || action === enable;
}

function carries(request: ApiRequest | undefined, name: string): boolean {
  const { body = {}, placeholders = [] } = request ?? {};
  return Object.hasOwn(body, fields[name] ?? name) || placeholders.some(({ field }) => field === name);
}

/** What others send to change the attribute. */
function byHand(kind: KindDefinition, key: string, name: string, was: JsonValue, hand: JsonValue): ApiRequest[] {
  if (name === kind.disabledState.attribute)
    return [kind.disabledState.request(key, hand === true, { leaveChannels: false })];
  const least = leastOf(kind);
  return callsOfEdit(kind, key, { ...least, [name]: was }, { ...least, [name]: hand });
}

function valueOn(rig: Rig, kind: KindDefinition, key: string, name: string, attributes: JsonObject) {
  const answer = wholeAnswer(kind, key, attributes, (request) => {
    const answered = rig.answer(request);
    return answered.type === 'ok' ? answered.body : {};
  });
  return kind.observe(answer)[name];
}
