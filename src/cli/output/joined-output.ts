// Joins what a command printed, wrote and published for each folder of --each. Folders with the same output share one text.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CommandExit, exitCode } from '../../core/model/exit-code.ts';
import { codeSpan } from '../../core/view/markdown/text.ts';
import { safe, safeJson } from '../../core/view/text/text.ts';
import { appendText } from '../../lib/durable-files.ts';
import type { JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/words.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import type { ResultDocuments } from './documents.ts';
import { summaryBytes, writeOutputs } from './pipeline.ts';

export interface FolderOutput {
  readonly folder: string;
  /** The folder as part of a file name: `envs-staging` for `envs/staging`. */
  readonly name: string;
  readonly exit: CommandExit;
  readonly stdout: string;
  readonly stderr: string;
  /** The content of the files that are joined, by the requested name. */
  readonly files: ReadonlyMap<string, string>;
  /** What the command published for later steps of a job. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
  /** The plan that the command showed, if any. */
  readonly plan?: FolderPlan | undefined;
}

/** What tells the plan of one folder from an equal plan of another one. */
export interface FolderPlan {
  /** The same for plans that say the same of their objects. */
  readonly digest: string;
  /** In one line, with a refusal first. */
  readonly verdict: string;
  readonly application: string;
  /** Its name, if the plan names its state. */
  readonly state?: string;
  /** Absent if there is nothing to do. */
  readonly hash?: string;
  /** What its text says of the environment, such as `takes at least 5 s`. */
  readonly facts: readonly string[];
}

/** Folders that share one text: that of the first. */
type EqualFolders = readonly [FolderOutput, ...FolderOutput[]];

/** Output of the current folder alone is shown as without --each, and its files keep their names. */
export const thisFolder = '.';

/** `plan.html` → `plan.envs-staging.html`. Unchanged for the current folder. */
export function fileOfFolder(file: string, name: string): string {
  return name === thisFolder ? file : file.replace(/(?<=[^/\\])(?=(?:\.[^./\\]*)?$)/u, `.${name}`);
}

export function hasFailed({ exit }: FolderOutput): boolean {
  return exit !== exitCode.done && exit !== exitCode.changes;
}

function isThisFolder(parts: readonly FolderOutput[]): boolean {
  return parts.every(({ folder }) => folder === thisFolder);
}

export function showParts(
  parts: readonly FolderOutput[],
  format: string,
  { stdout, stderr, isQuiet = false }: CommandEnvironment,
  notBegun?: readonly string[],
): void {
  if (format === 'json') stdout.write(joinedJson(parts, ({ stdout: text }) => text, notBegun));
  for (const equal of equalFolders(parts, ({ plan, stdout: text }) => plan?.digest ?? text)) {
    const [{ folder, stdout: out }] = equal;
    // Annotations name their files. A heading would not be a valid annotation.
    if (format === 'github') stdout.write(out);
    else if (format !== 'json')
      stdout.write(folder === thisFolder ? out : `${heading(format, equal)}${sharing(format, equal)}${out}\n`);
  }
  for (const equal of equalFolders(parts, ({ stderr: text }) => text)) {
    const [{ folder, stderr: err }] = equal;
    if (err !== '') stderr.write(folder === thisFolder ? err : `${namesOf(equal)}:\n${err}`);
  }
  if (isThisFolder(parts)) return;
  const failed = parts.filter(hasFailed);
  for (const { folder, exit } of failed) stderr.write(`${safe(folder)} ended with exit code ${exit}.\n`);
  const total = parts.length + (notBegun?.length ?? 0);
  if (!isQuiet || failed.length > 0)
    stderr.write(`${parts.length - failed.length} of ${plural(total, 'environment')} succeeded.\n`);
  if (notBegun !== undefined && notBegun.length > 0)
    stderr.write(`Not begun, because of the failure: ${notBegun.map(safe).join(', ')}.\n`);
}

/** Folders whose exit code and `keyOf` are the same, in the order of the first of them. */
function equalFolders(
  parts: readonly FolderOutput[],
  keyOf: (part: FolderOutput) => string | undefined,
): readonly EqualFolders[] {
  const groups = new Map<string, [FolderOutput, ...FolderOutput[]]>();
  for (const part of parts) {
    const key = JSON.stringify([part.exit, keyOf(part)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return [...groups.values()];
}

function namesOf(folders: EqualFolders): string {
  return folders.map(({ folder }) => safe(folder)).join(', ');
}

function markdownText(text: string): string {
  return safe(text).replace(/[\\`*_{}[\]<>#|]/gu, '\\$&');
}

function heading(format: string, folders: EqualFolders): string {
  if (folders[0].folder === thisFolder) return '';
  return format === 'markdown' ? `# ${markdownText(namesOf(folders))}\n\n` : `=== ${namesOf(folders)}\n`;
}

/** What the other folders have in place of what the text of the first one says. Empty without plans, which alone name an application. */
function sharing(format: string, folders: EqualFolders): string {
  const [{ folder, plan: shown }, ...others] = folders;
  if (shown === undefined || others.length === 0) return '';
  const isMarkdown = format === 'markdown';
  const code = isMarkdown ? codeSpan : safe;
  const rows = others.map(({ folder: name, plan }) => {
    const { application = '', state, hash, facts = [] } = plan ?? {};
    const named = state === undefined ? [] : [`state ${code(state)}`];
    const all = [code(application), ...facts, ...named, ...(hash === undefined ? [] : [`plan hash ${code(hash)}`])];
    return `${isMarkdown ? '-' : ' '} ${code(name)}: ${all.join(isMarkdown ? ' · ' : ', ')}\n`;
  });
  const lead = `The same plan in ${plural(folders.length, 'environment')}, shown with the places of ${code(folder)}. The others:`;
  return `${lead}\n${isMarkdown ? '\n' : ''}${rows.join('')}\n`;
}

/**
 * `{ each: [{ folder, exit_code, result }] }`; `result` is the output of the command for that folder. `notBegun` are the folders after
 * a failure with --in-order.
 */
export function joinedJson(
  parts: readonly FolderOutput[],
  textOf: (part: FolderOutput) => string | undefined,
  notBegun?: readonly string[],
): string {
  const each = parts.map((part) => ({ folder: part.folder, exit_code: part.exit, result: parsed(textOf(part)) }));
  const rest = notBegun === undefined ? {} : { not_begun: notBegun };
  const document: ResultDocuments['each'] = { format_version: '1.0', each, ...rest };
  return `${safeJson(document, 2)}\n`;
}

function parsed(text: string | undefined): JsonObject | null {
  return text === undefined || text.trim() === '' ? null : (JSON.parse(text) as JsonObject);
}

/**
 * One text with a first line by which a pipeline finds its comment, a table of the verdicts, and a heading for each folder. It names
 * the folders that do not fit.
 */
export function joinedMarkdown(
  parts: readonly FolderOutput[],
  textOf: (part: FolderOutput) => string | undefined,
  maxBytes: number,
): string {
  if (isThisFolder(parts)) return parts.map((part) => textOf(part) ?? withoutResult(part)).join('');
  let joined = `<!-- chatform:plan each=${parts.map(({ name }) => name.replaceAll('--', '-')).join(',')} -->\n${verdictTable(parts)}`;
  for (const equal of equalFolders(parts, (part) => part.plan?.digest ?? textOf(part))) {
    const lead = heading('markdown', equal);
    const text = `${lead}${sharing('markdown', equal)}${textOf(equal[0]) ?? withoutResult(equal[0])}\n`;
    const isRoom = Buffer.byteLength(joined) + Buffer.byteLength(text) + leastRoom * parts.length <= maxBytes;
    joined += isRoom ? text : `${lead}Too long to show here. See the log.\n\n`;
  }
  return joined;
}

/** Empty where no folder has a plan, as after an apply. */
function verdictTable(parts: readonly FolderOutput[]): string {
  if (parts.every(({ plan }) => plan === undefined)) return '';
  const rows = parts.map(({ folder, plan, exit }) => {
    const verdict = plan?.verdict ?? `⛔ no plan (exit code ${exit})`;
    return `| ${cell(folder)} | ${cell(verdict)} |\n`;
  });
  return `| Environment | Plan |\n|---|---|\n${rows.join('')}\n`;
}

function cell(text: string): string {
  return markdownText(text.slice(0, mostInCell));
}

/** Characters of a folder or a verdict in the table. */
const mostInCell = 300;
/** Bytes for the line of a folder whose text does not fit. */
const leastRoom = 512;

function withoutResult({ exit }: FolderOutput): string {
  return `No plan was made: the command ended with exit code ${exit}. See its log for the reason.\n`;
}

/**
 * Publishes to the job what each folder published: switches are true if one is, figures are added up, and `each` and
 * `changed` list the folders as JSON, for the matrix of a later job.
 */
export async function publishParts(parts: readonly FolderOutput[], environment: CommandEnvironment): Promise<void> {
  const rows = parts.map(({ folder, name, exit, outputs }) => ({
    folder,
    name,
    exit_code: exit,
    ...Object.fromEntries(outputs),
  }));
  const names = new Set(parts.flatMap(({ outputs }) => [...outputs.keys()]));
  const joined = new Map<string, string>();
  for (const name of names) {
    const values = parts.flatMap(({ outputs }) => outputs.get(name) ?? []);
    joined.set(name, joinedValue(values));
  }
  const changed = parts.flatMap(({ outputs }, at) => (outputs.get('has_changes') === 'true' ? [rows[at]] : []));
  await writeOutputs(environment, {
    ...Object.fromEntries(joined),
    each: safeJson(rows),
    changed: safeJson(changed),
  });
  await appendSummaries(parts, environment);
}

function joinedValue(values: readonly string[]): string {
  if (values.every((value) => value === 'true' || value === 'false')) return String(values.includes('true'));
  if (values.every((value) => /^\d+$/u.test(value)))
    return String(values.reduce((sum, value) => sum + Number(value), 0));
  // For an outcome, the first one that is not `done`. Hashes of several plans are in `each`.
  return values.find((value) => value !== 'done') ?? 'done';
}

async function appendSummaries(parts: readonly FolderOutput[], { cwd, env }: CommandEnvironment): Promise<void> {
  const file = env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '' || parts.every(({ summary }) => summary === '')) return;
  const used = await stat(resolve(cwd, file)).then(
    ({ size }) => size,
    () => 0,
  );
  // The summary of a run also has what came of it, which differs where the plans are equal.
  const shown = parts.map((part) => (part.outputs.has('outcome') ? { ...part, plan: undefined } : part));
  const text = joinedMarkdown(shown, ({ summary }) => (summary === '' ? undefined : summary), summaryBytes - used - 2);
  await appendText(resolve(cwd, file), text).catch(() => {});
}
