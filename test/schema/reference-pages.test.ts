// Tests that the reference pages have every key of the schema of manifests, and that their examples are valid.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referencePages, turnLinks } from '../../src/cli/reference/markdown.ts';
import { registry } from '../../src/core/resources/index.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { errorsIn, type Files, load } from '../core/manifest/support/in-memory.ts';
import { schemaOf } from '../support/published-schema.ts';

const textOf = (file: string) => readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8');
const [manifestPage, attributesPage] = [textOf('manifest.md'), textOf('reference.md')];
const manifest = schemaOf('manifest');
const definitions = objectOf(manifest.$defs);

/** The keys that follow each section's own names, and are described once for all sections. */
const inEveryBlock =
  /^(?:users|bots|open_channels|group_channels|custom_types|settings)(?:\.\*)?\.(?=lifecycle|for_each)/u;

const spelledPaths = new Set(
  registry.flatMap(({ section, onlyKey, spellings = {} }) =>
    Object.keys(spellings).map((name) => `${section}.${onlyKey === undefined ? '*.' : ''}${name}`),
  ),
);

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The paths of all keys below a schema, with `*` for free keys and `[]` for entries of lists. */
function pathsIn(schema: JsonValue | undefined, path: string): string[] {
  const { $ref, anyOf, oneOf, properties, additionalProperties, items } = objectOf(schema);
  const referred = typeof $ref === 'string' ? definitions[$ref.slice('#/$defs/'.length)] : undefined;
  const forms = [
    ...(referred === undefined ? [] : [referred]),
    ...(isList(anyOf) ? anyOf : []),
    ...(isList(oneOf) ? oneOf : []),
  ];
  const isOpen = isObject(additionalProperties);
  return [
    ...forms.flatMap((form) => pathsIn(form, path)),
    ...Object.entries(objectOf(properties)).flatMap(([name, inner]) => pathsBelow(`${path}.${name}`, inner)),
    ...(isOpen ? pathsBelow(`${path}.*`, additionalProperties) : []),
    ...(isObject(items) ? pathsIn(items, `${path}[]`) : []),
  ];
}

/** Another spelling of an attribute has no keys of its own on the page. */
function pathsBelow(path: string, schema: JsonValue | undefined): string[] {
  return spelledPaths.has(path) ? [path] : [path, ...pathsIn(schema, path)];
}

/** The schemas of a manifest without `extends` and `defaults`, by top-level key. */
function topLevel(): JsonObject {
  const whole = objectOf(objectOf(objectOf(manifest.else).else).properties);
  return { ...objectOf(manifest.properties), ...whole };
}

function pathsOfSchema(): ReadonlySet<string> {
  const paths = Object.entries(topLevel()).flatMap(([name, schema]) => pathsBelow(name, schema));
  return new Set(
    paths
      .filter((path) => !/^defaults\.\w+\./u.test(path) && !/^policy\.diagnostics\./u.test(path))
      .map((path) => path.replace(inEveryBlock, '')),
  );
}

/** The parts of a page by their heading. */
function sectionsOf(page: string): readonly (readonly [heading: string, text: string])[] {
  const parts = page.split(/^## /mu).slice(1);
  return parts.map((part) => [part.slice(0, part.indexOf('\n')), part] as const);
}

function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gmu)].map(([, cell = '']) => cell);
}

function pathsOfPages(): ReadonlySet<string> {
  const keys = sectionsOf(manifestPage).flatMap(([heading, text]) => [
    ...(/^[a-z_]+$/u.test(heading) ? [heading] : []),
    // The second table of `lifecycle` has sections, which the page links.
    ...firstCells(text),
  ]);
  const attributes = sectionsOf(attributesPage).flatMap(([section, text]) => {
    const block = section === 'settings' ? section : `${section}.*`;
    const spellings = text.match(/^(?:Other spellings|The platform deprecates)[^:]+: .*$/gmu)?.join() ?? '';
    const names = [...spellings.matchAll(/`([^`]+)` \(/gu)].map(([, name = '']) => name);
    return [block, ...[...firstCells(text), ...names].map((name) => `${block}.${name}`)];
  });
  return new Set([...keys, ...attributes].filter((path) => !/^policy\.diagnostics\./u.test(path)));
}

describe('schema/manifest.md and schema/reference.md', () => {
  test('have every key of the schema, and no other', () => {
    const [inSchema, onPages] = [pathsOfSchema(), pathsOfPages()];
    expect(inSchema.size).toBeGreaterThan(250);
    expect([...inSchema].filter((path) => !onPages.has(path))).toEqual([]);
    expect([...onPages].filter((path) => !inSchema.has(path))).toEqual([]);
  });

  test('name every code that policy.diagnostics takes', () => {
    const codes = Object.keys(
      objectOf(objectOf(objectOf(objectOf(definitions.policy).properties).diagnostics).properties),
    );
    expect(codes.length).toBeGreaterThan(20);
    expect(
      codes.filter((code) => !manifestPage.includes(`\`${code}\``) && !manifestPage.includes(`.${code}\``)),
    ).toEqual([]);
  });

  test('say what each key means, and its default once', () => {
    const cells = `${manifestPage}\n${attributesPage}`.split('\n').filter((line) => line.startsWith('| `'));
    // Only the policy has a column after the meaning.
    const isEmpty = (line: string) => / \| {1,2}\|(?: semantics [^|]+ \|)?$/u.test(line);
    expect(cells.filter((line) => isEmpty(line) || /Default:/u.test(line))).toEqual([]);
  });

  const examples = [...sectionsOf(manifestPage), ...sectionsOf(attributesPage)];

  test.for(examples)('have a valid example of %s', async ([heading, text]) => {
    const files = filesIn(text);
    expect(Object.keys(files).length, heading).toBeGreaterThan(0);
    // An overlay names the folder of its base.
    const paths = Object.keys(files).some((path) => path.startsWith('base/')) ? ['production'] : ['.'];
    const loaded = await load(files, {
      paths,
      variables: (name) => (name.endsWith('APP_ID') ? 'value' : undefined),
      allowedHosts: 'all',
    });
    expect(errorsIn(loaded).map(({ detail }) => detail)).toEqual([]);
  });
});

/** The fenced blocks of a section as files. A line before a block names its file. */
function filesIn(text: string): Files {
  const blocks = text.matchAll(/(?:^`([^`]+)`:\n\n)?^```(?:yaml|text)\n([\s\S]*?)^```$/gmu);
  return Object.fromEntries([...blocks].map(([, file = 'chat.yaml', content = '']) => [file, content]));
}

test.for(referencePages)(
  'schema/$file has its title, and ends with links to the pages after and before it',
  ({ file, title }) => {
    const text = textOf(file);
    expect(text).toContain(`# ${title}\n`);
    expect(text.trimEnd().split('\n').at(-1)).toBe(turnLinks(file));
  },
);

test.each(['library.md', 'command-line.md', 'mapping.md', 'manifest.md', 'reference.md'])(
  '%s states no default twice',
  (file) => {
    expect(textOf(file).match(/Default: ([^.|]+)\. Default: \1|, (\d+) to \2\b/gu) ?? []).toEqual([]);
  },
);
