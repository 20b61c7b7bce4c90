// Tests what policy.diagnostics decides about the warnings and notes of manifests.
import { describe, expect, test } from 'vitest';
import { codesOf, errorsIn, load, placesOf } from '../support/in-memory.ts';

const people =
  'users: { alice: { nickname: A, metadata: { api_token: public-1234 } }, bob: { nickname: B, metadata: { api_token: public-5678 } } }\n';

function withPolicy(diagnostics: string, objects = people): Promise<Awaited<ReturnType<typeof load>>> {
  return load({ 'a.yaml': `version: 1\npolicy:\n  diagnostics:\n    ${diagnostics}\n${objects}` });
}

describe('a setting by code', () => {
  const warned = ['manifest.secret-value a.yaml:5', 'manifest.secret-value a.yaml:5'];
  test.for([
    ['is a warning without a level', 'manifest.secret-value: { reason: Known }', 'warning', warned],
    ['may keep a warning as it is', 'manifest.secret-value: warning', 'warning', warned],
    ['raises a warning to an error', 'manifest.secret-value: error', 'error', warned],
    [
      'switches a warning off, which a note says',
      'manifest.secret-value: off',
      'note',
      ['manifest.switched-off a.yaml:4'],
    ],
    ['leaves other codes alone', 'manifest.lookalike: off', 'warning', warned],
  ] as const)('%s', async ([, setting, severity, places]) => {
    const manifest = await withPolicy(setting);
    expect(placesOf(manifest)).toEqual(places);
    expect(new Set(manifest.diagnostics.map((diagnostic) => diagnostic.severity))).toEqual(new Set([severity]));
  });

  test('shows its reason and place with what it changes', async () => {
    const off = await withPolicy('manifest.secret-value: { level: off, reason: These keys are published }');
    expect(off.diagnostics.map(({ detail }) => detail)).toEqual([
      '2 diagnostics with the code manifest.secret-value are not shown: These keys are published.',
    ]);
    const raised = await withPolicy('manifest.secret-value: { level: error, reason: We had a leak. }');
    expect(raised.diagnostics[0]?.detail).toMatch(/The policy makes it an error \(a\.yaml:4:5\): We had a leak\.$/u);
  });

  test('raises a note to a warning', async () => {
    const foreign = { 'compose.yaml': 'services: { web: { image: nginx } }\n' };
    const text = 'version: 1\npolicy: { diagnostics: { manifest.foreign: warning } }\nusers: {}\n';
    const { diagnostics } = await load({ ...foreign, 'a.yaml': text });
    expect(diagnostics).toMatchObject([{ code: 'manifest.foreign', severity: 'warning' }]);
  });

  test('counts warnings beyond the listed ones', async () => {
    const rows = Array.from(
      { length: 150 },
      (_, at) => `  u${at}: { nickname: U, metadata: { password: "secret-${at}" } }`,
    );
    const { diagnostics } = await withPolicy('manifest.secret-value: off', `users:\n${rows.join('\n')}\n`);
    expect(diagnostics.map(({ detail }) => detail)).toEqual([
      '150 diagnostics with the code manifest.secret-value are not shown.',
    ]);
  });

  test('does not change errors of its code', async () => {
    const text = 'users: { a@example.com: { nickname: A } }\n';
    const { diagnostics } = await withPolicy('manifest.personal-data: off', text);
    expect(diagnostics).toMatchObject([{ code: 'manifest.personal-data', severity: 'error' }]);
  });
});

describe('is refused at its line', () => {
  test.for([
    ['manifest.undeclared-user: off', 'manifest.unknown-key', 'Errors cannot be switched off.'],
    ['manifest.secret-valeu: off', 'manifest.unknown-key', 'Did you mean "manifest.secret-value"?'],
    ['plan.in-doubt: off', 'manifest.unknown-key', 'the codes of warnings and notes'],
    ['manifest.lookalike: of', 'manifest.wrong-value', 'expected off, warning or error'],
    ['manifest.lookalike: { level: none }', 'manifest.wrong-value', 'expected off, warning or error'],
    ['manifest.lookalike: { except: [user.a] }', 'manifest.unknown-key', 'level, reason'],
    ['manifest.lookalike: 7', 'manifest.wrong-type', 'text or a map'],
    ['manifest.secret-value: { except: ["user.[z-a]"] }', 'manifest.bad-pattern', 'wrong order'],
  ] as const)('%s', async ([setting, code, says]) => {
    const manifest = await withPolicy(setting, 'users: {}\n');
    expect(errorsIn(manifest)).toMatchObject([
      { code, source: { line: 4 }, detail: expect.stringContaining(says) as string },
    ]);
  });
});

test.for([
  ['user.alice.metadata.api_token', ['manifest.secret-value a.yaml:6']],
  ['user.*.metadata.api_token', []],
  ['{user,bot}.alice.**', ['manifest.secret-value a.yaml:6']],
  ['user.alice.metadata', ['manifest.secret-value a.yaml:5', 'manifest.secret-value a.yaml:6']],
] as const)('the exception %s declares that a value is not a secret', async ([glob, places]) => {
  const lines = people.replace('{ alice', '\n  { alice').replace(', bob', ',\n  bob').replace('users: \n', 'users:\n');
  const manifest = await withPolicy(`manifest.secret-value: { level: error, except: ["${glob}"] }`, lines);
  expect(placesOf(manifest)).toEqual(
    places.map((place) => place.replace(/:(\d)$/u, (_, line) => `:${Number(line) + 1}`)),
  );
});

test('a warning says how to declare that its value is not a secret', async () => {
  const { diagnostics } = await load({ 'a.yaml': `version: 1\n${people}` });
  const [, value = ''] = /add "([^"]+)"/u.exec(diagnostics[0]?.detail ?? '') ?? [];
  const manifest = await withPolicy(`manifest.secret-value: { except: ["${value}", user.bob.*] }`);
  expect(codesOf(manifest)).toEqual([]);
});
