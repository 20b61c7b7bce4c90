// Tests the result of loading valid manifests.
import { describe, expect, test } from 'vitest';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { errorsIn, load, objectsIn } from './support/in-memory.ts';

/** Returns attributes by address, after asserting that there are no problems. */
async function attributesOf(text: string): Promise<Record<string, JsonObject>> {
  const loaded = await load({ 'a.yaml': text });
  expect(errorsIn(loaded)).toEqual([]);
  return Object.fromEntries([...loaded.resources].map(({ address, attributes }) => [address, attributes]));
}

const valid: readonly { readonly name: string; readonly given: string; readonly expected: unknown }[] = [
  {
    name: 'keys and ids are their source text',
    given: `version: 1
users:
  00123: { nickname: A }
  1e5: { nickname: B }
  yes: { nickname: C }
  null: { nickname: D }
  0x1F: { nickname: E, metadata: { 007: "1" } }
group_channels:
  10000: { members: { 00123:, 1e5:, yes:, null:, 0x1F: }, operators: [00123, 1e5, yes, null, 0x1F], inviter_id: 1e5 }
`,
    expected: {
      'group_channel.10000': {
        inviter_id: '1e5',
        members: { '00123': {}, '0x1F': {}, '1e5': {}, null: {}, yes: {} },
        operators: ['00123', '0x1F', '1e5', 'null', 'yes'],
      },
      'user.00123': { nickname: 'A' },
      'user.0x1F': { nickname: 'E', metadata: { '007': '1' } },
      'user.1e5': { nickname: 'B' },
      'user.null': { nickname: 'D' },
      'user.yes': { nickname: 'C' },
    },
  },
  {
    name: 'defaults merge maps by key and replace lists',
    given: `version: 1
defaults:
  users: { nickname: Someone, metadata: { team: support, level: "1" } }
  open_channels: { operators: [alice], custom_type: support }
users:
  alice: { metadata: { level: "2" } }
open_channels:
  hall: {}
  lobby: { operators: [] }
`,
    expected: {
      'open_channel.hall': { custom_type: 'support', operators: ['alice'] },
      'open_channel.lobby': { custom_type: 'support', operators: [] },
      'user.alice': { nickname: 'Someone', metadata: { level: '2', team: 'support' } },
    },
  },
  {
    name: 'anchors, aliases and merge keys work within a document',
    given: `version: 1
users:
  alice: &person { nickname: Alice, metadata: &meta { team: a } }
  bob: { <<: *person, nickname: Bob }
  carol: { nickname: Carol, metadata: { <<: [ { team: x }, *meta ], level: "1" } }
  "<<": { nickname: A quoted key is a key }
`,
    expected: {
      'user.<<': { nickname: 'A quoted key is a key' },
      'user.alice': { nickname: 'Alice', metadata: { team: 'a' } },
      'user.bob': { nickname: 'Bob', metadata: { team: 'a' } },
      'user.carol': { nickname: 'Carol', metadata: { level: '1', team: 'x' } },
    },
  },
  {
    name: 'documents of one file are merged and share its defaults',
    given: 'version: 1\ndefaults: { users: { profile_url: "" } }\n---\nversion: 1\nusers: { alice: { nickname: A } }\n',
    expected: { 'user.alice': { nickname: 'A', profile_url: '' } },
  },
  {
    name: 'CRLF, a byte order mark and block scalars',
    given: '\ufeffversion: 1\r\nopen_channels:\r\n  lobby:\r\n    data: |\r\n      one\r\n      two\r\n',
    expected: { 'open_channel.lobby': { data: 'one\ntwo\n' } },
  },
  {
    name: 'a placeholder outside of application is plain text, of which two dollars are one',
    given: `version: 1\nusers: { alice: { nickname: "\${NAME} $\${NAME}" } }\n`,
    expected: { 'user.alice': { nickname: `\${NAME} \${NAME}` } },
  },
  {
    name: 'deprecated forms are read',
    given: `version: 1
users: { alice: { nickname: A }, bob: { nickname: B } }
group_channels: { club: { user_ids: [alice, bob], operator_ids: [bob], hidden_status: { bob: hidden_prevent_auto_unhide } } }
`,
    expected: {
      'group_channel.club': {
        members: { alice: {}, bob: { hidden_status: 'hidden_prevent_auto_unhide' } },
        operators: ['bob'],
      },
      'user.alice': { nickname: 'A' },
      'user.bob': { nickname: 'B' },
    },
  },
];

test.for(valid)('$name', async ({ given, expected }) => {
  expect(await attributesOf(given)).toEqual(expected);
});

test('sorts resources and keeps the places of their attributes', async () => {
  const { resources, files } = await load({
    'b.yaml': 'version: 1\nusers:\n  bob:\n    nickname: Bob\n    lifecycle: { protect: true }\n',
    'deep/a.yml': 'version: 1\nusers:\n  alice: { nickname: Alice }\n',
    'deep/notes.txt': 'no manifest',
  });
  expect([...resources]).toEqual([
    {
      address: 'user.alice',
      attributes: { nickname: 'Alice' },
      lifecycle: {},
      source: { file: 'deep/a.yml', line: 3, column: 3 },
      attributeSources: { nickname: { file: 'deep/a.yml', line: 3, column: 12 } },
    },
    {
      address: 'user.bob',
      attributes: { nickname: 'Bob' },
      lifecycle: { protect: true },
      source: { file: 'b.yaml', line: 3, column: 3 },
      attributeSources: { nickname: { file: 'b.yaml', line: 4, column: 5 } },
    },
  ]);
  expect(files).toEqual([
    { file: 'b.yaml', counts: { user: 1 } },
    { file: 'deep/a.yml', counts: { user: 1 } },
  ]);
});

