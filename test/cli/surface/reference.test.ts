// Tests that schema/diagnostics.md explains exactly the codes in the sources, and that schemas list the program's values.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summaries } from '../../../src/core/manifest/problems/codes.ts';
import { groundCodes } from '../../../src/core/model/access/access.ts';
import { actions } from '../../../src/core/model/action.ts';
import { exitCode } from '../../../src/core/model/exit-code.ts';
import { adjustableCodes } from '../../../src/core/model/policy.ts';
import { type ChangeReasonCode, reasonFields } from '../../../src/core/model/reasons.ts';
import { schemaOf } from '../../support/published-schema.ts';

const src = join(import.meta.dirname, '../../../src/');
const page = readFileSync(new URL('../../../schema/diagnostics.md', import.meta.url), 'utf8');

interface Row {
  readonly section: string;
  readonly code: string;
  readonly cells: readonly string[];
}

function rowsOf(text: string): Row[] {
  return text.split(/^## /mu).flatMap((part) => {
    const section = part.split('\n', 1)[0] ?? '';
    return [...part.matchAll(/^\| `([^`]+)` \| (.*) \|$/gmu)].map(([, code = '', rest = '']) => ({
      section,
      code,
      cells: rest.split(/(?<!\\) \| /u),
    }));
  });
}

const rows = rowsOf(page);
const explained = new Set(rows.map(({ code }) => code));
const families = new Set([...explained].filter((code) => code.includes('.')).map((code) => code.split('.')[0]));
/** Words of the same shape: file names, effects that budgets count, and events of the emulator. */
const noCodes = new Set([
  'export.zip',
  'group_channel.leave',
  'group_channel.support-42',
  'messages.put',
  'plan.chatform',
  'report.html',
  'state.ndjson',
]);

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('emulator/'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

const used = new Set(
  sources
    .filter(({ path }) => path !== 'core/manifest/problems/codes.ts')
    .flatMap(({ text }) =>
      [...text.matchAll(/'([a-z_-]+)\.(?!ya?ml'|ndjson'|md')([a-z0-9]+(?:-[a-z0-9]+)*)'/gu)].flatMap(
        ([, family = '', rest = '']) =>
          families.has(family) && !noCodes.has(`${family}.${rest}`) ? [`${family}.${rest}`] : [],
      ),
    ),
);

test.for(['schema/command-line.md', 'examples/agents/guide.md'])('%s lists exit codes that exist', (path) => {
  const text = readFileSync(join(src, '..', path), 'utf8');
  const [, list = ''] = /\n\| (?:Code|Exit code|Exit) +\|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)/u.exec(text) ?? [];
  const codes = [...list.matchAll(/^\| *(\d+)/gmu)].map(([, code]) => Number(code));
  expect(codes.length).toBeGreaterThan(5);
  expect(Object.values(exitCode)).toEqual(expect.arrayContaining(codes));
});

describe('schema/diagnostics.md', () => {
  test('explains every code that is used', () => {
    expect([...used].filter((code) => !explained.has(code)).sort()).toEqual([]);
  });

  test('explains only codes that are used', () => {
    const general = ['usage', 'internal', 'unexpected'];
    expect([...explained].filter((code) => !used.has(code) && !general.includes(code)).sort()).toEqual([]);
  });

  test('finds families of codes that the page lacks', () => {
    const shapes = /(?:new Refusal\(|\bcode:)\s*'([a-z_.-]+)'/gu;
    const found = sources.flatMap(({ text }) => [...text.matchAll(shapes)].map(([, code = '']) => code));
    expect(found.length).toBeGreaterThan(50);
    const others = new Set<string>([...statementCodes(), ...groundCodes]);
    expect([...new Set(found)].filter((code) => !others.has(code) && !explained.has(code))).toEqual([]);
  });

  test('says what happened, what it means and an example in each row', () => {
    expect(rows.filter(({ cells }) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
    const manifest = rows.filter(({ section }) => section === 'Manifests');
    expect(Object.fromEntries(manifest.map(({ code, cells }) => [code, cells[0]]))).toMatchObject(summaries);
  });

  test('sorts each section, and lists each code once', () => {
    expect(explained.size).toBe(rows.length);
    for (const section of new Set(rows.map((row) => row.section))) {
      const codes = rows.filter((row) => row.section === section).map(({ code }) => code);
      expect(codes).toEqual([...codes].sort());
    }
  });
});

/** Codes of warnings and notes that a policy may not adjust, and why. */
const fixedCodes: Readonly<Record<string, string>> = {
  'drift.refused': 'says what an apply does',
  'manifest.switched-off': 'says what the policy hides',
  'online.rate-plan': 'answers a question',
  'online.reached': 'answers a question',
  'online.retrieval': 'answers a question',
  'plan.base-invalid': 'says by which rules a plan was judged',
  'plan.rules-edited': 'says by which rules a plan was judged',
  'plan.state-moved': 'says against which state a plan was made',
  'plan.commit-unknown': 'says that an apply may be refused in CI',
  'plan.older-commit': 'says that an apply is refused in CI',
  'plan.exists': 'policy.existing decides',
  'plan.in-doubt': 'says that the plan may repeat work',
  'plan.issues-tokens': 'says which flag an apply needs',
  'plan.needs-signature': 'says what an apply needs',
  'plan.left-out': 'says what a plan leaves out',
  'plan.partial': 'says what a plan leaves out',
  'plan.repair': 'says what a plan leaves out',
  'undo.manifests-differ': 'says what an undo does not do',
  'undo.not-restored': 'says what an undo does not do',
  'undo.run': 'says what an undo does',
};

test('policy.diagnostics adjusts every code of a warning or note that is not fixed', () => {
  const ofManifests = /\.add\(\s*'([a-z_]+\.[a-z-]+)'(?:(?!\.add\()[^;])*?'(?:warning|note)'/gu;
  const ofObjects = /severity: '(?:warning|note)'(?: as const)?,\s*code: '([a-z_]+\.[a-z-]+)'/gu;
  const ofAnswers = /remark\(\s*'(?:warning|note)',\s*'([a-z_]+\.[a-z-]+)'/gu;
  const found = sources.flatMap(({ text }) =>
    [ofManifests, ofObjects, ofAnswers].flatMap((form) => [...text.matchAll(form)].map(([, code = '']) => code)),
  );
  const adjustable: readonly string[] = adjustableCodes;
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((code) => !adjustable.includes(code) && !Object.hasOwn(fixedCodes, code))).toEqual([]);
  expect(adjustable.filter((code) => Object.hasOwn(fixedCodes, code) || !explained.has(code))).toEqual([]);
  expect([...adjustable]).toEqual([...adjustable].sort());
});

interface PlanSchema {
  readonly properties: {
    readonly changes: {
      readonly items: { readonly properties: { readonly reason: AnyOfCodes; readonly note_codes: ListOfCodes } };
    };
    readonly drift: { readonly items: { readonly properties: { readonly note_codes: ListOfCodes } } };
  };
}

interface AnyOfCodes {
  readonly anyOf: readonly {
    readonly description: string;
    readonly required: readonly string[];
    readonly properties: { readonly code: { readonly const: string } };
  }[];
}

interface ListOfCodes {
  readonly items: AnyOfCodes;
}

/** The codes of reasons and notes, which plan.schema.json explains. The compiler compares them with the types. */
function statementCodes(): ReadonlySet<string> {
  const { changes, drift } = (schemaOf('plan') as unknown as PlanSchema).properties;
  const { reason, note_codes: notes } = changes.items.properties;
  const lists = [reason, notes.items, drift.items.properties.note_codes.items];
  return new Set(lists.flatMap(({ anyOf }) => anyOf.map(({ properties }) => properties.code.const)));
}

/** Every list of allowed values in a schema, at any depth. */
function enumsIn(value: unknown): unknown[][] {
  if (Array.isArray(value)) return value.flatMap(enumsIn);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'enum' in value && Array.isArray(value.enum) ? [value.enum as unknown[]] : [];
  return [...own, ...Object.values(value).flatMap(enumsIn)];
}

test.each(['plan', 'report', 'events'])('%s.schema.json knows every action', (name) => {
  const lists = enumsIn(schemaOf(name)).filter((list) => list.includes('create'));
  expect(lists.length).toBeGreaterThan(0);
  for (const list of lists) expect(list).toEqual([...actions]);
});

test('plan.schema.json describes every reason of a change, with its data', () => {
  const { properties } = schemaOf('plan') as unknown as PlanSchema;
  const described = properties.changes.items.properties.reason.anyOf.map(({ description, required, properties }) => {
    expect(description).toMatch(/^[A-Z].*\.$/u);
    expect(required).toEqual(Object.keys(properties));
    return [properties.code.const, Object.keys(properties).slice(1)];
  });
  const codes = Object.keys(reasonFields) as ChangeReasonCode[];
  expect(described).toEqual(codes.map((code) => [code, Object.keys(reasonFields[code])]));
});

test('the name of each schema is an address below the homepage', () => {
  const names = readdirSync(new URL('../../../schema/', import.meta.url)).flatMap(
    (file) => /^(.+)\.schema\.json$/u.exec(file)?.[1] ?? [],
  );
  expect(names.length).toBeGreaterThan(10);
  const { homepage } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  for (const name of names) expect(schemaOf(name)).toMatchObject({ $id: `${homepage}/schema/${name}.schema.json` });
});

test('schema/command-line.md names every file of chatform that the sources name', () => {
  const listed = readFileSync(new URL('../../../schema/command-line.md', import.meta.url), 'utf8').split('## Files')[1];
  const named = sources.flatMap(({ path, text }) =>
    path.startsWith('cli/reference/')
      ? []
      : [...text.matchAll(/['"`](\.chatform[-a-z.]*(?:\/[a-z.]+)?)/gu)].map(([, name = '']) => name),
  );
  expect(named).toEqual(expect.arrayContaining(['.chatformignore', '.chatform/state']));
  expect([...new Set(named)].filter((name) => listed?.includes(name) !== true)).toEqual([]);
});
