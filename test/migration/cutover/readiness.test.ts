// Tests when a migration is ready for its cutover, and the estimate of its last window.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppliedRun, SeriesRun } from '../../../src/core/model/migration/cutover.ts';
import type { MigrationReport } from '../../../src/core/model/migration-report.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { certificateAsMarkdown } from '../../../src/core/view/reports/certificate.ts';
import { checksForPeople } from '../../../src/core/view/reports/cutover.ts';
import { notReady } from '../../../src/migration/cutover/certificate.ts';
import { blocking, type CutoverFacts, checksOf } from '../../../src/migration/cutover/readiness.ts';
import { estimateWindow } from '../../../src/migration/cutover/window.ts';
import { certificate } from '../../core/view/support/certificate.ts';

const day = 86_400_000;
const begun = Date.parse('2026-01-01T00:00:00Z');

function at(days: number): string {
  return new Date(begun + days * day).toISOString();
}

function run(days: number, lines: number, more: Partial<SeriesRun> = {}): SeriesRun {
  return {
    format_version: '1.0',
    source: 'slack',
    started_at: at(days),
    duration_s: 60,
    export: { paths: [`../export-${days}`], files: 1, sha256: String(days).padStart(64, '0') },
    users: 3,
    channels: 2,
    messages: 10_000,
    lines: { added: lines, changed: 0, data_alone: 0, missing: 0 },
    outcomes: { carried: 10_000, changed: 0, left_out: 0 },
    undecided: 0,
    ledger: 'ledger',
    ...more,
  };
}

function apply(days: number, requests: number, seconds = requests): AppliedRun {
  const started_at = at(days);
  const finished_at = new Date(Date.parse(started_at) + seconds * 1000).toISOString();
  const by = { user: 'ann', host: 'build' };
  return { by, started_at, finished_at, outcome: 'done', plan: 'plan', steps: requests, requests };
}

const totals = { channels: 2, matched: 2, mismatched: 0, unreadable: 0, declared: 10_000, compared: 10_000 };
const verification = {
  application: 'chat.example.com/v3',
  started_at: at(9),
  finished_at: at(9.001),
  exit_code: 0,
  requests: 60,
  totals,
  channels: [],
} as unknown as MigrationReport;

const ready: CutoverFacts = {
  application: 'chat.example.com/v3',
  runs: [run(1, 10_000), run(8, 200)],
  broken: 0,
  applies: [apply(1.1, 900), apply(8.1, 10)],
  messagesPerCall: 100,
  trailFaults: [],
  pending: 0,
  verification,
  ledger: 'ledger',
  edited: [],
  exportChanges: [],
  visibility: [],
};

const cases: readonly (readonly [title: string, facts: Partial<CutoverFacts>, codes: readonly string[]])[] = [
  ['nothing missing', {}, []],
  ['no series', { runs: [], applies: [] }, ['no-series']],
  ['a series that cannot be read', { runs: [], broken: 2 }, ['broken-series']],
  ['one export', { runs: [run(1, 10_000)] }, ['one-run']],
  ['a ledger of another conversion', { ledger: 'other' }, ['ledger']],
  ['no ledger', { ledger: undefined }, ['ledger']],
  ['a changed export', { exportChanges: ['../export/users.json was changed'] }, ['export-changed']],
  ['an edited archive', { edited: ['history/a.ndjson'] }, ['edited']],
  ['open decisions', { runs: [run(1, 10_000), run(8, 200, { undecided: 3 })] }, ['undecided']],
  ['decisions that were open earlier', { runs: [run(1, 10_000, { undecided: 3 }), run(8, 200)] }, []],
  ['steps to do', { pending: 1 }, ['not-applied']],
  ['a refused plan', { pending: 'The manifests are not valid.' }, ['not-planned']],
  ['an edited trail', { trailFaults: ['Entry 2 is missing.'] }, ['trail']],
  ['no verification', { verification: undefined }, ['not-verified']],
  ['a verification of staging', { application: 'other.example.com/v3' }, ['other-application']],
  ['a verification before the last apply', { applies: [apply(1.1, 900), apply(9.5, 10)] }, ['verification-old']],
  ['an apply that ended during the verification', { applies: [apply(8.9999, 10, 86_400)] }, ['verification-old']],
  ['a verification before the last conversion', { runs: [run(1, 10_000), run(9.5, 0)] }, ['verification-old']],
  [
    'a failed verification',
    { verification: { ...verification, exit_code: 4, totals: { ...verification.totals, mismatched: 1 } } },
    ['verification-failed'],
  ],
  [
    'a sample',
    { verification: { ...verification, totals: { ...verification.totals, compared: 300 } } },
    ['verification-sampled'],
  ],
  ['growing differences', { runs: [run(1, 10_000), run(2, 10), run(3, 20), run(4, 40)] }, ['growing']],
  ['as many lines in a shorter time', { runs: [run(1, 10_000), run(4, 40), run(6, 40), run(7, 40)] }, ['growing']],
  ['longer differences after longer gaps', { runs: [run(1, 10_000), run(2, 10), run(4, 20), run(8, 40)] }, []],
  [
    'several problems',
    { pending: 2, verification: undefined, edited: ['a'] },
    ['edited', 'not-applied', 'not-verified'],
  ],
];

