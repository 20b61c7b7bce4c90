// Writes the files of a verification's report, by their endings: .md for people, .json for machines.
import { resolve } from 'node:path';
import { writeOutput } from '../../app/output-files.ts';
import { usage } from '../../model/errors.ts';
import type { MigrationReport } from '../../model/migration-report.ts';
import { migrationAsMarkdown } from '../../view/migration-report.ts';

/** Refused (64) for another ending. To be asked before anything is read. */
export function demandReportEndings(files: readonly string[]): void {
  const other = files.find((file) => !/\.(json|md)$/u.test(file));
  if (other === undefined) return;
  throw usage(`The report ${other} ends neither in .md nor in .json.`, 'Its ending says how it is written.');
}

export async function writeMigrationReport(
  report: MigrationReport,
  files: readonly string[],
  cwd: string,
): Promise<void> {
  for (const file of files) {
    const text = file.endsWith('.md')
      ? [...migrationAsMarkdown(report)].join('')
      : `${JSON.stringify(report, null, 2)}\n`;
    await writeOutput(resolve(cwd, file), text);
  }
}
