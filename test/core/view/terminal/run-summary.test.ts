// Tests the output of a run: its progress, its end, refusals and bugs.
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import type { ApplyEvent, Progress } from '../../../../src/core/model/event.ts';
import { errorAsJson, errorForPeople } from '../../../../src/core/view/terminal/error.ts';
import { createProgressView, type ProgressOptions, progressLine } from '../../../../src/core/view/terminal/progress.ts';
import { applySummary } from '../../../../src/core/view/terminal/run-summary.ts';
import { InternalError } from '../../../../src/lib/errors.ts';
import { anyText, harmIn } from '../support/hostile.ts';
import { reports } from '../support/reports.ts';

const options = { color: false, width: 90 };
const picture: Progress = {
  total: 10_000,
  done: 1_200,
  failed: 0,
  unknown: 0,
  skipped: 0,
  running: 8,
  ratePerS: 58.3,
  elapsedS: 20,
  leftS: 149.4,
  refusedS: 0,
  lanes: [
    { route: 'POST /users', total: 2, remaining: 2, running: 1, ratePerS: 58.3, allowedPerS: 60 },
    { route: 'PUT /users/{user_id}', total: 9, remaining: 0, running: 0, ratePerS: 0, allowedPerS: 60 },
  ],
};
const ended = {
  type: 'step.ended',
  step: 'user.a#0',
  address: 'user.a',
  action: 'create',
  outcome: 'succeeded',
} as const satisfies ApplyEvent;
const failed = {
  ...ended,
  outcome: 'failed',
  failure: {
    address: 'user.a',
    action: 'create',
    status: 400,
    code: 400105,
    message: 'nickname must be required.\u{1b}[2J',
  },
} as const satisfies ApplyEvent;

/** Feeds events to a view, each at a given time. */
async function watch(
  mode: ProgressOptions['mode'],
  events: readonly (readonly [number, ApplyEvent])[],
): Promise<string> {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 90,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  });
  let output = '';
  stream.on('data', (chunk) => {
    output += String(chunk);
  });
  let now = 0;
  const view = await createProgressView({ ...options, mode, stream, now: () => now, progress: () => picture });
  for (const [at, event] of events) {
    now = at;
    view.take(event);
  }
  view.end();
  view.end();
  await new Promise((resolve) => setImmediate(resolve));
  return output;
}

