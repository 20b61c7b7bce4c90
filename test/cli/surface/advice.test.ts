// Tests that each command and each flag in a text of the program, in its help and in the guides exists as it is written.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { longName } from '../../../src/cli/flags/flag-names.ts';
import { printedTexts } from '../../support/texts.ts';

interface Advice {
  readonly place: string;
  /** The words after `chatform`. */
  readonly args: readonly string[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const definitions = await allCommands();
const names = definitions.map(({ name }) => name);
/** Flags with a value, `--out`. */
const valued = new Set(
  definitions.flatMap(({ options }) =>
    options.filter(({ flags }) => flags.includes('<')).map(({ flags }) => `--${longName(flags)}`),
  ),
);
/** Flags of git, npm, openssl, pg_dump and other tools that texts name. */
const foreignFlags = [
  'unshallow',
  'refetch',
  'no-filter',
  'filter',
  'add',
  'global',
  'save-dev',
  'no-install',
  'clear',
  'help',
  'version',
  'inserts',
  'permission',
];

/** The problem that Commander finds in a command line. Undefined if it accepts it. */
function problemOf(args: readonly string[]): string | undefined {
  const program = new Command('chatform').exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const own = definitions.filter(({ name }) => name === args[0]);
  for (const definition of own.length > 0 ? own : definitions) {
    const command = program.command(definition.name).action(() => {});
    for (const { usage } of definition.arguments ?? []) command.argument(usage);
    for (const { flags, choices } of definition.options) {
      command.addOption(choices === undefined ? new Option(flags) : new Option(flags).choices([...choices]));
    }
  }
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.message !== '(outputHelp)') return error.message;
  }
  const [name, verb] = args;
  const verbs = definitions.find((each) => each.name === name)?.arguments?.[0]?.usage.replace(/[<>]/gu, '') ?? '';
  if (name === 'state' && verb !== undefined && !/^(?:--help|\{…\})$/u.test(verb) && !verbs.split('|').includes(verb))
    return `no verb ${verb}`;
  return undefined;
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(([, one, two, plain]) => one ?? two ?? plain ?? '');
}

/** The command lines on separate lines, as in help and in code blocks. */
function examplesIn(place: string, text: string): Advice[] {
  const line =
    /^(?: {2}|\$ |npx )(?:[A-Z_]+=\S+ )*(?:npx )?(?:--no-install )?chatform ([^\n]+?)(?: {2,}.*| [|><&].*| 2>.*| #.*)?$/gmu;
  const joined = text.replace(/ \\\n +/gu, ' ');
  return [...joined.matchAll(line)].map(([, command = '']) => ({ place, args: wordsOf(command) }));
}

/** The commands within sentences: the name, the verb of `state`, and the flags and values after them. A bare name parses. */
function adviceIn(place: string, text: string): Advice[] {
  const mention = new RegExp(String.raw`(?<![\w./{-]|^ {2})chatform (?=(?:${names.join('|')})(?![\w-]))`, 'gmu');
  return [...text.matchAll(mention)].flatMap(({ 0: { length }, index }) => {
    const args: string[] = [];
    for (const word of wordsOf(/^[^\n\x60]*/u.exec(text.slice(index + length))?.[0] ?? '')) {
      const last = args.at(-1) ?? '';
      const isPart = last === '' || last === 'state' || valued.has(last) || /^(?:--|[A-Z{]|.*[./=*]\w)/u.test(word);
      if (!isPart) break;
      args.push(word.replace(/[.,;:)]+$/u, ''));
      if (/[.,;:)]$/u.test(word)) break;
    }
    return args.length < 2 ? [] : [{ place, args }];
  });
}

function guides(): { readonly place: string; readonly text: string }[] {
  const pages = ['examples', 'schema', 'src'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  return ['README.md', ...pages.filter((path) => /(?<!CHANGELOG|semantics)\.md$/u.test(path))].map((place) => ({
    place,
    text: readFileSync(`${root}/${place}`, 'utf8'),
  }));
}

function problemsIn(advice: readonly Advice[]): string[] {
  return advice.flatMap(({ place, args }) => {
    const problem = problemOf(args);
    return problem === undefined ? [] : [`${place}: chatform ${args.join(' ')}: ${problem}`];
  });
}

test('parses every command that a text advises', () => {
  const advice = printedTexts().flatMap(({ place, text }) => [...examplesIn(place, text), ...adviceIn(place, text)]);
  expect(advice.length).toBeGreaterThan(100);
  expect(problemsIn(advice)).toEqual([]);
});

/** The commands of code blocks that are to be copied whole, without a prompt. */
function copiedFrom(place: string, text: string): Advice[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|shell)\n([\s\S]*?)^ *```$/gmu)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    examplesIn(place, block.replace(/^ *(?=(?:[A-Z_]+=\S+ )*(?:npx --no-install )?chatform )/gmu, '$ ')),
  );
}

test('parses every command in the code blocks and the sentences of the guides', () => {
  const advice = guides().flatMap(({ place, text }) => [
    ...examplesIn(place, text),
    ...copiedFrom(place, text),
    ...(place.startsWith('examples/') ? adviceIn(place, text.replaceAll(' -->', '')) : []),
  ]);
  for (const page of ['agents/guide', 'agents/README', 'ci/README', 'operations/move-from-slack/README'])
    expect(advice.filter(({ place }) => place === `examples/${page}.md`).length, page).toBeGreaterThan(0);
  expect(advice.length).toBeGreaterThan(50);
  expect(problemsIn(advice)).toEqual([]);
});

test('knows every flag that a text names', () => {
  const flags = new Set([
    ...definitions.flatMap(({ options }) =>
      options.flatMap(({ flags: text, negated }) => [
        longName(text),
        ...(negated === undefined ? [] : [`no-${longName(text)}`]),
      ]),
    ),
    ...foreignFlags,
  ]);
  const texts = printedTexts([
    'src/core/app',
    'src/cli',
    'src/migration/convert',
    'src/core/manifest',
    'src/core/planner',
    'src/core/state',
    'src/core/view',
  ]);
  const unknown = texts.flatMap(({ place, text }) =>
    [...text.matchAll(/(?<=^|[\s`(])--([a-z][a-z-]+)/gu)]
      .filter(([, flag = '']) => !flags.has(flag))
      .map(([whole]) => `${place}: ${whole}`),
  );
  expect(unknown).toEqual([]);
});

test('finds a command with an unknown flag, verb or choice', () => {
  const text = 'Run chatform plan --refrsh. Or chatform state ulock; or chatform plan --format nosuch.';
  expect(problemsIn(adviceIn('here', text))).toEqual([
    expect.stringContaining("unknown option '--refrsh'"),
    expect.stringContaining('no verb ulock'),
    expect.stringContaining("'nosuch' is invalid"),
  ]);
  expect(problemsIn(examplesIn('here', '  chatform validate --fromat json    quickly'))).toHaveLength(1);
});
