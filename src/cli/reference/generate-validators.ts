// Compiles the schemas of manifests to plain code ahead of time, so that no run pays for it.
import { join } from 'node:path';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { KindDefinition } from '../../core/kinds/definition/kind.ts';
import { formats } from '../../core/manifest/schema/formats.ts';
import { mappingCheck, testCheck } from '../../core/manifest/schema/other-files.ts';
import { behavioursCheck, type Check, checksFor, lineChecks } from '../../core/manifest/schema/validate.ts';
import { registry } from '../../core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';

const manifestFolder = join(import.meta.dirname, '../../core/manifest/schema');

const opening =
  '// Checks values against a schema. Written by npm run build and npm run schema from the registry of kinds; do not edit.\n';

/**
 * The files of `src/core/manifest/schema/generated` by name, each with what is needed together, so that a run loads only those it uses.
 * They export functions by the names of the checks, which store their errors as ajv's functions do.
 */
export async function validatorFiles(): Promise<ReadonlyMap<string, string>> {
  const files = await Promise.all(
    [...checksByFile(registry)].map(async ([file, checks]): Promise<[string, string]> => {
      return [`${file}.cjs`, opening + (await bundled(compile(checks)))];
    }),
  );
  return new Map(files);
}

/** `src/core/manifest/schema/validators.cjs`, which loads each validator when it is first needed. */
export function validatorLoaders(): string {
  const loaders = [...checksByFile(registry)].flatMap(([file, checks]) =>
    checks.map(({ name }) => `  ${name}: () => require('./generated/${file}.cjs').${name},\n`),
  );
  return `// Loads each validator when the first value is checked with it. Bundlers follow a literal \`require\` and nothing else.
//
// Written by npm run schema from the registry of kinds; do not edit.
module.exports = {
${loaders.join('')}};
`;
}

/** Adds the functions that the compiled code calls. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: manifestFolder },
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

function compile(checks: readonly Check[]): string {
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    // Rules of kinds are partial schemas, which repeat neither types nor properties.
    strictTypes: false,
    strictRequired: false,
    formats,
    keywords: ['x-file', 'deprecationMessage'],
    code: { source: true, formats: _`require("./formats.ts").formats` },
  });
  for (const { name, schema } of checks) ajv.addSchema(withoutWords(schema), name);
  return standalone.default(ajv, Object.fromEntries(checks.map(({ name }) => [name, name])));
}

/** Drops descriptions, which validation does not need. */
function withoutWords(schema: JsonValue): JsonObject {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    typeof value === 'string' && ['title', 'description', '$comment', 'deprecationMessage'].includes(name)
      ? undefined
      : value,
  );
  return JSON.parse(text) as JsonObject;
}

/** Every object has a key and a block. The other checks are needed alone. */
function checksByFile(kinds: readonly KindDefinition[]): ReadonlyMap<string, readonly Check[]> {
  const { outline, policy, forEach, of } = checksFor(kinds);
  const alone: readonly Check[] = [
    outline,
    policy,
    testCheck,
    mappingCheck,
    behavioursCheck,
    ...Object.values(forEach),
    ...Object.values(lineChecks),
    ...kinds.map((kind) => of(kind).defaults),
  ];
  const ofObjects = kinds.map((kind): [string, readonly Check[]] => [
    `${kind.name}_object`,
    [of(kind).key, of(kind).block],
  ]);
  return new Map([...alone.map((check): [string, readonly Check[]] => [check.name, [check]]), ...ofObjects]);
}
