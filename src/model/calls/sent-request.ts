// The form in which a request is sent: its path, its query, and the seconds until a time in its body.

import { InternalError } from '../../lib/errors.ts';
import { isList, isObject, type JsonObject } from '../../lib/json.ts';
import { Refusal } from '../errors.ts';
import { exitCode } from '../exit-code.ts';
import { type ApiRequest, type RequestPlaceholder, routeName } from '../request.ts';

/** Returns the body with the seconds of such a placeholder. */
export function withSeconds(
  body: JsonObject | undefined,
  { field, within }: Pick<Extract<RequestPlaceholder, { readonly type: 'seconds' }>, 'field' | 'within'>,
  seconds: number,
): JsonObject {
  if (within === undefined) return { ...body, [field]: seconds };
  const list = body?.[within];
  const items = isList(list) ? list.map((item) => (isObject(item) ? { ...item, [field]: seconds } : item)) : [];
  return { ...body, [within]: items };
}

/** Returns the path below the base URL: `/users/a%2Fb`. Throws a Refusal if an id cannot be part of a URL (platform §1). */
export function requestPath(request: ApiRequest): string {
  return request.route.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new InternalError(`route ${request.route} lacks its parameter ${name}`);
    // Servers and proxies resolve "." and "..", even encoded, so the call would reach another object.
    if (value === '.' || value === '..') throw unusable(request, value);
    return encoded(request, value);
  });
}

/** Returns `limit=100&token=a%20b`, or an empty text. The platform's clients encode a space as `%20`, not `+` (platform §1). */
export function requestQuery(request: ApiRequest): string {
  return Object.entries(request.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(request, value)}`)
    .join('&');
}

function encoded(request: ApiRequest, value: string): string {
  if (!value.isWellFormed()) throw unusable(request, value);
  return encodeURIComponent(value);
}

/** No manifest may contain such a value, so it came from an answer. */
function unusable(request: ApiRequest, value: string): Refusal {
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `${routeName(request)} cannot be called for ${JSON.stringify(value)}, a value from an earlier answer: no URL can contain it.`,
    'The platform does not return such a value. Check base_url.',
  );
}
