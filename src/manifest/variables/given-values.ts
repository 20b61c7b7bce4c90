// Reads the --variables file: values of declared variables as NAME: VALUE, in YAML or JSON (semantics §9.10).

import { readBytes } from '../files/manifest-text.ts';
import type { Problems } from '../problems/problems.ts';
import type { GivenValues } from './variable-table.ts';

/** Returns undefined if there is no file, or reports a problem and returns undefined if it is not a map. */
export async function readGivenValues(
  file: { readonly name: string; readonly bytes: Uint8Array } | undefined,
  problems: Problems,
): Promise<GivenValues | undefined> {
  const source = file === undefined ? undefined : readBytes(file.name, file.bytes, problems);
  if (source === undefined) return undefined;
  const { parseYaml } = await import('../yaml/read-yaml.ts');
  const [tree, ...others] = parseYaml(source, problems).trees;
  if (tree?.type === 'map' && others.length === 0) return { source, tree };
  if (tree === undefined) return undefined;
  const detail = `${source.file} must be one map, with NAME: VALUE on each line.`;
  problems.add('manifest.wrong-type', detail, { source, offset: tree.offset });
  return undefined;
}
