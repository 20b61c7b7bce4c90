// Tests that diagnostics point people to the position, and that GitHub, code scanning and programs read them correctly.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts';
import { diagnosticFormats } from '../../../../src/core/view/index.ts';
import { excerptAndCaret } from '../../../../src/core/view/terminal/diagnostics.ts';
import { displayWidth } from '../../../../src/core/view/text/layout.ts';
import { publishedSchema } from '../../../support/published-schema.ts';
import { anyText, harmIn } from '../support/hostile.ts';

const options = { color: false, width: 80 };
const formats = {
  human: await diagnosticFormats.human(),
  json: await diagnosticFormats.json(),
  sarif: await diagnosticFormats.sarif(),
  github: await diagnosticFormats.github(),
};
const print = (format: keyof typeof formats, list: readonly Diagnostic[], given = options) =>
  [...formats[format](list, given)].join('');

const problems: readonly Diagnostic[] = [
  {
    severity: 'warning',
    code: 'manifest.operator-undeclared',
    summary: 'This operator is declared nowhere',
    detail:
      'bob is named as an operator of support-42, and no user of this id is declared. Declare it, or name it under policy.external.',
    address: 'group_channel.support-42',
    source: { file: 'teams/support.yaml', line: 112, column: 24 },
    excerpt: '    operators: [alice, bob]',
  },
  {
    severity: 'error',
    code: 'manifest.unknown-key',
    summary: 'This key is not known here',
    detail: 'A user has no nicknam. Did you mean nickname?',
    address: 'user.フランク',
    source: { file: 'users.yaml', line: 4, column: 11 },
    excerpt: '  フランク: { nicknam: "フランク" }',
  },
  {
    severity: 'error',
    code: 'manifest.too-long',
    summary: 'This value is too long',
    detail: 'The nickname has 90 characters, and the platform takes 80.',
    address: 'user.alice',
    source: { file: 'users.yaml', line: 4, column: 2 },
    excerpt: `\tnickname: ${'long '.repeat(40)}`,
  },
  {
    severity: 'note',
    code: 'manifest.spent',
    summary: 'This acknowledgement is spent',
    detail: 'Nothing is left of it.',
  },
];

const many = (amount: number, severity: Diagnostic['severity'] = 'error'): Diagnostic[] =>
  Array.from({ length: amount }, (_, at) => ({
    severity,
    code: 'a.b',
    summary: 'Wrong',
    detail: `Number ${at}.`,
    source: { file: 'a.yaml', line: at + 1, column: 1 },
  }));