describe('progress', () => {
  const run: readonly (readonly [number, ApplyEvent])[] = [
    [0, { type: 'run.started', steps: 10_000, lower_bound_s: 166.7, routes: [] }],
    [1_000, { ...ended, route: 'POST /users' }],
    [29_999, ended],
    [59_000, failed],
    [59_000, { type: 'rate.limited', route: 'POST /users', retry_after_s: 3, refused_for_s: 0 }],
    [60_500, ended],
    [80_000, { ...ended, route: 'POST /users' }],
    [81_000, { type: 'run.stopping', why: 'interrupted' }],
    [121_000, ended],
    [121_500, { type: 'run.ended', outcome: 'interrupted' }],
  ];

  test('prints a plain line a minute with the last failure, and one for each finished route', async () => {
    await expect(await watch('plain', run)).toMatchFileSnapshot('../goldens/progress-plain.txt');
  });

  const unanswered: ApplyEvent = { ...failed, outcome: 'unknown', failure: { ...failed.failure, status: 0 } };
  test.for<[name: string, second: ApplyEvent, third: ApplyEvent, line: string]>([
    ['answered', ended, failed, 'POST /users: all 2 calls finished in 30 s.'],
    ['skipped', ended, { ...ended, outcome: 'skipped' }, 'POST /users: 1 of 2 calls finished in 30 s.'],
    ['without an answer', ended, unanswered, 'POST /users: 1 of 2 calls finished in 30 s.'],
    ['never sent', { ...ended, outcome: 'skipped' }, { ...ended, outcome: 'skipped' }, ''],
  ])('counts only the answered calls of a finished route: %s', async ([, first, last, line]) => {
    const output = await watch('plain', [
      [0, { type: 'run.started', steps: 2, lower_bound_s: 0, routes: [] }],
      [1_000, { ...first, route: 'POST /users' } as ApplyEvent],
      [30_000, { ...last, route: 'POST /users' } as ApplyEvent],
    ]);
    expect(output.split('\n').slice(1, -1).join('\n')).toBe(line);
  });

  test('shows the same in a live line, which disappears at the end', async () => {
    const output = stripVTControlCharacters(await watch('live', run));
    expect(output).toContain('0/10,000');
    expect(output).toContain('last failure: create user.a: nickname must be required.\\u{1b}[2J (400105)\n');
    expect(output).toContain('POST /users  0 of 2        58.3     60');
  });

  test('prints nothing in silent mode', async () => {
    expect(await watch('silent', run)).toBe('');
  });

  test('prints a flood of failures as one line a minute', async () => {
    const flood = Array.from({ length: 100 }, (_, at) => [at * 1_000, failed] as const);
    const lines = (await watch('plain', flood)).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/last failure: create user\.a: .* \(400105\)$/u);
  });

  test.for([
    ['smooth', picture, false, 0, '1,200/10,000 (12 %) · 58.3/s · about 2 min 30 s left'],
    [
      'with trouble',
      { ...picture, failed: 2, unknown: 1, skipped: 30 },
      false,
      2.4,
      '1,233/10,000 (12 %) · 2 failed · 1 unknown · 30 skipped · 58.3/s · rate-limited for 3 s · about 2 min 30 s left',
    ],
    [
      'refused for long',
      { ...picture, ratePerS: 0, refusedS: 425 },
      false,
      60,
      '1,200/10,000 (12 %) · 0/s · every call refused for 7 min 5 s · rate-limited for 1 min · about 2 min 30 s left',
    ],
    ['stopping', picture, true, 0, '1,200/10,000 (12 %) · stopping, 8 running'],
    [
      'at its end',
      { total: 1, done: 1, failed: 0, unknown: 0, skipped: 0, running: 0, ratePerS: 1, leftS: 0, refusedS: 0 },
      false,
      0,
      '1/1 (100 %) · 1/s',
    ],
    [
      'nothing to do',
      { total: 0, done: 0, failed: 0, unknown: 0, skipped: 0, running: 0, ratePerS: 0, leftS: 0, refusedS: 0 },
      false,
      0,
      '0/0 (100 %) · 0/s',
    ],
  ] as const)('line: %s', ([, given, stopping, pausedS, expected]) => {
    expect(progressLine(given, stopping, pausedS)).toBe(expected);
  });
});

describe('summary', () => {
  test.for(Object.entries(reports))('%s', async ([name, report]) => {
    const text = [...applySummary(report, options)].join('');
    await expect(text).toMatchFileSnapshot(`../goldens/summary-${name}.txt`);
    expect(stripVTControlCharacters([...applySummary(report, { ...options, color: true })].join(''))).toBe(text);
  });

  test('compares nothing if the platform allows more than was declared', () => {
    const text = [...applySummary({ ...reports.done, duration_s: 0.3 }, options)].join('');
    expect(text).toMatch(/Took 0\.3 s\.\n/u);
  });

  test('counts kinds of failures beyond those that it lists', () => {
    const failures = Array.from({ length: 14 }, (_, at) => ({
      address: `user.u${at}` as const,
      action: 'create' as const,
      status: 0,
      code: 0,
      message: `reason ${at}`,
    }));
    expect([...applySummary({ ...reports.incomplete, failures }, options)].join('')).toContain(
      '… and 4 more failures of other kinds; see --report',
    );
  });

  test('escapes messages of the platform', () => {
    fc.assert(
      fc.property(anyText, anyText, (key, message) => {
        const failure = { address: `user.${key}` as const, action: 'create' as const, status: 400, code: 0, message };
        expect(
          harmIn(
            [...applySummary({ ...reports.incomplete, failures: [failure], left_open: [`user.${key}`] }, options)].join(
              '',
            ),
          ),
        ).toBeUndefined();
      }),
    );
  });
});

