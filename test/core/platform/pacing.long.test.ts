// Tests the throughput of the pacer over a network and beside other clients, against the possible. Writes goldens/pacing.md.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/ports.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';
import { type HeaderStyle, type Scenario, simulate, type WindowName } from '../../support/simulated-server.ts';
import './plan-limits.test.ts';
import './pacing.test.ts';
import { fairBeside, type Possible, pooled, possibleBeside, possibleOf } from './support/even-pacer.ts';

const seeds = [1, 2, 3];
const windows: readonly WindowName[] = ['fixed', 'sliding', 'gcra', 'strict_gcra'];
const rates = [5, 10, 100, 200];
/** A count that never changes says nothing, whatever it is. */
const styles: readonly HeaderStyle[] = ['honest', 'one', 'none'];
const sections: string[][] = [];

function section(...head: readonly string[]): string[] {
  const lines = ['', ...head];
  sections.push(lines);
  return lines;
}

function run(scenario: Omit<Scenario, 'seed'>): Possible & { readonly foreignShare: number } {
  const { calls, windowMs = 1000 } = scenario;
  const makePacer = (clock: Clock) =>
    createPacer({ clock, limitsOf: () => [{ name: 'POST /users', calls, windowS: windowMs / 1000, share: 1 }] });
  const outcomes = seeds.map((seed) => simulate({ ...scenario, seed }, makePacer));
  const foreignShare = outcomes.reduce((sum, outcome) => sum + outcome.foreignShare, 0) / outcomes.length;
  return { ...pooled(outcomes, scenario.steps), foreignShare };
}

