// Tests that no diagnostic shows the value of a variable from the environment, whatever a request declares.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorsIn, load } from '../support/in-memory.ts';

/** The base. One of its attributes reads the variable as a secret. */
const base = `version: 1
group_channels: { vault: { members: { alice: }, is_public: true, access_code: { env: CODE, revision: 1 } } }
users: { alice: { nickname: Alice } }
`;

async function loaded(request: string, secret: string, hasBase: boolean) {
  const files = { 'request.yaml': request, 'rows.ndjson': '{"a":1}\n', ...(hasBase ? { 'base.yaml': base } : {}) };
  const found = await load(files, { variables: (name) => (name === 'CODE' ? secret : undefined) });
  const text = JSON.stringify(found.diagnostics);
  return { text, isValid: errorsIn(found).length === 0, variables: found.variables };
}

/** Some look like a number, a key, a path, a host or a date. None is a word that may occur in messages. */
const secrets = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9]{5,24}$/u).map((text) => `7${text}`),
  fc.stringMatching(/^[a-z0-9._/-]{8,100}$/u).map((text) => `7${text}`),
  fc.stringMatching(/^[ -~]{8,90}$/u),
  fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
  fc.constantFrom('99887766', '2020-02-31T99:00', 'https://x.acme.example/y', 'geheim,42', 'user.alice', '2e+12345'),
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

const requests = fc.tuple(
  form,
  fc.uniqueArray(fc.tuple(place, reference), { minLength: 1, maxLength: 4 }),
  fc.boolean(),
);

describe('a request that declares a variable of the environment', () => {
  test('never shows its value in a diagnostic, nor a value that the base keeps secret', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, requests, async (secret, [declared, uses, isDeclared]) => {
        const documents = uses.map(([at, value]) => `version: 1\n${at(value)}\n`);
        const variables = isDeclared ? `version: 1\nvariables: { CODE: ${declared} }\n---\n` : '';
        const request = variables + documents.join('---\n');
        const known = request + base;
        // A prefix that differs from the request's own words.
        const telling = [secret, secret.slice(0, 10)].filter(
          (part) => part.trim().length >= 5 && !known.includes(part),
        );
        for (const hasBase of [true, false]) {
          const { text, isValid, variables: names } = await loaded(request, secret, hasBase);
          for (const part of telling) {
            expect(text.toLowerCase()).not.toContain(part.toLowerCase());
            expect(text).not.toContain(JSON.stringify(part).slice(1, -1));
          }
          // Plans show the remaining values, and the base refuses these by name.
          const isUsed = isDeclared && request.includes(`$\{var.CODE}`) && !request.includes('policy:');
          if (isValid && isUsed && names.application.size > 0) expect([...names.application]).toEqual(['CODE']);
          if (hasBase && names.application.has('CODE')) expect(isValid).toBe(false);
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });

  test.for([
    ['type: integer', 'is not a whole number, but the type of the variable is integer'],
    ['allowed: [eu, us]', 'is not one of those allowed: expected eu or us'],
  ])('%s: says the name, and why it does not fit', async ([declared, why]) => {
    const { text } = await loaded(`version: 1\nvariables: { CODE: { ${declared} } }\n`, 'geheim-42', true);
    expect(text).toContain(`The value of CHATFORM_VAR_CODE ${why}`);
    expect(text).not.toContain('geheim');
  });

  test('shows the name of a file, not the value', async () => {
    const request = `version: 1\nvariables: { CODE: {} }\nsources: [{ kind: user, file: "data/$\{var.CODE}.ndjson" }]\n`;
    const { text } = await loaded(request, 'geheim-42', false);
    expect(text).toContain('data/CHATFORM_VAR_CODE.ndjson');
    expect(text).not.toContain('geheim');
  });
});
