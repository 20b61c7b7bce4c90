// Support: one report for each way in which a run can end.
import type { StepFailure } from '../../../../src/core/model/event.ts';
import { type ApplyReport, type RunSeries, reportFormatVersion } from '../../../../src/core/model/report.ts';

const done: ApplyReport = {
  format_version: reportFormatVersion,
  outcome: 'done',
  exit_code: 0,
  steps: { planned: 1234, succeeded: 1234, failed: 0, unknown: 0, skipped: 0 },
  requests: [{ method: 'POST', route: '/users', sent: 1234, retried: 0, limited: 0 }],
  started_at: '2026-11-21T08:00:00.000Z',
  finished_at: '2026-11-21T08:00:22.000Z',
  duration_s: 22.4,
  lower_bound_s: 20.6,
  failures: [],
};

const missing = (room: number): StepFailure => ({
  address: `group_channel.room-${room}`,
  action: 'create',
  status: 400,
  code: 400201,
  message: '"User" not found.',
});

/** A minute of calls, with a stall, refused calls and a call that failed. */
const series: RunSeries = {
  slot_s: 5,
  lanes: [
    {
      method: 'POST',
      route: '/users',
      allowed_per_s: 60,
      sent: [240, 300, 60, 0, 290, 295, 300, 180],
      limited: [0, 0, 12, 0, 0, 0, 0, 0],
      retried: [0, 0, 0, 0, 3, 0, 0, 0],
      median_ms: 42.3,
      p95_ms: 180.6,
      p99_ms: 1_220.4,
    },
    {
      method: 'PUT',
      route: '/group_channels/{channel_url}/freeze',
      sent: [0, 0, 0, 0, 0, 0, 2, 1],
      limited: [0, 0, 0, 0, 0, 0, 0, 0],
      retried: [0, 0, 0, 0, 0, 0, 0, 0],
      median_ms: 30,
      p95_ms: 31,
      p99_ms: 31,
    },
  ],
  state_ms: [4, 6, 2_400, 0, 5, 5, 6, 4],
  calls: [
    { address: 'user.alice', action: 'create', call: 'POST /users', at_s: 0.1, took_ms: 40.2, answer: 'ok' },
    {
      address: 'user.trent',
      action: 'update',
      call: 'PUT /users/{user_id}',
      at_s: 3.4,
      took_ms: 51,
      answer: 'refused 400 (400111)',
    },
    {
      address: 'user.alice',
      action: 'create',
      call: 'GET /users/{user_id}',
      at_s: 7.25,
      took_ms: 39,
      answer: 'no answer',
    },
  ],
  calls_left_out: 1_662,
};

export const reports = {
  done,
  nothing: {
    ...done,
    steps: { planned: 0, succeeded: 0, failed: 0, unknown: 0, skipped: 0 },
    requests: [],
    duration_s: 0.01,
    lower_bound_s: 0,
  },
  incomplete: {
    ...done,
    outcome: 'incomplete',
    exit_code: 4,
    steps: { planned: 1234, succeeded: 1170, failed: 26, unknown: 1, skipped: 37 },
    requests: [{ method: 'POST', route: '/users', sent: 1240, retried: 3, limited: 2 }],
    failures: [
      ...Array.from({ length: 25 }, (_, room) => missing(room)),
      { address: 'user.trent', action: 'update', status: 400, code: 400111, message: 'Invalid value: "profile_url".' },
      {
        address: 'user.peggy',
        action: 'create',
        outcome: 'unknown',
        status: 0,
        code: 0,
        message: 'no answer within 30 s',
      },
    ],
  },
  interrupted: {
    ...done,
    outcome: 'interrupted',
    exit_code: 8,
    steps: { planned: 1234, succeeded: 600, failed: 0, unknown: 3, skipped: 0 },
    left_open: ['group_channel.support-42', 'user.mallory'],
    failures: (['user.a', 'user.b', 'user.c'] as const).map((address) => ({
      ...{ address, action: 'create', call: 'POST /users', outcome: 'unknown', status: 0, code: 0 },
      message: 'the run stopped before it could check whether the call took effect; the next run checks it',
    })),
  },
  'out-of-time': {
    ...done,
    outcome: 'out_of_time',
    exit_code: 9,
    steps: { planned: 1_000_000, succeeded: 180_000, failed: 0, unknown: 0, skipped: 0 },
    duration_s: 3000,
    lower_bound_s: 16_667,
    left_open: ['group_channel.support-42'],
  },
  'refused-for-long': {
    ...done,
    outcome: 'incomplete',
    exit_code: 4,
    steps: { planned: 300, succeeded: 120, failed: 0, unknown: 0, skipped: 0 },
    duration_s: 1_310,
    refused_s: 960,
  },
  authentication: {
    ...done,
    outcome: 'authentication',
    exit_code: 3,
    steps: { planned: 10, succeeded: 0, failed: 1, unknown: 0, skipped: 0 },
    failures: [{ address: 'user.a', action: 'create', status: 400, code: 400401, message: 'Invalid "Api-Token".' }],
  },
  pictured: {
    ...done,
    outcome: 'incomplete',
    exit_code: 4,
    duration_s: 39.2,
    steps: { planned: 1665, succeeded: 1664, failed: 1, unknown: 0, skipped: 0 },
    failures: [
      {
        address: 'user.trent',
        action: 'update',
        call: 'PUT /users/{user_id}',
        status: 400,
        code: 400111,
        message: 'Invalid value: "profile_url".',
      },
    ],
    left_open: ['group_channel.support-42'],
    series,
  },
  conflict: { ...done, outcome: 'conflict', exit_code: 6, steps: { ...done.steps, succeeded: 0 } },
  refused: { ...done, outcome: 'refused', exit_code: 5, steps: { ...done.steps, succeeded: 0 } },
} as const satisfies Record<string, ApplyReport>;
