// Compiles the schemas of manifests to plain code ahead of time, so that no run pays for it.
import { join } from 'node:path';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build, type Plugin } from 'esbuild';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { checkedSchemas } from '../../manifest/schema/checked-schemas.ts';
import { formats } from '../../manifest/schema/formats.ts';
import type { JsonSchema } from '../../resources/define.ts';
import { registry } from '../../resources/index.ts';

const manifestFolder = join(import.meta.dirname, '../../manifest/schema');

const opening = `// Checks values against their schemas. Written by npm run build and npm run schema from the registry of kinds; do not edit.
// @ts-nocheck: code of the schema compiler, which is not typed.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** The text of `src/manifest/schema/generated/validators.ts`: one function a schema, which keeps its errors as ajv's do. */
export async function validatorsText(): Promise<string> {
  const schemas = checkedSchemas(registry);
  const names = [...schemas.keys()];
  const imports = names.map((name) => `import ${name} from 'schema:${name}';\n`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports.join('')}export const validators = { ${names.join(', ')} };\n`,
      resolveDir: manifestFolder,
    },
    plugins: [compiled(schemas)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    write: false,
  });
  return opening + (outputFiles[0]?.text ?? '');
}

/** Each schema is a module of its own: the compiler's names repeat from one to the next. */
function compiled(schemas: ReadonlyMap<string, JsonSchema>): Plugin {
  return {
    name: 'schemas',
    setup(bundle) {
      bundle.onResolve({ filter: /^schema:/ }, ({ path }) => ({
        path: path.slice('schema:'.length),
        namespace: 'schema',
      }));
      bundle.onLoad({ filter: /./, namespace: 'schema' }, ({ path }) => ({
        contents: compile(schemas.get(path) ?? {}),
        resolveDir: manifestFolder,
      }));
    },
  };
}

function compile(schema: JsonSchema): string {
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    // Rules of kinds are parts of schemas: they name neither types nor properties again.
    strictTypes: false,
    strictRequired: false,
    formats,
    keywords: ['x-file', 'deprecationMessage'],
    code: { source: true, esm: true, formats: _`require("./formats.ts").formats` },
  });
  return quickLengths(standalone.default(ajv, ajv.compile(withoutWords(schema))));
}

/**
 * Code points are counted one by one, and a text has no more of them than code units, which are known: they are counted
 * only where the units are too many. Nothing at all is as long in both.
 */
function quickLengths(code: string): string {
  return code
    .replace(/(func\d+)\(((?:data|key)\d*)\) > (\d+)/gu, '($2.length > $3 && $1($2) > $3)')
    .replace(/func\d+\(((?:data|key)\d*)\) < 1\b/gu, '$1.length < 1');
}

/** Drops descriptions, which only people need. */
function withoutWords(schema: JsonValue): JsonObject {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    typeof value === 'string' && ['title', 'description', '$comment', 'deprecationMessage'].includes(name)
      ? undefined
      : value,
  );
  return JSON.parse(text) as JsonObject;
}
