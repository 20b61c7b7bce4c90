// Generates schemas, pages, the validators, the table of emoji and the types of the library's options. --check only compares. --ignored
// writes only the validators and the table, which are not in git and are made at every install.
//
// schema/diagnostics.md is written by hand and checked by tests.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { historyFileLineSchema } from '../../core/history/lines/line.ts';
import type { JsonSchema } from '../../core/kinds/definition/kind.ts';
import { behavioursSchema } from '../../core/manifest/schema/behaviours-schema.ts';
import { publishedMappingSchema } from '../../core/manifest/schema/mapping-schema.ts';
import { manifestSchema, renderSchema } from '../../core/manifest/schema/schema.ts';
import { testSchema } from '../../core/manifest/schema/test-schema.ts';
import { registry } from '../../core/resources/index.ts';
import { sources } from '../../migration/convert/sources/index.ts';
import { allCommands } from '../commands/index.ts';
import type { Documents } from '../output/documents.ts';
import { attributesPage } from './attributes-page.ts';
import { commandLinePage } from './command-line.ts';
import { decisionsSchema } from './decisions-schema.ts';
import type { WrittenDocuments } from './documents.ts';
import { definitionSchemas, documentSchemas } from './generate-documents.ts';
import { emojiTable } from './generate-emoji.ts';
import { validatorFiles, validatorLoaders } from './generate-validators.ts';
import { libraryOptions } from './library-options.ts';
import { libraryPage } from './library-page.ts';
import { limitsPage } from './limits-page.ts';
import { manifestPage } from './manifest-page.ts';
import { mappingPage } from './mapping-page.ts';

const root = join(import.meta.dirname, '../../..');
const $schema = 'https://json-schema.org/draft/2020-12/schema';
const { homepage } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly homepage: string };
const check = process.argv.includes('--check');
const stale: string[] = [];

const commands = await allCommands();
const printed = join(root, 'src/cli/output/documents.ts');
const written = {
  ...documentSchemas<Documents>(printed, 'Documents'),
  ...documentSchemas<WrittenDocuments>(join(import.meta.dirname, 'documents.ts'), 'WrittenDocuments'),
};
const documents: readonly (readonly [string, string])[] = [
  schemaFile('manifest', manifestSchema(registry)),
  schemaFile('behaviours', behavioursSchema),
  schemaFile('test', testSchema),
  schemaFile('mapping', publishedMappingSchema()),
  schemaFile('history-file', historyFileLineSchema),
  schemaFile('decisions', decisionsSchema()),
  ...Object.entries(written).map(([name, schema]) => schemaFile(name, { $schema, ...schema })),
  schemaFile('results', {
    $schema,
    title: 'chatform results: what commands print with --format json',
    description:
      'One definition for each document that has no schema of its own. `chatform commands --format json` says which command prints which. MAJOR.MINOR of format_version: readers ignore unknown keys and refuse another MAJOR.',
    $defs: definitionSchemas(printed, 'ResultDocuments'),
  }),
  ['schema/manifest.md', manifestPage(await readFile(join(root, 'src/semantics.md'), 'utf8'))],
  ['schema/reference.md', attributesPage()],
  ['schema/command-line.md', commandLinePage(commands)],
  ['schema/library.md', libraryPage(await readFile(join(root, 'src/library.ts'), 'utf8'), commands)],
  ['schema/mapping.md', mappingPage()],
  ['schema/limits.md', limitsPage(await readFile(join(root, 'test/bench/README.md'), 'utf8'))],
  ['src/core/manifest/schema/validators.cjs', validatorLoaders()],
  ['src/core/model/library/options.ts', libraryOptions(sources)],
];
const folder = 'src/core/manifest/schema/generated';
const files = await validatorFiles();
const ignored: typeof documents = [
  ...[...files].map(([name, text]) => [`${folder}/${name}`, text] as const),
  ['src/migration/convert/export/generated/emoji.cjs', emojiTable()],
];
for (const [name, text] of process.argv.includes('--ignored') ? ignored : [...documents, ...ignored]) {
  const file = join(root, name);
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) continue;
  if (check) stale.push(name);
  else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
for (const name of await readdir(join(root, folder))) {
  if (files.has(name)) continue;
  // Remove validators of former kinds, which the build would include.
  if (check) stale.push(`${folder}/${name}`);
  else await rm(join(root, folder, name));
}
if (stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run: npm run schema\n`);
  process.exitCode = 1;
}

/** The name is an address below the homepage, because the catalogue of editors refuses other names. Nothing is read from there. */
function schemaFile(name: string, schema: JsonSchema): readonly [string, string] {
  const { $schema, ...others } = schema;
  const opening = $schema === undefined ? {} : { $schema };
  return [
    `schema/${name}.schema.json`,
    renderSchema({ ...opening, $id: `${homepage}/schema/${name}.schema.json`, ...others }),
  ];
}
