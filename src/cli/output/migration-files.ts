// Writes the files of a verification's report, by their endings: .md and .html for people, .json for machines.

import { saveOutput } from '../../core/app/context/output-files.ts';
import { usage } from '../../core/model/errors.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import { migrationAsMarkdown } from '../../core/view/reports/migration.ts';
import { safeJson } from '../../core/view/text/text.ts';
import { writesVerification } from '../flags/outputs.ts';

/** Refused (64) for another extension. Call it before anything is read. */
export function demandReportEndings(files: readonly string[]): void {
  const other = files.find((file) => !/\.(?:html|json|md)$/u.test(file));
  if (other === undefined) return;
  throw usage(`The report ${other} must end in .md, .html or .json.`, 'The extension selects the format.');
}

/** Only the owner may read the files, because they name channels and people. */
export async function writeMigrationReport(
  report: MigrationReport,
  files: readonly string[],
  cwd: string,
): Promise<void> {
  for (const file of files) {
    const { kind } = writesVerification(file) ?? { kind: 'verification' };
    await saveOutput(kind, cwd, file, await printed(report, file));
  }
}

async function printed(report: MigrationReport, file: string): Promise<string> {
  if (file.endsWith('.md')) return [...migrationAsMarkdown(report)].join('');
  if (!file.endsWith('.html')) return `${safeJson(report, 2)}\n`;
  const { migrationAsHtml } = await import('../../core/view/reports/migration-page.ts');
  return [...migrationAsHtml(report)].join('');
}