describe('problems for people', () => {
  test.for([
    { name: 'plain-80', given: options },
    { name: 'plain-50', given: { color: false, width: 50 } },
  ])('$name', async ({ name, given }) => {
    await expect(print('human', problems, given)).toMatchFileSnapshot(`../goldens/diagnostics-${name}.txt`);
  });

  test('have the colours of the golden', async () => {
    const colored = print('human', problems, { color: true, width: 80 });
    await expect(colored.replaceAll('\u{1b}', '␛')).toMatchFileSnapshot('../goldens/diagnostics-color.txt');
  });

  test('are at most fifty, and those beyond are counted by code, the most frequent first', () => {
    const others = many(3, 'warning').map((one) => ({
      ...one,
      code: 'manifest.deprecated',
      summary: 'A deprecated form',
    }));
    const different = many(62).map((one, place) => ({ ...one, detail: `${'x'.repeat(place + 1)} is wrong.` }));
    const output = print('human', [...different, ...others]);
    expect(output.match(/-->/gu)).toHaveLength(50);
    expect(output).toMatch(
      /… and 15 more; see --format json\n {2}12 {2}[\w.-]+: [^\n]+\n {3}3 {2}manifest\.deprecated: A deprecated form\n62 errors and 3 warnings\n$/u,
    );
  });

  test('are shown once, with the places of the others, if three say the same, in one file or several', () => {
    const equal = many(3).map((one, place) => ({
      ...one,
      detail: 'No row has "city".',
      source: { file: 'a.yaml', line: place + 3, column: 1 },
    }));
    const output = print('human', equal);
    expect(output.match(/-->/gu)).toHaveLength(1);
    expect(output).toContain('And 2 more, at lines 4, 5.\n');
    expect(print('human', equal.slice(1)).match(/-->/gu)).toHaveLength(2);
    const files = equal.map((one, place) => ({ ...one, source: { file: `${place}.yaml`, line: 3, column: 1 } }));
    const inFiles = print('human', files);
    expect(inFiles.match(/-->/gu)).toHaveLength(1);
    expect(inFiles).toContain('And 2 more, at 1.yaml:3, 2.yaml:3.\n');
  });

  test('are shown once, with the lines of the others, if four or more in a file say the same apart from figures', () => {
    const equal = (count: number, file: string) =>
      many(count).map((one, place) => ({
        ...one,
        detail: `channel_url is ${place} characters long.`,
        source: { file, line: place + 1, column: 1 },
      }));
    const three = print('human', equal(3, 'a.yaml'));
    expect(three.match(/-->/gu)).toHaveLength(3);
    const many100 = print('human', [...equal(100, 'a.yaml'), ...equal(2, 'b.yaml')]);
    expect(many100.match(/-->/gu)).toHaveLength(3);
    expect(many100).toMatch(/And 99 more, at lines 2, 3, 4, [\d, ]+, … and \d+ more\.\n/u);
    expect(many100).toMatch(/102 errors\n$/u);
    expect(print('human', equal(5, 'a.yaml'), { ...options, plain: true } as typeof options)).toContain(
      'And 4 more, at lines 2, 3, 4, 5.',
    );
  });

  test('counts the problems that an entry represents, and says that JSON does not list them either', () => {
    const repeated = { severity: 'error', code: 'manifest.unknown-key', summary: 'Unknown', detail: 'x' } as const;
    const entry = { ...repeated, count: 2900 };
    const output = print('human', [...Array.from({ length: 60 }, () => repeated), entry]);
    expect(output).toMatch(/… and 2,910 more; --format json lists the first hundred of each file and code\n {2}2,910/u);
    expect(output).toMatch(/2,960 errors\n$/u);
    expect(JSON.parse(print('json', [entry]))).toMatchObject({ summary: { errors: 2900 } });
  });

  test('print nothing without problems', () => {
    expect(print('human', [])).toBe('');
  });
});

