// Tests the structure of the example pipelines: permissions, secrets, concurrency. For their effects see ci.long.test.ts.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { examples } from './support/chat.ts';
import { readWorkflow, runWorkflow } from './support/workflow.ts';

const workflowFiles = readdirSync(new URL('github/', examples)).sort();
const workflows = await Promise.all(
  workflowFiles.map(async (file) => [file, await readWorkflow(new URL(`github/${file}`, examples))] as const),
);
const jobs = workflows.flatMap(([file, workflow]) => Object.values(workflow.jobs).map((job) => ({ file, job })));
const workflowOf = (file: string) => Object.fromEntries(workflows)[file];

describe('every workflow has safe permissions and secrets', () => {
  test.for(workflows)('%s', ([, workflow]) => {
    expect(
      Object.keys(workflow).filter((key) => !['name', 'on', 'permissions', 'concurrency', 'jobs'].includes(key)),
    ).toEqual([]);
    // A fork's code must never see a secret.
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': expect.any(Number) });
      for (const step of job.steps) {
        expect([step.uses, step.run].filter((part) => part !== undefined)).toHaveLength(1);
        // The shell would interpret the value of an expression, so values are passed through the environment.
        expect(step.run ?? '').not.toContain('${{');
        expect(String(step.with?.script ?? '')).not.toContain('${{');
        if (step.uses !== undefined) expect(step.uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/u);
        // Nothing that is installed runs, and Node is a version with support.
        if (step.run?.includes('npm ') === true) expect(step.run).toContain('npm ci --ignore-scripts');
        if (step.uses?.startsWith('actions/setup-node') === true) expect(step.with?.['node-version']).toBe(24);
      }
    }
  });

  test('each action is named by its commit, with the version beside it, the same everywhere', async () => {
    const texts = await Promise.all(workflowFiles.map((file) => readFile(new URL(`github/${file}`, examples), 'utf8')));
    const used = texts.join('').match(/uses: .*$/gmu) ?? [];
    expect(used.filter((line) => !/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(line))).toEqual([]);
    expect([...new Set(used.map((line) => line.slice(0, line.indexOf('@'))))]).toHaveLength(new Set(used).size);
  });

  test('manual runs on other branches than main do nothing', async () => {
    for (const [file, workflow] of workflows) {
      if (file === 'pull-request.yml') continue;
      expect(Object.keys(workflow.on)).toContain('workflow_dispatch');
      const nowhere = { folder: '/nowhere', env: {} };
      const ends = await runWorkflow(workflow, nowhere, { github: { ref: 'refs/heads/feature' } });
      expect(Object.values(ends).map(({ result }) => result)).toEqual(Object.keys(ends).map(() => 'skipped'));
    }
  });

  test('runs that write state never overlap and are never cancelled', () => {
    expect(workflowOf('apply-state-branch.yml')?.concurrency).toMatchObject({ 'cancel-in-progress': false });
    expect(workflowOf('apply.yml')?.jobs.apply?.concurrency).toMatchObject({ 'cancel-in-progress': false });
  });

  test('an apply that waits for approval holds up no plan', () => {
    const { concurrency, jobs: { apply, plan } = {} } = workflowOf('apply.yml') ?? {};
    expect(concurrency).toBeUndefined();
    expect(plan?.concurrency?.group).not.toBe(apply?.concurrency?.group);
  });

  test('the job that writes to the repository has no secret and installs nothing', () => {
    const { propose, drift } = workflowOf('drift-request.yml')?.jobs ?? {};
    expect(propose?.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    expect(drift?.permissions).toBeUndefined();
    expect(JSON.stringify(propose)).not.toMatch(/secrets|npm|npx|setup-node/u);
  });

  test('every job with the API token runs in an environment, and the nightly one needs no reviewer', () => {
    const withToken = jobs.filter(({ job }) => JSON.stringify(job.steps).includes('secrets.CHATFORM_API_TOKEN'));
    expect(Object.fromEntries(withToken.map(({ file, job }) => [file, job.environment]))).toEqual({
      'apply-state-branch.yml': 'production',
      'apply.yml': expect.stringContaining("'production'"),
      'drift-request.yml': 'drift',
      'drift.yml': expect.stringContaining('matrix.environment'),
    });
  });

  test('no job takes a .chatform of the checkout for its own', async () => {
    const removal = "rm -rf --quiet --ignore-unmatch -- ':(glob,icase)**/.chatform' ':(glob,icase)**/.chatform/**'";
    const runsChatform = (run: string) => run.includes('npx --no-install chatform');
    for (const { job } of jobs) {
      const runs = job.steps.map(({ run = '' }) => run);
      const [removing, running] = [runs.findIndex((run) => run.includes(removal)), runs.findIndex(runsChatform)];
      expect(removing === -1).toBe(running === -1);
      expect(removing).toBeLessThanOrEqual(running);
    }
    for (const file of ['gitlab/.gitlab-ci.yml', 'action/action.yml'])
      expect(await readFile(new URL(file, examples), 'utf8')).toContain(removal);
  });

  test('every job that applies demands the newest commit before it installs anything, and has the history', () => {
    for (const { job } of jobs) {
      const runs = job.steps.map(({ run = '' }) => run);
      if (!runs.some((run) => run.includes('chatform apply'))) continue;
      const place = runs.findIndex((run) => run.includes('/commits/$GITHUB_REF_NAME'));
      expect(place).toBeGreaterThan(-1);
      expect(place).toBeLessThan(runs.findIndex((run) => run.includes('npm ci')));
      expect(job.steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
    }
  });

  test('the API token is given only to steps that apply or read', () => {
    for (const { job } of jobs) {
      expect(JSON.stringify(job.env ?? {})).not.toContain('secrets');
      for (const { env = {}, run = '' } of job.steps) {
        if ('CHATFORM_API_TOKEN' in env) expect(run).toMatch(/chatform (?:apply|drift)/u);
        // Only apply may write the state.
        const state = String(env.CHATFORM_STATE ?? '');
        if (state.includes('secrets')) expect(state.includes('_READ')).toBe(!run.includes('chatform apply'));
      }
    }
  });
});
