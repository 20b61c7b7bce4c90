// Tests which sent lines a channel has to show as its last message.
import { expect, test } from 'vitest';
import { endsQuietly } from '../../../../src/core/history/lines/history-file.ts';
import { markLength } from '../../../../src/core/history/lines/line-mark.ts';
import { lastLineIn, sentHistoryOf } from '../../../../src/core/history/sent/last-message.ts';
import { printCall, type RecordedCall } from '../../../../src/core/history/sent/recorded-calls.ts';

const callAt = (last: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
  marks: `${last}`.repeat(markLength),
  identities: `${last}`.repeat(5),
  first: last,
  last,
  isUnsure: false,
  ...more,
});

const shownAt = (at: number) => ({ at, identity: `${at}`.repeat(5), mark: `${at}`.repeat(4) });

test.for<[what: string, calls: readonly RecordedCall[], shown: number | null, status: string]>([
  ['the last line', [callAt(1), callAt(2)], 2, 'there'],
  ['an earlier line', [callAt(1), callAt(2)], 1, 'absent'],
  ['nothing', [callAt(1)], null, 'absent'],
  ['the line before a quiet one', [callAt(1), callAt(2, { isQuiet: true })], 1, 'there'],
  ['the quiet line', [callAt(1), callAt(2, { isQuiet: true })], 2, 'there'],
  ['nothing instead of a line before a quiet one', [callAt(1), callAt(2, { isQuiet: true })], null, 'absent'],
  ['a later line than a quiet one', [callAt(1), callAt(2, { isQuiet: true })], 3, 'untold'],
  [
    'an earlier line, where a quiet call is unsure',
    [callAt(2), callAt(3, { isQuiet: true, isUnsure: true })],
    1,
    'untold',
  ],
])('a channel that shows %s', ([, calls, shown, status]) => {
  const recorded = Object.fromEntries(calls.map((call, place) => [String(place), printCall(call)]));
  const sent = sentHistoryOf({ calls: { 0: recorded } });
  expect(sent && lastLineIn(sent, shown === null ? null : shownAt(shown))).toBe(status);
});

test('a history of quiet calls alone has no last message to compare', () => {
  expect(sentHistoryOf({ calls: { 0: { 0: printCall(callAt(1, { isQuiet: true })) } } })).toBeUndefined();
});

test('a call is quiet if its last line is silent, or is not the last one of its block', () => {
  const marks = 'm'.repeat(3 * markLength);
  expect([1, 2].map((last) => endsQuietly({ marks }, last))).toEqual([true, false]);
  expect(endsQuietly({ marks, silent: [1] }, 2)).toBe(false);
  expect(endsQuietly({ marks, silent: [2] }, 2)).toBe(true);
});
