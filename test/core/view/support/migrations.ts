// Support: reports of verifications.
import {
  type ChannelFigures,
  type MigrationReport,
  sortedUncompared,
  sumsOf,
  totalled,
} from '../../../../src/core/model/migration-report.ts';

export const time = Date.parse('2019-03-01T08:00:00.250Z');
export const hour = 3_600_000;

export function channel(channel_url: string, more: Partial<ChannelFigures> = {}): ChannelFigures {
  return {
    channel_url,
    file: `history/${channel_url}.ndjson`,
    outcome: 'matched',
    declared: 1_250,
    there: 1_250,
    compared: 600,
    missing: 0,
    deleted: 0,
    doubled: 0,
    moved: 0,
    altered: 0,
    out_of_order: 0,
    others: 0,
    first: time,
    last: time + hour,
    findings: [],
    altered_fields: {},
    not_compared: [],
    ...more,
  };
}

export function report(channels: readonly ChannelFigures[]): MigrationReport {
  const count = (outcome: ChannelFigures['outcome']) => channels.filter((one) => one.outcome === outcome).length;
  const sums = totalled.map((name) => [name, channels.reduce((sum, one) => sum + one[name], 0)]);
  return {
    format_version: '1.0',
    application: 'api-example.sendbird.com/v3',
    by: { user: 'ci', host: 'runner' },
    exit_code: count('matched') === channels.length ? 0 : 4,
    started_at: '2026-06-01T10:00:00.000Z',
    finished_at: '2026-06-01T10:04:00.000Z',
    requests: 40,
    totals: {
      ...(Object.fromEntries(sums) as Record<(typeof totalled)[number], number>),
      channels: channels.length,
      matched: count('matched'),
      mismatched: count('mismatched'),
      unreadable: count('unreadable'),
      altered_fields: sumsOf(channels.map(({ altered_fields }) => altered_fields)),
      not_compared: sortedUncompared(channels.flatMap(({ not_compared }) => not_compared)),
    },
    channels,
  };
}

/** A verification that found something, with the name of each channel. */
export const verified = {
  ...report([
    channel('support-41', { name: 'Support 41' }),
    channel('support-42-of-the-berlin-office', {
      outcome: 'mismatched',
      missing: 2,
      altered: 1,
      altered_fields: { message: 1 },
      findings: [{ what: 'missing', timestamp: time, sender: 'alice' }],
      not_compared: [{ field: 'mentions', why: 'not_shown', messages: 12 }],
    }),
    channel('support-43', { outcome: 'unreadable', note: 'The platform refuses to show it.' }),
  ]),
  by: { user: 'ann', host: 'ci-7' },
};
