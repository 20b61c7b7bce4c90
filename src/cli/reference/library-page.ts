// Generates schema/library.md from the comments of the functions in library.ts and the tables of their options.
import type { Option, OptionTable } from '../../core/model/library/option.ts';
import { commandOf, type LibraryFunction, useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { basesOf, ownOptions, sentencesOf, sharedOptions, typedOf } from './library-options.ts';
import { code, referencePage, table } from './markdown.ts';

/** A function of the library as its source describes it. */
export interface FunctionComment {
  readonly name: string;
  readonly text: string;
  readonly throws: string;
  readonly example: string;
  /** The parameters as they are written. */
  readonly parameters: string;
  /** What the promise resolves to. */
  readonly result: string;
}

const opening = `A program calls the use cases of the commands as functions of the package: \`import { plan, apply } from 'chatform'\`.
[examples/library](../examples/library/README.md) is a program that runs, and says more about errors, progress and series.

- **Options** are one object, in camelCase. An option that a function does not have, or a value of another type, is refused (64).
  Durations are strings such as \`50m\`, \`1h30m\`, \`90s\` or \`500ms\`. An option means what the flag beside it means for the command.
- **Results** are the documents that the command prints with \`--format json\`, in snake_case; keys are only added.
  Three older keys are in camelCase: \`durationMs\` of tests, and \`lastEnd\` and \`fileBytes\` of conversions. A function that plans resolves to
  \`{ plan, diagnostics }\`, and one that runs a plan resolves to a report. \`JSON.stringify\` prints a plan that \`apply\` takes again; the document
  of \`chatform plan --format json\` is for reading.
- **Errors** are of the class \`Refusal\`, with \`code\`, \`message\`, \`advice\`, \`exitCode\` and \`diagnostics\`. The numbers in parentheses are exit
  codes.`;

/** \`source\` is the text of library.ts. */
export function libraryPage(source: string, commands: readonly CommandDefinition[]): string {
  return referencePage('library.md', opening, [
    ...functionsIn(source).flatMap((comment) => functionParts(comment, commands)),
    '## Options that several functions have',
    ...Object.entries(sharedOptions).flatMap(([name, [text, options]]) => [
      `### ${name}`,
      text + inheritedFrom(basesOf(name, options), 'They include all of'),
      optionRows(ownOptions(name, options)),
    ]),
  ]);
}

/** The functions of the library in their order. */
export function functionsIn(source: string): readonly FunctionComment[] {
  const found = source.matchAll(
    /\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport async function (\w+)\(([^)]*\)?)\): Promise<(\w+)> \{/gu,
  );
  return [...found].map(([, lines = '', name = '', parameters = '', result = '']) => {
    const comment = lines.replace(/^ \* ?/gmu, '');
    const [, text = '', throws = '', example = ''] =
      /^(.*?)\n@throws Refusal (.*?)\n@example\n(.*)$/su.exec(comment) ?? [];
    const inOneLine = (part: string) => part.trim().replaceAll('\n', ' ');
    return { name, text: inOneLine(text), throws: inOneLine(throws), example: example.trimEnd(), parameters, result };
  });
}

function functionParts(
  { name, text, throws, example, parameters, result }: FunctionComment,
  commands: readonly CommandDefinition[],
): string[] {
  const command = commandOf(name as LibraryFunction);
  const options = useCases[name as LibraryFunction];
  const rows = ownOptions(optionsName(parameters), options);
  return [
    `## ${name}`,
    `\`${name}(${parameters}): Promise<${result}>\` · command: \`chatform ${command}\` · result: ${documentOf(result, command, commands)}`,
    text,
    `**Throws** a \`Refusal\` ${throws.slice(0, 1).toLowerCase()}${throws.slice(1)}`,
    `\`\`\`ts\n${example}\n\`\`\``,
    `Options:${inheritedFrom(basesOf(optionsName(parameters), options), 'all of')}${Object.keys(rows).length === 0 ? '' : ' These are its own:'}`,
    ...(Object.keys(rows).length === 0 ? [] : [optionRows(rows)]),
  ];
}

function optionsName(parameters: string): string {
  return /: (\w+)/u.exec(parameters)?.[1] ?? '';
}

/** A file in schema/, with the name of the definition in it. */
function documentOf(result: string, command: string, commands: readonly CommandDefinition[]): string {
  if (result === 'Planned') return '`{ plan, diagnostics }`';
  const [file = '', definition] = commands.find(({ name }) => name === command)?.schemas['']?.split('#') ?? [];
  return `[${file}.schema.json](${file}.schema.json)${definition === undefined ? '' : `, ${code(definition)}`}`;
}

function inheritedFrom(bases: readonly string[], lead: string): string {
  return bases.length === 0
    ? ''
    : ` ${lead} ${bases.map((base) => `[${base}](#${base.toLowerCase()})`).join(' and ')}.`;
}

function optionRows(options: OptionTable): string {
  return table(
    ['Option', 'Type', 'Flag', 'Meaning'],
    Object.entries(options).map(([name, option]) => [
      code(name) + (option.isRequired === true ? ' (required)' : ''),
      code(typeIn(option)),
      option.flag === undefined ? '' : code(`--${option.flag}`),
      sentencesOf(option),
    ]),
  );
}

function typeIn(option: Option): string {
  return option.choices === undefined ? typedOf(option) : option.choices.map((choice) => `'${choice}'`).join(' | ');
}
