// Tests the dangers of every attribute in each direction, against a file and against the table of semantics §4.10.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dangersOfEdit } from '../../../src/core/kinds/definition/edit-effects.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import type { ChangeDanger } from '../../../src/core/model/change.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { block, type Case, cases, plan } from '../../support/planning/attribute-rows.ts';
import { planFor, resource, stateOf } from '../../support/planning/planning.ts';

const inWords = ({ danger, actions, attribute }: ChangeDanger) =>
  `${danger} by ${actions.join(', ')}${attribute === undefined ? '' : ` of ${attribute}`}`;

/** The dangers of an apply after an edit of the manifest. Undefined: the line is absent. */
function dangersOf(one: Case, before: JsonValue | undefined, after: JsonValue | undefined): string {
  if ([before, after].includes(undefined) && one.kind.required.includes(one.name)) return 'impossible';
  const { problems, plan: made } = plan(one, before, after, before);
  if (problems.length > 0) return 'impossible';
  const dangers = [...made.changes].flatMap((change) => {
    expect(change.dangerous).toBe(change.dangers !== undefined);
    return change.dangers ?? [];
  });
  return dangers.length === 0 ? '-' : dangers.map(inWords).join('; ');
}

test('each attribute has the dangers of its entry, in the direction of the edit', async () => {
  const lines = cases.map((one) => {
    const { declared, other } = one;
    const isAllowlist = one.definition.people.includes('api');
    const edits: readonly (readonly [JsonValue | undefined, JsonValue | undefined])[] = [
      [undefined, declared],
      [declared, other],
      [other, declared],
      [declared, undefined],
      ...(isAllowlist ? [[other, []] as const, [[], other] as const, [declared, []] as const] : []),
    ];
    const shown = edits.map(([before, after]) => {
      const [from, to] = [before, after].map((value) => (value === undefined ? 'no line' : JSON.stringify(value)));
      return `  ${from} → ${to}: ${dangersOf(one, before, after)}`;
    });
    return [`${one.kind.name} ${one.name}`, ...shown].join('\n');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('goldens/dangers.txt');
});

test('what *People* tells of an edit is a danger in the same direction, but for who is invited', () => {
  let told = 0;
  for (const one of cases) {
    for (const [before, after] of [
      [one.declared, one.other],
      [one.other, one.declared],
    ] as const) {
      const { people, changes } = plan(one, before, after, before).plan;
      const found = [...changes].flatMap(({ dangers = [] }) => dangers.map(({ danger }) => danger));
      for (const effect of Object.keys(people?.counts ?? {})) {
        const isGained = /^(?:anybody_)?newly_/u.test(effect);
        if (isGained && one.name === 'members') continue;
        const isLost = /^(?:anybody_)?no_longer_/u.test(effect);
        const meant = isGained ? 'opens' : isLost ? 'restricts' : undefined;
        const isDanger = found.some((danger) => meant === undefined || danger === meant || danger === 'may_change');
        expect(isDanger, `${one.kind.name} ${one.name}: ${effect}`).toBe(true);
        told += 1;
      }
    }
  }
  expect(told).toBeGreaterThan(25);
});

test('nothing of a new object is a danger', () => {
  for (const one of cases) {
    for (const value of [one.declared, one.other]) {
      const { plan: made } = planFor([resource(one.kind.name, 'key-1', block(one, value))], stateOf([]));
      // The settings of an application exist before they are declared.
      if (one.kind.onlyKey === undefined)
        expect(
          [...made.changes].flatMap(({ dangers = [] }) => dangers),
          `${one.kind.name} ${one.name}`,
        ).toEqual([]);
    }
  }
});

test('the first declaration of a value that a new object has anyway is not a danger', () => {
  for (const { attributes } of registry) {
    for (const [name, definition] of Object.entries(attributes)) {
      if (definition.initial === undefined) continue;
      const edit = { path: [name], after: definition.initial, how: 'set' } as const;
      expect(dangersOfEdit(definition, edit), name).toEqual([]);
    }
  }
});

/** The dangers where the value comes, and where it goes. */
function rowOf(kind: KindDefinition, path: readonly string[], definition: AttributeDefinition): string {
  const { shape, schema } = definition;
  const isFlag = schema.type === 'boolean' || path.length > 1;
  const isSet = shape === 'set';
  const at = shape === 'map' && path.length === 1 ? [...path, 'x'] : path;
  const [none = null, one = null]: readonly JsonValue[] = isFlag
    ? [false, true]
    : isSet
      ? [['z'], ['x', 'z']]
      : ['', { x: 'x' }];
  const edit = (before: JsonValue, after: JsonValue) => {
    const found = dangersOfEdit(definition, { path: at, how: 'set', before, after });
    const counted = found.filter(({ how }) => kind.memberships !== path[0] || how === 'removed');
    return counted.map(({ danger }) => `\`${danger}\``).join(', ');
  };
  return `${edit(none, one)} | ${edit(one, none)}`;
}

test('the table of semantics §4.10 is that of the entries', async () => {
  const rows = new Map<string, string[]>();
  for (const kind of registry) {
    for (const [name, definition] of Object.entries(kind.attributes)) {
      if (definition.change === 'create_only') continue;
      const entries = name === 'all_channels' ? Object.keys(definition.parts ?? {}) : [];
      for (const path of [...entries.map((entry) => [name, entry]), ...(entries.length === 0 ? [[name]] : [])]) {
        const row = rowOf(kind, path, definition);
        const shown = `\`${path.at(-1)}\``;
        const names = rows.get(row) ?? [];
        if (row !== ' | ' && !names.includes(shown)) rows.set(row, [...names, shown]);
      }
    }
  }
  const table = [...rows].map(([row, names]) => `    | ${names.join(', ')} | ${row} |`);
  const text = await readFile('src/semantics.md', 'utf8');
  expect(table.filter((line) => !text.includes(line))).toEqual([]);
  const [, section = ''] = text.split('10. **Dangers.**');
  expect([...(section.split('\n## ')[0]?.matchAll(/^ {4}\| .*`.*$/gmu) ?? [])]).toHaveLength(table.length);
});
