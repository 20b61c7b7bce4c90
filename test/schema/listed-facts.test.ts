// Tests that lists in documents have exactly the entries that the code has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { mcp } from '../../src/cli/commands/mcp.ts';
import { resources } from '../../src/cli/mcp/resources.ts';
import { tools } from '../../src/cli/mcp/tools.ts';
import { actions } from '../../src/core/model/action.ts';
import { registry } from '../../src/core/resources/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code);
}

/** The words in a row of the glossary. */
function glossaryCodes(word: string): string[] {
  const row = read('schema/glossary.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${word} |`));
  return codesIn(row ?? '');
}

/** The first cells of the rows of the first table below a heading, without their quotes. */
function firstCells(text: string, heading: string): string[] {
  const [, part = ''] = text.split(heading);
  const [, rows = ''] = /\n\|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)/u.exec(part) ?? [];
  return rows
    .trim()
    .split('\n')
    .flatMap((row) => codesIn(row.split('|')[1] ?? ''));
}

const agents = read('examples/agents/README.md');
const [, section12 = ''] = read('src/semantics.md').split('\n## 12. ');
const [, synopsis = ''] = /```\n([\s\S]*?)```/u.exec(section12) ?? [];

/** Each document with the list that it has, and the code's. */
const lists: readonly (readonly [what: string, listed: readonly string[], inCode: readonly string[]])[] = [
  ['the actions of the glossary', glossaryCodes('action'), actions],
  ['the kinds of the glossary', glossaryCodes('kind'), registry.map(({ name }) => name)],
  [
    'the commands of semantics §12',
    [...synopsis.matchAll(/(?:^| )chatform ([a-z-]+)/gmu)].map(([, name = '']) => name),
    Object.keys(commands),
  ],
  [
    'the tools of `mcp --help`',
    (/The tools are ([\s\S]+?)\. /u.exec(mcp.help)?.[1] ?? '').replaceAll(/ \([^)]*\)/gu, '').split(/,\s+|\s+and\s+/u),
    Object.keys(tools),
  ],
  ['the tools of examples/agents', firstCells(agents, '## Tools for agents'), Object.keys(tools)],
  [
    'the resources of examples/agents',
    codesIn(/^Resources: ([\s\S]+?), each with/mu.exec(agents)?.[1] ?? ''),
    [
      ...new Set(
        resources().map(({ uri }) =>
          uri
            .replace(/(schema)\/[a-z-]+/u, '$1/NAME')
            .replace(/(NAME)\/\w+/u, '$1/PART')
            .replace(/(semantics)\/\d+/u, '$1/SECTION'),
        ),
      ),
    ],
  ],
];

test.for(lists)('%s are those of the code', ([, listed, inCode]) => {
  expect(listed.length).toBeGreaterThan(0);
  expect([...listed].sort()).toEqual([...inCode].sort());
});

test('pages give no size of a schema in figures, which changes with each attribute', () => {
  const pages = ['README.md', 'examples/agents/README.md', 'examples/agents/guide.md', 'src/README.md'];
  expect(pages.filter((path) => /schema[^.|]*\d+ [kK]B\b/u.test(read(path)))).toEqual([]);
});
