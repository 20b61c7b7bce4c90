// Tests that times are read as the next moment, in the zone that they name.
import { afterEach, expect, test, vi } from 'vitest';
import { parseTime } from '../../src/lib/time-values.ts';

afterEach(() => vi.unstubAllEnvs());

const now = new Date('2026-11-27T22:30:00Z');

test.for([
  ['23:00Z', '2026-11-27T23:00:00.000Z'],
  ['22:30Z', '2026-11-28T22:30:00.000Z'],
  ['04:00Z', '2026-11-28T04:00:00.000Z'],
  ['4:00Z', '2026-11-28T04:00:00.000Z'],
  ['04:00+02:00', '2026-11-28T02:00:00.000Z'],
  ['00:45+02:00', '2026-11-27T22:45:00.000Z'],
  ['20:00-0500', '2026-11-28T01:00:00.000Z'],
  ['17:45-05:00', '2026-11-27T22:45:00.000Z'],
  ['12:15+14:00', '2026-11-28T22:15:00.000Z'],
  ['2026-12-01T04:00:00Z', '2026-12-01T04:00:00.000Z'],
  ['2020-01-01T00:00+01:00', '2019-12-31T23:00:00.000Z'],
] as const)('%s is %s', ([text, moment]) => {
  expect(parseTime(text, now)?.toISOString()).toBe(moment);
});

test.for([
  // Europe/Berlin sets its clocks back at 01:00Z on that day, so 02:00 to 03:00 occurs twice.
  ['02:30', '2027-10-31T00:10:00Z', '2027-10-31T00:30:00.000Z'],
  ['02:30', '2027-10-31T00:40:00Z', '2027-10-31T01:30:00.000Z'],
  ['02:30', '2027-10-31T01:10:00Z', '2027-10-31T01:30:00.000Z'],
  ['02:30', '2027-10-31T01:40:00Z', '2027-11-01T01:30:00.000Z'],
  ['03:00', '2027-10-31T01:40:00Z', '2027-10-31T02:00:00.000Z'],
  // It sets them forward at 01:00Z on that day, so 02:30 does not occur.
  ['02:30', '2027-03-28T00:50:00Z', '2027-03-28T01:30:00.000Z'],
] as const)('%s after %s is %s where clocks are changed', ([text, after, moment]) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(parseTime(text, new Date(after))?.toISOString()).toBe(moment);
});

test('a time without a zone is one of this machine, within a day', () => {
  const moment = parseTime('04:00', now);
  expect([moment?.getHours(), moment?.getMinutes()]).toEqual([4, 0]);
  expect(Number(moment) - Number(now)).toBeGreaterThan(0);
  // A day with a change of the clocks has 25 hours.
  expect(Number(moment) - Number(now)).toBeLessThanOrEqual(25 * 3_600_000);
});

test.for([
  '24:00',
  '12:60',
  '4',
  '04:00:00',
  '4 am',
  '04:00 Z',
  '04:00+2',
  '2026-12-01',
  '2026-13-01T04:00Z',
  '2027-02-30T04:00Z',
  '2027-02-29T04:00',
  '',
])('%j is no time', (text) => {
  expect(parseTime(text, now)).toBeUndefined();
});
