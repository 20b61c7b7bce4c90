// Tests looking at state and repairing it as functions.
import { expect, test } from 'vitest';
import { forgetObjects } from '../../../src/app/upkeep/forget.ts';
import { findLock } from '../../../src/app/upkeep/lock.ts';
import { listAddresses, recordAt } from '../../../src/app/upkeep/records.ts';
import { appliedEstate, identity } from '../support/ports.ts';

test('the state is looked at and repaired', async () => {
  const ports = await appliedEstate();
  const options = { baseUrl: identity };
  expect([...(await listAddresses(['user.*'], options, ports))]).toEqual(['user.alice', 'user.bob']);
  expect(await recordAt('user.bob', options, ports)).toMatchObject({ address: 'user.bob' });
  expect(await findLock(options, ports)).toEqual({ state: 'file:.chatform/state', application: identity });
  const shown: string[] = [];
  const confirm = async (addresses: readonly string[]) => void shown.push(...addresses);
  expect(await forgetObjects(['user.bob'], options, ports, confirm)).toBe(1);
  expect(shown).toEqual(['user.bob']);
  await expect(recordAt('user.bob', options, ports)).rejects.toMatchObject({ code: 'state.unknown-address' });
});
