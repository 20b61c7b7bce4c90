// The schema of what a tool returns: the published one, without its texts, because clients load it with every tool.
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { schemaNames } from '../../tools/package-files.ts';
import { schemaPart, wholeSchema } from '../../tools/schema-parts.ts';
import type { Tool } from './arguments.ts';

/** Keywords that only people read. */
const texts: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'title', 'description', 'examples']);

export function outputSchema({ result }: Pick<Tool, 'result'>): JsonObject & { readonly type: 'object' } {
  const [file, part] = result.split('#');
  const name = schemaNames.find((known) => known === file);
  const schema = name === undefined ? undefined : part === undefined ? wholeSchema(name) : schemaPart(name, part);
  const short = withoutTexts(schema ?? {});
  return { ...(isObject(short) ? short : {}), type: 'object' };
}

/** In a map of schemas, such as `properties`, the keys are names. */
function withoutTexts(schema: JsonValue): JsonValue {
  if (isList(schema)) return schema.map(withoutTexts);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !texts.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      (keyword === 'properties' || keyword === '$defs') && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutTexts(inner)]))
        : withoutTexts(value),
    ]),
  );
}
