// Tests the meaning of overlays for settings, files, rows and places.
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/core/kinds/definition/kind.ts';
import { policySchema } from '../../../../src/core/manifest/schema/policy-schema.ts';
import { policyKeys } from '../../../../src/core/model/policy.ts';
import { loosenedPaths } from '../../../../src/core/model/policy-keys.ts';
import { printPosition } from '../../../../src/core/model/source.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { isObject, type JsonObject } from '../../../../src/lib/json.ts';
import { codesOf, errorsIn, type Files, load } from '../support/in-memory.ts';

async function loaded(files: Files, path: string) {
  const manifest = await load(files, { paths: [path] });
  return { ...manifest, objects: [...manifest.resources], codes: codesOf(manifest), errors: errorsIn(manifest) };
}

const base = `version: 1
variables: { region: { default: eu, allowed: [eu, us] }, share: { type: number, default: 1 } }
application: { base_url: https://api-a.sendbird.com/v3, rate_plan: 25k_mau, rate_share: "$\{var.share}", limits: { POST: 3 } }
policy:
  removals: { max_share: 0.1, free_count: 5 }
  acknowledge: [{ effect: user.deactivate, count: 1 }]
  external: { users: ["^sys-", "^old-"] }
  restrictions: [{ files: "**", users: [".*"] }]
  may_loosen: [departed]
  approvals: { dangers: 1, signers: [bob ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINjRhtPg7X/B+wZjvuTxroh1uYrQN1UaKfBv+PYsxJQ5] }
  diagnostics: { manifest.deprecated: error }
users:
  alice: { nickname: "Alice $\{var.region}" }
`;

test('merges application, policy and variables by key, and appends lists of the policy', async () => {
  const overlay = `version: 1
extends: ../base
variables: { region: { default: us }, share: { absent: true } }
application: { base_url: https://api-b.sendbird.com/v3, limits: { GET: 4 }, rate_share: 0.5 }
policy:
  removals: { max_share: 0.05 }
  acknowledge: [{ effect: user.deactivate, count: 7 }]
  external: { users: { absent: true } }
  restrictions: [{ files: "never/**" }]
  departed: reinvite
`;
  const { codes, application, policy, objects } = await loaded({ 'base/a.yaml': base, 'us/a.yaml': overlay }, 'us');
  expect(codes).toEqual(['manifest.restriction-unused']);
  expect(application).toEqual({
    base_url: 'https://api-b.sendbird.com/v3',
    rate_plan: '25k_mau',
    limits: { POST: 3, GET: 4 },
    rate_share: 0.5,
    source: { file: 'us/a.yaml', line: 4, column: 1, over: { file: 'base/a.yaml', line: 3, column: 1 } },
  });
  expect(policy).toMatchObject({
    removals: { max_share: 0.05, free_count: 5 },
    acknowledge: [{ count: 1 }, { count: 7 }],
    external: {},
    departed: 'reinvite',
    restrictions: [
      { files: '**', source: { file: 'base/a.yaml', line: 8 } },
      { files: 'never/**', source: { file: 'us/a.yaml' } },
    ],
  });
  expect(objects.map(({ attributes }) => attributes.nickname)).toEqual(['Alice us']);
});