describe('the caret is below its word', () => {
  test('for any line, column and width, below the right character of the shown line', () => {
    const line = fc.array(fc.constantFrom('a', 'b c', '"x y"', 'フ', '\t', ': ', '[u, v]', '\u{1b}'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(line, fc.nat(120), fc.integer({ min: 12, max: 80 }), (parts, column, columns) => {
        const excerpt = parts.join('');
        const { text, caret } = excerptAndCaret(excerpt, column, columns);
        expect(displayWidth(text)).toBeLessThanOrEqual(columns);
        expect(caret).toMatch(/^ *\^+$/u);
        const at = Math.max(0, column - 1);
        if (at >= excerpt.length) return;
        expect(displayWidth(caret)).toBeLessThanOrEqual(displayWidth(text));
        const below = [...text].find(
          (_, place, all) => displayWidth(all.slice(0, place).join('')) >= caret.indexOf('^'),
        );
        const meant = excerpt[at] ?? '';
        if (/[a-z"[]/u.test(meant) && below !== '…') expect(below).toBe(meant);
      }),
    );
  });

  test.for([
    { name: 'plain', excerpt: 'name: x', column: 7, columns: 40, text: 'name: x', caret: '      ^' },
    { name: 'a word', excerpt: 'nicknam: x', column: 1, columns: 40, text: 'nicknam: x', caret: '^^^^^^^' },
    { name: 'a tab', excerpt: '\tname: x', column: 2, columns: 40, text: '  name: x', caret: '  ^^^^' },
    { name: 'wide characters', excerpt: 'フ: bob', column: 4, columns: 40, text: 'フ: bob', caret: '    ^^^' },
    { name: 'an escape', excerpt: '\u{200b}x', column: 2, columns: 40, text: '\\u{200b}x', caret: '        ^' },
    { name: 'beyond the end', excerpt: 'ab', column: 9, columns: 40, text: 'ab', caret: '  ^' },
    { name: 'no column', excerpt: 'ab', column: 0, columns: 40, text: 'ab', caret: '^^' },
    { name: 'cut at the end', excerpt: 'abcdefghijkl', column: 2, columns: 8, text: 'abcdefg…', caret: ' ^^^^^^^' },
    {
      name: 'cut at the start',
      excerpt: '0123456789 word',
      column: 12,
      columns: 10,
      text: '…789 word',
      caret: '     ^^^^',
    },
  ])('$name', ({ excerpt, column, columns, text, caret }) => {
    expect(excerptAndCaret(excerpt, column, columns)).toEqual({ text, caret });
  });
});

describe('for GitHub', () => {
  test('escapes what GitHub would interpret', () => {
    const [line] = print('github', [
      {
        severity: 'error',
        code: 'a.b',
        summary: 'Odd: 100%, really',
        detail: 'First line: 5 %\nsecond, line',
        source: { file: 'a,b:c\n%.yaml', line: 3, column: 7 },
      },
    ]).split('\n');
    expect(line).toBe(
      '::error file=a%2Cb%3Ac\\n%25.yaml,line=3,col=7,title=Odd%3A 100%25%2C really (a.b)::First line: 5 %25%0Asecond, line',
    );
  });

  test('prints a note as a notice, also without a place', () => {
    expect(print('github', problems.slice(3))).toBe(
      '::notice title=This acknowledgement is spent (manifest.spent)::Nothing is left of it.\n',
    );
  });

  test('prints at most ten of a kind, the last with a summary', () => {
    const different = many(12).map((problem, at) => ({ ...problem, code: `a.${'b'.repeat(at + 1)}` }));
    const lines = print('github', [...different, ...many(10, 'warning')])
      .trimEnd()
      .split('\n');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10);
    expect(lines).toContain('::error title=chatform::9 of 12 errors annotated. See --format json for the rest.');
  });
});

describe('for programs', () => {
  test('prints JSON that follows its schema', () => {
    const document = JSON.parse(print('json', problems));
    expect(publishedSchema('diagnostics')(document)).toEqual([]);
    expect(document.summary).toEqual({ errors: 2, warnings: 1, notes: 1 });
    expect(document.diagnostics[0].code).toBe('manifest.too-long');
  });

  test('prints SARIF as in the golden', async () => {
    await expect(print('sarif', problems)).toMatchFileSnapshot('../goldens/diagnostics.sarif.json');
  });

  test('encodes the URI of a SARIF result', () => {
    const [problem] = many(1);
    const source = { file: 'data/Straße 1.yaml', line: 1, column: 1 };
    expect(print('sarif', problem === undefined ? [] : [{ ...problem, source }])).toContain(
      '"uri": "data/Stra%C3%9Fe%201.yaml"',
    );
  });
});

test('escapes what manifests contain in every format', () => {
  const diagnostic: fc.Arbitrary<Diagnostic> = fc.record({
    severity: fc.constantFrom('error', 'warning', 'note'),
    code: fc.constant('a.b'),
    summary: fc.constant('Wrong'),
    detail: anyText,
    address: anyText.map((key) => `user.${key}` as const),
    source: fc.record({ file: anyText, line: fc.nat(500), column: fc.nat(30) }),
    excerpt: anyText,
  });
  fc.assert(
    fc.property(fc.array(diagnostic, { maxLength: 3 }), fc.integer({ min: 30, max: 120 }), (list, width) => {
      for (const format of ['human', 'json', 'sarif'] as const) {
        expect(harmIn(print(format, list, { color: false, width }))).toBeUndefined();
      }
      for (const line of print('github', list).split('\n').slice(0, -1)) {
        expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::/u);
        expect(harmIn(line.slice(2))).toBeUndefined();
      }
    }),
  );
});
