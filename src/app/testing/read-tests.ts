// Reads `*.test.yaml` and checks its form.

import type { Faults } from '../../emulator/faults.ts';
import { durationAdvice, parseDuration } from '../../lib/duration.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Problems } from '../../manifest/checks/problems.ts';
import { Suggestions } from '../../manifest/checks/suggest.ts';
import { type ManifestFile, readSource } from '../../manifest/discover.ts';
import { disk } from '../../manifest/files.ts';
import { complaintsOf } from '../../manifest/schema/schema-errors.ts';
import { testCheck } from '../../manifest/schema/validate.ts';
import { parseYaml } from '../../manifest/yaml/read-yaml.ts';
import { nearest, type TreeEntry, toJson, valueOffset } from '../../manifest/yaml/tree.ts';
import type { SourcePosition } from '../../model/source.ts';

export interface FileEdit {
  readonly file: string;
  readonly replace?: string;
  readonly with?: string;
  readonly write?: string;
  readonly remove?: true;
}

interface OtherCall {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject | undefined;
}

export interface Given {
  readonly manifests: readonly string[];
  /** Undefined: nothing was applied before. */
  readonly applied: readonly string[] | undefined;
  /** They were named, and are not the manifests without the edits. */
  readonly edits: readonly FileEdit[];
  readonly live: readonly OtherCall[];
  readonly refresh: boolean;
  readonly faults: Faults;
  readonly kill?: number;
  readonly date: string;
  readonly variables: JsonObject;
}

export interface Expected {
  readonly counts?: Readonly<Record<string, number>>;
  readonly addresses?: readonly string[];
  readonly errors?: readonly string[];
  readonly refusals?: readonly string[];
  readonly warnings?: readonly string[];
  readonly outcome?: string;
  readonly end?: Readonly<Record<string, JsonObject | null>>;
  readonly durationMs?: number;
}

export interface TestCase {
  readonly name: string;
  readonly file: ManifestFile;
  readonly source: SourcePosition;
  readonly given: Given;
  readonly expected: Expected;
}

/** Empty, with a report, when the file cannot be used. */
export async function readTests(file: ManifestFile, problems: Problems): Promise<readonly TestCase[]> {
  const source = await readSource(file, disk, problems);
  if (source === undefined) return [];
  const before = problems.errors;
  const [tree, another] = parseYaml(source, problems).trees;
  if (tree === undefined || problems.errors > before) return [];
  const root: TreeEntry = { offset: tree.offset, value: tree };
  if (another !== undefined) {
    problems.add('manifest.invalid', 'A file of tests is one document. Move the others to files of their own.', {
      source,
      offset: another.offset,
    });
  }
  const value = toJson(tree);
  const complaints = complaintsOf(value, {
    check: testCheck,
    title: 'a file of tests',
    textAt: (path) => {
      const { value: at } = nearest(root, path);
      return at.type === 'scalar' ? at.text : undefined;
    },
    isSecret: () => false,
    suggestions: new Suggestions(),
  });
  for (const { code, detail, path, at } of complaints) {
    const entry = nearest(root, path);
    problems.add(code, detail, { source, offset: at === 'key' ? entry.offset : valueOffset(entry) });
  }
  if (problems.errors > before || !isObject(value) || !isList(value.tests)) return [];
  const names = new Set<string>();
  return value.tests.flatMap((item, index): TestCase[] => {
    if (!isObject(item)) return [];
    const name = String(item.name);
    const offset = valueOffset(nearest(root, ['tests', String(index), 'name']));
    if (names.has(name)) {
      problems.add('manifest.declared-twice', `A test of this name stands above. Rename one.`, { source, offset });
    }
    names.add(name);
    const expected = isObject(item.expect) ? item.expect : {};
    const durationMs = typeof expected.duration === 'string' ? parseDuration(expected.duration) : undefined;
    if (expected.duration !== undefined && durationMs === undefined)
      problems.add('manifest.bad-format', durationAdvice, { source, offset });
    const { duration: _text, ...others } = expected;
    return [
      {
        name,
        file,
        source: source.position(offset),
        given: givenOf(isObject(item.given) ? item.given : {}),
        expected: { ...(others as Expected), ...(durationMs === undefined ? {} : { durationMs }) },
      },
    ];
  });
}

function givenOf(given: JsonObject): Given {
  const manifests = pathsOf(given.manifests) ?? ['.'];
  const live = (isList(given.live) ? given.live : []).filter(isObject).map((item): OtherCall => {
    const [method = '', path = ''] = String(item.call).split(' ');
    return { method, path, body: isObject(item.body) ? item.body : undefined };
  });
  return {
    manifests,
    applied: given.applied === false ? undefined : (pathsOf(given.applied) ?? manifests),
    edits: (isList(given.edit) ? given.edit : []) as unknown as readonly FileEdit[],
    live,
    refresh: typeof given.refresh === 'boolean' ? given.refresh : live.length > 0,
    faults: { rules: (isList(given.faults) ? given.faults : []) as unknown as Faults['rules'] },
    ...(typeof given.kill === 'number' ? { kill: given.kill } : {}),
    date: typeof given.date === 'string' ? given.date : '2026-01-01',
    variables: isObject(given.variables) ? given.variables : {},
  };
}

function pathsOf(value: JsonValue | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : isList(value) ? value.map(String) : undefined;
}
