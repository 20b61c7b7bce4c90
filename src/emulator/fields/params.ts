// Reads and checks the fields of JSON and multipart bodies. Each check has its own error code (platform §2).

import { ApiError } from '../api/errors.ts';
import type { Body, FilePart } from '../api/request.ts';

/** Returns the length in code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Returns the value, or throws if it has more than `max` code points. `name` is the field in the error. */
export function checkLength(name: string, value: string, max: number): string {
  // Code points need counting only when the UTF-16 units exceed the limit.
  if (value.length > max && lengthOf(value) > max) throw new ApiError('tooLong', name);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The form of a list in a multipart body. The form that the platform accepts is unknown (behaviours.md, multipartLists). */
export type MultipartLists = 'any' | 'commas' | 'json' | 'repeated';

/** The fields of one object of a request. Errors name the field with `path` before it. */
export class Params {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #files: ReadonlyMap<string, FilePart>;
  readonly #path: string;
  /** Multipart values are all text. The readers convert them. */
  readonly #lists: MultipartLists | undefined;

  constructor(
    fields: ReadonlyMap<string, unknown>,
    files: ReadonlyMap<string, FilePart> = new Map(),
    lists: MultipartLists | undefined = undefined,
    path = '',
  ) {
    this.#fields = fields;
    this.#files = files;
    this.#lists = lists;
    this.#path = path;
  }

  get multipart(): boolean {
    return this.#lists !== undefined;
  }

  static fromBody(body: Body, lists: MultipartLists = 'any'): Params {
    switch (body.type) {
      case 'none':
        return new Params(new Map());
      case 'invalid':
        throw new ApiError('invalidJsonBody');
      case 'json':
        if (!isObject(body.value)) throw new ApiError('invalidJsonBody');
        return new Params(withPlainNames(Object.entries(body.value)));
      case 'multipart':
        return new Params(mergeParts(body.fields), body.files, lists);
    }
  }

  /** Reads a nested object, such as one message of a batch. */
  static nested(value: unknown, path: string): Params {
    if (!isObject(value)) throw new ApiError('notAnObject', path);
    return new Params(new Map(Object.entries(value)), new Map(), undefined, `${path}.`);
  }

  /** The field with the path to it, as errors name it. */
  named(name: string): string {
    return this.#path + name;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** The raw value, for readers with their own rules. */
  value(name: string): unknown {
    const value = this.#one(name);
    if (value === undefined) return this.#missing(name);
    return value;
  }

  file(name: string): FilePart | undefined {
    return this.#files.get(name);
  }

  string(name: string, max?: number): string | undefined {
    const value = this.#one(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new ApiError('notAString', this.#path + name);
    return max === undefined ? value : checkLength(this.#path + name, value, max);
  }

  requiredString(name: string, max?: number): string {
    return this.string(name, max) ?? this.#missing(name);
  }

  boolean(name: string): boolean | undefined {
    const value = this.#one(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (this.multipart && (value === 'true' || value === 'false')) return value === 'true';
    throw new ApiError('notABoolean', this.#path + name);
  }

  /** A non-negative integer: nearly every number of this API is a time or a size. */
  integer(name: string): number | undefined {
    const value = this.signedInteger(name);
    if (value !== undefined && value < 0) throw new ApiError('negative', this.#path + name);
    return value;
  }

  signedInteger(name: string): number | undefined {
    let value = this.#one(name);
    if (value === undefined) return undefined;
    if (this.multipart && typeof value === 'string' && /^-?\d+$/.test(value)) value = Number(value);
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new ApiError('notANumber', this.#path + name);
    return value;
  }

  /** An integer within bounds, both included. */
  integerIn(name: string, min: number, max: number): number | undefined {
    const value = this.integer(name);
    if (value !== undefined && (value < min || value > max)) throw new ApiError('outOfRange', this.#path + name);
    return value;
  }

  requiredBoolean(name: string): boolean {
    return this.boolean(name) ?? this.#missing(name);
  }

  requiredStrings(name: string, max?: number): readonly string[] {
    return this.strings(name, max) ?? this.#missing(name);
  }

  /** The fields of a nested object. */
  nested(name: string): Params | undefined {
    const value = this.object(name);
    return value === undefined ? undefined : new Params(value, new Map(), undefined, `${this.#path}${name}.`);
  }

  requiredInteger(name: string): number {
    return this.integer(name) ?? this.#missing(name);
  }

  list(name: string, max?: number): readonly unknown[] | undefined {
    let value = this.#fields.get(name);
    if (value === undefined) return undefined;
    if (this.#lists !== undefined) value = listFromText(value, this.#lists);
    if (!Array.isArray(value)) throw new ApiError('notAList', this.#path + name);
    if (max !== undefined && value.length > max) throw new ApiError('tooManyItems', this.#path + name);
    return value;
  }

  strings(name: string, max?: number): readonly string[] | undefined {
    return this.list(name, max)?.map((item) => {
      if (typeof item !== 'string') throw new ApiError('notAString', this.#path + name);
      return item;
    });
  }

  object(name: string): ReadonlyMap<string, unknown> | undefined {
    let value = this.#one(name);
    if (value === undefined) return undefined;
    if (this.multipart && typeof value === 'string') value = parseOrUndefined(value);
    if (!isObject(value)) throw new ApiError('notAnObject', this.#path + name);
    return new Map(Object.entries(value));
  }

  #one(name: string): unknown {
    const value = this.#fields.get(name);
    return this.multipart && Array.isArray(value) ? value.at(-1) : value;
  }

  #missing(name: string): never {
    throw new ApiError('missing', this.#path + name);
  }
}

/** Repeated parts make a list, and so do parts named `name[]`. */
function mergeParts(parts: readonly (readonly [string, string])[]): Map<string, unknown> {
  const merged = new Map<string, string[]>();
  for (const [written, value] of parts) {
    const name = written.endsWith('[]') ? written.slice(0, -2) : written;
    merged.set(name, [...(merged.get(name) ?? []), value]);
  }
  return merged;
}

/** The base document writes `operator_ids[]` for the field `operator_ids`. */
function withPlainNames(entries: readonly [string, unknown][]): Map<string, unknown> {
  const fields = new Map(entries);
  for (const [name, value] of entries) {
    const plain = name.endsWith('[]') ? name.slice(0, -2) : name;
    if (!fields.has(plain)) fields.set(plain, value);
  }
  return fields;
}

/** A list in one part is JSON or separated by commas, or each item is a part of its own. */
function listFromText(value: unknown, form: MultipartLists): unknown {
  if (!Array.isArray(value) || form === 'repeated') return value;
  const [text, ...more] = value;
  if (typeof text !== 'string' || more.length > 0) return form === 'any' ? value : undefined;
  if (text === '') return [];
  const isJson = form === 'json' || (form === 'any' && text.trimStart().startsWith('['));
  return isJson ? parseOrUndefined(text) : text.split(',');
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
