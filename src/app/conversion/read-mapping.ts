// Reads the mapping of `chatform convert table`, and reports every problem at its line and column.
import { basename } from 'node:path';
import { compileMapping, type Mapping } from '../../convert/sources/table/mapping.ts';
import { mappingDiagnostic, wrongMapping } from '../../convert/sources/table/problems.ts';
import { disk } from '../../manifest/files/access.ts';
import { readSource } from '../../manifest/files/manifest-text.ts';
import { Problems } from '../../manifest/problems/problems.ts';
import { Suggestions } from '../../manifest/problems/suggestions.ts';
import { complaintsOf } from '../../manifest/schema/schema-errors.ts';
import { mappingCheck } from '../../manifest/schema/validate.ts';
import { parseYaml } from '../../manifest/yaml/read-yaml.ts';
import { nearest, type TreeEntry, toJson, valueOffset } from '../../manifest/yaml/tree.ts';
import type { WrittenMapping } from '../../model/tables/mapping.ts';

/** `path` is absolute. Throws a refusal with a diagnostic for each problem (65). */
export async function readMapping(path: string): Promise<Mapping> {
  const problems = new Problems();
  const source = await readSource({ name: basename(path), path, root: '' }, disk, problems);
  const [tree, another] = source === undefined ? [] : parseYaml(source, problems).trees;
  if (source === undefined || tree === undefined || problems.errors > 0) throw wrongMapping(problems.sorted());
  if (another !== undefined) {
    const spot = { source, offset: another.offset };
    problems.add('manifest.invalid', 'A mapping must be a single document.', spot);
  }
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const value = toJson(tree);
  const complaints = complaintsOf(value, {
    check: mappingCheck,
    title: 'a mapping',
    textAt: (at) => {
      const { value: found } = nearest(root, at);
      return found.type === 'scalar' ? found.text : undefined;
    },
    isSecret: () => false,
    suggestions: new Suggestions(),
  });
  for (const { code, detail, path: at, at: part } of complaints) {
    const entry = nearest(root, at);
    problems.add(code, detail, { source, offset: part === 'key' ? entry.offset : valueOffset(entry) });
  }
  if (problems.errors > 0) throw wrongMapping(problems.sorted());
  const offsetOf = (at: readonly string[]): number => valueOffset(nearest(root, at));
  const position = (at: readonly string[]) => source.position(offsetOf(at));
  const mapping = compileMapping(value as unknown as WrittenMapping, position, (problem) =>
    problems.put(mappingDiagnostic(position, problem), { source, offset: offsetOf(problem.path) }),
  );
  if (problems.errors > 0) throw wrongMapping(problems.sorted());
  return mapping;
}
