// Refusals of a mapping that does not fit its tables. Nothing is written then.
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { Refusal } from '../../../../core/model/errors.ts';
import { exitCode } from '../../../../core/model/exit-code.ts';
import type { Mapping, MappingProblem, Table } from './mapping.ts';
import type { MissingPart } from './times.ts';

/** `problems` have their places in the mapping file. */
export function wrongMapping(problems: readonly Diagnostic[]): Refusal {
  const file = problems[0]?.source?.file ?? 'that was given';
  return new Refusal(
    'convert.mapping',
    exitCode.invalid,
    `The mapping ${file} cannot be used.`,
    'Correct the mapping. chatform schema mapping prints its JSON Schema. Nothing was written.',
    { diagnostics: problems },
  );
}

export function unfitMapping(mapping: Mapping, problems: readonly MappingProblem[]): Refusal {
  return wrongMapping(problems.map((problem) => mappingDiagnostic(mapping.position, problem)));
}

export function mappingDiagnostic(position: Mapping['position'], { path, detail }: MappingProblem): Diagnostic {
  return {
    severity: 'error',
    code: 'convert.mapping',
    summary: 'A mapping does not fit its tables',
    detail,
    source: position(path),
  };
}

/** The problems of a refusal of a mapping, or undefined for another error. */
export function mappingProblems(error: unknown): readonly Diagnostic[] | undefined {
  return error instanceof Refusal && error.code === 'convert.mapping' ? error.diagnostics : undefined;
}

/** Refuses a header that lacks columns, or collects its problems. `at` is the place of the header. */
export function demandColumns(mapping: Mapping, table: Table, columns: readonly string[], at: string): void {
  const known = new Set(columns);
  const captured = [...table.path, ...table.fileNames];
  const problems: MappingProblem[] = [];
  for (const [name, path] of table.needed) {
    if (
      known.has(name) ||
      known.has(name.split('.')[0] ?? '') ||
      captured.some((pattern) => pattern.includes(`{${name}}`))
    )
      continue;
    problems.push({ path, detail: `${at} has no column ${name}. Its columns are ${columns.join(', ')}.` });
  }
  if (problems.length === 0) return;
  if (mapping.collect === undefined) throw unfitMapping(mapping, problems);
  mapping.collect(problems);
}

export function incompleteTime(mapping: Mapping, path: readonly string[], at: string, missing: MissingPart): Refusal {
  const detail =
    missing === 'zone'
      ? `The time of ${at} has no time zone. Write { of: …, zone: UTC }, or the time zone of the server that wrote it.`
      : `The time of ${at} is a number. Write { of: …, unit: seconds }, or its actual unit.`;
  return unfitMapping(mapping, [{ path, detail }]);
}

export function wrongTable(mapping: Mapping, table: Table, field: string, detail: string): Refusal {
  return unfitMapping(mapping, [{ path: ['tables', table.name, field], detail }]);
}
