// Support: runs a GitHub workflow without GitHub: the commands of its steps as written, with the variables of a runner.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { globMatcher } from '../../../src/lib/patterns/glob.ts';
import type { Scratch } from './scratch.ts';

/** The checkout that a runner works in. */
type Checkout = Pick<Scratch, 'folder' | 'env'>;

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

type Row = Readonly<Record<string, unknown>>;

interface Job {
  readonly concurrency?: Concurrency;
  readonly environment?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  /** Rows, or an expression that gives them. */
  readonly strategy?: { readonly matrix: { readonly include: string | readonly Row[] } };
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Concurrency {
  readonly group: string;
  readonly 'cancel-in-progress': boolean;
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: Concurrency;
  readonly defaults?: { readonly run: { readonly 'working-directory': string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The values that expressions may use. A missing secret or variable is empty, as on GitHub. Without a `ref` it is main. */
export interface Surroundings {
  readonly github: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  /** Further variables of a runner. */
  readonly env?: Readonly<Record<string, string>>;
  /** The input of actions/github-script. */
  readonly octokit?: object;
  readonly context?: object;
}

export interface JobEnd {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  /** By step: its exit code, or why it did not run. */
  readonly steps: readonly (readonly [string, number | 'skipped' | 'used'])[];
  readonly log: string;
  readonly summary: string;
}

export async function readWorkflow(file: URL): Promise<Workflow> {
  return parse(await readFile(file, 'utf8')) as Workflow;
}

/** Runs all jobs in order. A job with several rows in its matrix has an end for each: `apply infra/chat`. */
export async function runWorkflow(
  workflow: Workflow,
  scratch: Checkout,
  surroundings: Surroundings,
): Promise<Readonly<Record<string, JobEnd>>> {
  const ends: Record<string, JobEnd> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needs = Object.fromEntries(
      Object.entries(ends).map(([id, { outputs, result }]) => [id, { outputs, result }]),
    );
    const scope = { ...surroundings, github: { ref: 'refs/heads/main', ...surroundings.github }, needs };
    const needed = [job.needs ?? []].flat().map((id) => ends[id]?.result ?? 'success');
    const isHeldUp =
      needed.some((result) => result !== 'success') && !/\b(?:always|cancelled|failure)\(/u.test(job.if ?? '');
    if (isHeldUp || (job.if !== undefined && !isTrue(evaluate(job.if, scope, scratch, false)))) {
      ends[name] = { result: 'skipped', outputs: {}, steps: [], log: '', summary: '' };
      continue;
    }
    const rows = rowsOf(job, scope, scratch);
    for (const row of rows) {
      const end = await runJob(job, scratch, { ...scope, matrix: row }, workflow.defaults?.run['working-directory']);
      ends[rows.length === 1 ? name : `${name} ${row.folder}`] = end;
    }
  }
  return ends;
}

function rowsOf({ strategy }: Job, scope: Scope, scratch: Checkout): readonly Row[] {
  const include = strategy?.matrix.include ?? [{}];
  return typeof include === 'string' ? (evaluate(include, scope, scratch, false) as readonly Row[]) : include;
}

type Scope = Surroundings & {
  readonly needs?: object;
  readonly steps?: object;
  readonly inputs?: object;
  readonly matrix?: object;
};

/** Runs commands in `folder`, relative to the repository. */
async function runJob(job: Job, scratch: Checkout, given: Scope, folder = '.'): Promise<JobEnd> {
  await mkdir(scratch.env.HOME ?? '', { recursive: true });
  const temporary = await mkdtemp(join(scratch.env.HOME ?? '', 'runner-'));
  const env = { ...given.env, RUNNER_TEMP: temporary, GITHUB_WORKSPACE: scratch.folder };
  const scope = { ...given, env: { ...(await branchOf(scratch, env)), ...env } };
  const steps: Record<string, { outputs: Record<string, string>; outcome: 'success' | 'failure' | 'skipped' }> = {};
  const done: [string, number | 'skipped' | 'used'][] = [];
  let log = '';
  let summary = '';
  let hasFailed = false;
  for (const [position, step] of job.steps.entries()) {
    const name = step.name ?? step.uses ?? step.run ?? '';
    const known = { ...scope, steps };
    const runs = step.if === undefined ? !hasFailed : isTrue(evaluate(step.if, known, scratch, hasFailed));
    if (!runs) {
      steps[step.id ?? `step-${position}`] = { outputs: {}, outcome: 'skipped' };
      done.push([name, 'skipped']);
    } else if (step.uses !== undefined) {
      await use(step, scratch, known);
      done.push([name, 'used']);
    } else {
      const ended = await runStep(step, job, scratch, known, { folder, position });
      log += ended.log;
      summary += ended.summary;
      steps[step.id ?? `step-${position}`] = {
        outputs: ended.outputs,
        outcome: ended.exit === 0 ? 'success' : 'failure',
      };
      hasFailed ||= ended.exit !== 0;
      done.push([name, ended.exit]);
    }
  }
  const outputs = filled(job.outputs ?? {}, { ...scope, steps }, scratch);
  return { result: hasFailed ? 'failure' : 'success', outputs, steps: done, log, summary };
}

/** The run is of the newest commit of main, as an API of files says. */
async function branchOf(scratch: Checkout, { GITHUB_REPOSITORY = '' }: Readonly<Record<string, string | undefined>>) {
  const { exit, log } = await runShell(['-c', 'git rev-parse HEAD'], scratch, scratch.env);
  if (exit !== 0) return {};
  const api = join(scratch.env.HOME ?? '', 'api');
  const commits = join(api, 'repos', GITHUB_REPOSITORY, 'commits');
  await mkdir(commits, { recursive: true });
  await writeFile(join(commits, 'main'), log.trim());
  return { GITHUB_SHA: log.trim(), GITHUB_REF_NAME: 'main', GITHUB_API_URL: pathToFileURL(api).href };
}

async function runStep(
  step: Step,
  job: Job,
  scratch: Checkout,
  scope: Scope,
  at: { folder: string; position: number },
) {
  const runner = join(scratch.env.HOME ?? '', `step-${at.position}`);
  await mkdir(runner, { recursive: true });
  const files = { GITHUB_OUTPUT: join(runner, 'output'), GITHUB_STEP_SUMMARY: join(runner, 'summary') };
  for (const file of Object.values(files)) await writeFile(file, '');
  const env = {
    ...scratch.env,
    ...scope.env,
    ...files,
    GITHUB_ACTIONS: 'true',
    ...filled({ ...job.env, ...step.env }, scope, scratch),
  };
  await writeFile(join(runner, 'script.sh'), step.run ?? '');
  // The options with which GitHub runs the shell "bash".
  const { exit, log } = await runShell(
    ['--noprofile', '--norc', '-eo', 'pipefail', join(runner, 'script.sh')],
    { folder: join(scratch.folder, at.folder) },
    env,
  );
  const lines = (await readFile(files.GITHUB_OUTPUT, 'utf8')).split('\n').filter((line) => line !== '');
  return {
    exit,
    log,
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    outputs: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  };
}

export function runShell(
  args: readonly string[],
  { folder }: Pick<Checkout, 'folder'>,
  env: Readonly<Record<string, string>>,
): Promise<{ exit: number; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ exit: code ?? -1, log }));
  });
}

