// Tests that dangers, warnings and drift are annotated at their lines, for GitHub and code scanning, in bounded numbers.
import { describe, expect, test } from 'vitest';
import { changeOf, everyPlan, planOf, print } from '../support/plans.ts';

const manyDangers = planOf(
  Array.from({ length: 6_000 }, (_, at) =>
    changeOf(`user.u${at}`, ['deactivate'], { source: { file: 'users.yaml', line: at + 1, column: 3 } }),
  ),
);

describe('annotations', () => {
  test('are at most ten of a kind, the last with a summary, and a notice with the verdict', async () => {
    const lines = (await print('github', manyDangers)).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10);
    expect(lines.at(-1)).toContain('9 of 6,000 warnings annotated');
    expect(lines[0]).toBe('::notice title=chatform plan::Plan: 6,000 to deactivate.');
  });
});

describe('SARIF', () => {
  test('has a file in every result, because the upload would otherwise be refused', async () => {
    const { results } = JSON.parse(await print('sarif', everyPlan)).runs[0];
    expect(results.length).toBeGreaterThan(8);
    for (const { locations } of results) {
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/\.yaml$/u);
      expect(locations[0].physicalLocation.region.startLine).toBeGreaterThan(0);
    }
  });

  test.for([[undefined], [20_000], [100_000]] as const)('keeps many dangers within %s bytes', async ([maxBytes]) => {
    const text = await print('sarif', manyDangers, maxBytes === undefined ? {} : { maxBytes });
    const [{ results, properties }] = JSON.parse(text).runs;
    if (maxBytes === undefined) expect(results).toHaveLength(5_000);
    else {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.byteLength(text)).toBeGreaterThan(maxBytes * 0.8);
    }
    expect(properties.omitted_results).toBe(6_000 - results.length);
  });

  test('makes no links from texts of others', async () => {
    const summary = {
      severity: 'error',
      code: 'plan.exists',
      summary: 'S',
      detail: 'see [here](https://evil.com)',
    } as const;
    const [{ results }] = JSON.parse(await print('sarif', everyPlan, { refusals: [summary] })).runs;
    const texts = results.map(({ message }: { message: { text: string } }) => message.text).join('\n');
    expect(texts).toContain('see [here] (https://evil.com)');
    expect(texts).not.toContain('](');
  });
});
