// Tests the live block of an apply: it shows each lane, and never exceeds the terminal.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LaneProgress } from '../../../../src/core/model/event.ts';
import { progressBlock, withBar } from '../../../../src/core/view/terminal/progress.ts';
import { displayWidth } from '../../../../src/core/view/text/layout.ts';

const lanes: LaneProgress[] = [
  { route: 'POST /users', total: 10_000, remaining: 8_800, running: 4, ratePerS: 58.31, allowedPerS: 60 },
  { route: 'POST /group_channels', total: 900, remaining: 900, running: 0, ratePerS: 0, allowedPerS: 10 },
  { route: 'PUT /users/{user_id}', total: 5, remaining: 0, running: 0, ratePerS: 1, allowedPerS: 10 },
  { route: 'POST /open_channels', total: 3, remaining: 1, running: 1, ratePerS: 1.5 },
];

test('has a line below the headings for each unfinished lane', () => {
  expect(progressBlock(['12 %'], lanes, { columns: 100, rows: 24 })).toBe(
    [
      '12 %',
      '  Route                           Calls  Per second  Limit    At least',
      '› POST /users           1,200 of 10,000        58.3     60  2 min 27 s',
      '  POST /group_channels         0 of 900           0     10  1 min 30 s',
      '  POST /open_channels            2 of 3         1.5',
    ].join('\n'),
  );
});

test('counts lanes that do not fit', () => {
  expect(progressBlock(['12 %'], lanes, { columns: 100, rows: 4 }).split('\n')).toEqual([
    '12 %',
    expect.stringContaining('POST /users'),
    '  and 2 more routes',
  ]);
});

test('omits the duration of short lanes, and columns without values', () => {
  const quick = lanes.map((lane) => ({ ...lane, remaining: Math.min(lane.remaining, 90) }));
  const block = progressBlock(['12 %'], quick, { columns: 100, rows: 24 });
  expect(block).not.toContain('At least');
  expect(block).toContain('Limit');
});

test('gives the bar only the room that the line leaves', () => {
  expect(withBar('1 of 4', 0.25, { columns: 80 })).toBe(`${'█'.repeat(7)}${'░'.repeat(23)}  1 of 4`);
  expect(withBar('1 of 4', 0.25, { columns: 24 })).toBe(`${'█'.repeat(3)}${'░'.repeat(10)}  1 of 4`);
  expect(withBar('1 of 4', 1, { columns: 24 })).toBe(`${'█'.repeat(13)}  1 of 4`);
  expect(withBar('1 of 4', 0.25, { columns: 16 })).toBe('1 of 4');
});

test('is smaller than any terminal', () => {
  const lane = fc.record({
    route: fc.string({ unit: 'grapheme' }),
    total: fc.nat(),
    remaining: fc.nat(),
    running: fc.nat(),
    ratePerS: fc.double({ min: 0, max: 1e4, noNaN: true }),
    allowedPerS: fc.double({ min: 0.1, max: 1e4, noNaN: true }),
  });
  const room = fc.record({ columns: fc.integer({ min: 8, max: 200 }), rows: fc.integer({ min: 2, max: 60 }) });
  fc.assert(
    fc.property(fc.array(lane), room, (some, { columns, rows }) => {
      const lines = progressBlock(['12 %'], some, { columns, rows }).split('\n');
      expect(lines.length).toBeLessThan(rows);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns - 3);
    }),
  );
});

test('shows the last failure below the head, even if room is short', () => {
  const head = ['12 %', 'last failure: create user.a: taken (400202)'];
  expect(progressBlock(head, lanes, { columns: 100, rows: 5 }).split('\n')).toEqual([
    ...head,
    expect.stringContaining('› POST /users'),
    '  and 2 more routes',
  ]);
  expect(progressBlock(head, lanes, { columns: 100, rows: 2 })).toBe('12 %');
});
