// Support: a certificate with names from outside that try to be more than text.
import type { Certificate } from '../../../../src/core/model/migration/cutover.ts';
import type { MigrationReport } from '../../../../src/core/model/migration-report.ts';

const by = { user: 'ann', host: 'build-7', commit: '1a2b3c4d5e6f7a8b9c0d', ref: 'refs/heads/main' };
const sha256 = 'ab'.repeat(32);
const run = {
  format_version: '1.0' as const,
  source: 'slack',
  started_at: '2026-06-01T10:00:00.000Z',
  duration_s: 60,
  export: { paths: ['../june.zip'], files: 1, sha256 },
  users: 3,
  channels: 2,
  messages: 12_500,
  lines: { added: 12_500, changed: 0, data_alone: 0, missing: 0 },
  outcomes: { carried: 12_500, changed: 5, left_out: 7 },
  undecided: 0,
  ledger: sha256,
};

export const certificate: Certificate = {
  format_version: '1.0',
  chatform: '0.3.0',
  written_at: '2026-06-02T12:00:00.000Z',
  by,
  application: 'chat.example.com/v3',
  totals: { users: 3, channels: 2, messages: 12_500 },
  channels: [
    {
      channel_url: 'slack_C1',
      name: 'general',
      messages: 12_499,
      first: run.started_at,
      last: '2026-06-01T11:00:00.123Z',
    },
    { channel_url: 'slack_C2', name: '<script>alert(1)</script> | *x* `y`\u202e', messages: 1 },
  ],
  checks: [
    { code: 'cutover.one-run', point: 'A later export was converted, too.', outcome: 'warning', message: 'One <b>.' },
    { code: 'cutover.not-applied', point: 'Every step is applied.', outcome: 'passed' },
    { code: 'history.hidden', point: 'Members see the history.', outcome: 'not_looked_at', message: 'Not known.' },
  ],
  left_out: [
    { reason: 'object.not-carried', lines: 5, decision: 'accepted', by: 'Ann <b>', commit: '0fc54f5053c0aa' },
    { reason: 'message.expired', lines: 1, decision: 'accepted' },
    { reason: 'user.left-out', lines: 2, decision: 'choice' },
  ],
  conversions: [
    run,
    {
      ...run,
      mapping: '../mapping.yaml',
      database: {
        name: 'postgres://db.example.com/app',
        variable: 'DATABASE_URL',
        mapping: sha256,
        tables: [
          { table: 'public.people', rows: 3, sha256, last: { id: '3' } },
          {
            table: 'public.<b>messages',
            rows: 12,
            sha256,
            last: { room: '1', id: '4712' },
            since: {
              column: 'updated_at',
              overlap: 3_600_000,
              from: '2026-06-01 09:00:00+00',
              value: '2026-06-02 10:00:00+00',
            },
          },
        ],
      },
    },
  ],
  applies: [
    {
      by,
      started_at: run.started_at,
      finished_at: run.started_at,
      outcome: 'done',
      plan: sha256,
      steps: 130,
      requests: 131,
    },
  ],
  trail: sha256,
  verification: {
    started_at: '2026-06-02T11:00:00.000Z',
    finished_at: '2026-06-02T11:30:00.000Z',
    requests: 64,
    totals: { compared: 12_500 } as MigrationReport['totals'],
    by,
  },
  files: [{ path: 'history/slack_C1.ndjson', sha256 }],
  digest: 'cd'.repeat(32),
};
