// Tests the page of an application: its size, its data, redaction, and that names stay text.
import { describe, expect, test } from 'vitest';
import { mapAsHtml } from '../../../../src/core/view/html/map-page.ts';
import type { ViewOptions } from '../../../../src/core/view/text/options.ts';
import { largeMap } from '../support/application-maps.ts';

const plain: ViewOptions = { color: false, width: 100 };
const print = (...args: Parameters<typeof mapAsHtml>): string => [...mapAsHtml(...args)].join('');
const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '');

test('has a row for each person, then one for each channel with its people by position', () => {
  const rows = dataIn(print(largeMap(20), plain));
  expect(rows).toHaveLength(22);
  expect(rows[1]).toEqual(['p', 'user-1', 'Name 1', 'user', ['deactivated']]);
  expect(rows[20].slice(0, 6)).toEqual(['c', 'group_channel.room-0', 'Room 0', 'support', 1, ['frozen']]);
  expect(rows[20][6].slice(0, 4)).toEqual(['0o', '1h', '2-bt', 3]);
});

test('says how many channels and people there are, and what state does not know', () => {
  const html = print(largeMap(100), plain);
  expect(html).toContain('10 channels and 100 people: 2 frozen, 2 people not managed.');
  expect(html).toContain('objects that nobody declares are not in it');
});

test.for([
  [{}, 'idle', 'As last applied'],
  [{ changedAt: undefined }, 'idle', 'Never applied'],
  [{ inDoubt: 1 }, 'awaits', '1 request has an unknown outcome'],
  [{ inDoubt: 3, changedAt: undefined }, 'awaits', '3 requests have an unknown outcome'],
] as const)('after %j, the pill is %s: %s', ([facts, kind, words]) => {
  const { changedAt = '', ...map } = { ...largeMap(10), ...facts };
  const html = print(changedAt === '' ? map : { ...map, changedAt }, plain);
  expect(html).toContain(`<span class="pill ${kind}">${words}</span>`);
});

describe('with 5,000 users', () => {
  test('has all of them in 4 MiB', () => {
    const html = print(largeMap(5_000), plain);
    expect(Buffer.byteLength(html)).toBeLessThan(4_194_304);
    expect(dataIn(html)).toHaveLength(5_500);
    expect(html).not.toContain('left out');
  });

  test('leaves the last channels out of one that does not fit, and says how many', () => {
    const html = print(largeMap(60_000), plain);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(4_194_304);
    expect(html).toMatch(/\d channels left out/u);
    expect(dataIn(html).length).toBeGreaterThan(60_000);
  });
});

test('hides names on request, and ids that look personal', () => {
  const map = largeMap(10);
  const people = [...map.people.slice(1), { id: 'ann@example.com', name: 'Ann', kind: 'user' as const, marks: [] }];
  const html = print({ ...map, people }, { ...plain, redactionKey: 'key' });
  for (const name of ['Name 1', 'Room 0', 'Ann', 'ann@example.com', 'file:.chatform']) expect(html).not.toContain(name);
  expect(html).toContain('user-1');
});

test('has names as text, whatever they contain', () => {
  const hostile = '</script><script>alert(1)</script>\u001b[31m';
  const html = print(largeMap(20, hostile), plain);
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('\u001b');
  expect(dataIn(html)).toHaveLength(22);
});
