// Runs a command for several folders, each an application with its own state, and joins their outputs. The folders run in parallel,
// or with --in-order one after the other until one fails.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOfFolder, saveOutput } from '../../core/app/context/output-files.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { usage } from '../../core/model/errors.ts';
import { type CommandExit, exitCode } from '../../core/model/exit-code.ts';
import type { Plan } from '../../core/model/plan.ts';
import { digestOfShown } from '../../core/view/summary/plan-digest.ts';
import { headline } from '../../core/view/summary/status.ts';
import { durationInWords, isEmpty } from '../../core/view/summary/verdict.ts';
import { plural } from '../../lib/words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { longName } from '../flags/flag-names.ts';
import type { OutputFile, ReadOutput } from '../flags/outputs.ts';
import { demandReplaceableOutputs, outputsOf, runCommand } from '../flags/run-command.ts';
import {
  type FolderOutput,
  type FolderPlan,
  fileOfFolder,
  hasFailed,
  joinedJson,
  joinedMarkdown,
  publishParts,
  showParts,
} from '../output/joined-output.ts';
import { showError } from '../output/show-error.ts';
import { viewFilesOf } from '../output/write-views.ts';
import { type CommandEnvironment, isInPipeline } from '../process/environment.ts';
import {
  applicationsIn,
  demandDistinct,
  demandDistinctNames,
  foldersOf,
  stateOf,
  tokenOf,
} from './each-environments.ts';

/** Formats whose outputs can be printed one after the other. */
const printable = ['human', 'json', 'markdown', 'github'];

/** The limit of a comment on GitHub and of a note on GitLab. */
const commentBytes = 65_536;
/** The smallest --max-bytes that a view of a plan accepts. */
const leastBytes = 8_192;

/** Folders that are computed at the same time. More would not end sooner, and the objects of each are in memory. */
const computedAtOnce = 8;

/**
 * Every command that has --each goes through here. Refused (64) for arguments, for missing folders, and for two folders of
 * one application if the command uses state.
 */
