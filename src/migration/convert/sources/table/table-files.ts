// Which files of an export have which tables of a mapping, and in which format.

import { tableFormats } from '../../../../core/model/tables/mapping.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { isClutter } from '../../export/parts.ts';
import { naturally } from '../../export/values.ts';
import type { Mapping, MappingProblem, Table } from './mapping.ts';
import type { FileFormat, TableFile } from './reading.ts';
import { schemaFileOf } from './tab.ts';

export function tablesIn(mapping: Mapping, path: string): readonly Table[] {
  return isClutter(path) ? [] : mapping.tables.filter((table) => capturedIn(table, path) !== undefined);
}

/** The columns that a file name adds to its rows, as in `members/{channel}.json`. Undefined if the pattern does not match. */
export function capturedIn({ files }: Table, path: string): JsonObject | undefined {
  for (const pattern of files) {
    const found = pattern.groups(path.normalize());
    if (found !== undefined) return { ...found };
  }
  return undefined;
}

const formats: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(?:csv|tsv)$/iu, 'csv'],
  [/\.(?:ndjson|jsonl)$/iu, 'ndjson'],
  [/\.json$/iu, 'json'],
  [/\.(?:sql|dump)$/iu, 'dump'],
];

/** By the ending. A text beside an .sql file of the same name is from mysqldump --tab. */
export function formatOf(path: string, tree: FileTree): FileFormat | undefined {
  const schema = schemaFileOf(path);
  if (/\.txt$/iu.test(path) && tree.files.some((file) => file.path === schema)) return 'mysql_tab';
  return formats.find(([pattern]) => pattern.test(path))?.[1];
}

export function filesReadFor({ path, format }: TableFile): readonly string[] {
  return format === 'mysql_tab' ? [path, schemaFileOf(path)] : [path];
}

/** The files with tables, and the tables that are in no file or in files that cannot be read. */
export function filesOf(
  mapping: Mapping,
  tree: FileTree,
): { readonly files: readonly TableFile[]; readonly problems: readonly MappingProblem[] } {
  const problems: MappingProblem[] = [];
  const report = (table: Table, field: string, detail: string): void =>
    void problems.push({ path: ['tables', table.name, field], detail });
  const files: TableFile[] = [];
  for (const path of naturally(tree.files.map((file) => file.path))) {
    const tables = tablesIn(mapping, path);
    const [first, second] = tables;
    if (first === undefined) continue;
    const format = tables.find((table) => table.format !== undefined)?.format ?? formatOf(path, tree);
    if (format === undefined) {
      report(first, 'files', `${path} has an unknown format. Write format: ${tableFormats.join(', ')}.`);
    } else {
      const isShared = format === 'csv' || format === 'ndjson' || format === 'mysql_tab';
      if (second !== undefined && (isShared || tables.some((table) => (table.format ?? format) !== format)))
        report(second, 'files', `${path} is already in the table ${first.name}.`);
      for (const { hasPath, name } of format === 'json' ? [] : tables) {
        if (!hasPath) continue;
        const detail = `${path} is read as ${format}, in which rows have no path. Remove path, or write format: json if the file is JSON.`;
        problems.push({ path: ['tables', name, 'path'], detail });
      }
      files.push({ path, tables, format });
    }
  }
  for (const table of mapping.tables) {
    if (table.isOptional || problems.some(({ path }) => path[1] === table.name)) continue;
    if (!files.some(({ tables }) => tables.includes(table)))
      report(
        table,
        'files',
        table.fileNames.length === 0
          ? 'The table has no files. Name them, or read a database: --from-env DATABASE_URL.'
          : `No file is named ${table.fileNames.join(' or ')}. Write optional: true if that is expected.`,
      );
  }
  return { files, problems };
}