test('loads a file once if it is named twice', async () => {
  const files = { 'a.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n' };
  const { resources, diagnostics } = await load(files, { paths: ['a.yaml', '.', './a.yaml'] });
  expect([resources.length, diagnostics]).toEqual([1, []]);
});

test('an empty block of settings has the defaults of its file', async () => {
  const declared = (block: string) =>
    load({ 'a.yaml': `version: 1\ndefaults: { settings: { reactions: true } }\n${block}` });
  expect(objectsIn(await declared('settings: {}\n'))).toMatchObject([
    { address: 'settings.application', attributes: { reactions: true } },
  ]);
  expect(objectsIn(await declared(''))).toEqual([]);
});

test.for(['[]', '[a]', '{ from: 1, to: 2 }'])('refuses for_each: %s in the settings', async (rows) => {
  const loaded = await load({ 'a.yaml': `version: 1\nsettings: { for_each: ${rows}, reactions: true }\n` });
  expect(errorsIn(loaded)).toMatchObject([
    { code: 'manifest.unknown-key', detail: expect.stringContaining('A set of settings has no key "for_each"') },
  ]);
});

test('lists sections that are declared empty', async () => {
  const { empty } = await load({ 'a.yaml': 'version: 1\nusers: {}\n' });
  expect(empty).toEqual([{ section: 'users', source: { file: 'a.yaml', line: 2, column: 1 } }]);
});

describe('application and policy', () => {
  const text = `version: 1
application:
  base_url: https://api-\${APP_ID}.sendbird.com/v3
  rate_plan: 25k_mau
  limits: { POST: 60, "POST /migration/{channel_url}": 10, messages_per_migration: 200 }
`;

  test('fills in variables and reads the limit of messages separately', async () => {
    const variables = (name: string) => (name === 'APP_ID' ? 'mine' : undefined);
    const { application, diagnostics } = await load({ 'a.yaml': text }, { variables });
    expect(diagnostics).toEqual([]);
    expect(application).toEqual({
      base_url: 'https://api-mine.sendbird.com/v3',
      rate_plan: '25k_mau',
      limits: { POST: 60, 'POST /migration/{channel_url}': 10 },
      messages_per_migration: 200,
      rate_share: 1,
      source: { file: 'a.yaml', line: 2, column: 1 },
    });
  });

  test('warns about a missing variable if nothing is sent', async () => {
    const { application, diagnostics } = await load({ 'a.yaml': text }, { missingVariables: 'warn' });
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['warning', 'manifest.missing-variable'],
    ]);
    expect(application?.base_url).toBeUndefined();
  });

  test('keeps an escaped placeholder as text', async () => {
    const { application } = await load({ 'a.yaml': 'version: 1\napplication: { base_url: "emulator:$${X}" }\n' });
    expect(application?.base_url).toBe(`emulator:\${X}`);
  });

  test('gives each open key of the policy its documented default', async () => {
    const { policy } = await load({
      'a.yaml': 'version: 1\npolicy: { removals: { free_count: 3 }, on_remove: { user: delete } }\n',
    });
    expect(policy?.on_remove).toMatchObject({
      bot: 'delete',
      open_channel: 'freeze',
      group_channel: 'freeze',
      messages: 'retire',
      settings: 'forget',
    });
    const first = Object.fromEntries(registry.map(({ name: kind, removals: [removal] }) => [kind, removal]));
    expect(policy).toEqual({
      on_remove: { ...first, user: 'delete' },
      removals: { max_share: 0.1, free_count: 3 },
      acknowledge: [],
      existing: 'refuse',
      external: {},
      personal_data: 'error',
      departed: 'leave_alone',
      reopen: { frozen: 'allow', deactivated: 'refuse' },
      leave_channels_on_deactivation: false,
      read_each: 1000,
      refresh: 'none',
      restrictions: [],
      source: { file: 'a.yaml', line: 2, column: 1 },
    });
  });
});

describe('files that attributes name', () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const manifest = 'version: 1\nusers: { alice: { nickname: A, profile_file: ../faces/a.png } }\n';

  test('replace their path by digest and type', async () => {
    const { resources, diagnostics } = await load({ 'm/a.yaml': manifest, 'faces/a.png': png });
    expect(diagnostics).toEqual([]);
    expect(resources.at(0)?.attributes.profile_file).toEqual({
      file: 'faces/a.png',
      digest: '4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6',
      media_type: 'image/png',
    });
  });

  test('are refused above the size that the platform accepts', async () => {
    const big = Buffer.concat([png, Buffer.alloc(5_000_000)]);
    const { diagnostics } = await load({ 'm/a.yaml': manifest, 'faces/a.png': big });
    expect(diagnostics.map(({ code }) => code)).toEqual(['manifest.file-too-big']);
  });
});

test('keeps the place of a removed entry', async () => {
  const { removed } = await load({
    'a.yaml': 'version: 1\nremoved:\n  - { address: user.mallory, on_remove: delete }\n',
  });
  expect(removed).toEqual([
    { address: 'user.mallory', on_remove: 'delete', source: { file: 'a.yaml', line: 3, column: 16 } },
  ]);
});

test('reports no dangling references if a file could not be read', async () => {
  const { diagnostics } = await load({
    'a.yaml': 'version: 1\nopen_channels: { lobby: { operators: [alice] } }\n',
    'b.yaml': 'version: 1\nusers: { alice: [\n',
  });
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['manifest.syntax']));
});
