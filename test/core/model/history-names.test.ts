import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  channelOfHistoryFile,
  HistoryFileNames,
  patternsOfHistoryFiles,
} from '../../../src/core/model/migration/history-names.ts';
import { expectDistinctNames } from '../../support/distinct-names.ts';

const channelUrl = fc.stringMatching(/^(?:[aAbBeE2_-]|\u00e9|e\u0301){1,3}$/u);

test('names of history files are distinct on every file system, stable, and matched by the patterns', () => {
  fc.assert(
    fc.property(fc.uniqueArray(channelUrl), fc.uniqueArray(channelUrl), (first, second) => {
      const before = new HistoryFileNames();
      const given = first.map((url) => before.of(url));
      const names = new HistoryFileNames(given);
      const files = second.map((url) => names.of(url));
      expectDistinctNames([...given, ...files.filter((file) => !given.includes(file))]);
      for (const [place, file] of files.entries()) {
        const url = second[place] ?? '';
        expect(channelOfHistoryFile(file)).toBe(url);
        if (first.includes(url)) expect(file).toBe(before.find(url));
        const matching = patternsOfHistoryFiles(files).filter(
          (pattern) => pattern.replace('{channel_url}', url) === file,
        );
        expect(matching).toHaveLength(1);
      }
    }),
  );
});

test('of two names of an earlier run that differ only in case, the first stays', () => {
  const names = new HistoryFileNames([
    'history/Room.ndjson',
    'history/room.ndjson',
    'users.yaml',
    'history/x/room.ndjson',
  ]);
  expect(names.find('room')).toBeUndefined();
  expect([names.of('Room'), names.of('room')]).toEqual(['history/Room.ndjson', 'history/2/room.ndjson']);
  expect(patternsOfHistoryFiles([])).toEqual([]);
});
