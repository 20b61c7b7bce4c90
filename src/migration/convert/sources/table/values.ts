// Compiles the values of a mapping: text with columns, expressions in CEL, and look-ups in other tables.

import type { WrittenValue } from '../../../../core/model/tables/mapping.ts';
import { isList, isObject, type JsonValue, ownValue, reservedKeys } from '../../../../lib/json.ts';
import { keyText } from './lookups.ts';
import { absent, failed, parsedText, type RowValue, type ValueContext } from './row-values.ts';

export function compileValue(written: WrittenValue, path: readonly string[], context: ValueContext): RowValue {
  if (typeof written === 'string') return compileText(written, path, context);
  const { cel, in: table, key, get } = written;
  const isExpression = cel !== undefined && table === undefined && key === undefined && get === undefined;
  if (isExpression) return context.compileExpression(cel, [...path, 'cel']);
  if (cel !== undefined || table === undefined || key === undefined || get === undefined) {
    context.report(path, 'A value is text with columns, { cel: … }, or { in: TABLE, key: …, get: … }.');
    return absent;
  }
  const keyOf = compileText(key, [...path, 'key'], context);
  const lookup = context.lookup(table, get, { table: [...path, 'in'], get: [...path, 'get'] });
  if (lookup === undefined) return absent;
  return (row) => {
    const wanted = keyText(keyOf(row));
    return wanted === undefined ? undefined : (lookup.values.get(wanted) ?? failed);
  };
}

const placeholder = /\$?\$\{([^}]*)\}/gu;

/** `${column}` alone keeps the type of the column. Text whose columns are all empty is absent. `$${x}` is the text `${x}`. */
export function compileText(text: string, path: readonly string[], context: ValueContext): RowValue {
  const columns: RowValue[] = [];
  const texts: string[] = [];
  let end = 0;
  let before = '';
  for (const { 0: whole, 1: name = '', index } of text.matchAll(placeholder)) {
    before += text.slice(end, index);
    end = index + whole.length;
    if (whole.startsWith('$$')) before += whole.slice(1);
    else {
      texts.push(before);
      before = '';
      columns.push(compileColumn(name, path, context));
    }
  }
  const rest = before + text.slice(end);
  const [only] = columns;
  if (only === undefined) return rest === '' ? absent : () => rest;
  if (columns.length === 1 && texts[0] === '' && rest === '') return only;
  return (row) => {
    let filled = '';
    let hasValue = false;
    for (const [place, column] of columns.entries()) {
      const value = column(row);
      if (typeof value === 'symbol' || (typeof value === 'object' && value !== null)) return failed;
      const shown = value === undefined || value === null ? '' : String(value);
      if (shown !== '') hasValue = true;
      filled += (texts[place] ?? '') + shown;
    }
    return hasValue ? filled + rest : undefined;
  };
}

function compileColumn(name: string, path: readonly string[], context: ValueContext): RowValue {
  const [column = '', ...parts] = name.split('.');
  if ([column, ...parts].some((part) => part === '' || reservedKeys.has(part))) {
    context.report(path, `\${${name}} is not a column. Write \${column}, or \${column.part} for a part of its value.`);
    return absent;
  }
  const computed = context.computed(column, path);
  if (computed !== undefined) {
    if (parts.length === 0) return computed;
    return (row) => {
      const whole = computed(row);
      return typeof whole === 'symbol' ? whole : parts.reduce<JsonValue | undefined>(partOf, whole);
    };
  }
  context.useNamed(name, path);
  if (context.isJoined(column)) {
    return (row) => (row[column] === undefined ? failed : parts.reduce<JsonValue | undefined>(partOf, row[column]));
  }
  if (parts.length === 0) return (row) => row[name];
  return (row) => row[name] ?? parts.reduce<JsonValue | undefined>(partOf, row[column]);
}

/** Database columns may contain JSON as text. */
function partOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const whole = typeof value === 'string' ? parsedText(value) : value;
  if (isList(whole)) return whole[Number(name)];
  return isObject(whole) ? ownValue(whole, name) : undefined;
}
