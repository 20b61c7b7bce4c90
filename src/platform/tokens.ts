// Which tokens does an answer hold, and what is left when they are taken out? Nobody but the sink may see one (semantics §10).
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { Answer } from '../model/ports.ts';
import type { TokenField } from '../model/step.ts';

export interface IssuedToken {
  readonly user_id: string;
  readonly field: string;
  readonly value: string;
}

/** Fields that hold tokens wherever they stand: users appear in lists and inside of channels (platform §4). */
const tokenFields: ReadonlySet<string> = new Set(['access_token', 'session_tokens']);

/** The route whose answer is a token as a whole (platform §4.2). Elsewhere `token` may be a page token. */
const tokenRoute = /\/token$/u;

/** The answer without any token, and the one that was asked for, when it is there and not empty. */
export function takeTokens(
  answer: Answer,
  route: string,
  wanted: TokenField | undefined,
): { readonly answer: Answer; readonly tokens: readonly IssuedToken[] } {
  if (answer.type !== 'ok') return { answer, tokens: [] };
  const value = wanted === undefined ? undefined : answer.body[wanted.field];
  const tokens =
    wanted !== undefined && typeof value === 'string' && value !== ''
      ? [{ user_id: wanted.user_id, field: wanted.field, value }]
      : [];
  const hidesToken = wanted?.field === 'token' || tokenRoute.test(route);
  const clean = withoutTokens(answer.body) as JsonObject;
  const body = hidesToken ? Object.fromEntries(Object.entries(clean).filter(([name]) => name !== 'token')) : clean;
  return { answer: { ...answer, body }, tokens };
}

function withoutTokens(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withoutTokens);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !tokenFields.has(name))
      .map(([name, inner]) => [name, withoutTokens(inner)]),
  );
}
