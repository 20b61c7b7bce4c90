// Tests reports for people: of a verification, for the person who signs it, of a certificate and of a calibration.
import { describe, expect, test } from 'vitest';
import type { BehavioursFile } from '../../../../src/core/model/behaviours.ts';
import type { MigrationReport } from '../../../../src/core/model/migration-report.ts';
import { calibrationAsMarkdown, calibrationForPeople } from '../../../../src/core/view/reports/calibration.ts';
import { certificateAsHtml, certificateAsMarkdown } from '../../../../src/core/view/reports/certificate.ts';
import { migrationAsMarkdown, migrationForPeople } from '../../../../src/core/view/reports/migration.ts';
import { pageContent } from '../../../support/page-content.ts';
import { certificate } from '../support/certificate.ts';
import { channel, hour, report, time } from '../support/migrations.ts';

const mixed = report([
  channel('lobby', {
    declared: 1,
    there: 1,
    compared: 1,
    last: time,
    not_compared: [{ field: 'dedup_id', why: 'not_shown', messages: 1 }],
  }),
  channel('room|1', {
    outcome: 'mismatched',
    there: 1_251,
    compared: 1_250,
    missing: 1,
    doubled: 2,
    others: 3,
    altered: 4,
    findings: [
      { what: 'missing', timestamp: time + 5, sender: 'alice' },
      { what: 'doubled', timestamp: time + 6 },
      { what: 'altered', timestamp: time + 7, sender: 'bob', fields: ['data', 'file_name'] },
    ],
    altered_fields: { data: 4, file_name: 1 },
    not_compared: [
      { field: 'dedup_id', why: 'not_shown', messages: 1_249 },
      { field: 'file_size', why: 'not_declared', messages: 2 },
    ],
  }),
  channel('vault', {
    outcome: 'unreadable',
    compared: 0,
    last: time + 3 * hour,
    note: 'the platform refuses to show its messages, with code 400108: Not authorized. "Feature" is not enabled.',
  }),
]);

describe('the report to sign', () => {
  test.for<[string, MigrationReport]>([
    ['mixed', mixed],
    ['matched', report([channel('lobby'), channel('room-1')])],
    ['none', report([])],
  ])('%s', async ([name, of]) => {
    await expect([...migrationAsMarkdown(of)].join('')).toMatchFileSnapshot(`goldens/migration-${name}.md`);
  });

  test('says that all messages arrived only if every message was compared', () => {
    const whole = report([channel('lobby', { compared: 1_250 })]);
    expect([...migrationAsMarkdown(whole)].join('')).toContain('**Every message arrived, once and in order.**');
    const sampled = [...migrationAsMarkdown(report([channel('lobby')]))].join('');
    expect(sampled).not.toContain('Every message arrived');
  });

  test('names fields that were not compared even if everything arrived', () => {
    const notShown = { field: 'dedup_id', why: 'not_shown', messages: 1_250 } as const;
    const whole = report([channel('lobby', { compared: 1_250, not_compared: [notShown] })]);
    const page = [...migrationAsMarkdown(whole)].join('');
    expect(page).toContain('**Every message arrived, once and in order. 1 field could not be compared.**');
    expect(page).toContain('| `dedup_id` | 1,250 | declared, but the platform does not show it |');
    expect([...migrationForPeople(whole)].join('')).toContain('Not compared: dedup_id of 1,250 messages');
  });

  test('puts the summary of 10,000 channels on one page, and problems first in the table', () => {
    const many = Array.from({ length: 10_000 }, (_, place) =>
      channel(`room-${place}`, place % 50 === 7 ? { outcome: 'mismatched', missing: 1 } : {}),
    );
    const lines = [...migrationAsMarkdown(report(many))].join('').split('\n');
    const table = lines.findIndex((line) => line.startsWith('| Channel |'));
    expect(table).toBeLessThan(140);
    const rows = lines.slice(table + 2).filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(10_000);
    expect(rows.findIndex((line) => line.includes('| matched |'))).toBe(200);
    expect(lines).toContain('- … and 100 more channels, first in the table below');
  });

  test('shows problems and totals in a terminal', async () => {
    await expect([...migrationForPeople(mixed)].join('')).toMatchFileSnapshot('goldens/migration-mixed.txt');
  });

  test('says that there is nothing to count without a history file', () => {
    expect([...migrationForPeople(report([]))]).toEqual(['No history file is declared: there is nothing to verify.\n']);
  });
});

test('a certificate shows counts, decisions, runs and digests, with a place to sign', async () => {
  await expect(certificateAsMarkdown(certificate)).toMatchFileSnapshot('goldens/certificate.md');
  await expect(pageContent(certificateAsHtml(certificate))).toMatchFileSnapshot('goldens/certificate.html');
});

test('a certificate contains names only as text', () => {
  expect(certificateAsHtml(certificate)).not.toMatch(/<script|<b>|\u202e/u);
  expect(certificateAsMarkdown(certificate)).not.toMatch(/[^\\]<script|\u202e/u);
});

const file: BehavioursFile = {
  format_version: '1.0',
  application: 'api-1.example/v3`|',
  date: '2026-01-01T00:00:00.000Z',
  chatform: '0.3.0',
  behaviours: {
    planLimits: { value: 'method', evidence: '6 × PUT | \u001b[31m → 5 admitted' },
    userScope: { undecided: 'the plan allows\ntoo little' },
  },
};
const figures = {
  calls: 118,
  durationMs: 36_600,
  file: 'chatform-behaviours.json',
  left: [{ kind: 'settings', id: 'chatform-calibrate-abcdefgh' }],
};

test('a calibration shows each answer, undecided behaviours, and remaining objects', async () => {
  await expect([...calibrationForPeople(file, figures)].join('')).toMatchFileSnapshot('goldens/calibration.txt');
  const elsewhere = [...calibrationForPeople(file, { ...figures, file: 'x.json' })].join('');
  expect(elsewhere).toContain(
    'Written to x.json. plan, apply and rehearse use only a file named chatform-behaviours.json.',
  );
});

test('a calibration makes a Markdown table whose cells can contain any text', async () => {
  await expect([...calibrationAsMarkdown(file, figures)].join('')).toMatchFileSnapshot('goldens/calibration.md');
});