test.for([
  ['removals: { free_count: 6 }', ['manifest.policy-loosened']],
  ['removals: { free_count: 4 }', []],
  ['existing: adopt', ['manifest.policy-loosened']],
  ['reopen: { frozen: refuse }', []],
  ['reopen: { deactivated: allow }', ['manifest.policy-loosened']],
  ['external: { users: ["^sys-"] }', []],
  ['external: { users: ["^new-"] }', ['manifest.policy-loosened']],
  ['on_remove: { user: forget }', []],
  ['on_remove: { user: delete }', ['manifest.policy-loosened']],
  ['leave_channels_on_deactivation: true', ['manifest.policy-loosened']],
  ['trust_dedup: true', ['manifest.policy-loosened']],
  ['may_loosen: [existing]', ['manifest.policy-loosened']],
  ['departed: reinvite', []],
  ['messages: { edited: refuse }', []],
  ['messages: { deleted: delete }', ['manifest.policy-loosened']],
  ['restrictions: { absent: true }', ['manifest.policy-loosened']],
  [
    'approvals: { signers: [ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT] }',
    ['manifest.policy-loosened'],
  ],
  ['approvals: { dangers: 0 }', []],
  ['approvals: { dangers: 2 }', ['manifest.policy-loosened']],
  ['approvals: { absent: true }', ['manifest.policy-loosened']],
  ['approvals: { signatures: 2 }', []],
  ['approvals: { signers: signers }', ['manifest.policy-loosened']],
  ['undo: { runs: 9 }', []],
  ['undo: { megabytes: 1 }', ['manifest.policy-loosened']],
  ['diagnostics: { manifest.lookalike: error }', []],
  ['diagnostics: { manifest.lookalike: off }', ['manifest.policy-loosened']],
  ['diagnostics: { manifest.deprecated: { level: warning } }', ['manifest.policy-loosened']],
  ['diagnostics: { manifest.secret-value: { except: [user.a.*] } }', ['manifest.policy-loosened']],
  ['read_each: 5000', []],
  ['read_each: 10', ['manifest.policy-loosened']],
] as const)('policy: { %s } over the policy of a base', async ([line, expected]) => {
  const overlay = `version: 1\nextends: ../base\npolicy:\n  ${line}\n`;
  const { errors } = await loaded({ 'base/a.yaml': base, 'us/a.yaml': overlay }, 'us');
  expect(errors.map(({ code }) => code)).toEqual(expected);
});

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT';

test.for<[title: string, signers: string, files: readonly string[], codes: readonly string[]]>([
  ['that of the base counts', '', ['base/signers'], []],
  ['it may be restated for the same file', 'signers: ../base/signers', ['base/signers'], []],
  [
    'the same path in another folder is another file',
    'signers: signers',
    ['base/signers', 'us/signers'],
    ['manifest.policy-loosened'],
  ],
  ['a list may name others', `signers: [eve ${key}]`, ['base/signers'], ['manifest.policy-loosened']],
])('of a file of signers under an overlay %s', async ([, signers, names, codes]) => {
  const found = await loaded(
    {
      'base/a.yaml': 'version: 1\npolicy: { approvals: { signers: signers } }\n',
      'us/a.yaml': `version: 1\nextends: ../base\npolicy: { approvals: { dangers: 0${signers === '' ? '' : `, ${signers}`} } }\n`,
      ...Object.fromEntries(names.map((name) => [name, `# People\n\n${name.slice(0, 2)} ${key}\r\n`])),
    },
    'us',
  );
  expect(found.errors.map(({ code }) => code)).toEqual(codes);
  if (codes.length === 0) expect(found.policy.approvals).toEqual({ dangers: 0, signers: [`ba ${key}`] });
});

/** Each value of a schema that has a default, with the objects around it. */
function defaultsIn(schema: JsonSchema): JsonObject[] {
  return Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([key, inner]): JsonObject[] => {
    if (!isObject(inner)) return [];
    return inner.default === undefined
      ? defaultsIn(inner).map((value) => ({ [key]: value }))
      : [{ [key]: inner.default }];
  });
}

test('a default allows no more than a base without the key', () => {
  const defaults = defaultsIn(policySchema(registry));
  expect(defaults.length).toBeGreaterThan(10);
  expect(defaults.filter((policy) => loosenedPaths(policyKeys, {}, policy).length > 0)).toEqual([]);
});

test('lets overlays set the policy if the base has none', async () => {
  const files = {
    'base/a.yaml': 'version: 1\nusers: {}\n',
    'us/a.yaml': 'version: 1\nextends: ../base\npolicy: { existing: adopt }\n',
  };
  expect((await loaded(files, 'us')).codes).toEqual([]);
});

