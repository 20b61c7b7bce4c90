// Tests that problems in JSON are grouped by cause and that none is lost from the counts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { diagnosticsDocument } from '../../../../src/core/view/json/diagnostics.ts';
import { errorAsJson } from '../../../../src/core/view/terminal/error.ts';

function problem(line: number, detail: string, others: Partial<Diagnostic> = {}): Diagnostic {
  const source = { file: 'a.yaml', line, column: 3 };
  return { severity: 'error', code: 'manifest.undeclared', summary: 'Undeclared', detail, source, ...others };
}

const rows = Array.from({ length: 30 }, (_, index) => problem(index + 1, `Row ${index + 1} names a missing user.`));

describe('problems of one cause', () => {
  test.for<[what: string, found: readonly Diagnostic[], groups: readonly object[]]>([
    ['none', [], []],
    [
      'one problem',
      [problem(7, 'a')],
      [{ severity: 'error', code: 'manifest.undeclared', count: 1, places: ['a.yaml:7:3'] }],
    ],
    [
      'equal problems beside another cause',
      [problem(1, 'same'), problem(2, 'other'), problem(3, 'same'), problem(4, 'same')],
      [
        { count: 3, places: ['a.yaml:1:3', 'a.yaml:3:3', 'a.yaml:4:3'] },
        { count: 1, places: ['a.yaml:2:3'] },
      ],
    ],
    [
      'rows with other figures',
      rows,
      [{ count: 30, places: Array.from({ length: 20 }, (_, at) => `a.yaml:${at + 1}:3`) }],
    ],
    ['a problem that represents others', [problem(1, 'more', { count: 9 })], [{ count: 9 }]],
  ])('have one group with their number and first places: %s', ([, found, groups]) => {
    expect(diagnosticsDocument(found).groups).toMatchObject(groups);
    const { error } = JSON.parse(errorAsJson(new Refusal('a', 65, 'b', 'c', { diagnostics: found })));
    expect(error.groups ?? []).toMatchObject(groups);
  });

  test('are counted by the summary and by the groups, each with its first problem', () => {
    const severity = fc.constantFrom('error', 'warning', 'note');
    const problems = fc.array(
      fc
        .record({ line: fc.integer({ min: 1, max: 40 }), detail: fc.constantFrom('x', 'y 1', 'y 2'), severity })
        .map(({ line, detail, severity }) => problem(line, detail, { severity })),
    );
    fc.assert(
      fc.property(problems, (found) => {
        const { summary, groups, diagnostics, omitted } = diagnosticsDocument(found);
        const counted = groups.reduce((sum, { count }) => sum + count, 0);
        expect(counted).toBe(found.length);
        expect(summary.errors + summary.warnings + summary.notes).toBe(found.length);
        expect(groups.map(({ code, severity, count }) => [code, severity, count])).toEqual(
          diagnostics.map(({ code, severity, count = 1 }) => [code, severity, count]),
        );
        expect(diagnostics.length + (omitted?.diagnostics ?? 0)).toBe(found.length);
      }),
    );
  });
});
