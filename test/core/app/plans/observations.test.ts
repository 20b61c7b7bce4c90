// Tests that observations of a refresh are the same when they are stored on disk.
import { expect, test } from 'vitest';
import { StoredObservations } from '../../../../src/core/app/plans/observations.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import { keepOf } from '../../../../src/core/planner/live/observation.ts';
import { kindNamed, resource } from '../../../support/planning/planning.ts';

test('returns every observation in any order, and stores only new facts', () => {
  const kind = kindNamed('user');
  const seen = Array.from({ length: 6_000 }, (_none, at) => {
    const declared = resource('user', `u${at}`, { nickname: 'N' });
    const record = { address: declared.address, attributes: { nickname: 'N' } };
    const attributes = { nickname: at % 100 === 0 ? 'N' : `Other ${at}` };
    return {
      pair: { record, resource: declared, wants: () => true },
      live: { address: declared.address, exists: true, attributes, facts: {} },
    };
  });
  const kept = new StoredObservations();
  for (const { pair, live } of seen) kept.take(kind, pair, live);
  const asked = [...seen, ...seen.slice(0, 300).reverse()];
  expect(asked.map(({ live }) => kept.get(live.address))).toEqual(
    asked.map(({ pair, live }) => keepOf(kind, pair.record, pair.resource, live)),
  );
  expect(kept.get('user.u100')).toBeUndefined();
  expect(kept.get('user.nobody' as Address)).toBeUndefined();
});
