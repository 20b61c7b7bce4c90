// Tests that no expression in CEL takes long or much memory, and that counting its work changes no result.
import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CelCompiler } from '../../../src/lib/cel/expression.ts';
import { TooMuchWorkError } from '../../../src/lib/cel/meter.ts';

const options = { homogeneousAggregateLiterals: false };
const declare = (environment: Environment) => environment.registerVariable('row', 'dyn');
const row = { n: 3n, text: 'ab', list: [1n, 2n], map: { a: 1n, b: [2n] }, flag: true };

function resultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : error;
  }
}

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const [left, right] = [inner, inner];
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.constantFrom(
        'row.n',
        'row.text',
        'row.list',
        'row.map',
        'row.flag',
        'row.none',
        'x',
        '1',
        '"a"',
        '[1, "b"]',
        '{}',
      ),
      fc
        .tuple(left, fc.constantFrom('+', '-', '*', '==', '!=', '<', '&&', '||', 'in'), right)
        .map(([one, operator, other]) => `(${one} ${operator} ${other})`),
      fc.tuple(left, inner, right).map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
      fc
        .tuple(left, fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'), right)
        .map(([list, macro, body]) => `${list}.${macro}(x, ${body})`),
      fc
        .tuple(
          left,
          fc.constantFrom(
            'size()',
            'startsWith("a")',
            'contains("b")',
            'split("")',
            'join("-")',
            'matches("a+")',
            'foo',
          ),
        )
        .map(([one, call]) => `${one}.${call}`),
      fc.tuple(left, right).map(([one, other]) => `[${one}, ${other}]`),
      fc.tuple(left, right).map(([one, other]) => `{"a": ${one}, "b": ${other}}`),
      fc.tuple(left, right).map(([one, other]) => `cel.bind(x, ${one}, ${other})`),
      fc
        .tuple(inner, fc.constantFrom('!', 'string', 'size', 'int', 'type', 'dyn'))
        .map(([one, name]) => `${name}(${one})`),
      fc.constantFrom(
        'has(row.text)',
        'has(row.none)',
        'row.?none.orValue(1)',
        'timestamp("2024-01-02T03:04:05Z").getHours("Europe/Berlin")',
      ),
    ),
  };
});

test('an expression has the result that the library gives', () => {
  const compiler = new CelCompiler(options, declare);
  const plain = declare(new Environment({ enableOptionalTypes: true, ...options }));
  fc.assert(
    fc.property(expression, (inside) => {
      const text = `cel.bind(x, row.list, ${inside})`;
      const own = resultOf(() => compiler.compile(text).run({ row }));
      const theirs = resultOf(() => {
        const parsed = plain.parse(text);
        const { valid, error } = parsed.check();
        if (!valid) throw error;
        return parsed({ row }) as unknown;
      });
      expect(own).toEqual(theirs);
    }),
    { numRuns: 500 },
  );
});

const twenty = `[${Array.from({ length: 20 }, (_, index) => index).join(', ')}]`;
const nested = (macro: string, body: string) =>
  Array.from('abcdef').reduce((inner, name) => `${twenty}.${macro}(${name}, ${inner})`, body);
const start = '["aaaaaaaaaaaaaaaa"]';

describe('stops', () => {
  test.for(
    Object.entries({
      'nested quantifiers': nested('all', 'true'),
      'nested lists': nested('map', '1'),
      'errors that a macro catches': nested('exists', 'row.none.other == 1'),
      'errors that an operator catches': nested('exists', '(row.none || false)'),
      'a text that doubles': `${start}${'.map(x, x + x)'.repeat(50)}`,
      'a text that doubles in bindings': Array.from({ length: 25 }, (_, index) => index).reduce(
        (inner, index) => `cel.bind(v${index}, ${index === 24 ? '"aaaa"' : `v${index + 1} + v${index + 1}`}, ${inner})`,
        'v0 == v0 + "b"',
      ),
      'a list that doubles': `[[1, 2]]${'.map(x, x + x)'.repeat(50)}`,
      'a list of itself that is compared': `[[1, 2]]${'.map(x, [x, x])'.repeat(50)}.map(x, x == x)`,
      'a map of itself': `[{"a": 1}]${'.map(x, {"a": x, "b": x})'.repeat(50)}`,
      'a list of itself': `[[1, 2]]${'.map(x, [x, x])'.repeat(50)}`,
      'an optional of itself': `[[1, 2]]${'.map(x, [optional.of(x), optional.of(x)])'.repeat(50)}`,
      'joined texts': `${start}${'.map(x, [x, x, x, x, x, x, x, x].join(""))'.repeat(20)}`,
      'split texts': `${start}${'.map(x, x + x)'.repeat(12)}.map(x, ${twenty}.map(y, x.split("")))`,
      'time zones': nested('all', 'timestamp("2024-01-01T00:00:00Z").getHours("Europe/Berlin") == 1'),
      'a long text in a long text': `${start}${'.map(x, x + x)'.repeat(9)}.map(x, x.contains(x.substring(1) + "b"))`,
      'large patterns': `${start}${'.map(x, x + x)'.repeat(9)}.map(x, x.matches("(a?){500}b"))`,
      'patterns that are compiled anew': `${nested('exists', '"a".matches(string(a) + string(b) + string(c) + string(d))')}`,
      'keys of a map': `{${Array.from({ length: 400 }, (_, index) => `"k${index}": 1`).join(', ')}}.exists(a, ${nested('exists', 'false')})`,
    }),
  )('%s', ([, text]) => {
    // A hundredth of the usual work.
    const compiler = new CelCompiler(options, declare, 100_000);
    expect(() => compiler.compile(text).run({ row })).toThrow(TooMuchWorkError);
    // The next evaluation has its own work.
    expect(compiler.compile('1 + 1').run({ row })).toBe(2n);
  });
});

test('finishes a pattern on which RegExp does not, and refuses what RE2 has not', () => {
  const compiler = new CelCompiler(options, declare);
  expect(compiler.compile(`"${'a'.repeat(100)}!".matches("^(a+)+$")`).run({ row })).toBe(false);
  expect(() => compiler.compile('row.text.matches("^(?!a)")')).toThrow('RE2 has no look-around');
  expect(() => compiler.compile('row.text.matches(row.text + "(")').run({ row })).toThrow('missing closing )');
  expect(() => compiler.compile('row.n.matches("a")').run({ row })).toThrow("for 'int.matches(string)'");
  expect(() => compiler.compile('row.text.matches_of_chatform("a")')).toThrow('Unknown function');
});
