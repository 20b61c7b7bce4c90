// Tests that a call which ends an access token is a danger, wherever it comes from, and with a refresh only if there may be a token.
import { expect, test } from 'vitest';
import { rotatesToken } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { resource } from '../../support/planning/planning.ts';
import { Rig } from './support/rig.ts';

const user = '/users/al';
const declare = (token: JsonObject | undefined) => [
  resource('user', 'al', { nickname: 'A', ...(token === undefined ? {} : { issue_access_token: token }) }),
];
const [first, second] = [{ revision: 1 }, { revision: 2 }];
const byHand = (rig: Rig) => rig.edit('PUT', user, { issue_access_token: true });

const cases: readonly {
  readonly what: string;
  /** The blocks that were applied, and what others did afterwards. */
  readonly applied: readonly (JsonObject | undefined)[];
  readonly others?: (rig: Rig) => void;
  readonly declared: JsonObject | undefined;
  /** Whether it is a danger without a refresh, and with one. */
  readonly dangers: readonly [boolean, boolean];
}[] = [
  { what: 'a new user', applied: [], declared: first, dangers: [false, false] },
  { what: 'a new line, and no token', applied: [undefined], declared: first, dangers: [true, false] },
  {
    what: 'a new line, and a token of others',
    applied: [undefined],
    others: byHand,
    declared: first,
    dangers: [true, true],
  },
  { what: 'a line that is restored', applied: [first, undefined], declared: first, dangers: [true, true] },
  { what: 'an edited revision', applied: [first], declared: second, dangers: [true, true] },
  { what: 'a removed line', applied: [first], declared: undefined, dangers: [false, false] },
  { what: 'another nickname', applied: [first], others: byHand, declared: first, dangers: [false, false] },
];

test.for(cases)('$what', async ({ applied, others, declared, dangers }) => {
  const rig = new Rig();
  for (const token of applied) rig.apply(declare(token));
  others?.(rig);
  const plans = [rig.plan(declare(declared)).plan, (await rig.refresh(declare(declared))).plan];
  const found = plans.map(({ changes }) => [...changes].some((change) => change.dangerous && rotatesToken(change)));
  expect(found).toEqual(dangers);
  expect(plans.map(({ changes }) => [...changes].filter((change) => change.dangerous).length > 0)).toEqual(dangers);
});
