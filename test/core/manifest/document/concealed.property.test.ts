// Tests that no diagnostic depends on the value of a secret variable, whatever a request declares, and that other values are
// shown as if they were written in the manifest.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codesOf, errorsIn, load } from '../support/in-memory.ts';

/** One of the attributes reads the variable as a secret. */
const vault = `version: 1
group_channels: { vault: { members: { alice: }, is_public: true, access_code: { env: CODE, revision: 1 } } }
users: { alice: { nickname: Alice } }
`;
const secretFiles = {
  block: { 'vault.yaml': vault },
  marked: { 'vault.yaml': 'version: 1\nvariables: { CODE: { secret: true } }\n' },
  row: {
    'vault.yaml': 'version: 1\nsources: [{ kind: group_channel, file: vaults.ndjson }]\n',
    'vaults.ndjson':
      '{"channel_url":"vault","members":{"ann":{}},"is_public":true,"access_code":{"env":"CODE","revision":1}}\n',
  },
  defaults: { 'vault.yaml': 'version: 1\ndefaults: { group_channels: { access_code: { env: code, revision: 1 } } }\n' },
  broken: { 'vault.yaml': 'version: 1\ngroup_channels: { vault: { access_code: { env: CODE, revision: 1 }\n' },
  'the base': {},
} as const;
type SecretFile = keyof typeof secretFiles;

interface Loading {
  readonly request: string;
  readonly value: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly base?: { readonly application: ReadonlySet<string>; readonly secret: ReadonlySet<string> };
}

function loaded({ request, value, files = {}, base }: Loading) {
  const all = { 'request.yaml': request, 'rows.ndjson': '{"a":1}\n', ...files };
  const variables = (name: string) => (name.toUpperCase() === 'CODE' ? value : undefined);
  return load(all, { variables, ...(base === undefined ? {} : { base }) });
}

const names = (...given: readonly string[]): ReadonlySet<string> => new Set(given);

/** Words of messages, single letters, and what is escaped, cut, quoted or compared. */
const values = fc.oneof(
  fc.constantFrom('e', 'true', 'True', 'alice', 'error', 'manifest', 'is', '"', '\\', '\n', '$1', '.*', '99887766'),
  fc.constantFrom(
    '2020-02-31T99:00',
    'https://x.acme.example/y',
    'user.alice',
    '2e+12345',
    `$\{var.CODE}`,
    'a, "b" or c',
  ),
  fc.stringMatching(/^[a-z0-9._/-]{1,100}$/u),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }).filter((text) => text.trim() !== ''),
);

const form = fc.constantFrom(
  '{}',
  '{ type: integer }',
  '{ type: number, default: 3 }',
  '{ type: boolean }',
  '{ allowed: [one, two] }',
  '{ type: integer, allowed: [1, 2] }',
  '{ secret: true }',
  '{ default: x }',
);
const reference = fc.constantFrom(
  `$\{var.CODE}`,
  `x$\{var.CODE}y`,
  `$\{var.CODE}/a`,
  `../$\{var.CODE}`,
  `$\{CODE}`,
  `https://$\{var.CODE}`,
);
const place = fc.constantFrom<(value: string) => string>(
  (value) => `users: { "${value}": { nickname: A } }`,
  (value) => `users: { bob: { nickname: "${value}", profile_file: "${value}" } }`,
  (value) => `users: { bob: { nickname: B, metadata: { "${value}": "${value}" } } }`,
  (value) => `users: { bob: { nickname: B, deactivated: "${value}", preferred_languages: ["${value}"] } }`,
  (value) => `users: { bob: { nickname: B, "${value}": 1 } }`,
  (value) => `users: { bob: { nickname: B, session_token: { expires_at: "${value}" } } }`,
  (value) => `open_channels: { room: { operators: ["${value}"], custom_type: "${value}" } }`,
  (value) => `open_channels: { room: { messages: { file: "${value}" } } }`,
  (value) => `open_channels: { room: { cover_file: "${value}", banned: { bob: { until: "${value}" } } } }`,
  (value) => `group_channels: { room: { members: { "${value}": }, inviter_id: "${value}" } }`,
  (value) => `sources: [{ kind: user, file: "${value}" }]`,
  (value) => `sources: [{ kind: user, file: rows.ndjson, only: "${value}" }]`,
  (value) => `bots: { b: { bot_nickname: B, bot_type: t, bot_callback_url: "${value}" } }`,
  (value) => `settings: { webhook: { enabled: true, url: "${value}", enabled_events: ["${value}"] } }`,
  (value) => `application: { base_url: "${value}", rate_plan: "${value}", rate_share: "${value}" }`,
  (value) => `application: { base_url: "emulator:${value}", limits: { "${value}": 2 } }`,
  (value) => `policy: { existing: "${value}", on_remove: { user: "${value}" } }`,
  (value) => `policy: { rules: [{ name: "${value}", when: "${value}", message: "${value}" }] }`,
  (value) => `policy: { external: { users: ["${value}"] } }`,
  (value) => `removed: [{ address: "${value}", on_remove: "${value}" }]`,
  (value) => `users: { "u-\${each.id}": { for_each: [{ id: "${value}" }], nickname: "${value}" } }`,
  (value) => `users: { "u-\${each.id}": { for_each: { file: "${value}" }, nickname: A } }`,
  (value) => `defaults: { users: { nickname: "${value}", nick: "${value}" } }`,
  (value) => `extends: "${value}"`,
);

