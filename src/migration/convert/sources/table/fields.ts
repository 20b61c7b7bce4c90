// Reads the fields of a row as the types that they need. A value of another type counts as absent and is noted.
import { isList, isObject, type JsonObject, type JsonValue, parsedJson } from '../../../../lib/json.ts';
import { NameTable } from '../../../../lib/typed-arrays.ts';
import { safeId } from '../../export/urls.ts';
import type { RowValue } from './row-values.ts';
import { isDate } from './times.ts';

export class RowFields {
  /** Whether a value of the row had the wrong type for its field. */
  hasDropped = false;
  #row: JsonObject = {};
  #at = '';
  /** By value of a mapping: the place of the first row with a wrong one, and the places of all. Tables are read several times. */
  readonly #dropped = new Map<RowValue, { readonly first: string; readonly places: NameTable }>();

  start({ row, at }: { readonly row: JsonObject; readonly at: string }): void {
    this.#row = row;
    this.#at = at;
    this.hasDropped = false;
  }

  /** The number of rows in which the value was wrong, and the place of the first one. */
  droppedOf(value: RowValue): { readonly first: string; readonly count: number } | undefined {
    const dropped = this.#dropped.get(value);
    return dropped && { first: dropped.first, count: dropped.places.size };
  }

  #drop(value: RowValue | undefined): undefined {
    this.hasDropped = true;
    if (value === undefined) return undefined;
    const dropped = this.#dropped.get(value) ?? { first: this.#at, places: new NameTable() };
    this.#dropped.set(value, dropped);
    dropped.places.add(this.#at);
    return undefined;
  }

  /** Undefined for an absent or empty value, and for one that cannot be computed. */
  value(value: RowValue | undefined): JsonValue | undefined {
    const found = value?.(this.#row);
    if (typeof found !== 'symbol') return found === null || found === '' ? undefined : found;
    return this.#drop(value);
  }

  text(value: RowValue | undefined): string | undefined {
    const found = this.value(value);
    if (typeof found === 'string' || found === undefined) return found;
    if (typeof found !== 'object') return String(found);
    return this.#drop(value);
  }

  /** An id, which may be a URL, without its query. */
  id(value: RowValue | undefined): string | undefined {
    const text = this.text(value);
    return text === undefined ? undefined : safeId(text);
  }

  /** One of the choices. Default: the first. */
  choice<T extends string>(value: RowValue | undefined, choices: readonly [T, ...T[]]): T {
    const text = this.text(value);
    if (text === undefined) return choices[0];
    const found = choices.find((choice) => choice === text.toLowerCase());
    if (found === undefined) this.#drop(value);
    return found ?? choices[0];
  }

  number(value: RowValue | undefined): number | undefined {
    const text = this.text(value);
    const found = text === undefined ? undefined : Number(text);
    if (found === undefined || (Number.isFinite(found) && found >= 0)) return found;
    return this.#drop(value);
  }

  /** A list, its JSON, an array of PostgreSQL, or text with commas. */
  list(value: RowValue | undefined): readonly JsonValue[] | undefined {
    const found = this.value(value);
    if (found === undefined || isList(found)) return found;
    if (typeof found === 'number') return [found];
    if (typeof found === 'string') {
      const parsed = found.startsWith('[') ? jsonList(found) : splitList(found.replace(/^\{(.*)\}$/su, '$1'));
      if (parsed !== undefined) return parsed;
    }
    return this.#drop(value);
  }

  /** A list of ids. */
  ids(value: RowValue | undefined): readonly string[] | undefined {
    return this.list(value)?.flatMap((item) => {
      if (typeof item === 'string' && item !== '') return [safeId(item)];
      if (typeof item === 'number') return [String(item)];
      this.#drop(value);
      return [];
    });
  }

  /** A list of maps. */
  maps(value: RowValue | undefined): readonly JsonObject[] {
    const found = this.value(value);
    const list = isObject(found) ? [found] : (this.list(value) ?? []);
    const maps = list.filter(isObject);
    if (maps.length < list.length) this.#drop(value);
    return maps;
  }
}

/**
 * Databases write f, forms write no, and a column such as deleted_at contains a time or nothing. Undefined for any other value: what a
 * word means for a flag is unknown.
 */
export function flagOf(value: JsonValue | undefined): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '' || /^(?:false|f|no|n|off)$/iu.test(text)) return false;
  if (/^[+-]?\d+(?:\.\d+)?$/u.test(text)) return Number(text) !== 0;
  return /^(?:true|t|yes|y|on)$/iu.test(text) || isDate(text) ? true : undefined;
}

function splitList(text: string): readonly string[] {
  const parts = text.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gsu);
  return [...parts].map(([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/gsu, '$1') ?? plain.trim());
}

function jsonList(text: string): readonly JsonValue[] | undefined {
  const value = parsedJson(text);
  return isList(value) ? value : undefined;
}
