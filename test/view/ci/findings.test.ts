// Tests that dangers, warnings and drift are annotated at their lines, for GitHub and code scanning, in bounded numbers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { planFormats } from '../../../src/view/index.ts';
import type { ViewOptions } from '../../../src/view/text/options.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { harmIn } from '../support/harmless.ts';
import { hostilePlan } from '../support/hostile.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, planOf, refusals } from '../support/plans.ts';

const formats = { github: await planFormats.github(), sarif: await planFormats.sarif() };
const print = (format: 'github' | 'sarif', plan: Plan, more: Partial<ViewOptions> = {}) =>
  [...formats[format](plan, { color: false, width: 100, ...more })].join('');

const manyDangers = planOf(
  Array.from({ length: 6_000 }, (_, at) =>
    changeOf(`user.u${at}`, ['deactivate'], { source: { file: 'users.yaml', line: at + 1, column: 3 } }),
  ),
);

describe('annotations', () => {
  fastTest.for([
    ['every-change', everyPlan, {}],
    ['compared', comparedPlan, { refusals }],
    ['no-changes', emptyPlan, {}],
  ] as const)('%s', async ([name, plan, more]) => {
    await expect(print('github', plan, more)).toMatchFileSnapshot(`../goldens/plan-${name}.github`);
  });

  fastTest('are at most ten of a kind, the last with a summary, and a notice with the verdict', () => {
    const lines = print('github', manyDangers).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10);
    expect(lines.at(-1)).toContain('9 of 6,000 warnings annotated');
    expect(lines[0]).toBe('::notice title=chatform plan::Plan: 6,000 to deactivate.');
  });

  test('have one workflow command per line, whatever a plan contains', () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        for (const line of print('github', plan).split('\n').slice(0, -1)) {
          expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::/u);
          expect(harmIn(line.slice(2))).toBeUndefined();
        }
      }),
      { numRuns: inSuite(20, 100) },
    );
  });
});

describe('SARIF', () => {
  fastTest('matches the golden for every change', async () => {
    await expect(print('sarif', everyPlan, { refusals })).toMatchFileSnapshot(
      '../goldens/plan-every-change.sarif.json',
    );
  });

  fastTest('has a file in every result, because the upload would otherwise be refused', () => {
    const { results } = JSON.parse(print('sarif', everyPlan)).runs[0];
    expect(results.length).toBeGreaterThan(8);
    for (const { locations } of results) {
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/\.yaml$/u);
      expect(locations[0].physicalLocation.region.startLine).toBeGreaterThan(0);
    }
  });

  fastTest.for([[undefined], [20_000], [100_000]] as const)('keeps many dangers within %s bytes', ([maxBytes]) => {
    const text = print('sarif', manyDangers, maxBytes === undefined ? {} : { maxBytes });
    const [{ results, properties }] = JSON.parse(text).runs;
    if (maxBytes === undefined) expect(results).toHaveLength(5_000);
    else {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.byteLength(text)).toBeGreaterThan(maxBytes * 0.8);
    }
    expect(properties.omitted_results).toBe(6_000 - results.length);
  });

  fastTest('makes no links from texts of others', () => {
    const summary = {
      severity: 'error',
      code: 'plan.exists',
      summary: 'S',
      detail: 'see [here](https://evil.com)',
    } as const;
    const [{ results }] = JSON.parse(print('sarif', everyPlan, { refusals: [summary] })).runs;
    const texts = results.map(({ message }: { message: { text: string } }) => message.text).join('\n');
    expect(texts).toContain('see [here] (https://evil.com)');
    expect(texts).not.toContain('](');
  });

  test('escapes what a plan contains', () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        const text = print('sarif', plan);
        const [{ results }] = JSON.parse(text).runs;
        for (const { message } of results) expect(message.text).not.toContain('](');
        expect(harmIn(text)).toBeUndefined();
        expect(JSON.parse(text).version).toBe('2.1.0');
      }),
      { numRuns: inSuite(20, 100) },
    );
  });
});