/** From one to ten minutes with a window of one second. */
function stepsOf(calls: number): number {
  return calls >= 100 ? calls * 100 : 3000;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function cell({ utilisation, refused }: Possible): string {
  return `${percent(utilisation)} (${percent(refused)})`;
}

/**
 * As a share of the possible. For a GCRA without bursts less is required: there the guard is the whole distance between
 * calls, so learning costs a share of the whole.
 */
function leastOf(window: WindowName, calls: number, jitterMs: number): number {
  if (window !== 'strict_gcra') return calls >= 100 ? 0.99 : 0.97;
  return calls >= 100 && jitterMs >= 20 ? 0.91 : 0.94;
}

/** The share of the remainder, at 100 and 200 calls per second, and at 5 and 10. */
function wantedOfRest(calls: number): number {
  return calls >= 100 ? 0.95 : 0.93;
}

/**
 * As a share of the possible, where less than the usual share is required. At 5 and 10 a second less is possible without
 * taking it from the other client: a sliding log refuses random calls by Erlang's loss formula, a fifth of them at 10 a second
 * if both ask for the whole limit. Headers do not say how a server counts, so a fixed window gets the pace of a sliding log.
 */
const leastOfPossible = 0.88;

/**
 * Without headers only refused calls teach anything, and each says only that there was one call too many. If the log refuses
 * a tenth of single calls at any pace, ours slow down more than helps.
 */
function leastWithoutHeaders(calls: number, share: number): number {
  if (calls >= 100) return 0.85;
  return share === 0.6 ? 0.45 : 0.75;
}

/** The share of calls, of either client, that chance adds in a few thousand calls. */
const chance = 0.015;

/**
 * How much more the other client may lose than beside a fair one. With few calls in a window, calls that it was refused look
 * free. A client with half a call a second cannot be told from jitter: all five slots of a log may become ours for a while.
 */
function moreLost(window: WindowName, calls: number, share: number): number {
  if (calls >= 100) return chance;
  return window === 'sliding' && calls === 5 && share === 0.1 ? 0.25 : 0.06;
}

describe('alone', () => {
  for (const windowS of [1, 10, 60]) {
    for (const jitterMs of windowS === 1 ? [20, 50, 150] : [50]) {
      const lines = section(
        `## ${windowS === 1 ? '' : `Windows of ${windowS} s, `}${jitterMs} ms of arrival jitter`,
        '',
        '| server | calls a window | possible | honest headers | always one left | no headers |',
        '|---|---|---|---|---|---|',
      );
      const ofWindow = windowS === 1 ? rates : [10, 100];
      const rows = windows.flatMap((window) => ofWindow.map((calls) => ({ window, calls })));
      test.for(rows)(`$window, $calls in ${windowS} s, ${jitterMs} ms of jitter`, ({ window, calls }) => {
        const steps = windowS === 1 ? stepsOf(calls) : 3000;
        const scenario = { window, calls, steps, windowMs: windowS * 1000, arrivalJitterMs: jitterMs };
        const possible = possibleOf(scenario, seeds.slice(0, 1), 0.01);
        const found = styles.map((headers) => run({ ...scenario, headers }));
        lines.push(`| ${[window, `${calls}`, cell(possible), ...found.map(cell)].join(' | ')} |`);
        for (const { utilisation, refused } of found) {
          expect(utilisation / possible.utilisation).toBeGreaterThanOrEqual(leastOf(window, calls, jitterMs));
          expect(refused).toBeLessThanOrEqual(window === 'strict_gcra' ? 0.0115 : 0.01);
        }
      });
    }
  }
});

describe('beside another client', () => {
  for (const foreignShare of [0.1, 0.3, 0.6]) {
    const lines = section(
      `## Beside another client that asks for ${percent(foreignShare)} of the limit`,
      '',
      'In percent of what is left. The other client does not ask again for what it was refused.',
      '',
      '| server | calls a second | possible | reached | the other client loses | beside a fair one | no headers | it loses |',
      '|---|---|---|---|---|---|---|---|',
    );
    const rows = windows
      .filter((window) => window !== 'strict_gcra')
      .flatMap((window) => rates.map((calls) => ({ window, calls })));
    test.for(rows)(`$window, $calls a second, ${foreignShare} taken`, ({ window, calls }) => {
      const most = calls >= 100 ? 0.03 : 0.1;
      const scenario = { window, calls, steps: stepsOf(calls), foreignShare };
      const [found, blind] = [run(scenario), run({ ...scenario, headers: 'none' })];
      const fair = fairBeside(scenario, seeds);
      const possible = possibleBeside(
        { ...scenario, steps: scenario.steps / 2 },
        1,
        most,
        fair.foreignRefused + chance,
      );
      const ofRest = (one: Possible) => one.utilisation / (1 - found.foreignShare);
      const shown = (one: Possible | undefined) =>
        one === undefined ? '–' : cell({ ...one, utilisation: ofRest(one) });
      const lost = (one: Possible) => percent(one.foreignRefused);
      const cells = [shown(possible), shown(found), lost(found), lost(fair), shown(blind), lost(blind)];
      lines.push(`| ${[window, `${calls}`, ...cells].join(' | ')} |`);
      const wanted = wantedOfRest(calls);
      const asked = Math.min(wanted, possible === undefined ? 0 : ofRest(possible));
      const least = calls >= 100 ? wanted : Math.min(wanted, leastOfPossible * asked);
      expect(ofRest(found)).toBeGreaterThanOrEqual(least);
      expect(found.refused).toBeLessThanOrEqual(most);
      expect(found.foreignRefused).toBeLessThanOrEqual(fair.foreignRefused + moreLost(window, calls, foreignShare));
      expect(ofRest(blind)).toBeGreaterThanOrEqual(leastWithoutHeaders(calls, foreignShare) * asked);
      expect(blind.refused).toBeLessThanOrEqual(most + chance);
    });
  }
});

test('the table equals goldens/pacing.md', async () => {
  const intro = [
    '# What the pacer achieves against each server',
    '',
    'Generated by `test/core/platform/pacing.long.test.ts` in virtual time. Calls need 5 ms and the jitter to arrive, and are',
    'answered after 20 to 300 ms; timers are up to 2 ms late. Each cell has the share of the limit that was used and, in',
    'brackets, the share of calls that were refused. *Possible* is the most that even calls reach with at most 1 % refused',
    'when the best guard is known from the start; beside another client at most 3 %, below 100 a second 10 %, and when that',
    'client loses no more than beside a fair one. A fair one asks at random times for exactly what it leaves, and loses as much.',
    '',
    'Where less than wanted is reached, this is why. A GCRA without a burst: the whole distance of the calls is the guard, so that',
    'what learning costs is not a part of some percent, but of everything. Beside another client at 5 and 10 a second: a sliding',
    'log refuses random calls by the loss formula of Erlang, 28 and 21 % when both together ask for the whole limit; what we took',
    'beyond that it would lose. Headers do not say how a server counts, so that a fixed window gets the pace that a log bears.',
    'A client of half a call a second cannot be told from jitter, and loses most. Without headers only refused calls show another',
    'client; where the log refuses a tenth of single calls whatever the pace, slowing down helps little.',
  ];
  await expect(`${[...intro, ...sections.flat()].join('\n')}\n`).toMatchFileSnapshot('goldens/pacing.md');
});
