// Tests verifying archives as a function.
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/app/apply.ts';
import { verifyMessages } from '../../src/app/verify.ts';
import { writeFiles } from '../support/folders.ts';
import { estate, paths, testPorts } from './support/ports.ts';

test('compares archives with their channels', async () => {
  const message = { message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp: 1_700_000_000_000 };
  const ports = await testPorts({
    'chat.yaml': estate.replace('members:', 'messages: { file: a.ndjson }, members:'),
    'a.ndjson': `${JSON.stringify(message)}\n`,
  });
  const { verification } = await applyChanges({ paths, verify: true }, ports);
  expect(verification).toMatchObject({ exit_code: 0, totals: { matched: 1 } });
  await writeFiles(ports.cwd, {
    'a.ndjson': `${JSON.stringify({ ...message, message: 'Bye', timestamp: message.timestamp + 1 })}\n`,
  });
  expect(await verifyMessages({ paths, isWhole: true }, ports)).toMatchObject({
    exit_code: 4,
    totals: { mismatched: 1 },
  });
});