test('resolves files that a base names relative to the base', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const files = {
    'base/a.yaml': `version: 1
users:
  alice: { nickname: Alice, profile_file: ./alice.png }
  bob: { nickname: Bob, profile_file: ./bob.png }
open_channels:
  room-$\{each.id}: { for_each: { file: rooms.csv }, name: "$\{each.id}", messages: { file: "$\{each.id}.ndjson" } }
`,
    'base/alice.png': png,
    'base/bob.png': png,
    'base/rooms.csv': 'id\none\ntwo\n',
    'base/one.ndjson': '{"message_type":"MESG","user_id":"alice","message":"1","timestamp":1700000000001}\n',
    'base/two.ndjson': '{"message_type":"MESG","user_id":"alice","message":"2","timestamp":1700000000002}\n',
    'us/a.yaml': `version: 1
extends: ../base
users:
  alice: { nickname: Other }
  bob: { profile_file: ./bob.png }
open_channels:
  room-two: { name: Second }
`,
    'us/bob.png': png,
  };
  const { codes, objects } = await loaded(files, 'us');
  expect(codes).toEqual([]);
  const fileOf = (address: string, name: string) => {
    const value = objects.find((object) => object.address === address)?.attributes[name];
    return JSON.stringify(value);
  };
  expect(fileOf('user.alice', 'profile_file')).toContain('base/alice.png');
  expect(fileOf('user.bob', 'profile_file')).toContain('us/bob.png');
  expect(objects.map(({ address }) => address)).toContain('messages.room-two');
  expect(objects.find(({ address }) => address === 'open_channel.room-two')?.attributes.name).toBe('Second');
});

test('gives every value the place of its layer, and both places to a conflict', async () => {
  const files = {
    'base/a.yaml': 'version: 1\nusers:\n  alice: { nickname: Alice, profile_url: x, metadata: { a: b } }\n',
    'us/a.yaml': 'version: 1\nextends: ../base\nusers:\n  alice: { nickname: Al, metadata: { c: d } }\n',
    'night/a.yaml': 'version: 1\nextends: ../us\nusers:\n  alice: { nickname: Night }\n',
  };
  const { objects } = await loaded(files, 'night');
  const [alice] = objects;
  expect(printPosition(alice?.source ?? { file: '', line: 0, column: 0 })).toBe(
    'night/a.yaml:4:3 over us/a.yaml:4:3 over base/a.yaml:3:3',
  );
  const places = Object.entries(alice?.attributeSources ?? {}).map(([name, source]) => [name, printPosition(source)]);
  expect(Object.fromEntries(places)).toEqual({
    nickname: 'night/a.yaml:4:12 over us/a.yaml:4:12 over base/a.yaml:3:12',
    profile_url: 'base/a.yaml:3:29',
    metadata: 'us/a.yaml:4:26 over base/a.yaml:3:45',
  });
});

test('refuses an object of two overlays that do not extend each other', async () => {
  const overlay = 'version: 1\nextends: ../base\nusers: { alice: { nickname: A } }\n';
  const { diagnostics } = await loaded({ 'base/a.yaml': base, 'us/a.yaml': overlay, 'us/b.yaml': overlay }, 'us');
  expect(diagnostics.map(({ code, source }) => [code, source?.file])).toEqual([
    ['manifest.duplicate-resource', 'us/b.yaml'],
  ]);
});

test('removes declarations of the base, and no others', async () => {
  const files = {
    'base/a.yaml': 'version: 1\nusers: { alice: { nickname: A } }\n',
    'us/a.yaml': 'version: 1\nextends: ../base\nusers: { zoe: { absent: true } }\n',
    'us/b.yaml': 'version: 1\nusers: { zoe: { nickname: Z } }\n',
  };
  const { codes } = await loaded(files, 'us');
  expect(codes).toEqual(['manifest.nothing-to-take', 'manifest.duplicate-resource'].slice(0, codes.length));
  expect(codes).toContain('manifest.nothing-to-take');
});

const users = 'users: { alice: { nickname: A }, carl: { nickname: C }, dora: { nickname: D } }';

