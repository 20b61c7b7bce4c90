// The values of a mapping: text with columns, expressions in CEL, and look-ups in other tables.
import { CelCompiler, type CelNode, celArguments, isCelNode } from '../../../lib/cel/expression.ts';
import { asFact, fromFact } from '../../../lib/cel/facts.ts';
import { TooMuchWorkError } from '../../../lib/cel/meter.ts';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parsedJson,
  reservedKeys,
} from '../../../lib/json.ts';
import type { WrittenValue } from '../../../model/tables/mapping.ts';

/** An expression that failed for a row, such as one that reads a missing column, or a look-up that found no row. */
const failed = Symbol('failed');

/** The value for a row, or undefined. */
export type RowValue = (row: JsonObject) => JsonValue | undefined | typeof failed;

/** One value per row of a table, by the key of the row. Filled before other rows are read. */
export interface Lookup {
  readonly table: string;
  readonly get: RowValue;
  readonly values: Map<string, JsonValue>;
}

/** `part`: of the value, an entry or a list that was made from it is read. `presence`: only whether there is a value. */
export type ColumnReading = 'whole' | 'part' | 'presence';

export interface ValueContext {
  /** Tables that have a key, by name. */
  readonly keyed: ReadonlySet<string>;
  readonly lookups: Lookup[];
  /** The context of another table. */
  of(table: string): ValueContext;
  /** Notes a column that the value at the path of the mapping reads. `isNeeded`: every row must have the column. */
  use(column: string, path: readonly string[], isNeeded: boolean, reading?: ColumnReading): void;
  report(path: readonly string[], detail: string): void;
}

export function compileValue(written: WrittenValue, path: readonly string[], context: ValueContext): RowValue {
  if (typeof written === 'string') return compileText(written, path, context);
  const { cel, in: table, key, get } = written;
  const isExpression = cel !== undefined && table === undefined && key === undefined && get === undefined;
  if (isExpression) return compileExpression(cel, [...path, 'cel'], context);
  if (cel !== undefined || table === undefined || key === undefined || get === undefined) {
    context.report(path, 'A value is text with columns, { cel: … }, or { in: TABLE, key: …, get: … }.');
    return absent;
  }
  if (!context.keyed.has(table)) {
    context.report([...path, 'in'], `There is no table ${table} with a key. Declare one under tables.`);
    return absent;
  }
  const lookup: Lookup = {
    table,
    get: compileText(get, [...path, 'get'], context.of(table)),
    values: new Map(),
  };
  context.lookups.push(lookup);
  const keyOf = compileValue(key, [...path, 'key'], context);
  return (row) => {
    const found = keyOf(row);
    if (found === undefined || found === null || found === '' || typeof found === 'symbol') return undefined;
    return lookup.values.get(String(found)) ?? failed;
  };
}

const absent: RowValue = () => undefined;
const placeholder = /\$?\$\{([^}]*)\}/gu;

/** `${column}` alone keeps the type of the column. Text whose columns are all empty is absent. `$${x}` is the text `${x}`. */
function compileText(text: string, path: readonly string[], context: ValueContext): RowValue {
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

function compileColumn(name: string, path: readonly string[], { use, report }: ValueContext): RowValue {
  const parts = name.split('.');
  if (parts.some((part) => part === '' || reservedKeys.has(part))) {
    report(path, `\${${name}} is not a column. Write \${column}, or \${column.part} for a part of its value.`);
    return absent;
  }
  use(name, path, true);
  if (parts.length === 1) return (row) => row[name];
  return (row) => row[name] ?? parts.reduce<JsonValue | undefined>(partOf, row);
}

/** Database columns may contain JSON as text. */
function partOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const whole = typeof value === 'string' ? parsedText(value) : value;
  if (isList(whole)) return whole[Number(name)];
  return isObject(whole) ? ownValue(whole, name) : undefined;
}

/** Undefined if the text is not a JSON list or map. */
export function parsedText(text: string): JsonValue | undefined {
  return /^\s*[[{]/u.test(text) ? parsedJson(text) : undefined;
}

const compiler = new CelCompiler({ homogeneousAggregateLiterals: false }, (environment) =>
  environment
    .registerVariable('row', 'dyn')
    .registerFunction('json(string): dyn', (text: string) => asFact(parsedText(text))),
);

/** An expression that needs too much work for a row. `path` leads to it in the mapping. */
export class CostlyValueError extends Error {
  override readonly name = 'CostlyValueError';
  readonly path: readonly string[];

  constructor(path: readonly string[], cause: TooMuchWorkError) {
    super(cause.message, { cause });
    this.path = path;
  }
}

/** A cache of the last row, because several expressions read the same row. */
let last: { readonly row: JsonObject; readonly facts: unknown } | undefined;

function factsOf(row: JsonObject): unknown {
  if (last?.row !== row) last = { row, facts: asFact(row) };
  return last.facts;
}

/**
 * Expressions read `row`. A missing column makes an expression fail; `has(row.x)` and `row.?x` test for it. The value throws a
 * CostlyValueError.
 */
export function compileExpression(text: string, path: readonly string[], { use, report }: ValueContext): RowValue {
  try {
    const expression = compiler.compile(text);
    for (const { name, isNeeded, reading } of columnsIn(expression.root)) use(name, path, isNeeded, reading);
    return (row) => {
      try {
        return fromFact(expression.run({ row: factsOf(row) }));
      } catch (error) {
        if (error instanceof TooMuchWorkError) throw new CostlyValueError(path, error);
        return failed;
      }
    };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    report(path, `The expression is not valid CEL: ${reason}. The columns are row.COLUMN.`);
    return absent;
  }
}

interface UsedColumn {
  readonly name: string;
  /** False if the expression tests whether the column exists. */
  readonly isNeeded: boolean;
  readonly reading: ColumnReading;
}

function* columnsIn(node: unknown, reading: ColumnReading = 'whole'): Generator<UsedColumn> {
  if (Array.isArray(node)) {
    for (const part of node as readonly unknown[]) yield* columnsIn(part, reading);
    return;
  }
  if (!isCelNode(node)) return;
  const path = columnOf(node);
  if (path !== undefined && path.length > 0) {
    yield { name: path.join('.'), isNeeded: node.op === '.' && reading !== 'presence', reading };
    return;
  }
  const [first, second, ...others] = celArguments(node.args);
  const readingOfFirst = reading === 'presence' ? reading : 'part';
  if (isAccess.test(node.op)) yield* columnsIn([second, ...others], reading);
  if (isAccess.test(node.op)) yield* columnsIn(first, readingOfFirst);
  else if (node.op === 'rcall' && choosers.has(first)) {
    yield* columnsIn(second, readingOfFirst);
    yield* columnsIn(others, reading);
  } else yield* columnsIn(node.args, node.op === 'call' && first === 'has' ? 'presence' : reading);
}

const isAccess = /^(?:\.\??|\[\??\])$/u;
/** Macros that make other values of the entries of a list. */
const choosers: ReadonlySet<unknown> = new Set(['map', 'filter']);

/** Returns `row.address.city` or `row["address"]` as a path from the row, and undefined for other nodes. */
function columnOf({ op, args }: CelNode): readonly string[] | undefined {
  if (op === 'id') return args === 'row' ? [] : undefined;
  const [holder, name] = celArguments(args);
  const before = isCelNode(holder) && isAccess.test(op) ? columnOf(holder) : undefined;
  const part = isCelNode(name) && name.op === 'value' ? name.args : name;
  return before === undefined || typeof part !== 'string' ? undefined : [...before, part];
}
