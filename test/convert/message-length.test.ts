// Tests that texts become as long as the application of the folder accepts them.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeClock } from '../../src/app/context/node-clock.ts';
import { convertExport } from '../../src/app/convert.ts';
import { loadDeclared } from '../../src/app/plans/load-declared.ts';
import { makeFolder, writeFiles } from '../support/folders.ts';
import { readConverted } from './support/converted.ts';

const application = (limits: string) =>
  `version: 1\napplication: { base_url: "https://api-mine.sendbird.com/v3"${limits} }\npolicy: { personal_data: warn }\n`;
const reading = (value: number, host = 'api-mine') => ({
  'chatform-readings.json': JSON.stringify({
    format_version: '1.0',
    application: `${host}.sendbird.com/v3`,
    date: '2026-01-01T00:00:00Z',
    chatform: '0.3.0',
    readings: { messageLength: { value, evidence: '' } },
  }),
});

test.for([
  ['the documented 5,000 characters without a declaration', application(''), {}, [5000, 5000, 2000]],
  ['a shorter declared limit', application(', limits: { message_length: 4000 }'), {}, [4000, 4000, 4000]],
  ['a longer declared limit', application(', limits: { message_length: 20000 }'), {}, [12_000]],
  ['a shorter length that doctor found', application(''), reading(4000), [4000, 4000, 4000]],
  [
    '5,000 if doctor found more, since a manifest must declare more',
    application(''),
    reading(20_000),
    [5000, 5000, 2000],
  ],
  ['5,000 if doctor asked another application', application(''), reading(4000, 'api-other'), [5000, 5000, 2000]],
  [
    'the declared limit rather than that of doctor',
    application(', limits: { message_length: 6000 }'),
    reading(4000),
    [6000, 6000],
  ],
] as const)('splits texts at %s', async ([, declared, readings, expected]) => {
  const folder = await makeFolder();
  const out = join(folder, 'chat');
  await writeFiles(out, { 'application.yaml': declared, ...readings });
  await writeFiles(join(folder, 'export'), {
    'users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
    'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
    'room/2024-01-01.json': JSON.stringify([
      { type: 'message', user: 'U000001', text: 'x'.repeat(12_000), ts: '1704096000.000100' },
    ]),
  });
  const ports = { env: {}, cwd: folder, clock: nodeClock };
  await convertExport({ source: 'slack', exported: join(folder, 'export'), out, ports });
  const lines = (await readConverted(out)).archives.slack_C000001 ?? [];
  expect(lines.map(({ message }) => String(message).length)).toEqual(expected);
  const { diagnostics } = await loadDeclared([out], { ...ports, cwd: out });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});
