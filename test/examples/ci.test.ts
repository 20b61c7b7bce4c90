// Tests the structure of the example pipelines: permissions, secrets, concurrency. For their effects see ci.long.test.ts.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { examples } from './support/chat.ts';
import { readWorkflow } from './support/workflow.ts';

const workflowFiles = readdirSync(new URL('github/', examples)).sort();

describe('every workflow has safe permissions and secrets', () => {
  test.for(workflowFiles)('%s', async (file) => {
    const workflow = await readWorkflow(new URL(`github/${file}`, examples));
    expect(
      Object.keys(workflow).filter((key) => !['name', 'on', 'permissions', 'concurrency', 'jobs'].includes(key)),
    ).toEqual([]);
    // A fork's code must never see a secret.
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    expect(Object.values(workflow.permissions)).toEqual([file.includes('state-branch') ? 'write' : 'read']);
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': expect.any(Number) });
      for (const step of job.steps) {
        expect([step.uses, step.run].filter((part) => part !== undefined)).toHaveLength(1);
        // The shell would interpret the value of an expression, so values are passed through the environment.
        expect(step.run ?? '').not.toContain('${{');
        expect(String(step.with?.script ?? '')).not.toContain('${{');
        if (step.uses !== undefined) expect(step.uses).toMatch(/^actions\/[a-z-]+@v\d+$/u);
      }
    }
  });

  test('runs that write state never overlap and are never cancelled', async () => {
    for (const file of ['apply.yml', 'apply-state-branch.yml']) {
      const { concurrency } = await readWorkflow(new URL(`github/${file}`, examples));
      expect(concurrency).toMatchObject({ 'cancel-in-progress': false });
    }
  });

  test('the job that writes to the repository has no secret and installs nothing', async () => {
    const { jobs } = await readWorkflow(new URL('github/drift-request.yml', examples));
    expect(jobs.propose?.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    expect(jobs.drift?.permissions).toBeUndefined();
    expect(JSON.stringify(jobs.propose)).not.toMatch(/secrets|npm|npx|setup-node/u);
  });

  test('every job with the API token runs in an environment, and the nightly one needs no reviewer', async () => {
    const environments: Record<string, unknown> = {};
    for (const file of workflowFiles) {
      for (const job of Object.values((await readWorkflow(new URL(`github/${file}`, examples))).jobs)) {
        if (JSON.stringify(job.steps).includes('secrets.CHATFORM_API_TOKEN')) environments[file] = job.environment;
      }
    }
    expect(environments).toEqual({
      'apply-state-branch.yml': 'production',
      'apply.yml': 'production',
      'drift-request.yml': 'drift',
      'drift.yml': 'drift',
    });
  });

  test('the API token is given only to steps that apply or read', async () => {
    for (const file of workflowFiles) {
      for (const job of Object.values((await readWorkflow(new URL(`github/${file}`, examples))).jobs)) {
        expect(JSON.stringify(job.env ?? {})).not.toContain('secrets');
        for (const { env = {}, run = '' } of job.steps) {
          if ('CHATFORM_API_TOKEN' in env) expect(run).toMatch(/chatform (?:apply|drift)/u);
        }
      }
    }
  });
});