export async function runEach(
  definition: CommandDefinition,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<CommandExit> {
  demandJoinable(input);
  await demandReplaceableOutputs(joinedFiles(definition, input), environment.cwd);
  const folders = await foldersOf(input, environment);
  demandDistinctNames(folders);
  const hasState = definition.options.some(({ flags }) => longName(flags) === 'state');
  const applications = hasState ? await applicationsIn(folders, input, environment) : [];
  demandDistinct(applications);
  const isReading =
    input.flag('online') ||
    ['all', 'changed'].includes(input.text('refresh') ?? 'none') ||
    applications.some(({ mayRefresh }) => mayRefresh);
  const most = definition.isComputed === true && !isReading ? computedAtOnce : folders.length;
  const run = (folder: string) => runOne(definition, folder, folders.length, input, environment);
  const parts = input.flag('in-order') ? await untilFailure(folders, run) : await inParallel(folders, most, run);
  const notBegun = input.flag('in-order') ? folders.slice(parts.length) : undefined;
  showParts(parts, input.text('format') ?? 'human', environment, notBegun);
  await writeJoined(parts, notBegun, joinedFiles(definition, input), input, environment);
  if (isInPipeline(environment)) await publishParts(parts, environment);
  return exitOf(parts);
}

/** The results in the order of the folders, of which at most `most` run at the same time. */
async function inParallel(
  folders: readonly string[],
  most: number,
  run: (folder: string) => Promise<FolderOutput>,
): Promise<readonly FolderOutput[]> {
  const parts: FolderOutput[] = [];
  const waiting = folders.entries();
  const work = async (): Promise<void> => {
    for (const [place, folder] of waiting) parts[place] = await run(folder);
  };
  await Promise.all(Array.from({ length: most }, work));
  return parts;
}

/** The results up to the first failure. */
async function untilFailure(
  folders: readonly string[],
  run: (folder: string) => Promise<FolderOutput>,
): Promise<readonly FolderOutput[]> {
  const parts: FolderOutput[] = [];
  for (const folder of folders) {
    const part = await run(folder);
    parts.push(part);
    if (hasFailed(part)) break;
  }
  return parts;
}

function demandJoinable(input: CommandInput): void {
  const format = input.text('format') ?? 'human';
  if (input.args.length > 0)
    throw usage('--each cannot be combined with PATH arguments.', 'Pass the folders to --each.');
  if (input.text('approved-hash') !== undefined) {
    throw usage(
      '--approved-hash works for one application, but --each selects several.',
      'Save the plans with chatform plan --each FOLDER… --out plan.chatform, and apply each with its hash.',
    );
  }
  if (printable.includes(format)) return;
  throw usage(
    `${format} shows one result, but --each makes several.`,
    `With --each, use one of ${printable.join(', ')}.`,
  );
}

async function runOne(
  definition: CommandDefinition,
  folder: string,
  count: number,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<FolderOutput> {
  const temporary = await mkdtemp(join(tmpdir(), 'chatform-each-'));
  const name = nameOfFolder(folder);
  const [stdout, stderr] = [new Buffered(environment.stdout), new Buffered(environment.stderr)];
  const joined = joinedFiles(definition, input);
  const fileFor = (file: string) =>
    joined.some((output) => output.file === file) ? join(temporary, nameOfFolder(file)) : fileOfFolder(file, name);
  const maxBytes = markdownBytes(input, count);
  const statePage = input.text('state-page');
  const inner = input.with([folder], {
    each: undefined,
    state: await stateOf(folder, input, environment),
    ...(maxBytes === undefined ? {} : { 'markdown-share': maxBytes }),
    ...(statePage === undefined ? {} : { 'state-page': fileOfFolder(statePage, name) }),
    ...filesWith(definition, input, fileFor),
  });
  const published = { GITHUB_OUTPUT: join(temporary, '.output'), GITHUB_STEP_SUMMARY: join(temporary, '.summary') };
  const env = {
    ...environment.env,
    ...(isInPipeline(environment) ? published : {}),
    ...tokenOf(name, environment),
  };
  // A prompt for several folders at once is not possible.
  let plan: FolderPlan | undefined;
  const surroundings: CommandEnvironment = {
    ...environment,
    env,
    stdout,
    stderr,
    canAsk: false,
    planShown: (shown, refusals) => {
      plan = folderPlanOf(shown, refusals);
    },
  };
  const textOf = (file: string) => readFile(file, 'utf8').catch(() => undefined);
  try {
    const exit = await environment
      .abandonable('folder', () => runCommand(definition, inner, surroundings))
      .catch((error: unknown) => showError(error, inner, surroundings));
    const files = new Map<string, string>();
    for (const { file } of joined) {
      const text = await textOf(fileFor(file));
      if (text !== undefined) files.set(file, text);
    }
    return {
      folder,
      name,
      exit,
      stdout: stdout.text,
      stderr: stderr.text,
      files,
      outputs: outputsIn((await textOf(published.GITHUB_OUTPUT)) ?? ''),
      summary: (await textOf(published.GITHUB_STEP_SUMMARY)) ?? '',
      plan,
    };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function folderPlanOf(plan: Plan, refusals: readonly Diagnostic[]): FolderPlan {
  const { application, hash, refreshed, new_state: newState, state } = plan;
  const place = newState?.place ?? state;
  const takes = durationInWords(plan);
  const facts = [
    ...(takes === undefined ? [] : [`takes ${takes}`]),
    ...(refreshed === undefined ? [] : [`read ${plural(refreshed.objects, 'live object')}`]),
  ];
  return {
    digest: digestOfShown(plan, refusals),
    verdict: headline(plan, { refusals }),
    application,
    ...(place === undefined ? {} : { state: place }),
    facts,
    ...(isEmpty(plan) ? {} : { hash }),
  };
}

class Buffered {
  text = '';
  readonly isTerminal = false;
  readonly width: number;

  constructor({ width }: CommandEnvironment['stdout']) {
    this.width = width;
  }

  write(text: string): void {
    this.text += text;
  }
}

function outputsIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** The files whose contents are joined to one: JSON and Markdown of plans, and the report of a run. */
function joinedFiles(definition: CommandDefinition, input: CommandInput): readonly OutputFile[] {
  return outputsOf(definition, input).filter(
    ({ kind }) => kind === 'plan-json' || kind === 'plan-markdown' || kind === 'report',
  );
}

/** Every folder gets files of its own, unless their contents are joined. */
function filesWith(
  { options }: CommandDefinition,
  input: CommandInput,
  fileFor: (file: string) => string,
): Readonly<Record<string, unknown>> {
  const renamed = (read: ReadOutput, value: string): string => {
    const { file } = read(value) ?? {};
    return file === undefined ? value : `${value.slice(0, value.length - file.length)}${fileFor(file)}`;
  };
  const flags = options.flatMap(({ flags: usage, writes: read }): (readonly [string, unknown])[] => {
    const name = longName(usage);
    const [file, files] = [input.text(name), input.list(name)];
    if (read === undefined || (file === undefined && files.length === 0)) return [];
    return [[name, file === undefined ? files.map((value) => renamed(read, value)) : renamed(read, file)]];
  });
  return Object.fromEntries(flags);
}

/** The share of one folder, so that the joined text fits into a comment. Undefined if no Markdown is wanted. */
function markdownBytes(input: CommandInput, count: number): string | undefined {
  const isMarkdown =
    input.text('format') === 'markdown' || viewFilesOf(input).some(({ format }) => format === 'markdown');
  if (!isMarkdown || count === 1) return undefined;
  const share = Math.floor((input.count('max-bytes') ?? commentBytes) / count) - headingBytes;
  return String(Math.max(share, leastBytes));
}

/** More than the heading of a folder, and its share of the first line. */
const headingBytes = 1_024;

async function writeJoined(
  parts: readonly FolderOutput[],
  notBegun: readonly string[] | undefined,
  outputs: readonly OutputFile[],
  input: CommandInput,
  { cwd }: CommandEnvironment,
): Promise<void> {
  for (const { kind, file } of outputs) {
    const textOf = ({ files }: FolderOutput) => files.get(file);
    const text =
      kind === 'plan-markdown'
        ? joinedMarkdown(parts, textOf, input.count('max-bytes') ?? commentBytes)
        : joinedJson(parts, textOf, notBegun);
    await saveOutput(kind, cwd, file, text);
  }
}

/** The first failure, or else whether there is something to do. */
function exitOf(parts: readonly FolderOutput[]): CommandExit {
  const failed = parts.find(hasFailed);
  return (failed ?? parts.find(({ exit }) => exit !== exitCode.done))?.exit ?? exitCode.done;
}
