// The passes about variables: the values that they are given, their declarations, and the values that nothing may show.

import type { SecretVariables } from '../checks/secrets.ts';
import type { ParsedFile } from '../document/document.ts';
import { type GivenValues, VariableTable, variablesBlocks } from '../document/variable-table.ts';
import { readBytes } from '../files/access.ts';
import { parseYaml } from '../files/read-yaml.ts';
import { hasKey } from './files.ts';
import type { LoadTools } from './load-tools.ts';

/** Reads the file of --variables: values of declared variables as NAME: VALUE, in YAML or JSON (semantics §9.10). */
export function readGivenValues({ problems, options: { values } }: LoadTools): GivenValues | undefined {
  const source = values && readBytes(values.name, values.bytes, problems);
  if (source === undefined) return undefined;
  const [tree, ...others] = parseYaml(source, problems).trees;
  if (tree?.type === 'map' && others.length === 0) return { source, tree };
  if (tree !== undefined) {
    const detail = `${source.file} must be one map, with NAME: VALUE on each line.`;
    problems.add('manifest.wrong-type', detail, { source, offset: tree.offset });
  }
  return undefined;
}

/** Returns undefined if no manifest declares or uses a variable. */
export function declareVariables(
  parsed: readonly ParsedFile[],
  given: GivenValues | undefined,
  tools: LoadTools,
): VariableTable | undefined {
  const doesApply =
    given !== undefined ||
    parsed.some(({ hasPlaceholders, documents }) => hasPlaceholders || documents.some(hasKey('variables')));
  return doesApply ? new VariableTable(variablesBlocks(parsed, tools), given, tools) : undefined;
}

/** Withholds the values of variables that turned out to be secrets. Returns whether there are any. */
export function withholdsMore(
  { secrets, variableTable }: { readonly secrets: SecretVariables; readonly variableTable: VariableTable | undefined },
  { withheld, problems, options }: LoadTools,
): boolean {
  const { application, secret } = secrets.names;
  const inserted = [...application, ...(variableTable?.refused ?? [])].filter((name) => !withheld.has(name));
  const knownSecrets = inserted.filter((name) => secret.has(name));
  const unknown = inserted.filter((name) => options.base?.application.has(name) === false);
  if (withheld.add(knownSecrets, 'read')) return true;
  return problems.errors > 0 && withheld.add(unknown, 'new');
}
