// Reads chatform-readings.json, which says how a platform answers where its documentation is unclear.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { disk } from '../../manifest/files/access.ts';
import { shownPath } from '../../manifest/files/discover.ts';
import { readSource } from '../../manifest/files/manifest-text.ts';
import { Problems } from '../../manifest/problems/problems.ts';
import { Suggestions } from '../../manifest/problems/suggestions.ts';
import { complaintsOf } from '../../manifest/schema/schema-errors.ts';
import { readingsCheck } from '../../manifest/schema/validate.ts';
import { parseYaml } from '../../manifest/yaml/read-yaml.ts';
import { nearest, toJson, valueOffset } from '../../manifest/yaml/tree.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ReadingsFile } from '../../model/readings.ts';

const maxBytes = 1_000_000;

/** Refused (65) with all problems and their places if the file is not valid, and (64) if it is not a small regular file. */
export async function readReadings(file: string, cwd: string): Promise<ReadingsFile> {
  const path = resolve(cwd, file);
  const name = shownPath(cwd, path);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > maxBytes) {
    throw usage(`${name} is not a readings file.`, 'Check the path. chatform doctor writes readings files.');
  }
  const problems = new Problems();
  const source = await readSource({ name, path, root: dirname(path) }, disk, problems);
  const trees = source === undefined ? [] : parseYaml(source, problems).trees;
  const [tree] = trees;
  if (source === undefined || tree === undefined || trees.length > 1 || problems.errors > 0)
    throw invalid(name, problems);
  const root = { offset: tree.offset, value: tree };
  const value = toJson(tree);
  const complaints = complaintsOf(value, {
    check: readingsCheck,
    title: 'a readings file',
    textAt: (at) => {
      const entry = nearest(root, at).value;
      return entry.type === 'scalar' ? entry.text : undefined;
    },
    isSecret: () => false,
    suggestions: new Suggestions(),
  });
  for (const { code, detail, path: at, at: part } of complaints) {
    const entry = nearest(root, at);
    problems.add(code, detail, { source, offset: part === 'key' ? entry.offset : valueOffset(entry) });
  }
  if (problems.errors > 0) throw invalid(name, problems);
  return value as unknown as ReadingsFile;
}

function invalid(name: string, problems: Problems): Refusal {
  return new Refusal(
    'readings.invalid',
    exitCode.invalid,
    `${name} is not a valid readings file.`,
    'Nothing was done. Run chatform doctor again to replace the file, or delete it.',
    { diagnostics: problems.sorted() },
  );
}
