// Tests that dangers, warnings and drift are annotated at their lines, for GitHub and code scanning, in bounded numbers.
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts';
import { diagnosticsForGithub } from '../../../../src/core/view/ci/github.ts';
import { changeOf, everyPlan, planOf, print } from '../support/plans.ts';

const manyDangers = planOf(
  Array.from({ length: 6_000 }, (_, at) =>
    changeOf(`user.u${at}`, ['deactivate'], { source: { file: 'users.yaml', line: at + 1, column: 3 } }),
  ),
);

describe('annotations', () => {
  test('are at most ten of a kind, the last with a summary, and a notice with the verdict', async () => {
    const lines = (await print('github', manyDangers)).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(2);
    expect(lines[1]).toContain('And 4,999 more, at lines 2, 3, 4');
    expect(lines.at(-1)).toContain('5,000 of 6,000 warnings annotated');
    expect(lines[0]).toBe('::notice title=chatform plan::Plan: 6,000 to deactivate.');
  });
});

describe('annotations of many problems', () => {
  const problemAt = (line: number, code: string, detail = code) =>
    ({ severity: 'error', code, summary: code, detail, source: { file: 'rooms.yaml', line, column: 1 } }) as const;
  const annotated = (problems: readonly Diagnostic[]) =>
    [...diagnosticsForGithub(problems)].map((text) => text.trimEnd());

  test('name each cause once, so that none hides another', () => {
    const indented = Array.from({ length: 20 }, (_, at) => problemAt(at + 1, 'yaml.syntax'));
    const lines = annotated([...indented, problemAt(90, 'manifest.unknown-key')]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/line=1,.*And 19 more, at lines 2, 3,/u);
    expect(lines[1]).toContain('manifest.unknown-key');
  });

  test('stay at their own lines while all fit', () => {
    const lines = annotated(Array.from({ length: 10 }, (_, at) => problemAt(at + 1, 'yaml.syntax')));
    expect(lines).toHaveLength(10);
    expect(lines.join('')).not.toContain('more');
  });

  test('are nine of many causes, and a tenth with the number of the rest', () => {
    const lines = annotated(Array.from({ length: 30 }, (_, at) => problemAt(at + 1, `code.c${'x'.repeat(at)}`)));
    expect(lines).toHaveLength(10);
    expect(lines[9]).toContain('9 of 30 errors annotated');
  });
});

describe('SARIF', () => {
  test('tells of an object that is in no file without a place, and of a lockout at the settings', async () => {
    const source = { file: 'settings.yaml', line: 4, column: 1 };
    const plan = planOf([
      changeOf('settings.application', ['lockout'], { source }),
      changeOf('user.gone', ['deactivate'], {}),
    ]);
    const acknowledge = { effect: 'settings.lockout', count: 1 } as const;
    const lockout = { severity: 'error', code: 'safety.lockout', summary: 'S', detail: 'D', acknowledge } as const;
    const [{ results, invocations }] = JSON.parse(await print('sarif', plan, { refusals: [lockout] })).runs;
    const placeOf = ({ ruleId, locations }: { ruleId: string; locations: unknown[] }) => [ruleId, locations[0]];
    expect(Object.fromEntries(results.map(placeOf))['safety.lockout']).toMatchObject({
      physicalLocation: { artifactLocation: { uri: 'settings.yaml' }, region: { startLine: 4 } },
    });
    expect(JSON.stringify(results)).not.toContain('user.gone');
    expect(invocations[0].toolExecutionNotifications).toMatchObject([
      {
        descriptor: { id: 'danger.deactivate' },
        locations: [{ logicalLocations: [{ fullyQualifiedName: 'user.gone' }] }],
      },
    ]);
  });

  test('has a file in every result, because the upload would otherwise be refused', async () => {
    const { results } = JSON.parse(await print('sarif', everyPlan)).runs[0];
    expect(results.length).toBeGreaterThan(6);
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
    const [{ results, invocations }] = JSON.parse(await print('sarif', everyPlan, { refusals: [summary] })).runs;
    const all = [...results, ...invocations[0].toolExecutionNotifications];
    const texts = all.map(({ message }: { message: { text: string } }) => message.text).join('\n');
    expect(texts).toContain('see [here] (https://evil.com)');
    expect(texts).not.toContain('](');
  });
});
