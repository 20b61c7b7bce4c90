// Tests that a rehearsal of an edited history ends as its apply does, whatever messages share a time, a sender and a type.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../../src/core/app/apply.ts';
import { rehearseApply } from '../../../src/tools/rehearsal/rehearse.ts';
import { paths, testPorts } from '../../core/app/support/ports.ts';
import { writeFiles } from '../../support/folders.ts';
import { inSuite } from '../../support/suite.ts';

const chat = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
policy: { messages: { edited: update, late: insert, deleted: delete } }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
open_channels: { lobby: { name: Lobby, messages: { file: lobby.ndjson } } }
`;

/** Few times, senders and texts, so that many lines differ only in their text. */
const line = fc.record({
  of: fc.constantFrom({ message_type: 'ADMM' }, { message_type: 'MESG', user_id: 'alice' }),
  message: fc.constantFrom('a joined', 'b joined', 'c joined'),
  timestamp: fc.integer({ min: 1_600_000_000_000, max: 1_600_000_000_001 }),
});
const history = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) =>
  lines
    .sort((left, right) => left.timestamp - right.timestamp)
    .map(({ of, ...rest }) => `${JSON.stringify({ ...of, ...rest })}\n`)
    .join(''),
);

/** Admin messages of one millisecond. */
const lines = (...messages: readonly string[]) =>
  messages
    .map((message) => `${JSON.stringify({ message_type: 'ADMM', message, timestamp: 1_600_000_000_000 })}\n`)
    .join('');

test('ends as the apply does', async () => {
  await fc.assert(
    fc.asyncProperty(history, history, history, async (...histories) => {
      const ports = await testPorts({ 'chat.yaml': chat });
      for (const text of histories) {
        await writeFiles(ports.cwd, { 'lobby.ndjson': text });
        const { report: expected, missing } = await rehearseApply({ paths, latencyMs: 10 }, ports);
        const { report } = await applyChanges({ paths }, ports);
        const ends = ({ outcome, steps, failures }: typeof report) => ({ outcome, steps, failures });
        expect({ missing, ...ends(expected) }).toEqual({ missing: [], ...ends(report) });
      }
    }),
    { numRuns: inSuite(2, 12), examples: [[lines('a joined', 'b joined'), lines('a joined', 'c joined'), '']] },
  );
});