/** Each row: the line of the base, the line of the overlay, and the attribute that both mean. */
const inSpellings: readonly (readonly [below: string, above: string, meant: JsonObject])[] = [
  ...['members: { alice: }', 'user_ids: [alice]', 'users: [{ user_id: alice }]'].flatMap((below) =>
    ['members: { carl: }', 'user_ids: [carl]', 'users: [{ user_id: carl }]', 'user_ids: { carl: }'].map(
      (above) => [below, above, { members: { alice: {}, carl: {} } }] as const,
    ),
  ),
  ['users: [{ user_id: alice }, { user_id: dora }]', 'members: { dora: { absent: true } }', { members: { alice: {} } }],
  ['members: { alice: , dora: }', 'user_ids: { dora: { absent: true } }', { members: { alice: {} } }],
  [
    'members: { alice: { hidden_status: hidden_allow_auto_unhide } }',
    'user_ids: [alice]',
    { members: { alice: { hidden_status: 'hidden_allow_auto_unhide' } } },
  ],
  ['operators: [alice]', 'operator_ids: [carl]', { operators: ['alice', 'carl'] }],
  ['operator_ids: [alice]', 'operators: { alice: { absent: true }, carl: }', { operators: ['carl'] }],
  ['freeze: true', 'frozen: false', { frozen: false }],
  ['frozen: true', 'freeze: { absent: true }', {}],
];

test.for(inSpellings)('%s below %s means one attribute', async ([below, above, meant]) => {
  const files = {
    'base/a.yaml': `version: 1\n${users}\ngroup_channels:\n  grp1: { name: G, ${below} }\n`,
    'us/a.yaml': `version: 1\nextends: ../base\ngroup_channels: { grp1: { ${above} } }\n`,
  };
  const { errors, objects } = await loaded(files, 'us');
  expect(errors).toEqual([]);
  expect(objects.find(({ address }) => address === 'group_channel.grp1')?.attributes).toEqual({ name: 'G', ...meant });
});

test.for<readonly [common: string, own: string, meant: JsonObject]>([
  ['freeze: true', 'frozen: false', { frozen: false }],
  ['frozen: true', 'freeze: false', { frozen: false }],
  ['user_ids: [alice]', 'members: { carl: }', { members: { alice: {}, carl: {} } }],
  ['users: [{ user_id: alice }]', 'user_ids: [carl]', { members: { alice: {}, carl: {} } }],
])('defaults with %s and a block with %s mean one attribute', async ([common, own, meant]) => {
  const text = `version: 1\ndefaults: { group_channels: { ${common} } }\n${users}\ngroup_channels: { grp1: { name: G, ${own} } }\n`;
  const { errors, objects } = await loaded({ 'a.yaml': text }, 'a.yaml');
  expect(errors).toEqual([]);
  expect(objects.find(({ address }) => address === 'group_channel.grp1')?.attributes).toEqual({ name: 'G', ...meant });
});

test('a row overrides defaults in any spelling', async () => {
  const files = {
    'a.yaml': `version: 1\ndefaults: { group_channels: { freeze: true, user_ids: [alice] } }\n${users}\nsources: [{ kind: group_channel, file: g.ndjson }]\n`,
    'g.ndjson':
      '{"channel_url":"grp1","name":"G","frozen":false,"users":[{"user_id":"carl"}]}\n{"channel_url":"grp2","name":"H"}\n',
  };
  const { errors, objects } = await loaded(files, 'a.yaml');
  expect(errors).toEqual([]);
  const channels = objects.filter(({ address }) => address.startsWith('group_channel.'));
  expect(channels.map(({ attributes }) => attributes)).toEqual([
    { name: 'G', frozen: false, members: { alice: {}, carl: {} } },
    { name: 'H', frozen: true, members: { alice: {} } },
  ]);
});

test.for<readonly [below: string, above: string, detail: RegExp]>([
  ['user_ids: [alice]', 'users: carl', /users/],
  ['user_ids: [alice]', 'users: [{ user_id: carl }, { user_id: carl }]', /twice|more than once|duplicate/],
  ['frozen: true', 'freeze: "no"', /freeze|frozen/],
])('%s below %s is refused', async ([below, above, detail]) => {
  const files = {
    'base/a.yaml': `version: 1\n${users}\ngroup_channels:\n  grp1: { name: G, ${below} }\n`,
    'us/a.yaml': `version: 1\nextends: ../base\ngroup_channels: { grp1: { ${above} } }\n`,
  };
  const { errors } = await loaded(files, 'us');
  expect(errors.map((error) => error.detail).join('\n')).toMatch(detail);
});
