// The emojis with which people react, by key (platform §13.8). Their categories have generated ids and are not declared.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition, BlockProblem, KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { pathPartSchema, plainUrlFormat } from '../../kinds/definition/schemas.ts';
import { pick, textOf } from '../../kinds/definition/values.ts';
import { platformCode } from '../../model/platform-codes.ts';

const route = '/emojis';
const oneRoute = `${route}/{emoji_key}`;
const params = (key: string) => ({ emoji_key: key });

export const emojisAttribute = {
  schema: {
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 30, allOf: [pathPartSchema] },
    additionalProperties: {
      type: 'object',
      properties: {
        url: {
          type: 'string',
          minLength: 1,
          ...plainUrlFormat,
          pattern: '^[hH][tT][tT][pP][sS]?://',
          description: 'The http or https URL of the image.',
          examples: ['https://img.example/party.png', 'http://img.example/wave.png'],
        },
        emoji_category_id: {
          type: 'integer',
          minimum: 1,
          description:
            'The id that the platform gave to the category: the dashboard and GET /emoji_categories show it. Fixed once the emoji exists.',
        },
      },
      required: ['url', 'emoji_category_id'],
      additionalProperties: false,
      description: 'The image of the emoji, and its category.',
    },
    description:
      'Emojis for reactions, by key: at most 30 characters. People can use them only with reactions: true. Undeclared ones stay.',
  },
  change: 'mutable',
  removed: { how: 'each' },
  shape: 'map',
  sentBy: 'steps',
  shown: { as: 'compared', by: { route } },
  people: ['bound'],
  // Answers to a creation do not show the category.
  asKnown: (known, shown) => (isObject(known) && isObject(shown) ? { ...known, ...shown } : shown),
  personal: false,
} as const satisfies AttributeDefinition;

export function emojiSteps({ attributes }: KindChange): StepDraft[] {
  return attributes.flatMap(({ path, before, after, how }): StepDraft[] => {
    const [name, key] = path;
    if (name !== 'emojis' || key === undefined || how === 'release') return [];
    if (!isObject(after)) return [removal(key)];
    return isObject(before) ? [update(key, after)] : [addition(key, after), update(key, after)];
  });
}

/** No call moves an emoji to another category. */
export function emojiProblems({ attributes }: KindChange): BlockProblem[] {
  return attributes.flatMap(({ path, before, after }): BlockProblem[] => {
    const [name, key] = path;
    if (name !== 'emojis' || key === undefined || !isObject(after)) return [];
    const known = isObject(before) ? before : {};
    const category = after.emoji_category_id;
    if (known.emoji_category_id === undefined || category === undefined || known.emoji_category_id === category)
      return [];
    return [
      {
        severity: 'error',
        code: 'settings.emoji-moved',
        summary: 'An emoji cannot move to another category',
        detail: `emojis.${key} is in the category ${String(known.emoji_category_id)}. No call moves it. Declare that category, or remove the emoji and add it again in a later apply.`,
        path: [...path, 'emoji_category_id'],
      },
    ];
  });
}

/** Somebody else may have added the key. The update that follows makes it the declared emoji in any case. */
function addition(key: string, emoji: JsonObject): StepDraft {
  const { url = '', emoji_category_id = 0 } = emoji;
  return {
    action: 'update',
    phase: 'settings',
    request: { method: 'POST', route, body: { emoji_category_id, emojis: [{ key, url }] } },
    edits: [],
    doneOn: [platformCode.taken],
  };
}

function update(key: string, emoji: JsonObject): StepDraft {
  return {
    action: 'update',
    phase: 'settings',
    request: { method: 'PUT', route: oneRoute, params: params(key), body: pick(emoji, ['url']) },
    edits: [{ op: 'set', path: ['emojis', key], value: emoji }],
  };
}

function removal(key: string): StepDraft {
  return {
    action: 'update',
    phase: 'settings',
    request: { method: 'DELETE', route: oneRoute, params: params(key) },
    edits: [{ op: 'unset', path: ['emojis', key] }],
    doneOn: [platformCode.notFound],
  };
}

/** An answer has a list of emojis, or is one of them. Undefined for an answer that shows neither. */
export function emojisIn(answer: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(answer) || (answer.emojis ?? answer.key) === undefined) return undefined;
  const list = answer.emojis ?? [answer];
  const items = isList(list) ? list.filter(isObject) : [];
  return Object.fromEntries(
    items.flatMap((item): [string, JsonValue][] => {
      const key = textOf(item, 'key');
      return key === undefined ? [] : [[key, pick(item, ['url', 'emoji_category_id'])]];
    }),
  );
}
