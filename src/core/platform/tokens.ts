// Removes issued tokens from answers. Only the sink may see a token (semantics §10).
import { digestText } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Answer } from '../model/ports.ts';
import type { TokenField } from '../model/step.ts';

export interface IssuedToken {
  readonly user_id: string;
  readonly field: string;
  readonly value: string;
}

/** Fields that contain tokens, at any depth, because users appear in lists and inside channels (platform §4). */
const tokenFields: ReadonlySet<string> = new Set(['access_token', 'session_tokens', 'bot_token']);

/** Routes whose answers show a legacy key of FCM in full (platform §13.5). Elsewhere `api_key` may be a key of metadata. */
const pushRoute = /^\/applications\/push\//u;
const pushFields: ReadonlySet<string> = new Set([...tokenFields, 'api_key']);

/** Routes whose `token` field is an issued token (platform §4.2). Elsewhere `token` may be a page token. */
const tokenRoute = /\/token$/u;

/** The field with the digest of a removed access token, by which a later answer shows whether there is another one. */
const digestField = 'access_token_digest';

/** An empty text is kept: it says that there is no token. */
const isSecret = (value: JsonValue | undefined): boolean => value !== '';

/** Returns the answer without tokens, and the requested token if the answer contains it. */
export function takeTokens(
  answer: Answer,
  route: string,
  wanted: TokenField | undefined,
): { readonly answer: Answer; readonly tokens: readonly IssuedToken[] } {
  if (answer.type !== 'ok') return { answer, tokens: [] };
  const value = wanted === undefined ? undefined : tokenIn(answer.body, wanted);
  const tokens =
    wanted !== undefined && typeof value === 'string' && value !== ''
      ? [{ user_id: wanted.user_id, field: wanted.field, value }]
      : [];
  const hidesToken = wanted?.field === 'token' || tokenRoute.test(route);
  const clean = withoutTokens(answer.body, pushRoute.test(route) ? pushFields : tokenFields);
  if (clean === undefined) {
    const message = `the answer nests deeper than ${maxDepth} levels`;
    return { answer: { type: 'unknown', message, isUnusable: true }, tokens: [] };
  }
  const body = hidesToken ? Object.fromEntries(Object.entries(clean).filter(([name]) => name !== 'token')) : clean;
  return { answer: { ...answer, body }, tokens };
}

function tokenIn(body: JsonObject, { field, within }: TokenField): JsonValue | undefined {
  const part = within === undefined ? body : body[within];
  return isObject(part) ? part[field] : undefined;
}

/** The platform's answers nest fewer than ten levels. Deeper ones might overflow the stack. */
const maxDepth = 100;

/** Returns undefined if the value nests deeper than `maxDepth` levels. Copies only values with tokens, because pages are large. */
function withoutTokens(value: JsonObject, fields: ReadonlySet<string>): JsonObject | undefined {
  try {
    return hasToken(value, fields, maxDepth) ? (cleaned(value, fields) as JsonObject) : value;
  } catch (error) {
    if (error === tooDeep) return undefined;
    throw error;
  }
}

const tooDeep = new Error('nested too deep');

/** Visits the whole value, so that it throws wherever the value is nested too deep. */
function hasToken(value: JsonValue, fields: ReadonlySet<string>, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) throw tooDeep;
  let has = false;
  for (const name in value) {
    const inner = (value as JsonObject)[name] ?? null;
    const isToken = fields.has(name) && isSecret(inner);
    if (hasToken(inner, fields, depth - 1) || isToken) has = true;
  }
  return has;
}

function cleaned(value: JsonValue, fields: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => cleaned(item, fields));
  const isUser = typeof value.user_id === 'string';
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
      if (!fields.has(name) || !isSecret(inner)) return [[name, cleaned(inner, fields)]];
      return isUser && name === 'access_token' && typeof inner === 'string' ? [[digestField, digestText(inner)]] : [];
    }),
  );
}