const requests = fc.record({
  declared: form,
  uses: fc.uniqueArray(fc.tuple(place, reference), { minLength: 1, maxLength: 4 }),
  isDeclared: fc.boolean(),
});

describe('a request that declares a variable of the environment', () => {
  const random = fc.record({
    request: requests,
    one: values,
    other: values,
    secret: fc.constantFrom(...(Object.keys(secretFiles) as SecretFile[])),
  });

  test('causes the same diagnostics whatever a secret is', async () => {
    await fc.assert(
      fc.asyncProperty(random, async ({ request: { declared, uses, isDeclared }, one, other, secret }) => {
        const documents = uses.map(([at, value]) => `version: 1\n${at(value)}\n`);
        const variables = isDeclared ? `version: 1\nvariables: { CODE: ${declared} }\n---\n` : '';
        const request = variables + documents.join('---\n');
        const files = secretFiles[secret];
        const base = { application: names('OTHER'), secret: names('CODE') };
        const given = { request, files, ...(secret === 'the base' ? { base } : {}) };
        const [left, right] = [await loaded({ ...given, value: one }), await loaded({ ...given, value: other })];
        expect(left.diagnostics).toEqual(right.diagnostics);
        const isShown = left.variables.application.has('CODE');
        if (isShown) expect(errorsIn(left)).not.toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });

  test('causes the same errors whatever it is, while the base does not show it', async () => {
    const base = { application: names(), secret: names() };
    await fc.assert(
      fc.asyncProperty(requests, values, values, async ({ uses, isDeclared }, one, other) => {
        const documents = uses.map(([at, value]) => `version: 1\n${at(value)}\n`);
        const request = `version: 1\n${isDeclared ? 'variables: { CODE: {} }\n' : ''}users: { amy: { nick: A } }\n---\n${documents.join('---\n')}`;
        const [left, right] = [
          await loaded({ request, value: one, base }),
          await loaded({ request, value: other, base }),
        ];
        expect(left.diagnostics).toEqual(right.diagnostics);
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });

  test('reads as if the value were written in its place, if it is not a secret', async () => {
    const literal = fc.oneof(
      fc.constantFrom('e', 'true', 'alice', 'error', 'manifest', 'is', 'carol', 'support'),
      fc.stringMatching(/^[a-z][a-z0-9._-]{0,70}$/u),
    );
    const plain = fc.constantFrom(`$\{var.CODE}`, `x$\{var.CODE}y`, `u-$\{var.CODE}`);
    const nobody = `group_channels: { support-3: { name: x, members: { carol: } } }`;
    await fc.assert(
      fc.asyncProperty(literal, fc.array(fc.tuple(place, plain), { maxLength: 3 }), async (value, uses) => {
        const documents = [
          nobody,
          ...uses.map(([at, use]) => at(use)).filter((text) => !/policy|application|extends/u.test(text)),
        ];
        const text = documents.map((document) => `version: 1\n${document}\n`).join('---\n');
        const declared = `---\nversion: 1\nvariables: { CODE: {} }\nremoved: [{ address: "user.$\{var.CODE}-gone" }]\n`;
        const filled = (manifest: string) => manifest.replaceAll(`$\{var.CODE}`, value);
        const byVariable = await loaded({ request: text + declared, value });
        const written = await loaded({ request: filled(text + declared), value });
        const sentences = ({ diagnostics }: typeof written) =>
          diagnostics
            .filter(({ code }) => code !== 'manifest.unused-variable')
            .map(({ code, detail, address }) => `${code} ${address}: ${detail.replaceAll(/:\d+\b/gu, '')}`)
            .sort();
        expect(sentences(byVariable)).toEqual(sentences(written));
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });

  test.for<[string, string, string]>([
    [
      'type: integer',
      'True',
      'The value of CHATFORM_VAR_CODE is "True", but its type is integer. Write a whole number.',
    ],
    [
      'type: boolean',
      'True',
      'The value of CHATFORM_VAR_CODE is "True", but its type is boolean. Write true or false.',
    ],
    ['allowed: [eu, us]', 'asia', 'The value of CHATFORM_VAR_CODE is "asia": expected eu or us.'],
  ])('%s: says what it received, and why it does not fit', async ([declared, value, says]) => {
    const request = `version: 1\nvariables: { CODE: { ${declared} } }\nusers: { a: { nickname: "$\{var.CODE}" } }\n`;
    expect((await loaded({ request, value })).diagnostics.map(({ detail }) => detail)).toContain(says);
    const withheld = await loaded({ request, value, files: secretFiles.block });
    expect(JSON.stringify(withheld.diagnostics)).not.toContain(value);
    expect(codesOf(withheld)).toContain('manifest.secret-variable');
  });

  test('is planned without errors although its base does not show it', async () => {
    const request = `version: 1\nvariables: { CODE: {} }\nusers: { "u-$\{var.CODE}": { nickname: A } }\n`;
    const base = { application: names(), secret: names() };
    const { resources, diagnostics } = await loaded({ request, value: 'eu', base });
    expect(diagnostics).toEqual([]);
    expect(Array.from(resources, ({ address }) => address)).toEqual(['user.u-eu']);
  });
});
