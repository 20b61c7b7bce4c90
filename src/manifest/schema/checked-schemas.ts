// Lists the schemas that values are checked against, with the names of their validators.
import type { JsonSchema, KindDefinition } from '../../resources/define.ts';
import { lineSchemas, type MessageType, messageTypes } from '../../resources/messages/line.ts';
import { blockSchema, defaultsSchema } from './block-schema.ts';
import { outlineSchema } from './schema.ts';
import { testSchema } from './test-schema.ts';
import { type ForEachForm, forEachForms } from './variables-schema.ts';

export const outlineName = 'outline';
export const testName = 'test';

/** The parts of a kind that are checked. */
export const kindParts = ['key', 'block', 'defaults'] as const;

export function kindPartName(kind: KindDefinition, part: (typeof kindParts)[number]): string {
  return `${kind.kind}_${part}`;
}

export function kindPartSchema(kind: KindDefinition, part: (typeof kindParts)[number]): JsonSchema {
  return part === 'key' ? kind.keySchema : part === 'block' ? blockSchema(kind) : defaultsSchema(kind);
}

export function forEachName(form: ForEachForm): string {
  return `for_each_${form}`;
}

/** One line of a message archive. */
export function lineName(type: MessageType): string {
  return `line_${type}`;
}

/** The file of a validator, in the folder `generated`. */
export function validatorFile(name: string): string {
  return `${name}.cjs`;
}

/** All schemas by the name of their validator. */
export function checkedSchemas(kinds: readonly KindDefinition[]): ReadonlyMap<string, JsonSchema> {
  return new Map([
    [outlineName, outlineSchema(kinds)],
    [testName, testSchema],
    ...Object.entries(forEachForms).map(([form, schema]): [string, JsonSchema] => [
      forEachName(form as ForEachForm),
      schema,
    ]),
    ...messageTypes.map((type): [string, JsonSchema] => [lineName(type), lineSchemas[type]]),
    ...kinds.flatMap((kind) =>
      kindParts.map((part): [string, JsonSchema] => [kindPartName(kind, part), kindPartSchema(kind, part)]),
    ),
  ]);
}
