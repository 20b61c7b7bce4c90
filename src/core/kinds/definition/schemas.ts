// Schemas that attributes of several kinds have.

import type { JsonSchema } from './kind.ts';

/** The schema of a text of at most `maxLength` Unicode code points. */
export function textSchema(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, description };
}

/** Added to the schema of each URL that is sent and that the platform itself does not call: programs must not read other hosts in it. */
export const plainUrlFormat = { format: 'plain-url' } as const;

/** The schema of an image's address, which apps load. It may be relative. Its only schemes are http and https. */
export function pictureUrlSchema(description: string): JsonSchema {
  return {
    ...textSchema(2048, description),
    ...plainUrlFormat,
    pattern: '^(?:[hH][tT][tT][pP][sS]?:|(?!\\s*[A-Za-z][A-Za-z0-9+.-]*:))',
  };
}

export function flagSchema(description: string): JsonSchema {
  return { type: 'boolean', description };
}

/** The schema of a `_mode` attribute, which says whether undeclared members or operators are left alone (semantics §2.4). */
export function modeSchema(list: string): JsonSchema {
  return {
    enum: ['additive', 'exclusive'],
    description: `additive (default): chatform leaves undeclared ${list}. exclusive: it removes them, which needs --refresh.`,
  };
}

/**
 * Matches texts that can be part of a URL path. "." and ".." would change the path even if encoded
 * (`DELETE /users/alice/metadata/..` means alice), and half a surrogate pair cannot be encoded.
 */
export const pathPartSchema: JsonSchema = {
  pattern: '^(?!\\.{1,2}$)\\P{Cs}*$',
  // A comment instead of a description, which editors would show in place of the attribute's own.
  $comment: 'Not . or .., which would change the address of a request. No unpaired surrogates.',
};

export const userIdSchema: JsonSchema = { type: 'string', minLength: 1, maxLength: 80, allOf: [pathPartSchema] };

export const idListSchema = (maxItems: number, description: string, items: JsonSchema = userIdSchema): JsonSchema => ({
  type: 'array',
  items,
  uniqueItems: true,
  maxItems,
  description,
});

/** The schema of a URL that the platform calls. The loader checks whether its host is trusted (checks/callbacks.ts). */
export function callbackUrlSchema(maxLength: number, description: string): JsonSchema {
  return { type: 'string', minLength: 1, maxLength, description };
}

/** The largest image that the platform accepts. */
export const maxImageBytes = 5_000_000;

/** The schema of a JPG or PNG file of up to 5 MB (base, User). `x-file` makes the loader read, check and digest the file. */
export function imageFileSchema(description: string): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    description,
    'x-file': { maxBytes: maxImageBytes, types: ['image/png', 'image/jpeg'] },
  };
}
