// Compiles the expressions of a mapping in CEL. They read `row`, and values of other tables by lookup().
import { CelCompiler, type CelNode, celArguments, celNodesIn, isCelNode } from '../../../../lib/cel/expression.ts';
import { asFact, fromFact } from '../../../../lib/cel/facts.ts';
import { TooMuchWorkError } from '../../../../lib/cel/meter.ts';
import { isList, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { columnsIn } from './expression-columns.ts';
import { keyText } from './lookups.ts';
import {
  absent,
  type Condition,
  failed,
  type Lookup,
  parsedText,
  type RowValue,
  type ValueContext,
  viewAdvice,
} from './row-values.ts';
import { plainTextOf } from './texts/html.ts';
import { withoutMojibake } from './texts/mojibake.ts';

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
      ])
      .registerFunction('string.html(): string', plainTextOf)
      .registerFunction('string.mojibake(): string', withoutMojibake)
      .registerFunction('string.replace(string, string): string', replaced),
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
    const compiled = this.#compiled(text, at, context);
    if (compiled === undefined) return absent;
    return (row) => {
      try {
        return fromFact(compiled.run(row));
      } catch (error) {
        if (error instanceof CostlyValueError) throw error;
        return failed;
      }
    };
  }

  /** Like a value, but without a mistake for "no": a result that is neither true nor false is a failure, too. */
  compileCondition(text: string, at: readonly string[], context: ValueContext): Condition {
    const compiled = this.#compiled(text, at, context);
    if (compiled === undefined) return () => false;
    const { columns } = compiled;
    return (row) => {
      try {
        const result = fromFact(compiled.run(row));
        if (typeof result === 'boolean') return result;
        return { reason: `its result is ${typeInWords(celTypeOf(result))}, not true or false`, columns };
      } catch (error) {
        if (error instanceof CostlyValueError) throw error;
        return { reason: failureInWords(error), columns };
      }
    };
  }

  /** `run` throws errors of the library, and a CostlyValueError. Undefined after a report. */
  #compiled(
    text: string,
    at: readonly string[],
    context: ValueContext,
  ): { readonly columns: readonly string[]; run(row: JsonObject): unknown } | undefined {
    let expression: ReturnType<CelCompiler['compile']>;
    try {
      expression = this.#compiler.compile(text);
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      context.report(at, `The expression is not valid CEL: ${reason}. ${adviceFor(reason, text)}`);
      return undefined;
    }
    for (const node of celNodesIn(expression.root)) this.#declareLookup(node, at, context);
    const computed = new Map<string, RowValue>();
    const uses = columnsIn(expression.root);
    for (const use of uses) {
      const [column = ''] = use.path;
      const value = computed.get(column) ?? context.computed(column, at);
      if (value === undefined) context.use(use, at);
      else computed.set(column, value);
    }
    const rowOf = computed.size === 0 ? factsOf : (row: JsonObject) => withComputed(row, computed);
    return {
      columns: [...new Set(uses.map(({ path: [column = ''] }) => column))],
      run: (row) => {
        const facts = rowOf(row);
        try {
          return expression.run({ row: facts });
        } catch (error) {
          throw error instanceof TooMuchWorkError ? new CostlyValueError(at, error) : error;
        }
      },
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

/** The meter sees a text only when it is made. */
const maxReplaced = 20_000_000;

/** Nothing replaces an empty part. */
function replaced(text: string, part: string, by: string): string {
  if (part === '') return text;
  const pieces = text.split(part);
  if (text.length + (pieces.length - 1) * (by.length - part.length) > maxReplaced)
    throw new TooMuchWorkError('It needs too much work: replace() builds a text of more than 20,000,000 characters');
  return pieces.join(by);
}

const typesInWords: Readonly<Record<string, string>> = {
  string: 'text',
  bool: 'a boolean',
  int: 'an integer',
  double: 'a number',
  null: 'a missing value',
  list: 'a list',
  map: 'a map',
};

function typeInWords(type: string): string {
  return typesInWords[type.replace(/^dyn<(.*)>$/u, '$1').replace(/<.*$/u, '')] ?? type;
}

/** The name of the type in CEL. */
function celTypeOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'object') return isList(value) ? 'list' : 'map';
  return typeof value === 'string' ? 'string' : 'double';
}

/** The library's reason, with the types that the condition met. */
function failureInWords(error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const [, missing] = /^No such key: (.*)$/u.exec(reason) ?? [];
  if (missing !== undefined) return `there is no ${missing}`;
  const [, unary, of = ''] = /^no such overload: ([!-])([\w<>]+)$/u.exec(reason) ?? [];
  if (unary !== undefined) return `\`${unary}\` of ${typeInWords(of)}`;
  const [, left = '', operator, right = ''] = /^no such overload: (\S+) (\S+) (\S+)$/u.exec(reason) ?? [];
  if (operator !== undefined) return `\`${operator}\` of ${typeInWords(left)} and ${typeInWords(right)}`;
  const [, operand] = /^Logical operator requires bool operands, got '(\w+)'$/u.exec(reason) ?? [];
  return operand === undefined ? reason : `\`&&\` or \`||\` of ${typeInWords(operand)}`;
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
