// Reads the mapping of `chatform convert table`, and reports every problem at its line and column.
import { basename } from 'node:path';
import { readChecked } from '../../core/app/context/checked-file.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { mappingCheck } from '../../core/manifest/schema/other-files.ts';
import type { WrittenMapping } from '../../core/model/tables/mapping.ts';
import { compileMapping, type Mapping } from '../convert/sources/table/mapping.ts';
import { mappingDiagnostic, wrongMapping } from '../convert/sources/table/problems.ts';

/** `path` is absolute. Throws a refusal with a diagnostic for each problem (65). */
export async function readMapping(path: string): Promise<Mapping> {
  const problems = new Problems();
  const file = { name: basename(path), path, root: '' };
  const read = await readChecked(file, problems, { check: mappingCheck, title: 'a mapping' });
  if (read === undefined) throw wrongMapping(problems.sorted());
  const { source, offsetOf } = read;
  const position = (at: readonly string[]) => source.position(offsetOf(at));
  const mapping = compileMapping(read.value as unknown as WrittenMapping, position, (problem) =>
    problems.put(mappingDiagnostic(position, problem), { source, offset: offsetOf(problem.path) }),
  );
  if (problems.errors > 0) throw wrongMapping(problems.sorted());
  return mapping;
}
