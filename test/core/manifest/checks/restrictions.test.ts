// Tests which declarations and changes the restrictions refuse, by entry and by file.
import { describe, expect, test } from 'vitest';
import { PolicyRestrictions } from '../../../../src/core/manifest/checks/restrictions.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { Change } from '../../../../src/core/model/change.ts';
import type { Restriction } from '../../../../src/core/model/policy.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { type Files, load } from '../support/in-memory.ts';

const at = (line: number, file = 'policy.yaml') => ({ file, line, column: 7 });
const support: Restriction = {
  files: 'teams/support/**',
  keys: { group_channels: ['^support-', '-help$'], users: ['^agent-'] },
  verbs: ['create', 'update'],
  fields: { group_channels: ['name', 'members'] },
  source: at(3),
};
const rest: Restriction = { files: '**', keys: {}, source: at(9) };

function judge(list: readonly Restriction[], file: string, address: Address, fields: readonly string[] = []) {
  return new PolicyRestrictions(list, registry).judge(file, address, fields)[0]?.detail;
}

describe('what a file may declare', () => {
  const cases: readonly [string, Address, string | undefined][] = [
    ['teams/support/a.yaml', 'group_channel.support-1', undefined],
    ['teams/support/deep/b.yml', 'group_channel.it-help', undefined],
    ['teams/support/.hidden/b.yml', 'user.agent-7', undefined],
    ['teams/support/a.yaml', 'group_channel.billing', 'whose channel_url matches ^support- or -help$'],
    ['teams/support/a.yaml', 'open_channel.support-1', 'lets it declare no open_channels'],
    ['teams/supporters/a.yaml', 'group_channel.support-1', undefined],
    ['company/a.yaml', 'user.alice', undefined],
  ];
  test.for(cases)('%s: %s', ([file, address, expected]) => {
    const said = judge([support], file, address);
    if (expected === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(expected);
  });

  test('allows a file that no entry matches, unless a last entry for ** forbids it', () => {
    expect(judge([support], 'new/a.yaml', 'user.alice')).toBeUndefined();
    expect(judge([support, rest], 'new/a.yaml', 'user.alice')).toContain('policy.yaml:9:7');
    expect(judge([support, rest], 'teams/support/a.yaml', 'user.agent-1')).toBeUndefined();
  });

  test('applies the first matching entry, also if a later one would allow more', () => {
    const all: Restriction = { files: 'teams/**', keys: { users: [''] }, source: at(5) };
    expect(judge([support, all], 'teams/support/a.yaml', 'user.alice')).toContain('policy.yaml:3:7');
    expect(judge([all, support], 'teams/support/a.yaml', 'user.alice')).toBeUndefined();
  });

  test('refuses all fields except the named ones, for the named kinds', () => {
    expect(judge([support], 'teams/support/a.yaml', 'group_channel.support-1', ['name', 'members'])).toBeUndefined();
    expect(judge([support], 'teams/support/a.yaml', 'group_channel.support-1', ['name', 'frozen'])).toBe(
      'teams/support/a.yaml comes under the restriction of teams/support/** (policy.yaml:3:7), which lets its group_channels declare name, members, not frozen. Leave it out, or declare the object in another file.',
    );
    expect(judge([support], 'teams/support/a.yaml', 'user.agent-1', ['nickname'])).toBeUndefined();
  });

  test('resolves globs from the folder of the policy, and a leading ** anywhere', () => {
    const below = { ...support, source: at(3, 'platform/policy.yaml') };
    expect(judge([below], 'teams/support/a.yaml', 'user.alice')).toBeUndefined();
    expect(judge([below], 'platform/teams/support/a.yaml', 'user.alice')).toBeDefined();
    expect(judge([{ ...below, files: '../teams/**' }], 'teams/support/a.yaml', 'user.alice')).toBeDefined();
    expect(judge([{ ...rest, source: at(9, 'platform/policy.yaml') }], 'teams/a.yaml', 'user.alice')).toBeDefined();
    expect(judge([{ ...rest, source: at(9, '../policy.yaml') }], '../../elsewhere/a.yaml', 'user.a')).toBeDefined();
  });
});

test('refuses an entry of removed without the key or the verb', () => {
  const restrictions = new PolicyRestrictions([support], registry);
  const removal = (address: Address) => restrictions.judgeRemoval('teams/support/a.yaml', address)?.detail;
  expect(removal('user.agent-1')).toContain('lets it create and update, not remove');
  expect(removal('user.alice')).toContain('whose user_id matches ^agent-');
  expect(restrictions.judgeRemoval('company/a.yaml', 'user.alice')).toBeUndefined();
});

describe('what a plan may do', () => {
  const change = (address: Address, actions: Change['actions'], file?: string): Change => ({
    address,
    actions,
    attributes: [],
    ...(file === undefined ? {} : { source: at(1, file) }),
    reason: { code: 'not_in_state' },
    reversibility: 'reversible',
    dangerous: false,
    notes: [],
    requests: [],
  });
  const refused = (list: readonly Restriction[], ...changes: readonly Change[]) =>
    [...new PolicyRestrictions(list, registry).refusals(changes)].map(({ code, address, detail }) => ({
      code,
      address,
      detail,
    }));

  test('checks each change against the file of its object', () => {
    const only = (verbs: Restriction['verbs'] & object) => [{ ...support, verbs }];
    const file = 'teams/support/a.yaml';
    expect(refused(only(['create']), change('user.agent-1', ['create', 'deactivate'], file))).toEqual([]);
    expect(refused(only(['create']), change('user.agent-1', ['freeze'], file))).toMatchObject([
      { code: 'safety.restricted', address: 'user.agent-1' },
    ]);
    expect(refused(only(['update']), change('user.agent-1', ['adopt'], file))).toHaveLength(1);
    expect(refused(only([]), change('user.agent-1', ['update'], file))[0]?.detail).toContain('may change nothing');
    expect(refused(only([]), change('user.agent-1', ['update'], 'company/a.yaml'))).toEqual([]);
  });

  test('checks a removed object against the entry that owns its key', () => {
    expect(refused([support], change('user.agent-1', ['deactivate']))[0]?.detail).toBe(
      'The plan would remove user.agent-1. Its key belongs to the files teams/support/** (policy.yaml:3:7), which may create and update, not remove. Undo the edit, or ask the owners of the policy to change the restriction.',
    );
    expect(refused([support], change('user.alice', ['deactivate']))).toEqual([]);
    expect(refused([{ ...support, verbs: ['remove'] }], change('user.agent-1', ['deactivate']))).toEqual([]);
  });

  test('refuses an object that the policy of another commit forbids in the file', () => {
    const { verbs: _all, ...free } = support;
    const file = 'teams/support/a.yaml';
    expect(refused([free], change('user.boss', ['create'], file))).toMatchObject([{ code: 'safety.restricted' }]);
    expect(refused([free], change('user.agent-1', ['create'], file))).toEqual([]);
  });

  test('allows everything if no verbs are listed', () => {
    const { verbs: _none, ...free } = support;
    expect(refused([free], change('user.agent-1', ['deactivate']))).toEqual([]);
  });
});

/** Everything that a file can do to an object of others. A new way to declare, to change or to take away belongs here. */
const ways: Readonly<Record<string, Files>> = {
  'a declaration': { 'teams/support/a.yaml': 'version: 1\nusers: { ops-c: { nickname: C } }\n' },
  'an entry of removed': { 'teams/support/a.yaml': 'version: 1\nremoved: [{ address: user.ops-gone }]\n' },
  'a removal in an overlay': {
    'teams/support/a.yaml': 'version: 1\nextends: ../ops\nusers: { ops-b: { absent: true } }\n',
  },
  'a value in an overlay': {
    'teams/support/a.yaml': 'version: 1\nextends: ../ops\nusers: { ops-b: { nickname: X } }\n',
  },
  'the removal of a value in an overlay': {
    'teams/support/a.yaml': 'version: 1\nextends: ../ops\nusers: { ops-b: { profile_url: { absent: true } } }\n',
  },
  'another key, which takes one object away and declares another': {
    'teams/support/a.yaml':
      'version: 1\nextends: ../ops\nusers: { ops-b: { absent: true }, support-b: { nickname: B } }\n',
  },
  'a row of a table': {
    'teams/support/a.yaml': 'version: 1\nsources: [{ kind: user, file: people.ndjson }]\n',
    'teams/support/people.ndjson': '{"user_id":"ops-c","nickname":"C"}\n',
  },
  'a template for rows': {
    'teams/support/a.yaml': `version: 1
users: { "ops-$\{each.value}": { for_each: [c], nickname: "$\{each.value}" } }
`,
  },
  'a history file': {
    'teams/support/a.yaml':
      'version: 1\nextends: ../ops\nsources: [{ kind: messages, file: "history/{channel_url}.ndjson" }]\n',
    'teams/support/history/ops-room.ndjson': '{"user_id":"ops-b","message":"m","timestamp":1600000000000}\n',
  },
};

test.for(Object.entries(ways))('refuses %s for an object of another team', async ([, files]) => {
  const company: Files = {
    'policy.yaml': `version: 1
application: { base_url: https://api-a.sendbird.com/v3 }
policy:
  restrictions:
    - { files: "teams/support/**", users: ["^support-"], group_channels: ["^support-"] }
    - { files: "teams/ops/**", users: ["^ops-"], group_channels: ["^ops-"] }
`,
    'teams/ops/ops.yaml': `version: 1
users: { ops-b: { nickname: B, profile_url: "https://example.com/b.png" }, ops-d: { nickname: D } }
group_channels: { ops-room: { members: { ops-d: } } }
`,
  };
  const manifest = await load({ ...company, ...files }, { paths: ['policy.yaml', 'teams/support', 'teams/ops'] });
  const restricted = manifest.diagnostics.filter(({ code }) => code === 'manifest.restricted');
  expect(restricted.map(({ source }) => source?.file)).toEqual([expect.stringMatching('^teams/support/')]);
});