describe('readiness', () => {
  test.each(cases)('of %s', (_title, facts, codes) => {
    const checks = checksOf({ ...ready, ...facts }).filter(({ advice }) => advice !== undefined);
    expect(checks.map(({ code }) => code)).toEqual(codes.map((code) => `cutover.${code}`));
  });

  test('names memberships, and no channels, if only the view of members failed', () => {
    const as_member = { users: 2, memberships: 4, hidden_from: 3, not_members: 0, channels: [] };
    const [check] = blocking(checksOf({ ...ready, verification: { ...verification, exit_code: 4, as_member } }));
    expect(check).toMatchObject({
      code: 'cutover.verification-failed',
      message: 'In the verification, 3 memberships did not show the whole history of the channel.',
      advice: expect.stringContaining('display_past_message'),
    });
  });

  test('warns of a single export and of growth, and both can be certified', () => {
    const outcomes = (runs: readonly SeriesRun[]) => [
      ...new Set(checksOf({ ...ready, runs }).map(({ outcome }) => outcome)),
    ];
    expect(outcomes([run(1, 10_000)]).sort()).toEqual(['passed', 'warning']);
    expect(outcomes([run(1, 10_000), run(2, 10), run(3, 20), run(4, 40)]).sort()).toEqual(['passed', 'warning']);
  });
});

/** Facts in which nobody could look at a point. */
const unseen: Readonly<Record<string, Partial<CutoverFacts>>> = {
  'cutover.not-planned': { unreadState: 'The state is elsewhere.' },
  'cutover.not-applied': { unreadState: 'The state is elsewhere.' },
  'cutover.trail': { unreadState: 'The state is elsewhere.' },
  'cutover.other-application': { verification: undefined },
  'cutover.verification-old': { unreadState: 'The state is elsewhere.' },
  'cutover.verification-failed': { application: 'other.example.com/v3' },
  'cutover.verification-sampled': { verification: undefined },
  'history.hidden': { visibility: undefined },
  'history.expires': { visibility: undefined },
  'history.unknown': { visibility: undefined },
};
const findings = (['history.hidden', 'history.expires', 'history.unknown'] as const).map((code) => {
  const visibility = [{ code, message: `Found ${code}.`, advice: 'Decide.', acceptableIf: 'it may be' }];
  return [code, { visibility }] as const;
});
/** Facts in which a point blocks or warns. */
const unmet: Readonly<Record<string, Partial<CutoverFacts>>> = {
  ...Object.fromEntries(cases.flatMap(([, facts, codes]) => codes.map((code) => [`cutover.${code}`, facts]))),
  ...Object.fromEntries(findings),
};
const rows = checksOf(ready).flatMap(({ code }) => [
  [code, 'passed', {}] as const,
  [code, 'unmet', unmet[code] ?? {}] as const,
  ...(unseen[code] === undefined ? [] : [[code, 'not_looked_at', unseen[code]] as const]),
]);

describe('every point', () => {
  test.each(rows)('%s, %s: has one answer in all views', (code, wanted, facts) => {
    const checks = checksOf({ ...ready, ...facts });
    const check = checks.find((one) => one.code === code);
    const { outcome, point = '', message = '' } = check ?? {};
    expect(wanted === 'unmet' ? ['blocks', 'warning'] : [wanted]).toContain(outcome);
    const isBlocking = outcome === 'blocks';
    // The exit code of cutover and of --check, and whether --certificate refuses.
    expect(blocking(checks).some((one) => one.code === code)).toBe(isBlocking);
    expect(notReady(checks).message.includes(message || point)).toBe(isBlocking);
    const terminal = [...checksForPeople(checks)].join('');
    expect(terminal.includes(`error[${code}]: ${message}`)).toBe(isBlocking);
    expect(terminal.includes(`warning[${code}]: ${message}`)).toBe(outcome === 'warning');
    expect(terminal.includes(`  ${code}: ${point} ${message}`)).toBe(outcome === 'not_looked_at');
    const page = certificateAsMarkdown({ ...certificate, checks }).split('\n');
    expect(page.find((line) => line.includes(`| ${code} |`))).toContain(`| ${outcome?.replaceAll('_', ' ')} |`);
  });
});

