// Tests which lines of a history file count as new, late, edited or removed, compared with state.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoryFile } from '../../../../src/core/history/lines/history-file.ts';
import { differencesOf } from '../../../../src/core/history/sent/differences.ts';
import type { RecordedCall, SentHistoryFile } from '../../../../src/core/history/sent/recorded-calls.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { historyFileOfLines } from '../../../support/history-files.ts';

const start = 1_600_000_000_000;

function line(id: number, text = `text ${id}`, timestamp = start + id * 10): JsonObject {
  return { message_type: 'MESG', timestamp, user_id: 'alice', message: text };
}

function historyFile(lines: readonly JsonObject[], perCall = 5): HistoryFile {
  return historyFileOfLines('history/room-1.ndjson', lines, perCall);
}

/** Returns the record after all lines were sent. */
function sent(
  lines: readonly JsonObject[],
  perCall = 5,
  change: (call: RecordedCall) => RecordedCall = (call) => call,
): SentHistoryFile {
  const calls = historyFile(lines, perCall).blocks.map(({ marks, identities, first, last }) =>
    change({ marks, identities, first, last, isUnsure: false }),
  );
  return { calls, unsureTo: 0, isChanged: false, hasArrays: false, isRestored: false };
}

const all = Array.from({ length: 23 }, (_none, id) => line(id));

function figures(lines: readonly JsonObject[], before: SentHistoryFile) {
  const { known, edited, gone, late, unsure } = differencesOf(historyFile(lines), before);
  return {
    known,
    edited: edited.map((one) => one.line),
    gone: gone.map(({ call, place }) => [call, place]),
    late,
    unsure: unsure.map((one) => one.line),
  };
}

const same = { known: 23, edited: [], gone: [], late: [], unsure: [] };

describe('compared with 23 lines that were sent in calls of 5', () => {
  test.for<readonly [name: string, lines: readonly JsonObject[], found: Partial<typeof same> | object]>([
    ['the same', all, {}],
    ['grown', [...all, line(30), line(31)], {}],
    ['the first line edited', all.with(0, line(0, 'new')), { edited: [0] }],
    ['the last line edited', all.with(22, line(22, 'new')), { edited: [22] }],
    ['all lines edited', all.map((_none, id) => line(id, 'new')), { edited: [...all.keys()] }],
    ['a line gone', all.toSpliced(7, 1), { known: 22, gone: [[1, 2]] }],
    [
      'the last lines gone',
      all.slice(0, 21),
      {
        known: 21,
        gone: [
          [4, 1],
          [4, 2],
        ],
      },
    ],
    ['all lines gone', [], { known: 0, gone: all.map((_none, id) => [Math.floor(id / 5), id % 5]) }],
    ['a late line', all.toSpliced(7, 0, line(7, 'late', start + 65)), { known: 24, late: [7] }],
    ['a late line at a time that another one has', all.toSpliced(8, 0, line(7, 'late')), { known: 24, late: [8] }],
    [
      'a line gone and another one in its place',
      all.with(7, line(7, 'other', start + 71)),
      { gone: [[1, 2]], late: [7] },
    ],
    [
      'an earlier history in front',
      [...all.map((_none, id) => line(id, 'old', start - 1000 + id)), ...all],
      { known: 46, late: [...all.keys()] },
    ],
    [
      'edited, gone, late and grown at once',
      [
        ...all
          .toSpliced(20, 1)
          .toSpliced(3, 0, line(3, 'late', start + 21))
          .with(1, line(1, 'new')),
        line(40),
      ],
      { known: 23, edited: [1], gone: [[4, 0]], late: [3] },
    ],
  ])('%s', ([, lines, found]) => {
    expect(figures(lines, sent(all))).toEqual({ ...same, ...found });
  });

  test('tells what people see from what only programs read', () => {
    const withData = (id: number, data: string, text?: string) => ({ ...line(id, text), data });
    const before = sent(all.map((_line, id) => withData(id, 'a')));
    const now = all.map((_line, id) =>
      withData(id, id === 3 || id === 4 ? 'b' : 'a', id > 3 && id < 6 ? 'new' : undefined),
    );
    const { edited } = differencesOf(historyFile(now), before);
    expect(edited.map(({ line: place, part }) => [place, part])).toEqual([
      [3, 'data'],
      [4, 'text'],
      [5, 'text'],
    ]);
  });

  test('pairs lines of one sender and millisecond by what people see', () => {
    const [a, b] = ['a', 'b'].map((text) => ({ ...line(0, text), data: 'x' }));
    const { edited } = differencesOf(
      historyFile([
        { ...b, data: 'y' },
        { ...a, message: 'new' },
      ] as JsonObject[]),
      sent([a, b] as JsonObject[]),
    );
    expect(edited.map(({ line: place, was, part }) => [place, was.place, part])).toEqual([
      [0, 1, 'data'],
      [1, 0, 'text'],
    ]);
  });

  test('does not depend on the division into calls', () => {
    const edited = all.with(9, line(9, 'new')).toSpliced(15, 1);
    for (const perCall of [1, 2, 7, 23, 100]) {
      const { known, edited: changed, gone } = differencesOf(historyFile(edited), sent(all, perCall));
      expect([known, changed.length, gone.length]).toEqual([22, 1, 1]);
    }
  });

  test('searches the lines of an unresolved call, and compares them', () => {
    const doubtful = sent(all, 5, (call) => (call.first === start + 50 ? { ...call, isUnsure: true } : call));
    expect(figures(all.with(6, line(6, 'new')), doubtful)).toEqual({ ...same, edited: [6], unsure: [5, 7, 8, 9] });
  });
});

test('accounts for every line and every sent line once', () => {
  const change = fc.record({ at: fc.nat(), what: fc.constantFrom('edit', 'remove', 'insert', 'append') });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(change, { maxLength: 12 }),
      (count, sameTime, perCall, changes) => {
        const timeOf = (id: number) => start + Math.floor(id / sameTime);
        const before = Array.from({ length: count }, (_none, id) => line(id, `text ${id}`, timeOf(id)));
        let lines: readonly JsonObject[] = before;
        for (const [number, { at, what }] of changes.entries()) {
          const place = at % Math.max(1, lines.length);
          const old = lines[place];
          if (what === 'append') lines = [...lines, line(number, `more ${number}`, timeOf(count) + number)];
          else if (old === undefined) continue;
          else if (what === 'edit') lines = lines.with(place, { ...old, message: `new ${number}` });
          else if (what === 'remove') lines = lines.toSpliced(place, 1);
          else lines = lines.toSpliced(place, 0, { ...old, message: `late ${number}`, user_id: 'bob' });
        }
        const { known, edited, gone, late } = differencesOf(historyFile(lines, 7), sent(before, perCall));
        const kept = lines.filter((one) => before.includes(one)).length;
        expect(kept + edited.length + gone.length).toBe(count);
        expect(kept + edited.length + late.length).toBe(known);
        const touched = new Set([...edited.map((one) => one.line), ...late]);
        expect(touched.size).toBe(edited.length + late.length);
        for (const place of touched) expect(before.includes(lines[place] ?? {})).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});