/** Simulates the actions that the examples use. Other actions are an error. */
async function use(step: Step, scratch: Checkout, scope: Scope): Promise<void> {
  const { folder, env } = scratch;
  const given = filled(step.with ?? {}, scope, scratch);
  const [action] = (step.uses ?? '').split('@');
  const artifact = join(folder, 'artifacts', given.name ?? '');
  if (action === 'actions/setup-node') return;
  if (action === 'actions/checkout') {
    // Every job starts from the commit, without the edits of the job before.
    await runShell(['-c', 'git restore --quiet .'], { folder }, env);
    return;
  }
  if (action === 'actions/upload-artifact') {
    // Without the folder that all its files share, which is each example's own folder.
    const patterns = (given.path ?? '').trim().split('\n');
    const found = patterns.flatMap((pattern) => matching(folder, pattern));
    if (found.length === 0) throw new Error(`no file matches ${patterns.join(' or ')}`);
    for (const path of found) await cp(join(folder, path), join(artifact, basename(path)));
  } else if (action === 'actions/download-artifact') {
    await cp(artifact, join(folder, given.path ?? '.'), { recursive: true });
  } else if (action === 'actions/github-script') {
    const run = new Function('github', 'context', 'require', `return (async () => {${given.script}})()`);
    const before = process.cwd();
    const variables = filled(step.env ?? {}, scope, scratch);
    process.chdir(folder);
    Object.assign(process.env, variables);
    try {
      await run(scope.octokit, scope.context, createRequire(import.meta.url));
    } finally {
      process.chdir(before);
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  } else throw new Error(`the test knows no action ${action}`);
}

function filled(
  values: Readonly<Record<string, string | number | boolean>>,
  scope: Scope,
  scratch: Checkout,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{(.*?)\}\}/gu, (_, inner: string) =>
        String(evaluate(inner, scope, scratch, false) ?? ''),
      ),
    ]),
  );
}

/** Evaluates the expressions of the examples as JavaScript in which missing members are undefined. */
function evaluate(expression: string, scope: Scope, { folder }: Checkout, hasFailed: boolean): unknown {
  const inner = /^\s*(?:\$\{\{)?(.*?)(?:\}\})?\s*$/su.exec(expression)?.[1] ?? '';
  const names = {
    github: scope.github,
    secrets: scope.secrets ?? {},
    vars: scope.vars ?? {},
    steps: scope.steps ?? {},
    needs: scope.needs ?? {},
    inputs: scope.inputs ?? {},
    matrix: scope.matrix ?? {},
    hashFiles: (pattern: string) => (matching(folder, pattern).length > 0 ? 'a hash' : ''),
    fromJSON: (text: string) => JSON.parse(text) as unknown,
    format: (text: string, ...values: unknown[]) => text.replace(/\{(\d)\}/gu, (_, at) => String(values[Number(at)])),
    always: () => true,
    cancelled: () => false,
    failure: () => hasFailed,
  };
  const code = inner
    .split(/('[^']*')/u)
    .map((part) => (part.startsWith("'") ? part : part.replace(/\.([\w-]+)/gu, "?.['$1']")))
    .join('');
  const run = new Function(...Object.keys(names), `return ${code}`);
  return run(...Object.values(names));
}

/** Files whose names match; the folder is plain. */
function matching(folder: string, pattern: string): string[] {
  const [place, isMatch] = [dirname(pattern), globMatcher(basename(pattern), 'path')];
  const names = readdirSync(join(folder, place), { withFileTypes: true });
  return names.filter((entry) => entry.isFile() && isMatch(entry.name)).map(({ name }) => join(place, name));
}

function isTrue(value: unknown): boolean {
  return value !== '' && value !== false && value !== null && value !== undefined;
}

/** One step of a composite action, with its inputs. */
export async function runComposite(
  file: URL,
  inputs: Readonly<Record<string, string>>,
  scratch: Checkout,
  surroundings: Surroundings,
): Promise<JobEnd> {
  const action = parse(await readFile(file, 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    readonly runs: Job;
  };
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value]),
  );
  const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value]));
  return runJob({ ...action.runs, outputs }, scratch, { ...surroundings, inputs: { ...given, ...inputs } } as Scope);
}
