// Compiles the expressions of a mapping in CEL. They read `row`, and values of other tables by lookup().
import { CelCompiler, type CelNode, celArguments, celNodesIn, isCelNode } from '../../../lib/cel/expression.ts';
import { asFact, fromFact } from '../../../lib/cel/facts.ts';
import { TooMuchWorkError } from '../../../lib/cel/meter.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { columnsIn } from './expression-columns.ts';
import { keyText } from './lookups.ts';
import { absent, failed, type Lookup, parsedText, type RowValue, type ValueContext, viewAdvice } from './row-values.ts';

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

/** A cache of the last text, because several expressions parse the same one. */
let lastText: { readonly text: string; readonly facts: unknown } | undefined;

function factsOfText(text: string): unknown {
  if (lastText?.text !== text) lastText = { text, facts: asFact(parsedText(text)) };
  return lastText.facts;
}

export class RowExpressions {
  /** By table and column, as lookup() names them. */
  readonly #lookups = new Map<string, Lookup>();
  readonly #compiler = new CelCompiler({ homogeneousAggregateLiterals: false }, (environment, { partsOf }) =>
    environment
      .registerVariable('row', 'dyn')
      .registerFunction('json(string): dyn', (text: string) => factsOfText(text))
      .registerFunction('lookup(string, dyn, string): dyn', (table: string, key: unknown, column: string) => {
        const wanted = keyText(fromFact(key));
        const value = this.#found(table, wanted, column);
        if (value === undefined && wanted !== undefined) throw new Error(`No row of ${table} has the key`);
        return value ?? null;
      })
      .registerFunction(
        'lookup(string, dyn, string, dyn): dyn',
        (table: string, key: unknown, column: string, otherwise: unknown) =>
          this.#found(table, keyText(fromFact(key)), column) ?? otherwise,
      )
      .registerFunction(
        'string.extract(string): string',
        (text: string, pattern: string) => partsOf(text, pattern).next().value ?? '',
      )
      .registerFunction('string.extractAll(string): list<string>', (text: string, pattern: string) => [
        ...partsOf(text, pattern),
      ]),
  );

  /** Undefined if there is no row with the key, or if the row lacks the value. */
  #found(table: string, key: string | undefined, column: string): unknown {
    const value = key === undefined ? undefined : this.#lookups.get(lookupName(table, column))?.values.get(key);
    return value === undefined ? undefined : asFact(value);
  }

  /**
   * A missing column makes an expression fail; `has(row.x)` and `row.?x` test for it. The value throws a CostlyValueError.
   */
  compile(text: string, at: readonly string[], context: ValueContext): RowValue {
    let expression: ReturnType<CelCompiler['compile']>;
    try {
      expression = this.#compiler.compile(text);
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      context.report(at, `The expression is not valid CEL: ${reason}. ${adviceFor(reason, text)}`);
      return absent;
    }
    for (const node of celNodesIn(expression.root)) this.#declareLookup(node, at, context);
    const computed = new Map<string, RowValue>();
    for (const use of columnsIn(expression.root)) {
      const [column = ''] = use.path;
      const value = computed.get(column) ?? context.computed(column, at);
      if (value === undefined) context.use(use, at);
      else computed.set(column, value);
    }
    const rowOf = computed.size === 0 ? factsOf : (row: JsonObject) => withComputed(row, computed);
    return (row) => {
      const facts = rowOf(row);
      try {
        return fromFact(expression.run({ row: facts }));
      } catch (error) {
        if (error instanceof TooMuchWorkError) throw new CostlyValueError(at, error);
        return failed;
      }
    };
  }

  /** Tables and columns of look-ups are known before the first row is read, so that only their values are kept. */
  #declareLookup({ op, args }: CelNode, at: readonly string[], context: ValueContext): void {
    const [name, lookupArguments] = celArguments(args);
    if (op !== 'call' || name !== 'lookup') return;
    const [table, , column] = celArguments(lookupArguments).map((node) =>
      isCelNode(node) && node.op === 'value' ? node.args : undefined,
    );
    if (typeof table !== 'string' || typeof column !== 'string') {
      context.report(
        at,
        `The table and the column of lookup() are texts: lookup("users", row.login, "id"). ${viewAdvice}`,
      );
      return;
    }
    const lookup = context.lookup(table, `\${${column}}`, { table: at, get: at });
    if (lookup !== undefined) this.#lookups.set(lookupName(table, column), lookup);
  }
}

function lookupName(table: string, column: string): string {
  return `${table}\n${column}`;
}

/** Computed columns that have no value for the row are absent. */
function withComputed(row: JsonObject, computed: ReadonlyMap<string, RowValue>): unknown {
  const facts: Record<string, unknown> = { ...(factsOf(row) as object) };
  for (const [name, computedValue] of computed) {
    const value = computedValue(row);
    if (value === undefined || typeof value === 'symbol') delete facts[name];
    else facts[name] = asFact(value);
  }
  return facts;
}

function adviceFor(reason: string, text: string): string {
  if (reason.startsWith('has()')) {
    const [, holder, key] = /has\(\s*((?:\w+\.)*\w+)\[("[^"]*"|'[^']*')\]/u.exec(text) ?? [];
    const optional = `${holder?.replace(/\.(?=\w+$)/u, '.?') ?? 'row.?column'}[?${key ?? '"key"'}]`;
    return `has() takes row.column.part. Write ${optional}.hasValue() for a key in quotes.`;
  }
  const columns = 'The columns are row.COLUMN.';
  return reason.startsWith('Unknown variable')
    ? `${columns} A value of another table is lookup("TABLE", KEY, "COLUMN"). ${viewAdvice}`
    : columns;
}
