// Reads YAML files that are not manifests, such as mappings, and checks them against their schemas.
import type { JsonValue } from '../../../lib/json.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import { disk, type FileAccess, readSource } from '../../manifest/files/access.ts';
import type { ManifestFile } from '../../manifest/files/discover.ts';
import { parseYaml } from '../../manifest/files/read-yaml.ts';
import { nearest, type TreeEntry, toJson, valueOffset } from '../../manifest/files/tree.ts';
import type { ProblemSource, Problems } from '../../manifest/problems/problems.ts';
import { complaintsOf } from '../../manifest/schema/schema-errors.ts';
import type { CheckedSubject } from '../../manifest/schema/sentences.ts';

export interface CheckedFile {
  readonly value: JsonValue;
  readonly source: ProblemSource;
  /** The place of the value at a path, or of the nearest one around it. */
  readonly offsetOf: (path: readonly string[]) => number;
}

/** Undefined if the file is not valid; then the problems say why. `title` is as in `a mapping`. */
export async function readChecked(
  file: ManifestFile,
  problems: Problems,
  { check, title }: Pick<CheckedSubject, 'check' | 'title'>,
  files: FileAccess = disk,
): Promise<CheckedFile | undefined> {
  const before = problems.errors;
  const source = await readSource(file, files, problems);
  const [tree, another] = source === undefined ? [] : parseYaml(source, problems).trees;
  if (source === undefined || tree === undefined || problems.errors > before) return undefined;
  if (another !== undefined) {
    const rule = `${title[0]?.toUpperCase()}${title.slice(1)} must be a single document. Move the others to separate files.`;
    problems.add('manifest.invalid', rule, { source, offset: another.offset });
  }
  const root: TreeEntry = { offset: tree.offset, value: tree };
  const value = toJson(tree);
  const complaints = complaintsOf(value, {
    check,
    title,
    textAt: (path) => {
      const { value: nodeAtPath } = nearest(root, path);
      return nodeAtPath.type === 'scalar' ? nodeAtPath.text : undefined;
    },
    isSecret: () => false,
    suggestions: new Suggestions(),
  });
  for (const { code, detail, path, at } of complaints) {
    const entry = nearest(root, path);
    problems.add(code, detail, { source, offset: at === 'key' ? entry.offset : valueOffset(entry) });
  }
  if (problems.errors > before) return undefined;
  return { value, source, offsetOf: (path) => valueOffset(nearest(root, path)) };
}
