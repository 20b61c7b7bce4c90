// The passes about variables: the values that they are given, their declarations, and the values that nothing may show.

import { VariableTable, variablesBlocks } from '../document/variable-table.ts';
import { readBytes } from '../files/access.ts';
import { parseYaml } from '../files/read-yaml.ts';
import type { ManifestLoad } from './manifest-load.ts';

/** Reads the file of --variables: values of declared variables as NAME: VALUE, in YAML or JSON (semantics §9.10). */
export function readGivenValues(load: ManifestLoad): void {
  const { problems, options } = load;
  const source = options.values && readBytes(options.values.name, options.values.bytes, problems);
  const [tree, ...others] = source === undefined ? [] : parseYaml(source, problems).trees;
  if (source !== undefined && tree?.type === 'map' && others.length === 0) load.variableValues = { source, tree };
  else if (source !== undefined && tree !== undefined) {
    const detail = `${source.file} must be one map, with NAME: VALUE on each line.`;
    problems.add('manifest.wrong-type', detail, { source, offset: tree.offset });
  }
  load.isPartial = problems.count > 0;
}

export function declareVariables(load: ManifestLoad): void {
  const { parsed, variableValues, problems, suggestions, variables, variableNames, withheld, options } = load;
  const { isSecret = () => false } = options;
  const blocks = variablesBlocks(parsed, load);
  load.variableTable = new VariableTable(blocks, variableValues, {
    problems,
    suggestions,
    variables,
    variableNames,
    withheld,
    isSecret,
  });
}

export function refuseToken({ secrets, options: { isSecret = () => false } }: ManifestLoad): void {
  secrets.refuseToken(isSecret);
}

export function endVariables(load: ManifestLoad): void {
  load.variableTable?.end();
  load.secrets.refuseWithheld(load.withheld);
}

/** Withholds the values of variables that turned out to be secrets. Returns whether there are any. */
export function withholdsMore(load: ManifestLoad): boolean {
  const { withheld, problems, options } = load;
  const { application, secret } = load.secrets.names;
  const inserted = [...application, ...(load.variableTable?.refused ?? [])].filter((name) => !withheld.has(name));
  const secrets = inserted.filter((name) => secret.has(name));
  const unknown = inserted.filter((name) => options.base?.application.has(name) === false);
  if (withheld.add(secrets, 'read')) return true;
  return problems.errors > 0 && withheld.add(unknown, 'new');
}
