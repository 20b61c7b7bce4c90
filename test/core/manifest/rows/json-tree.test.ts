// Tests that a line of JSON is accepted exactly when JSON.parse accepts it, with the same value and with places in the line.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJson } from '../../../../src/core/manifest/files/tree.ts';
import { type JsonProblem, readJsonTree } from '../../../../src/core/manifest/rows/json-tree.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';

function read(text: string) {
  const problems: JsonProblem[] = [];
  const tree = readJsonTree(text, (problem) => problems.push(problem));
  return { tree, problems };
}

function parsed(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

const flaw = fc.record({
  at: fc.nat(),
  cut: fc.nat(2),
  sign: fc.constantFrom('', ...'"\\,:{}[]01-+.eE tfn/*\t\u0001\u00a0', 'null', '//', '"a"'),
});
const nearlyJson = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1), fc.array(flaw, { maxLength: 2 }))
  .map(([value, space, flaws]) =>
    flaws.reduce(
      (text, { at, cut, sign }) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + sign + text.slice(place + cut);
      },
      JSON.stringify(value, undefined, space),
    ),
  );

test('accepts what JSON.parse accepts, for any text that is nearly JSON', () => {
  fc.assert(
    fc.property(nearlyJson, (text) => {
      const [{ tree, problems }, expected] = [read(text), parsed(text)];
      expect(tree === undefined).toBe(expected === undefined);
      expect(problems.some(({ code }) => code === 'manifest.bad-row')).toBe(expected === undefined);
      for (const { offset } of problems) expect(offset).toBeLessThanOrEqual(text.length);
      if (tree === undefined || problems.length > 0 || isInfinite(expected?.value)) return;
      expect(toJson(tree)).toEqual(expected?.value);
    }),
    { numRuns: 2_000 },
  );
});

function isInfinite(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isInfinite);
  return typeof value === 'number' && !Number.isFinite(value);
}

test('keeps the text of a number that is too large', () => {
  expect(read('[1e999, -1e999]').tree).toMatchObject({ items: [{ value: '1e999' }, { value: '-1e999' }] });
});

test('refuses excessive nesting at the bracket that exceeds the limit', () => {
  for (const count of [51, 400_000]) {
    const { tree, problems } = read(`["[", ${'['.repeat(count - 1)}`);
    expect(tree).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'manifest.too-deep', offset: 6 + 49 }]);
  }
  expect(read('['.repeat(50) + ']'.repeat(50)).problems).toEqual([]);
});
