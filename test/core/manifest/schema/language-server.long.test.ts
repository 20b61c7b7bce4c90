// Tests the published schema in an editor: completion, hover texts and a wrong key, through yaml-language-server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../../../../src/core/resources/index.ts';
import { LanguageServer } from '../../../support/language-server.ts';

const schema = pathToFileURL(join(import.meta.dirname, '../../../../schema/manifest.schema.json')).href;
const keys: Readonly<Record<string, string>> = { users: 'alice', open_channels: 'lobby', group_channels: 'support-42' };
const kinds = registry.filter(({ section }) => keys[section] !== undefined);

let server: LanguageServer;
beforeAll(async () => {
  server = await LanguageServer.start(schema);
});
afterAll(() => server.stop());

/** A document with one block, in which `|` marks the cursor. */
function open(name: string, marked: string) {
  const before = marked.slice(0, marked.indexOf('|'));
  const uri = `file:///editor/${name}.yaml`;
  const problems = server.problemsOf(uri);
  server.open(uri, marked.replace('|', ''));
  const lines = before.split('\n');
  return { uri, problems, place: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

test('covers every kind that has a section', () => {
  expect(kinds.map(({ name: kind }) => kind)).toEqual(
    expect.arrayContaining(['user', 'open_channel', 'group_channel']),
  );
});

test.for(kinds)('$name: offers every attribute', async ({ section, name: kind, attributes }) => {
  const { uri, place } = open(`${kind}-keys`, `version: 1\n${section}:\n  ${keys[section]}:\n    |`);
  const offered = await server.completion(uri, place);
  expect(offered).toEqual(expect.arrayContaining(Object.keys(attributes)));
});

test.for(kinds)('$name: explains every attribute', async ({ section, name: kind, attributes }) => {
  for (const [name, definition] of Object.entries(attributes)) {
    const text = `version: 1\n${section}:\n  ${keys[section]}:\n    |${name}: x\n`;
    const { uri, place } = open(`${kind}-${name}`, text);
    const shown = await server.hover(uri, { ...place, character: place.character + 1 });
    // It shows Markdown, in which some characters are escaped.
    expect(shown.replace(/\\(.)|&nbsp;/gu, '$1'), name).toContain(String(definition.schema.description).slice(0, 20));
  }
});

test.for(kinds)('$name: completes and checks an overlay', async ({ section, name: kind, attributes }) => {
  const head = `version: 1\nextends: ../base\n${section}:\n  ${keys[section]}:\n`;
  const { uri, place } = open(`${kind}-overlay`, `${head}    |`);
  expect(await server.completion(uri, place)).toEqual(expect.arrayContaining(Object.keys(attributes)));
  const taken = Object.keys(attributes).map((name) => `    ${name}: { absent: true }\n`);
  const right = open(`${kind}-overlay-right`, `${head}${taken.join('')}|`);
  expect(await right.problems).toEqual([]);
  const wrong = open(`${kind}-overlay-wrong`, `${head}    nmae: x|\n`);
  expect((await wrong.problems).join('\n')).toContain('nmae');
});

test('offers the values of a choice', async () => {
  const { uri, place } = open('choice', 'version: 1\napplication:\n  rate_plan: |');
  expect(await server.completion(uri, place)).toEqual(expect.arrayContaining(['free_trial', '25k_mau']));
});

test.for(kinds)('$name: marks a wrong key, and accepts a valid block', async ({ section, name: kind, required }) => {
  const block = `version: 1\n${section}:\n  ${keys[section]}:\n${required.map((name) => `    ${name}: x\n`).join('')}`;
  const wrong = open(`${kind}-wrong`, `${block}    nmae: x|\n`);
  expect((await wrong.problems).join('\n')).toContain('nmae');
  const right = open(`${kind}-right`, `${block}    lifecycle: { protect: true }|\n`);
  expect(await right.problems).toEqual([]);
});
