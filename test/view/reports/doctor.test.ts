// Tests the report of chatform doctor.
import { expect, test } from 'vitest';
import type { ReadingsFile } from '../../../src/model/readings.ts';
import { doctorAsMarkdown, doctorForPeople } from '../../../src/view/reports/doctor.ts';

const file: ReadingsFile = {
  format_version: '1.0',
  application: 'api-1.example/v3`|',
  date: '2026-01-01T00:00:00.000Z',
  chatform: '0.2.0',
  readings: {
    planLimits: { value: 'method', evidence: '6 × PUT | \u001b[31m → 5 admitted' },
    userScope: { undecided: 'the plan allows\ntoo little' },
  },
};
const figures = {
  calls: 118,
  durationMs: 36_600,
  file: 'chatform-readings.json',
  left: [{ kind: 'settings', id: 'chatform-doctor-abcdefgh' }],
};

test('shows each answer, undecided readings, and remaining objects', async () => {
  await expect([...doctorForPeople(file, figures)].join('')).toMatchFileSnapshot('goldens/doctor.txt');
});

test('makes a Markdown table whose cells can contain any text', async () => {
  await expect([...doctorAsMarkdown(file, figures)].join('')).toMatchFileSnapshot('goldens/doctor.md');
});
