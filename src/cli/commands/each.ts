// Runs a command for several folders in parallel, each an application with its own state, and joins their outputs.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { outputPath, writeOutput } from '../../app/context/output-files.ts';
import { loadDeclared } from '../../app/plans/load-declared.ts';
import type { JsonValue } from '../../lib/json.ts';
import { isSwitchedOn } from '../../lib/option-values.ts';
import { usage } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import { safe } from '../../view/text/text.ts';
import { plural } from '../../view/text/words.ts';
import type { CommandDefinition, CommandInput } from '../flags/command.ts';
import { portsOf } from '../output/ports.ts';
import { showError } from '../output/show-error.ts';
import type { Environment } from '../process/environment.ts';

/** The result of one folder. */
interface Part {
  readonly folder: string;
  readonly exit: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** The content of the files that it wrote, by the requested name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Formats whose outputs can be joined. */
const joined = ['human', 'json', 'markdown'];

/** Refused (64) for flags of a single plan, for missing folders, and for two folders of one application. */
export async function runEach(
  definition: CommandDefinition,
  input: CommandInput,
  environment: Environment,
): Promise<ExitCode> {
  demandJoinable(input);
  const folders = await foldersOf(input, environment);
  await demandDistinct(folders, input, environment);
  const parts = await Promise.all(folders.map((folder) => runOne(definition, folder, input, environment)));
  show(parts, input, environment);
  await writeFiles(parts, input, environment);
  return exitOf(parts);
}

function demandJoinable(input: CommandInput): void {
  const format = input.text('format') ?? 'human';
  if (input.args.length > 0)
    throw usage('--each cannot be combined with PATH arguments.', 'Pass the folders to --each.');
  for (const name of ['out', 'approved-hash', 'tokens-out', 'events', 'migration-report']) {
    if (input.text(name) === undefined && input.list(name).length === 0) continue;
    throw usage(
      `--${name} works for one application, but --each selects several.`,
      'Run the command once for each folder.',
    );
  }
  const formats = [format, ...writtenFiles(input).map((file) => file.format)];
  const unfit = formats.find((name) => !joined.includes(name));
  if (unfit === undefined) return;
  throw usage(`${unfit} shows one plan, but --each makes several.`, `With --each, use one of ${joined.join(', ')}.`);
}

/** Skips files, which a shell's `envs/*` includes. */
async function foldersOf(input: CommandInput, { cwd, stderr }: Environment): Promise<readonly string[]> {
  const given = [...new Set(input.list('each').map((name) => name.replace(/(?<=.)[\\/]+$/u, '')))];
  const folders: string[] = [];
  for (const name of given) {
    const found = await stat(resolve(cwd, name)).catch(() => undefined);
    if (found === undefined)
      throw usage(`The folder ${name} of --each does not exist.`, 'Check the name and the working folder.');
    if (found.isDirectory()) folders.push(name);
    else stderr.write(`${safe(name)} is not a folder; skipped.\n`);
  }
  if (folders.length === 0)
    throw usage('--each matches no folder.', 'Pass the folder of each environment, for example: --each envs/*');
  return folders.sort();
}

/** Refuses two folders of one application, whose states would undo each other's work. */
async function demandDistinct(
  folders: readonly string[],
  input: CommandInput,
  environment: Environment,
): Promise<void> {
  const known = new Map<string, string>();
  for (const folder of folders) {
    const { application } = await loadDeclared([folder], portsOf(input, environment));
    const url = input.text('base-url') ?? application?.base_url;
    const other = url === undefined ? undefined : known.get(url);
    if (url === undefined) continue;
    if (other !== undefined) {
      throw usage(
        `${other} and ${folder} are the same application, ${url}.`,
        'Each folder of --each has its own state, so each needs a different application.',
      );
    }
    known.set(url, folder);
  }
}

async function runOne(
  definition: CommandDefinition,
  folder: string,
  input: CommandInput,
  environment: Environment,
): Promise<Part> {
  const own = await mkdtemp(join(tmpdir(), 'chatform-each-'));
  const [stdout, stderr] = [new Buffered(environment.stdout), new Buffered(environment.stderr)];
  const report = input.text('report');
  const written = writtenFiles(input);
  const inner = input.with([folder], {
    each: undefined,
    state: stateOf(folder, input, environment),
    ...(written.length === 0 ? {} : { write: written.map(({ format, file }) => `${format}=${fileIn(own, file)}`) }),
    ...(report === undefined ? {} : { report: fileIn(own, report) }),
  });
  // Outputs for the pipeline are joined later, and a prompt for several plans at once is not possible.
  const { GITHUB_OUTPUT: _out, GITHUB_STEP_SUMMARY: _summary, ...env } = environment.env;
  const surroundings = { ...environment, env, stdout, stderr, canAsk: false };
  try {
    const exit = await definition
      .run(inner, surroundings)
      .catch((error: unknown) => showError(error, inner, surroundings));
    const names = [...written.map(({ file }) => file), ...(report === undefined ? [] : [report])];
    const files = new Map<string, string>();
    for (const name of names) {
      const text = await readFile(fileIn(own, name), 'utf8').catch(() => undefined);
      if (text !== undefined) files.set(name, text);
    }
    return { folder, exit, stdout: stdout.text, stderr: stderr.text, files };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Buffers output until it is shown. */
class Buffered {
  text = '';
  readonly isTerminal = false;
  readonly width: number;

  constructor({ width }: Environment['stdout']) {
    this.width = width;
  }

  write(text: string): void {
    this.text += text;
  }
}

/** A database contains many applications, a folder only one. In CI the default folder is discarded with the checkout. */
function stateOf(folder: string, input: CommandInput, { env }: Environment): string | undefined {
  const given = input.text('state');
  if (given === undefined && isSwitchedOn(env.CI)) return undefined;
  const place = given ?? 'file:.chatform/state';
  return place.startsWith('file:') ? `${place}/${folder.replace(/[^\w.-]+/gu, '-')}` : place;
}

function writtenFiles(input: CommandInput): readonly { readonly format: string; readonly file: string }[] {
  return input.list('write').map((text) => {
    const [format = '', ...rest] = text.split('=');
    return { format, file: rest.join('=') };
  });
}

function fileIn(folder: string, name: string): string {
  return join(folder, name.replace(/[^\w.-]+/gu, '-'));
}

function show(parts: readonly Part[], input: CommandInput, { stdout, stderr }: Environment): void {
  const format = input.text('format') ?? 'human';
  if (format === 'json') stdout.write(jsonOf(parts, ({ stdout: text }) => text));
  for (const { folder, stdout: out, stderr: err } of parts) {
    if (format !== 'json') stdout.write(`${heading(format, folder)}${out}\n`);
    if (err !== '') stderr.write(`${safe(folder)}:\n${err}`);
  }
  const failed = parts.filter(({ exit }) => exit !== exitCode.done && exit !== exitCode.changes);
  for (const { folder, exit } of failed) stderr.write(`${safe(folder)} ended with exit code ${exit}.\n`);
  stderr.write(`${parts.length - failed.length} of ${plural(parts.length, 'environment')} succeeded.\n`);
}

function heading(format: string, folder: string): string {
  return format === 'markdown'
    ? `# ${safe(folder).replace(/[\\`*_{}[\]<>#|]/gu, '\\$&')}\n\n`
    : `=== ${safe(folder)}\n`;
}

/** `{ each: [{ folder, exit_code, result }] }`; `result` is the output of the command for that folder. */
function jsonOf(parts: readonly Part[], textOf: (part: Part) => string | undefined): string {
  const each = parts.map((part) => ({ folder: part.folder, exit_code: part.exit, result: parsed(textOf(part)) }));
  return `${JSON.stringify({ format_version: '1.0', each }, null, 2)}\n`;
}

function parsed(text: string | undefined): JsonValue {
  return text === undefined || text.trim() === '' ? null : (JSON.parse(text) as JsonValue);
}

async function writeFiles(parts: readonly Part[], input: CommandInput, { cwd }: Environment): Promise<void> {
  for (const { format, file } of writtenFiles(input)) {
    const text =
      format === 'json'
        ? jsonOf(parts, ({ files }) => files.get(file))
        : parts.map((part) => `${heading(format, part.folder)}${part.files.get(file) ?? withoutPlan(part)}`).join('\n');
    await writeOutput(await outputPath(cwd, file), text, 0o600);
  }
  const report = input.text('report');
  if (report !== undefined)
    await writeOutput(
      await outputPath(cwd, report),
      jsonOf(parts, ({ files }) => files.get(report)),
    );
}

function withoutPlan({ exit }: Part): string {
  return `No plan was made: the command ended with exit code ${exit}. See its log for the reason.\n`;
}

/** The first failure, or else whether there is something to do. */
function exitOf(parts: readonly Part[]): ExitCode {
  const exits = parts.map(({ exit }) => exit);
  return (
    exits.find((exit) => exit !== exitCode.done && exit !== exitCode.changes) ??
    exits.find((exit) => exit !== exitCode.done) ??
    exitCode.done
  );
}
