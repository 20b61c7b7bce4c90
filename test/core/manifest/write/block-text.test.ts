// Tests that written blocks are canonical and read back unchanged, for any keys and texts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseYaml } from '../../../../src/core/manifest/files/read-yaml.ts';
import { toJson } from '../../../../src/core/manifest/files/tree.ts';
import { Problems, SourceText } from '../../../../src/core/manifest/problems/problems.ts';
import { manifestText, objectsNode, settingsNode } from '../../../../src/core/manifest/write/block-text.ts';
import { formatManifest } from '../../../../src/core/manifest/write/format.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { type JsonObject, type JsonValue, reservedKeys } from '../../../../src/lib/json.ts';
import { codePoint } from '../../../support/code-point.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';

type Sections = Parameters<typeof manifestText>[0];

function written(sections: Sections): { readonly text: string; readonly value: JsonValue | undefined } {
  const text = manifestText(sections, registry);
  const problems = new Problems();
  const source = new SourceText('a.yaml', text);
  const formatted = formatManifest(source, registry, problems);
  const [tree] = parseYaml(source, problems).trees;
  expect(problems.sorted()).toEqual([]);
  expect(formatted).toBe(text);
  return { text, value: tree === undefined ? undefined : toJson(tree) };
}

/** Texts that YAML would read as other values, that contain line ends, or that need quotes only in some places. */
const odd = [
  ...[
    '',
    ' ',
    'x'.repeat(95),
    'long words '.repeat(12),
    'a\r\nb',
    'tab\tb',
    'a\\b',
    '\x7f',
    '\u0085',
    '\u2028',
    '\ufeff',
  ],
  ...'~ # - # - a # ? a # a: b # a:b # a: # a, b # [ # { a: 1 } # *a # &a # !a # %a # @a # `a # | # > # = # << # --- # ...'.split(
    ' # ',
  ),
  ...'null # Yes # off # 1e5 # 00123 # 0x1f # 1:20 # 2026-01-01 # .inf # "a" # it\'s # a -b # a +b # two  words # ключ # 𝒳'.split(
    ' # ',
  ),
  ...['end ', '#a', 'a #b'],
];
const text = fc
  .oneof(fc.constantFrom(...odd), fc.string({ unit: codePoint, maxLength: 12 }), fc.string({ maxLength: 60 }))
  .filter((one) => !/[\0\p{Surrogate}]/u.test(one));
const key = text.filter((one) => !reservedKeys.has(one));
const status = fc.record({ hidden_status: text, invitation_status: text }, { requiredKeys: [] });
const block = fc.record(
  {
    name: text,
    metadata: fc.dictionary(key, text, { minKeys: 1, maxKeys: 6 }),
    operators: fc.array(text, { minLength: 1, maxLength: 8 }),
    members: fc.dictionary(key, status, { minKeys: 1, maxKeys: 4 }),
    banned: fc.dictionary(key, fc.record({ description: text }, { requiredKeys: [] }), { maxKeys: 4 }),
    frozen: fc.boolean(),
    nickname: text,
  },
  { requiredKeys: [] },
);
const section = fc.constantFrom('users', 'open_channels', 'group_channels');

test('reads back objects with any keys and texts', () => {
  fc.assert(
    fc.property(section, fc.dictionary(key, block, { minKeys: 1, maxKeys: 4 }), (name, objects) => {
      const given = JSON.parse(JSON.stringify(objects)) as Readonly<Record<string, JsonObject>>;
      const { value } = written([[name, objectsNode(Object.entries(given))]]);
      expect(value).toEqual({ version: 1, [name]: withBareMembers(given) });
    }),
    { numRuns: inSuite(10, 100) },
  );
});

/** A member without statuses is a key without a value. */
function withBareMembers(objects: Readonly<Record<string, JsonObject>>): JsonObject {
  const bare = (members: JsonObject): [string, JsonValue][] =>
    Object.entries(members).map(([id, line]) => [id, Object.keys(line as JsonObject).length === 0 ? null : line]);
  return Object.fromEntries(
    Object.entries(objects).map(([id, { members, ...rest }]) => [
      id,
      members === undefined ? rest : { ...rest, members: Object.fromEntries(bare(members as JsonObject)) },
    ]),
  );
}

test('reads back settings with any texts', () => {
  const external = fc.record({ users: fc.array(text, { minLength: 1, maxLength: 30 }) });
  const sources = fc.array(fc.record({ kind: text, file: text }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.record({ base_url: text, rate_share: fc.double({ min: 0, max: 1 }) }),
      external,
      sources,
      (...all) => {
        const parts = JSON.parse(JSON.stringify(all)) as [JsonObject, JsonObject, JsonObject[]];
        const sections = (['application', 'policy', 'sources'] as const).map(
          (name, at) => [name, settingsNode(parts[at] ?? {})] as const,
        );
        const { value } = written(sections.flatMap(([name, node]) => (node === undefined ? [] : [[name, node]])));
        const [application, external, list] = parts;
        expect(value).toEqual({ version: 1, application, policy: external, sources: list });
      },
    ),
    { numRuns: inSuite(15, 60) },
  );
});

fastTest('writes short values on one line, long ones and members on separate lines, and keys in schema order', () => {
  const long = 'x'.repeat(60);
  const objects: [string, JsonObject][] = [
    ['plain', { operators: ['alice', 'b c'], name: 'a:b', members: { alice: {}, '00123': { hidden_status: 'yes' } } }],
    ['wide', { operators: [long, `${long} y`] }],
    ['bare', {}],
  ];
  const { text: page } = written([['group_channels', objectsNode(objects)]]);
  expect(page).toBe(`version: 1

group_channels:
  plain:
    name: a:b
    members:
      alice:
      "00123": { hidden_status: "yes" }
    operators: [alice, b c]
  wide:
    operators:
      - ${long}
      - ${long} y
  bare: {}
`);
  expect(settingsNode([])).toBe(undefined);
  expect(settingsNode({})).toBe(undefined);
});
