// Tests that long texts are split at words without loss, into messages as long as the application of the folder accepts them.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { loadDeclared } from '../../../src/core/app/opening/load-declared.ts';
import { splitText } from '../../../src/migration/convert/split-text.ts';
import { convertExport } from '../../../src/migration/convert.ts';
import { writeFiles } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readConverted } from './support/converted.ts';
import { said, slackFiles } from './support/small-exports.ts';

test('splits a text into parts that are neither too long nor end in half a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, length) => {
      const parts = splitText(whole, length);
      expect(parts.join('')).toBe(whole);
      for (const part of parts) {
        expect([...part].length).toBeLessThanOrEqual(length);
        expect(part).not.toMatch(/\p{Cs}/u);
      }
    }),
  );
});

test('breaks after a line, else after a word', () => {
  expect(splitText('one two three four', 10)).toEqual(['one two ', 'three four']);
  expect(splitText('12345678\n1234567890', 10)).toEqual(['12345678\n', '1234567890']);
});

const reading = (value: number, host = 'api-mine') =>
  JSON.stringify({
    format_version: '1.0',
    application: `${host}.sendbird.com/v3`,
    date: '2026-01-01T00:00:00Z',
    chatform: '0.3.0',
    behaviours: { messageLength: { value, evidence: '' } },
  });

test.for<readonly [string, declared: number | undefined, behaviours: string | undefined, expected: readonly number[]]>([
  ['the documented 5,000 characters without a declaration', undefined, undefined, [5000, 5000, 2000]],
  ['a shorter declared limit', 4000, undefined, [4000, 4000, 4000]],
  ['a longer declared limit', 20_000, undefined, [12_000]],
  ['a shorter length that calibration found', undefined, reading(4000), [4000, 4000, 4000]],
  [
    '5,000 if calibration found more, since a manifest must declare more',
    undefined,
    reading(20_000),
    [5000, 5000, 2000],
  ],
  ['5,000 if calibration asked another application', undefined, reading(4000, 'api-other'), [5000, 5000, 2000]],
  ['the declared limit rather than that of calibration', 6000, reading(4000), [6000, 6000]],
])('splits texts at %s', async ([, declared, behaviours, expected]) => {
  const folder = await temporaryFolder();
  const out = join(folder, 'chat');
  const limits = declared === undefined ? '' : `, limits: { message_length: ${declared} }`;
  await writeFiles(out, {
    'application.yaml': `version: 1\napplication: { base_url: "https://api-mine.sendbird.com/v3"${limits} }\npolicy: { personal_data: warn }\n`,
    ...(behaviours === undefined ? {} : { 'chatform-behaviours.json': behaviours }),
  });
  const text = 'x'.repeat(12_000);
  await writeFiles(join(folder, 'export'), slackFiles({ 'room/2023-11-14': [{ ...said, text }] }));
  const ports = { env: {}, cwd: folder, clock: nodeClock };
  await convertExport({ source: 'slack', exported: join(folder, 'export'), out, ports });
  const { historyFiles, ledger } = await readConverted(out);
  expect(historyFiles.slack_C000001?.map(({ message }) => String(message).length)).toEqual(expected);
  expect(ledger.at(-1)).toMatchObject({ line: 1, ...(expected.length > 1 ? { lines: expected.length } : {}) });
  const { diagnostics } = await loadDeclared([out], { ...ports, cwd: out });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});
