// Tests over random chats: whatever the format and however the tables are cut into files, each row has a line in the ledger and
// each message comes back as it was. table.long.test.ts adds exports of several dates.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSuite } from '../../../../support/suite.ts';
import { convertTables } from '../../support/converted.ts';
import { chat, exportOf } from './model.ts';

test('keeps every message of every format unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(chat, async (drawn) => {
      const { mapping, files, facts: expected, rows } = exportOf(drawn, 0);
      const { ledger, facts } = await convertTables(files, mapping);
      expect(new Map(facts.map((one) => [one.id, one]))).toEqual(expected);
      expect(facts).toHaveLength(expected.size);
      expect(new Set(ledger.map(({ at }) => at)).size).toBe(ledger.length);
      const unread = ledger.filter(({ reason }) => reason === 'table.unmapped');
      // Each file of JSON has a note beside its rows.
      expect(unread).toHaveLength(drawn.format === 'json' ? 3 : 0);
      expect(ledger.filter(({ at }) => at.includes('#'))).toHaveLength(rows + unread.length);
      const leftOut = ledger.filter(({ outcome, at }) => outcome === 'left_out' && at.includes('#'));
      expect(leftOut).toEqual(unread);
    }),
    { numRuns: inSuite(15, 60) },
  );
});
