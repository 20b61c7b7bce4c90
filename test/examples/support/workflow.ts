// Support: runs a GitHub workflow without GitHub: the commands of its steps as written, with the variables of a runner.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
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

interface Job {
  readonly environment?: string;
  readonly if?: string;
  readonly needs?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly defaults?: { readonly run: { readonly 'working-directory': string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The values that expressions may use. A missing secret or variable is empty, as on GitHub. */
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

/** Runs all jobs in order. `between` runs after each of them, like people and other runs. */
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
    const scope = { ...surroundings, needs };
    const isOff = job.if !== undefined && !isTrue(evaluate(job.if, scope, scratch, false));
    ends[name] = isOff
      ? { result: 'skipped', outputs: {}, steps: [], log: '', summary: '' }
      : await runJob(job, scratch, scope, workflow.defaults?.run['working-directory']);
  }
  return ends;
}

type Scope = Surroundings & { readonly needs?: object; readonly steps?: object; readonly inputs?: object };

/** Runs commands in `folder`, relative to the repository. */
async function runJob(job: Job, scratch: Checkout, scope: Scope, folder = '.'): Promise<JobEnd> {
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const done: [string, number | 'skipped' | 'used'][] = [];
  let log = '';
  let summary = '';
  let hasFailed = false;
  for (const [position, step] of job.steps.entries()) {
    const name = step.name ?? step.uses ?? step.run ?? '';
    const known = { ...scope, steps };
    const runs = step.if === undefined ? !hasFailed : isTrue(evaluate(step.if, known, scratch, hasFailed));
    if (!runs) done.push([name, 'skipped']);
    else if (step.uses !== undefined) {
      await use(step, scratch, known);
      done.push([name, 'used']);
    } else {
      const ended = await runStep(step, job, scratch, known, { folder, position });
      log += ended.log;
      summary += ended.summary;
      steps[step.id ?? `step-${position}`] = { outputs: ended.outputs };
      hasFailed ||= ended.exit !== 0;
      done.push([name, ended.exit]);
    }
  }
  const outputs = filled(job.outputs ?? {}, { ...scope, steps }, scratch);
  return { result: hasFailed ? 'failure' : 'success', outputs, steps: done, log, summary };
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
async function use(step: Step, { folder, env }: Checkout, scope: Scope): Promise<void> {
  const [action] = (step.uses ?? '').split('@');
  const artifact = join(folder, 'artifacts', String(step.with?.name ?? ''));
  if (action === 'actions/setup-node') return;
  if (action === 'actions/checkout') {
    // Every job starts from the commit, without the edits of the job before.
    await runShell(['-c', 'git restore --quiet .'], { folder }, env);
    return;
  }
  if (action === 'actions/upload-artifact') {
    // Without the folder that all its files share, which is each example's own folder.
    for (const path of String(step.with?.path ?? '')
      .trim()
      .split('\n'))
      await cp(join(folder, path), join(artifact, basename(path)));
  } else if (action === 'actions/download-artifact') {
    await cp(artifact, join(folder, String(step.with?.path ?? '.')), { recursive: true });
  } else if (action === 'actions/github-script') {
    const run = new Function('github', 'context', 'require', `return (async () => {${step.with?.script}})()`);
    const before = process.cwd();
    process.chdir(folder);
    try {
      await run(scope.octokit, scope.context, createRequire(import.meta.url));
    } finally {
      process.chdir(before);
    }
  } else throw new Error(`the test knows no action ${action}`);
}

function filled(values: Readonly<Record<string, string>>, scope: Scope, scratch: Checkout): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(/\$\{\{(.*?)\}\}/gu, (_, inner: string) => String(evaluate(inner, scope, scratch, false) ?? '')),
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
    hashFiles: (file: string) => (existsSync(join(folder, file)) ? 'a hash' : ''),
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