test.each(findings)('of %s: offers to accept it until the policy does', (code, facts) => {
  const key = code.replace('history.', '');
  const adviceWith = (history: CutoverFacts['history']) =>
    checksOf({ ...ready, ...facts, history }).find((check) => check.code === code)?.advice;
  expect(adviceWith({})).toBe(`Decide. If it may be, say so with policy: {history: {${key}: accept}}.`);
  expect(adviceWith({ [key]: 'accept' })).toBe('Decide.');
});

describe('the estimate of the last window', () => {
  const limits = limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 });
  const estimate = (facts: Partial<CutoverFacts>) => estimateWindow({ ...ready, ...facts, limits });

  test('is unknown before the second export', () => {
    expect(estimate({ runs: [run(1, 10_000)] })).toBeUndefined();
    expect(estimate({ runs: [] })).toBeUndefined();
  });

  test('uses the longest gap, the highest rate and the slowest call', () => {
    // 100 lines in a day, then 200 lines in seven: at most 700 lines. Twice 0.1 calls a line, the slowest of 2 s.
    const runs = [run(1, 10_000), run(2, 100), run(9, 200)];
    const applies = [apply(1.1, 900), apply(2.1, 10, 20), apply(9.1, 20, 20)];
    expect(estimate({ runs, applies })).toEqual({
      gap_s: 7 * 86_400,
      lines: { expected: 200, bound: 700 },
      requests: { expected: 20, bound: 70 },
      convert_s: { expected: 60, bound: 64.2 },
      apply_s: { expected: 40, bound: 140 },
      verify_s: { expected: 86.4, bound: 92.5 },
      total_s: { expected: 186.4, bound: 296.7 },
    });
  });

  test('counts calls as large as the manifest allows if nothing was applied yet', () => {
    const runs = [run(1, 10_000), run(8, 1000, { channels: 0 })];
    const requests = (messagesPerCall: number) => estimate({ runs, applies: [], messagesPerCall })?.requests.expected;
    expect([100, 20, 1].map(requests)).toEqual([10, 50, 1000]);
  });

  test('uses the rate limits if nothing was applied or verified yet', () => {
    // 200 lines of 2 channels in at most four calls. 5 calls a second write, and 60 read.
    expect(estimate({ applies: [], verification: undefined })).toMatchObject({
      requests: { expected: 4, bound: 4 },
      apply_s: { expected: 0.8, bound: 0.8 },
      verify_s: { expected: 0.9, bound: 0.9 },
    });
  });

  test('does not count the first apply, the bulk, as a difference', () => {
    const applies = [apply(8.1, 900)];
    expect(estimate({ applies })?.requests).toEqual({ expected: 4, bound: 4 });
  });

  test('counts two calls for an edited or missing line', () => {
    const runs = [run(1, 10_000), run(2, 0, { lines: { added: 1, changed: 3, data_alone: 1, missing: 2 } })];
    expect(estimate({ runs, applies: [] })?.requests).toEqual({ expected: 11, bound: 11 });
  });

  test('has finite bounds that no difference of the series exceeded', () => {
    const difference = fc.record({
      days: fc.double({ min: 0, max: 30, noNaN: true }),
      lines: fc.nat(100_000),
      requests: fc.nat(500),
      seconds: fc.nat(5_000),
    });
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 6 }), (differences) => {
        let now = 1;
        const [runs, applies] = [[run(now, 10_000)], [apply(now, 900)]];
        for (const { days, lines, requests, seconds } of differences) {
          now += days + 0.1;
          runs.push(run(now, lines));
          applies.push(apply(now + 0.01, requests, requests === 0 ? 0 : seconds));
        }
        const window = estimate({ runs, applies });
        if (window === undefined) throw new Error('no estimate');
        const most = (name: 'lines' | 'requests' | 'seconds') =>
          Math.max(...differences.map((one) => (one.requests === 0 && name !== 'lines' ? 0 : one[name])));
        expect(window.lines.bound).toBeGreaterThanOrEqual(most('lines'));
        expect(window.requests.bound).toBeGreaterThanOrEqual(most('requests'));
        // Both are rounded to tenths of a second.
        expect(window.apply_s.bound).toBeGreaterThanOrEqual(most('seconds') - 0.1);
        for (const part of [window.convert_s, window.apply_s, window.verify_s, window.total_s]) {
          expect(Number.isFinite(part.bound)).toBe(true);
          expect(part.bound).toBeGreaterThanOrEqual(part.expected);
        }
      }),
    );
  });
});