describe('errors', () => {
  const refusal = new Refusal(
    'state.locked',
    7,
    'The state is locked by ada@build-7 (pid 4711) since 08:12.',
    'Wait for that run to end, or pass --lock-timeout.\nA run that died is taken over at once on the same host.',
  );

  test('says what happened and what to do', () => {
    expect([...errorForPeople(refusal, options)].join('')).toBe(
      `error[state.locked]: The state is locked by ada@build-7 (pid 4711) since 08:12.
    Wait for that run to end, or pass --lock-timeout.
    A run that died is taken over at once on the same host.
`,
    );
    expect(JSON.parse(errorAsJson(refusal))).toEqual({
      format_version: '1.0',
      error: { code: 'state.locked', message: refusal.message, advice: refusal.advice, exit_code: 7, diagnostics: [] },
    });
  });

  test('shows the places of a bug and of its causes, and how to report it', () => {
    const text = [
      ...errorForPeople(new InternalError('broken\u{7}', { cause: new TypeError('deeper') }), options),
    ].join('');
    expect(text).toMatch(/^error\[internal\]: broken\\u\{7\}\n {4}at /u);
    expect(text).toMatch(/\n {4}caused by: deeper\n {4}at /u);
    expect(text.replace(/\s+/gu, ' ')).toContain('it is safe to run the same command again. Please report the bug');
    expect(JSON.parse(errorAsJson(new Error('x'))).error).toMatchObject({
      code: 'unexpected',
      message: 'x',
      exit_code: 1,
    });
  });

  test.for([
    ['system.call-failed', { code: 'ENOSPC', syscall: 'write' }, 'Check what the message names.'],
    ['system.denied', { code: 'ERR_ACCESS_DENIED', resource: '/srv' }, 'Start Node without --permission'],
    ['system.package-missing', { code: 'ERR_MODULE_NOT_FOUND' }, 'Install chatform again'],
    ['system.package-missing', { code: 'MODULE_NOT_FOUND', pnpCode: 'UNDECLARED_DEPENDENCY' }, 'Install'],
  ] as const)('does not show an error of the surroundings as a bug: %s of %o', ([code, fields, advice]) => {
    const error = Object.assign(new Error('told by others\\n\\nin many lines'), fields);
    const text = [...errorForPeople(error, options)].join('');
    expect(text).toContain(`error[${code}]: `);
    expect(text).toContain(advice);
    expect(text).not.toMatch(/bug|^ *at /mu);
    expect(JSON.parse(errorAsJson(error)).error).toMatchObject({ code, exit_code: 1 });
  });

  test('shows an error of an argument of Node as a bug', () => {
    const error = Object.assign(new TypeError('The "path" argument must be a string'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
    expect([...errorForPeople(error, options)].join('')).toContain('This is a bug in chatform.');
  });

  test('accepts any thrown value', () => {
    expect([...errorForPeople('just text', options)][0]).toBe('error[unexpected]: just text\n');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(harmIn([...errorForPeople(new Error(text), options)].join(''))).toBeUndefined();
        expect(harmIn([...errorForPeople(new Refusal('a', 1, text, text), options)].join(''))).toBeUndefined();
        expect(harmIn(errorAsJson(new Refusal('a', 1, text, text)))).toBeUndefined();
      }),
    );
  });
});

test('the summary distinguishes writes from reads, which a plan can count only in part', () => {
  const [report] = Object.values(reports);
  if (report === undefined) throw new InternalError('there is no report');
  const count = (method: 'GET' | 'PUT', sent: number) => ({ method, route: '/users', sent, retried: 0, limited: 0 });
  const text = (requests: (typeof report)['requests']) => [...applySummary({ ...report, requests }, options)].join('');
  expect(text([count('PUT', 2), count('GET', 3)])).toContain(
    '5 requests (2 writes, 3 reads; a plan counts the fewest reads).',
  );
  expect(text([count('PUT', 2)])).toContain('\n2 requests.\n');
});
