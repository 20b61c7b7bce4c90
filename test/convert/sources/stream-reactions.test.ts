// Tests that reactions are found by message, in memory and on disk.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporarySpool } from '../../../src/app/context/spools.ts';
import type { SourceReaction } from '../../../src/convert/export/items.ts';
import { LinkedRows } from '../../../src/convert/export/linked-rows.ts';
import { collectInMemory } from '../../../src/lib/series.ts';

test('gives each message its own reactions in their order', () => {
  const rows = fc.array(fc.record({ message: fc.nat(5), name: fc.string({ maxLength: 5 }) }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, (all) => {
      const spool = temporarySpool(2);
      try {
        for (const collect of [collectInMemory, spool.collect]) {
          const reactions = new LinkedRows<SourceReaction>(collect);
          for (const { message, name } of all) reactions.add(`m${message}`, { name, users: ['u1'] });
          reactions.end();
          for (let message = 0; message <= 5; message++) {
            const own = all.filter((row) => row.message === message).map(({ name }) => ({ name, users: ['u1'] }));
            expect(reactions.of(`m${message}`)).toEqual(own.length === 0 ? undefined : own);
          }
        }
      } finally {
        spool.close();
      }
    }),
    { numRuns: 40 },
  );
});
