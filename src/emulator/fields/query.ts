// Reads and checks the parameters of a URL's query (platform §1).

import { ApiError } from '../api/errors.ts';

export class QueryParams {
  /** Still percent-encoded: a list may be encoded item by item or as a whole, or its parameter repeated. */
  readonly #raw = new Map<string, string[]>();

  constructor(query: string) {
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const cut = pair.indexOf('=');
      const written = decode(cut < 0 ? pair : pair.slice(0, cut));
      const name = written.endsWith('[]') ? written.slice(0, -2) : written;
      this.#raw.set(name, [...(this.#raw.get(name) ?? []), cut < 0 ? '' : pair.slice(cut + 1)]);
    }
  }

  string(name: string): string | undefined {
    const raw = this.#raw.get(name)?.at(-1);
    return raw === undefined ? undefined : decode(raw);
  }

  /** Like `string`, but an empty value counts as absent: the vendor's clients send `token=` (platform §1). */
  filled(name: string): string | undefined {
    return this.string(name) || undefined;
  }

  /** A list separated by commas. A literal comma in the raw value means that the items were encoded one by one. */
  strings(name: string, max?: number): readonly string[] | undefined {
    const raw = this.#raw.get(name)?.filter((value) => value !== '');
    if (raw === undefined || raw.length === 0) return undefined;
    const items = raw.flatMap((value) =>
      value.includes(',') ? value.split(',').map(decode) : decode(value).split(','),
    );
    if (max !== undefined && items.length > max) throw new ApiError('tooManyItems', name);
    return items;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.filled(name);
    if (value === undefined) return fallback;
    const lower = value.toLowerCase();
    if (lower !== 'true' && lower !== 'false') throw new ApiError('notABoolean', name);
    return lower === 'true';
  }

  integer(name: string): number | undefined {
    const value = this.filled(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,15}$/.test(value)) throw new ApiError('notANumber', name);
    const number = Number(value);
    if (number < 0) throw new ApiError('negative', name);
    return number;
  }

  integerIn(name: string, min: number, max: number, fallback: number): number {
    const value = this.integer(name) ?? fallback;
    if (value < min || value > max) throw new ApiError('outOfRange', name);
    return value;
  }

  /** One of the given words. The first is the default. */
  choice<T extends string>(name: string, [fallback, ...others]: readonly [T, ...T[]]): T {
    const value = this.filled(name);
    if (value === undefined || value === fallback) return fallback;
    const known = others.find((other) => other === value);
    if (known === undefined) throw new ApiError('invalidValue', name);
    return known;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('invalidUrl');
  }
}
