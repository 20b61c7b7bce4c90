// Generates the types of the library's options (core/model/library/options.ts) from the tables of options and the sources of conversions.
import type { Option, OptionTable } from '../../core/model/library/option.ts';
import { optionTypes } from '../../core/model/library/program-options.ts';
import {
  applicationOptions,
  commonOptions,
  estateOptions,
  manifestOptions,
  runOptions,
} from '../../core/model/library/shared-options.ts';
import { useCases } from '../../core/model/library/use-cases.ts';

/** The files of the types that options have, from `model/library/`. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '../behaviours.ts': ['WindowKind'],
  '../conversion.ts': ['ConvertProgress'],
  '../event.ts': ['ApplyEvent', 'Notice'],
  '../limits.ts': ['RatePlan'],
  '../plan.ts': ['Plan'],
  '../report.ts': ['TestResult'],
};

/** Sets of options that several functions have. Each extends those before it whose options it has. */
export const sharedOptions: Readonly<Record<string, readonly [string, OptionTable]>> = {
  CommonOptions: ['The options of all functions.', commonOptions],
  ManifestOptions: ['The options of functions that read manifests.', manifestOptions],
  ApplicationOptions: [
    'The options of functions that plan for one application, or send it requests.',
    applicationOptions,
  ],
  EstateOptions: ['The options of functions that also read state.', estateOptions],
  RunOptions: ['The options of functions that carry out a plan.', runOptions],
};

/** The source that is not in the registry, because it is made from a mapping. */
const tables = 'table';

export function libraryOptions(sources: readonly { readonly name: string }[]): string {
  const names = [...sources.map(({ name }) => name), tables];
  const interfaces = [
    ...Object.entries(sharedOptions).map(([name, [comment, table]]) => interfaceOf(name, comment, table)),
    ...Object.entries<OptionTable>(useCases).map(([name, table]) =>
      interfaceOf(optionsOf(name), `The options of \`${name}\`.`, table),
    ),
  ].join('\n');
  const imports = Object.entries(homes).map(([file, names]) => `import type { ${names.join(', ')} } from '${file}';`);
  return `// The options of the functions of the library. Written by npm run schema from use-cases.ts; do not edit.
${imports.join('\n')}

/** Systems whose exports can be converted. \`table\` stands for every system that a mapping describes. */
${constantList('conversionSources', names)}
export type ConversionSource = (typeof conversionSources)[number];

${interfaces}`;
}

/** In one line if that is short enough for the style of the code. */
function constantList(name: string, texts: readonly string[]): string {
  const line = `export const ${name} = [${texts.map(quoted).join(', ')}] as const;`;
  if (line.length <= width) return line;
  return `export const ${name} = [\n${texts.map((text) => `  ${quoted(text)},\n`).join('')}] as const;`;
}

/** `copyFiles` → `CopyFilesOptions`; the options of exportEstate are `ExportOptions`. */
function optionsOf(name: string): string {
  return name === 'exportEstate' ? 'ExportOptions' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Options`;
}

function interfaceOf(name: string, comment: string, table: OptionTable): string {
  const bases = basesOf(name, table);
  const members = Object.entries(ownOptions(name, table)).map(
    ([key, option]) =>
      `${commentOf(option)}  readonly ${key}${option.isRequired === true ? '' : '?'}: ${typedOf(option)};\n`,
  );
  const heritage = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
  return `/** ${comment} */\nexport interface ${name}${heritage} {${members.length === 0 ? '' : `\n${members.join('')}`}}\n`;
}

/** The largest sets that the table contains. Their own options may have other comments in it. */
export function basesOf(name: string, table: OptionTable): string[] {
  const before = Object.keys(sharedOptions).filter(
    (_base, at, names) => !names.includes(name) || at < names.indexOf(name),
  );
  const covered = new Set<string>();
  return before
    .toReversed()
    .filter((base) => {
      const keys = Object.keys(sharedOptions[base]?.[1] ?? {});
      if (!keys.every((key) => Object.hasOwn(table, key)) || keys.every((key) => covered.has(key))) return false;
      for (const key of keys) covered.add(key);
      return true;
    })
    .toReversed();
}

/** The options that are not in the sets that the table contains, or have another comment there. */
export function ownOptions(name: string, table: OptionTable): OptionTable {
  const inherited: OptionTable = Object.assign({}, ...basesOf(name, table).map((base) => sharedOptions[base]?.[1]));
  return Object.fromEntries(Object.entries(table).filter(([key, option]) => inherited[key] !== option));
}

/** The type of an option for TypeScript. */
export function typedOf({ type, typed }: Option): string {
  return typed ?? optionTypes[type].typed;
}

/** The widest line of the style. */
const width = 120;

function commentOf(option: Option): string {
  const text = sentencesOf(option);
  const line = `  /** ${text} */\n`;
  if (line.length <= width + 1) return line;
  const lines: string[] = [];
  let current = '   *';
  for (const word of text.split(' ')) {
    if (current.length + 1 + word.length > width) {
      lines.push(current);
      current = '   *';
    }
    current += ` ${word}`;
  }
  return `  /**\n${[...lines, current].join('\n')}\n   */\n`;
}

/** What a program reads about an option. */
export function sentencesOf(option: Option): string {
  const text = option.comment ?? `${option.text.slice(0, 1).toUpperCase()}${option.text.slice(1)}.`;
  return option.default === undefined ? text : `${text} Default: \`${option.default}\`.`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
