// Finds the columns that an expression in CEL reads, and which parts of them, so that the parts that nothing reads are kept.
import { type CelNode, celArguments, isCelNode } from '../../../../lib/cel/expression.ts';
import type { ColumnUse } from './row-values.ts';
import { everyElement, everyPart } from './used-columns.ts';

type ColumnPath = readonly string[];
/** The variables of macros, with the paths of their values. Undefined for values that are not a part of the row. */
type Variables = ReadonlyMap<string, ColumnPath | undefined>;

/** A column is not needed if the expression tests anywhere whether it exists. */
export function columnsIn(root: CelNode): readonly ColumnUse[] {
  const uses = [...usesIn(root, new Map([['row', []]]))];
  const tested = new Set<string | undefined>();
  for (const { path, extent, isNeeded } of uses)
    if (extent === 'tested' && !isNeeded && path.length === 1) tested.add(path[0]);
  return uses.map((use) => (tested.has(use.path[0]) ? { ...use, isNeeded: false } : use));
}

const macros = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);
/** Methods whose result is the receiver, a list of some of its elements, or the value inside. */
const sameParts = new Set(['filter', 'orValue', 'value']);

function* usesIn(node: unknown, variables: Variables): Generator<ColumnUse> {
  if (Array.isArray(node)) {
    for (const part of node as readonly unknown[]) yield* usesIn(part, variables);
    return;
  }
  if (!isCelNode(node)) return;
  const tested = testedIn(node);
  const path = pathOf(tested ?? node, variables);
  if (path === undefined) yield* usesInside(node, variables);
  else {
    const isAsked = node.op === 'call' && celArguments(node.args)[0] === 'has';
    yield* useOf(tested ?? node, path, variables, tested === undefined ? 'whole' : 'tested', isAsked);
  }
}

function* useOf(
  node: CelNode,
  path: ColumnPath,
  variables: Variables,
  extent: ColumnUse['extent'],
  isAsked = false,
): Generator<ColumnUse> {
  if (path.length > 0) yield { path, extent, isNeeded: !isAsked && isFirstStepNeeded(node, variables) };
  yield* usesAlong(node, variables);
}

/** The uses in a node that is not a path itself: operations, calls and macros. */
function* usesInside(node: CelNode, variables: Variables): Generator<ColumnUse> {
  const { receiver, inner, body } = macroIn(node, variables) ?? {};
  if (receiver === undefined || inner === undefined) {
    yield* usesIn(node.args, variables);
    return;
  }
  const path = isCelNode(receiver) ? pathOf(receiver, variables) : undefined;
  if (path !== undefined && isCelNode(receiver)) yield* useOf(receiver, path, variables, 'inside');
  else yield* usesIn(receiver, variables);
  yield* usesIn(body, inner);
}

interface Macro {
  readonly receiver: unknown;
  readonly body: unknown;
  /** The variables in its body. */
  readonly inner: Variables;
}

/** `list.map(x, …)` and the like, and `cel.bind(x, value, …)`. */
function macroIn({ op, args }: CelNode, variables: Variables): Macro | undefined {
  const [name, receiver, macroArguments] = celArguments(args);
  const [variable, ...rest] = celArguments(macroArguments);
  if (op !== 'rcall' || !isCelNode(variable) || variable.op !== 'id' || typeof variable.args !== 'string')
    return undefined;
  const isBinding = name === 'bind' && isCelNode(receiver) && receiver.op === 'id' && receiver.args === 'cel';
  if (!isBinding && !macros.has(String(name))) return undefined;
  const [value] = isBinding ? rest : [receiver];
  const path = isCelNode(value) ? pathOf(value, variables) : undefined;
  const bound = isBinding ? path : path && [...path, everyElement];
  return {
    receiver: value,
    body: isBinding ? rest.slice(1) : rest,
    inner: new Map([...variables, [variable.args, bound]]),
  };
}

/** Returns `row.address.city`, `row["address"]` and `row.files[0]` as a path from the row, and undefined for other nodes. */
function pathOf(node: CelNode, variables: Variables): ColumnPath | undefined {
  const { op, args } = node;
  if (op === 'id') return typeof args === 'string' ? variables.get(args) : undefined;
  const holder = holderOf(node);
  const before = holder === undefined ? undefined : pathOf(holder, variables);
  if (before === undefined || op === 'call' || op === 'rcall') return before;
  const [, part] = celArguments(args);
  const step = isCelNode(part) && part.op === 'value' ? part.args : part;
  if (typeof step === 'string' || typeof step === 'bigint') return [...before, String(step)];
  // Which column `row[x]` reads is unknown.
  return before.length === 0 ? undefined : [...before, everyPart];
}

/** The node whose part, or whose value in another form, a node is. */
function holderOf({ op, args }: CelNode): CelNode | undefined {
  const [first, second] = celArguments(args);
  if (/^(?:\.\??|\[\??\])$/u.test(op)) return isCelNode(first) ? first : undefined;
  if (op === 'rcall' && sameParts.has(String(first))) return isCelNode(second) ? second : undefined;
  const [text] = celArguments(second);
  return op === 'call' && first === 'json' && isCelNode(text) ? text : undefined;
}

/** The uses in the parts of a path that are not steps: indexes, conditions and defaults. */
function* usesAlong(node: CelNode, variables: Variables): Generator<ColumnUse> {
  const holder = holderOf(node);
  if (holder === undefined) return;
  yield* usesAlong(holder, variables);
  const [, second, third] = celArguments(node.args);
  if (node.op === 'rcall') {
    const macro = macroIn(node, variables);
    yield* macro === undefined ? usesIn(third, variables) : usesIn(macro.body, macro.inner);
  } else if (node.op !== 'call' && isCelNode(second) && second.op !== 'value') yield* usesIn(second, variables);
}

function isFirstStepNeeded(node: CelNode, variables: Variables): boolean {
  const holder = holderOf(node);
  // Variables of macros are parts of columns that have a use of their own.
  if (holder === undefined) return false;
  if (holder.op === 'id') return holder.args === 'row' && !node.op.includes('?');
  return isFirstStepNeeded(holder, variables);
}

/** The operand of which an expression tests only whether it exists, how long it is, or what type it has. */
function testedIn({ op, args }: CelNode): CelNode | undefined {
  const [first, second] = celArguments(args);
  if (op === '==' || op === '!=') {
    if (isNull(second)) return isCelNode(first) ? first : undefined;
    return isNull(first) && isCelNode(second) ? second : undefined;
  }
  if (op === 'rcall') return (first === 'size' || first === 'hasValue') && isCelNode(second) ? second : undefined;
  const [operand] = celArguments(second);
  return op === 'call' && ['has', 'size', 'type'].includes(String(first)) && isCelNode(operand) ? operand : undefined;
}

function isNull(node: unknown): boolean {
  return isCelNode(node) && node.op === 'value' && node.args === null;
}
