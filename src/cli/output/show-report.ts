// Shows the JSON report of a run or of a verification, as chatform show does with a saved plan.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { demandFormat } from '../../core/model/documents.ts';
import { type Refusal, usage } from '../../core/model/errors.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { ApplyReport } from '../../core/model/report.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { viewOptions } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import { jsonText } from './result.ts';

/** The maximum size of a report. Run series have a fixed size; a verification has an entry for each channel. */
export const maxBytes = 256 * 1024 * 1024;

/** False if the file is not a report. Refused as `demandFormat`, and (64) for an unsupported format. */
export async function showReport(file: string, input: CommandInput, environment: CommandEnvironment): Promise<boolean> {
  const value = await readJson(resolve(environment.cwd, file));
  const isRun = value !== undefined && 'outcome' in value && 'steps' in value && 'failures' in value;
  const isVerification = value !== undefined && 'totals' in value && 'channels' in value;
  if (value === undefined || (!isRun && !isVerification)) return false;
  demandFormat(file, value.format_version);
  const format = input.text('format') ?? 'human';
  // The version guarantees the shape of the published schema.
  const pieces = isRun
    ? await printRun(value as unknown as ApplyReport, format, input, environment)
    : await printVerification(value as unknown as MigrationReport, format, input, environment);
  for (const text of pieces) environment.stdout.write(text);
  input.isAnswered = true;
  return true;
}

async function readJson(path: string): Promise<JsonObject | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > maxBytes) return undefined;
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function printRun(
  report: ApplyReport,
  format: string,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<Iterable<string>> {
  const { redactReport } = await import('../../core/view/text/redact.ts');
  const options = viewOptions(input, environment, environment.stdout);
  const shown = redactReport(report, options);
  switch (format) {
    case 'human':
      return (await import('../../core/view/terminal/run-summary.ts')).applySummary(shown, options);
    case 'markdown':
      return (await import('../../core/view/markdown/run-report.ts')).reportAsMarkdown(shown, environment);
    case 'html':
      return (await import('../../core/view/html/run-page.ts')).reportAsHtml(shown, environment);
    case 'json':
      return [jsonText(shown, input)];
    default:
      throw otherFormat(format);
  }
}

async function printVerification(
  verified: MigrationReport,
  format: string,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<Iterable<string>> {
  const { migrationAsMarkdown, migrationForPeople } = await import('../../core/view/reports/migration.ts');
  const { redactMigration } = await import('../../core/view/text/redact.ts');
  const report = redactMigration(verified, viewOptions(input, environment, environment.stdout));
  switch (format) {
    case 'human':
      return migrationForPeople(report);
    case 'markdown':
      return migrationAsMarkdown(report);
    case 'html':
      return (await import('../../core/view/reports/migration-page.ts')).migrationAsHtml(report);
    case 'json':
      return [jsonText(report, input)];
    default:
      throw otherFormat(format);
  }
}

function otherFormat(format: string): Refusal {
  return usage(`A report cannot be shown as ${format}.`, 'Use --format human, markdown, html or json.');
}
