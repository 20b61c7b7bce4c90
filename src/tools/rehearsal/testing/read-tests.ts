// Reads `*.test.yaml` and checks its form.

import { readChecked } from '../../../core/app/context/checked-file.ts';
import type { ManifestFile } from '../../../core/manifest/files/discover.ts';
import type { Problems } from '../../../core/manifest/problems/problems.ts';
import { testCheck } from '../../../core/manifest/schema/other-files.ts';
import type { SourcePosition } from '../../../core/model/source.ts';
import type { Faults } from '../../../emulator/faults.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { durationAdvice, parseDuration } from '../../../lib/option-values.ts';

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
  /** Undefined if nothing was applied before. */
  readonly applied: readonly string[] | undefined;
  readonly edits: readonly FileEdit[];
  readonly live: readonly OtherCall[];
  readonly refresh: boolean;
  readonly faults: Faults;
  readonly kill?: number;
  readonly date: string;
  readonly variables: JsonObject;
}

/** A test in the form of the schema. */
interface WrittenTest {
  readonly name: string;
  readonly given?: WrittenGiven;
  readonly expect?: Omit<ExpectedOutcome, 'durationMs'> & { readonly duration?: string };
}

interface WrittenGiven {
  readonly manifests?: string | readonly string[];
  readonly applied?: string | readonly string[] | false;
  readonly edit?: readonly FileEdit[];
  readonly live?: readonly { readonly call: string; readonly body?: JsonObject }[];
  readonly refresh?: boolean;
  readonly faults?: Faults['rules'];
  readonly kill?: number;
  readonly date?: string;
  readonly variables?: JsonObject;
}

export interface ExpectedOutcome {
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
  readonly expected: ExpectedOutcome;
}

/** Returns no tests and reports problems if the file is invalid. */
export async function readTests(file: ManifestFile, problems: Problems): Promise<readonly TestCase[]> {
  const read = await readChecked(file, problems, { check: testCheck, title: 'a file of tests' });
  if (read === undefined) return [];
  const { source } = read;
  const names = new Set<string>();
  const { tests } = read.value as unknown as { readonly tests: readonly WrittenTest[] };
  return tests.map(({ name, given = {}, expect: { duration, ...expected } = {} }, index) => {
    const offset = read.offsetOf(['tests', String(index), 'name']);
    if (names.has(name)) {
      problems.add('manifest.declared-twice', `A test above has the same name. Rename one of them.`, {
        source,
        offset,
      });
    }
    names.add(name);
    const durationMs = duration === undefined ? undefined : parseDuration(duration);
    if (duration !== undefined && durationMs === undefined)
      problems.add('manifest.bad-format', durationAdvice, { source, offset });
    return {
      name,
      file,
      source: source.position(offset),
      given: givenOf(given),
      expected: { ...expected, ...(durationMs === undefined ? {} : { durationMs }) },
    };
  });
}

function givenOf({ manifests: named = '.', applied, edit = [], live = [], ...given }: WrittenGiven): Given {
  const manifests = [named].flat();
  return {
    manifests,
    applied: applied === false ? undefined : [applied ?? manifests].flat(),
    edits: edit,
    live: live.map(({ call, body }) => {
      const [method = '', path = ''] = call.split(' ');
      return { method, path, body };
    }),
    refresh: given.refresh ?? live.length > 0,
    faults: { rules: given.faults ?? [] },
    ...(given.kill === undefined ? {} : { kill: given.kill }),
    date: given.date ?? '2026-01-01',
    variables: given.variables ?? {},
  };
}
