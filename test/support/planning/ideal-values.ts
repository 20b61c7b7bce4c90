// Support: the records of the ideal platform, and helpers to read and refuse requests.
import { isList, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';

export interface Person {
  active: boolean;
  nickname: string;
  profile_url: string;
  metadata: Map<string, string>;
  /** Fields that are returned as they were sent. */
  readonly fields?: Map<string, JsonValue>;
  accessTokens: number;
  sessionTokens: number;
  /** Additional fields of a bot. */
  readonly bot?: Map<string, JsonValue>;
}

interface Membership {
  state: 'invited' | 'joined';
  hidden: string;
}

export interface Restriction {
  readonly until?: string;
  readonly description: string;
}

export interface Room {
  readonly kind: 'open' | 'group';
  readonly fields: Map<string, JsonValue>;
  readonly operators: Set<string>;
  readonly members: Map<string, Membership>;
  readonly metadata: Map<string, string>;
  readonly banned: Map<string, Restriction>;
  readonly muted: Map<string, Restriction>;
  freeze: boolean;
  codes: number;
}

/** Throws, because a good plan never causes a refusal. */
export function refuse(request: ApiRequest | undefined, why: string): never {
  throw new Error(`the platform refuses ${JSON.stringify(request)}: ${why}`);
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function idsIn(value: JsonValue | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}

/** The URL of an uploaded image. */
export function uploaded({ placeholders }: ApiRequest, field: string): string | undefined {
  const placeholder = placeholders?.find((candidate) => candidate.field === field);
  return placeholder?.type === 'file' ? `https://files.example.com/${placeholder.digest}` : undefined;
}

/** The method, and what follows the key in the route: `PUT metadata`. */
export function verbOf({ method, route }: ApiRequest): string {
  const [, , , ...rest] = route.split('/');
  return [method, ...rest].join(' ');
}

export function isIn(section: string, { route }: ApiRequest): boolean {
  return route === `/${section}` || route.startsWith(`/${section}/`);
}
