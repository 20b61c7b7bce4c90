// Calls to scratch objects, as data.

import { type ApiRequest, type Method, routeName } from '../../core/model/request.ts';
import { digestText } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import { isList, type JsonObject, type JsonValue, valueAt } from '../../lib/json.ts';

/**
 * A call as in the tables: `PUT /users/@ann`, its body, and the form field that gets a picture. In any text, `@ann` is the
 * scratch object of that name, `@` alone is the name space, and `@first-ms` the time from which timestamps count.
 */
export type ScratchCall = string | readonly [line: string, body: JsonObject, file?: string];

/** An object that a calibration makes and removes. */
export interface ScratchObject {
  readonly kind: 'user' | 'open_channel' | 'group_channel' | 'settings';
  readonly id: string;
}

const ofType = '/applications/settings_by_channel_custom_type';

/** How each kind is created and removed. Channels are removed before their members. */
export const scratchKinds: Readonly<
  Record<ScratchObject['kind'], { readonly made: readonly string[]; readonly key: string; readonly path: string }>
> = {
  group_channel: { made: ['POST /group_channels'], key: 'channel_url', path: '/group_channels' },
  open_channel: { made: ['POST /open_channels'], key: 'channel_url', path: '/open_channels' },
  settings: { made: [`POST ${ofType}`, `PUT ${ofType}/{custom_type}`], key: 'custom_type', path: ofType },
  user: { made: ['POST /users'], key: 'user_id', path: '/users' },
};

/** The parameter that follows a part of a path. */
const parameters: Readonly<Record<string, string>> = {
  users: 'user_id',
  members: 'user_id',
  ban: 'user_id',
  group_channels: 'channel_url',
  open_channels: 'channel_url',
  migration: 'channel_url',
  settings_by_channel_custom_type: 'custom_type',
};

export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const pictureName = 'chatform-calibrate.png';

/** Fields of a body whose values count from the first time of a run. */
const times: ReadonlySet<string> = new Set(['timestamp', 'created_at']);

/**
 * The names of one run. All begin with its name space, so that nothing else is ever changed. Timestamps in the tables count from
 * `firstMs`.
 */
export class ScratchNames {
  readonly space: string;
  readonly #firstMs: number;

  constructor(space: string, firstMs = 0) {
    this.space = space;
    this.#firstMs = firstMs;
  }

  request(line: ScratchCall): ApiRequest {
    const [text, body, field] = typeof line === 'string' ? [line] : line;
    const [method = '', target = ''] = text.split(' ');
    const [path = '', query] = target.split('?');
    const params: Record<string, string> = {};
    const route = path.split('/').map((part, index, parts) => {
      const name = parameters[parts[index - 1] ?? ''];
      if (name === undefined || !part.startsWith('@')) return part;
      // The second object in a path has another kind, so no name occurs twice.
      params[name] = this.#filled(part);
      return `{${name}}`;
    });
    const file = { type: 'file', file: pictureName, digest: digestText(picture), mediaType: 'image/png' } as const;
    return {
      method: method as Method,
      route: route.join('/'),
      ...(Object.keys(params).length > 0 ? { params } : {}),
      ...(query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(this.#filled(query))) }),
      ...(body === undefined ? {} : { body: JSON.parse(this.#filled(this.#dated(body))) as JsonObject }),
      ...(field === undefined ? {} : { placeholders: [{ ...file, field }] }),
    };
  }

  #filled(text: string): string {
    return text.replace(/@([a-z-]*)/gu, (_whole, name: string) => {
      if (name === 'first-ms') return String(this.#firstMs);
      return name === '' ? this.space : `${this.space}-${name}`;
    });
  }

  #dated(body: JsonObject): string {
    return JSON.stringify(body, (key, value: unknown) =>
      times.has(key) && typeof value === 'number' ? value + this.#firstMs : value,
    );
  }

  /** A response with real names replaced by those of the tables. */
  tableNames(body: JsonObject): JsonObject {
    const text = JSON.stringify(body).replaceAll(`${this.space}-`, '@');
    return JSON.parse(text.replaceAll(this.space, '@')) as JsonObject;
  }

  /** Throws if a call that may change something is not about an object of this name space. */
  demandOwn(request: ApiRequest): void {
    if (request.method === 'GET') return;
    const made = madeBy(request);
    const ids = [...Object.values(request.params ?? {}), ...(made === undefined ? [] : [made.id])];
    if (ids.length > 0 && ids.every((id) => id === this.space || id.startsWith(`${this.space}-`))) return;
    throw new InternalError(`${routeName(request)} is not about a scratch object`);
  }
}

/** The object that a call makes, if any. */
export function madeBy(request: ApiRequest): ScratchObject | undefined {
  for (const [kind, { made, key }] of Object.entries(scratchKinds)) {
    const id = made.includes(routeName(request)) ? (request.params?.[key] ?? request.body?.[key]) : undefined;
    if (typeof id === 'string') return { kind: kind as ScratchObject['kind'], id };
  }
  return undefined;
}

/** The value at a path of names and places. */
export function at(value: JsonValue | undefined, ...path: readonly (string | number)[]): JsonValue | undefined {
  return valueAt(value, path);
}

/** The values of one key in a list of objects. */
export function each(value: JsonValue | undefined, key: string): readonly (JsonValue | undefined)[] {
  return isList(value) ? value.map((item) => at(item, key)) : [];
}
