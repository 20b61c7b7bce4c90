// Fills variables into the outline of a document.
import type { JsonValue } from '../../../lib/json.ts';
import { nearest, type Tree, type TreeEntry, toJson, valueOffset } from '../files/tree.ts';
import type { ProblemSource, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import {
  type DeclaredVariables,
  environmentName,
  nameInOtherCase,
  substitute,
  type VariableUse,
} from './application-variables.ts';
import { bareDetail, fillTree, type PlaceholderValues } from './fill.ts';
import type { LoadContext } from './load-context.ts';

/** Returns the application block with variables filled in. `uses` receives each variable. */
export function applicationOf(
  tree: Tree,
  source: ProblemSource,
  uses: VariableUse[],
  context: LoadContext,
): JsonValue | undefined {
  const entry = tree.type === 'map' ? tree.entries.get('application') : undefined;
  if (entry === undefined) return undefined;
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const spotOf = (path: readonly string[]): Spot => ({ source, offset: valueOffset(nearest(root, path)) });
  const declared: DeclaredVariables = (name, path) =>
    context.variableTable?.valueOf(name, spotOf(path))?.value ?? undefined;
  const isWithheld = (name: string) => context.withheld.has(name);
  const values = { variables: context.variables, declared, isWithheld };
  const application = substitute(toJson(entry.value), values, uses, ['application']) ?? {};
  for (const use of uses) reportVariable(use, spotOf(use.path), context);
  return application;
}

/** The parts of the outline in which `${var.NAME}` is filled in. The policy is always taken literally. */
const filledNames = ['defaults', 'sources', 'removed'] as const;

export function filledParts(tree: Tree, source: ProblemSource, { variableTable, problems }: LoadContext): Tree {
  if (tree.type !== 'map') return tree;
  const values: PlaceholderValues = {
    valueOf({ scope, name }, offset) {
      if (scope === 'var') return variableTable?.valueOf(name, { source, offset });
      const detail = `\${each.${name}} has a value only in a block with for_each. For the literal text, write $\${each.`;
      problems.add('manifest.each-outside', detail, { source, offset });
      return undefined;
    },
    noteBare(name, offset) {
      problems.add('manifest.unknown-variable', bareDetail(name), { source, offset }, 'warning');
    },
    refuseKey(key, offset) {
      const detail = `After values are filled in, ${quoted(key)} is reserved or appears twice in this map. Choose another key.`;
      problems.add('manifest.duplicate-key', detail, { source, offset });
    },
  };
  const entries = new Map(tree.entries);
  for (const name of filledNames) {
    const entry = entries.get(name);
    const value = entry === undefined ? undefined : fillTree(entry.value, values);
    if (entry !== undefined && value !== undefined) entries.set(name, { ...entry, value });
  }
  return { ...tree, entries };
}

export function reportVariable({ type, name }: VariableUse, spot: Spot, context: LoadContext): void {
  if (type === 'filled' || type === 'refused') return;
  if (type === 'malformed') {
    const detail = `\${${name}} is not a valid variable. Names consist of letters, digits and underscores. For the literal text, write $\${.`;
    context.problems.add('manifest.bad-variable', detail, spot);
    return;
  }
  const other = nameInOtherCase(name, context.variableNames);
  const advice =
    other === undefined
      ? 'Set it for this command.'
      : `${environmentName(other)} is set, but upper and lower case differ: rename one of them.`;
  const detail = `${name} is read from the environment variable ${environmentName(name)}, which is not set. ${advice}`;
  const severity = context.missingVariables === 'warn' ? 'warning' : 'error';
  context.problems.add('manifest.missing-variable', detail, spot, severity);
}
