// Tests that the example pipelines do what their page says, with their commands as written. Slower ones: ci.long.test.ts.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  applied,
  broken,
  type Comment,
  changedName,
  context,
  examples,
  frozen,
  manifest,
  pullRequest,
  pullRequestComments,
  runner,
  runOnMain,
  secrets,
  stepOf,
} from './support/chat.ts';
import { type Scratch, scratchRepository } from './support/scratch.ts';
import { readWorkflow, runShell, runWorkflow, type Surroundings } from './support/workflow.ts';

async function planned(scratch: Scratch, surroundings: Partial<Surroundings> = {}) {
  const workflow = await readWorkflow(new URL('github/pull-request.yml', examples));
  const usual = { github: pullRequest(), secrets, env: runner, context };
  return (await runWorkflow(workflow, scratch, { ...usual, ...surroundings })).plan;
}

describe('a pull request', () => {
  test('is planned, and one comment is updated', async () => {
    const scratch = await applied();
    const comments: Comment[] = [
      { id: 1, user: { login: 'ada', type: 'User' }, body: '<!-- chatform:pull-request -->\nQuoted' },
      { id: 2, user: { login: 'codecov[bot]', type: 'Bot' }, body: 'Coverage' },
    ];
    await scratch.git('switch', '--quiet', '--create', 'freeze');
    await scratch.commit({ 'chat.yaml': frozen }, 'Freeze the lobby');
    const first = await planned(scratch, pullRequestComments(comments));
    expect(first, first?.log).toMatchObject({ result: 'success' });
    expect(first?.log).toMatch(/^::warning file=chat\.yaml,line=7,col=3,title=The plan freezes an open channel/mu);
    expect(first?.summary).toContain('1 to freeze');
    expect(existsSync(join(scratch.folder, 'artifacts/plan/plan.html'))).toBe(true);
    expect(comments).toHaveLength(3);
    expect(comments[2]?.body).toContain('**freeze** 1: `open_channel.lobby`');

    await scratch.commit({ 'chat.yaml': changedName }, 'Rename');
    await planned(scratch, pullRequestComments(comments));
    expect(comments).toHaveLength(3);
    expect(comments[2]?.body).toContain('+ nickname: "Bobby @octocat"');
    expect(comments.slice(0, 2).map(({ body }) => body)).toEqual([
      '<!-- chatform:pull-request -->\nQuoted',
      'Coverage',
    ]);

    // The plan of an earlier commit never stays, and a file of the request does not take its place.
    await scratch.commit({ 'chat.yaml': broken }, 'Break');
    await writeFile(join(scratch.folder, 'plan.md'), 'A forged plan');
    const failed = await planned(scratch, pullRequestComments(comments));
    expect(stepOf(failed, 'Plan')).toBe(65);
    expect(comments).toHaveLength(3);
    expect(comments[2]?.body).toMatch(/^<!-- chatform:pull-request -->\n/u);
    expect(comments[2]?.body).toContain('chat.yaml:5');
    expect(comments[2]?.body).not.toContain('forged');
  });

  test.for(['.', 'one,two'])('that a safety rule refuses shows the reason and the plan: %s', async (each) => {
    const folders = each.split(',');
    const users = Array.from({ length: 24 }, (_, at) => `  u${at}: { nickname: U }\n`).join('');
    const textOf = (folder: string) =>
      `version: 1\napplication: { base_url: "emulator:.chatform/of-${folder.replace('.', 'here')}", rate_plan: 100k_mau }\nusers:\n${users}`;
    const files = (text: (folder: string) => string) =>
      Object.fromEntries(folders.map((folder) => [join(folder, 'chat.yaml'), text(folder)]));
    const scratch = await scratchRepository(files(textOf));
    const env = { ...scratch.env, CHATFORM_EACH: each, CHATFORM_STATE: secrets.CHATFORM_STATE };
    expect(await runShell(['-c', 'chatform apply --auto-approve'], scratch, env)).toMatchObject({ exit: 0 });
    await scratch.git('switch', '--quiet', '--create', 'remove');
    await scratch.commit(
      files((folder) => textOf(folder).replace(/ {2}u[12]\d.*\n/gu, '')),
      'Remove',
    );
    const comments: Comment[] = [{ id: 1, user: { login: 'codecov[bot]', type: 'Bot' }, body: 'Coverage' }];
    const workflow = await readWorkflow(new URL('github/pull-request.yml', examples));
    const { plan } = workflow.jobs;
    if (plan === undefined) throw new Error('the workflow has another job');
    const jobs = { plan: { ...plan, env: { ...plan.env, CHATFORM_EACH: each } } };
    const surroundings = { github: pullRequest(), secrets, env: runner, context, ...pullRequestComments(comments) };
    const end = (await runWorkflow({ ...workflow, jobs }, scratch, surroundings)).plan;
    expect(stepOf(end, 'Plan'), end?.log).toBe(5);
    expect(end?.log).toMatch(/^::error .*\(safety\.input-shrank\)/mu);
    expect(end?.summary).toContain('⛔ Refused by ');
    expect(comments.map(({ id }) => id)).toEqual([1, 2]);
    const parts = (comments[1]?.body ?? '').match(
      /⛔ Refused by[\s\S]*?effect: user\.deactivate, count: 14[\s\S]*?user\.u23/gu,
    );
    expect(parts).toHaveLength(folders.length);
    const pages = each === '.' ? ['plan.html'] : ['plan.one.html', 'plan.two.html'];
    for (const page of pages) expect(existsSync(join(scratch.folder, 'artifacts/plan', page)), page).toBe(true);
  });

  test('with a mistake fails at validate, and its comment has the place and the reason', async () => {
    const scratch = await applied();
    await scratch.commit({ 'chat.yaml': broken }, 'Break');
    const comments: Comment[] = [];
    const end = await planned(scratch, pullRequestComments(comments));
    expect(end?.result).toBe('failure');
    expect(end?.log).toMatch(/^::error file=chat\.yaml,line=5/mu);
    expect(stepOf(end, 'Plan')).toBe(65);
    expect(comments).toMatchObject([{ body: expect.stringContaining('chat.yaml:5') }]);
  });

  test('of a fork runs without secrets, and writes no comment', async () => {
    const withVariable = manifest.replace('emulator:.chatform/emulator', `https://api-\${APP_ID}.sendbird.com/v3`);
    const scratch = await scratchRepository({ 'chat.yaml': withVariable });
    const comments: Comment[] = [];
    const end = await planned(scratch, {
      ...pullRequestComments(comments),
      github: pullRequest('mallory/chat'),
      secrets: {},
    });
    expect(end, end?.log).toMatchObject({ result: 'success' });
    expect(end?.log).toContain('There is no state here');
    expect(end?.summary).toContain('unknown, without CHATFORM_VAR_APP_ID');
    expect(stepOf(end, 'Comment')).toBe('skipped');
    expect(comments).toEqual([]);
  });
});

describe('a request and the state', () => {
  test('without the secret is refused instead of shown as new', async () => {
    const end = await planned(await applied(), { secrets: {}, ...pullRequestComments([]) });
    expect(stepOf(end, 'Plan')).toBe(1);
    expect(end?.log).toContain('The secret CHATFORM_STATE_READ is not set');
  });

  test('does not choose the program that reads the state', async () => {
    const scratch = await applied();
    const forged = join(scratch.folder, 'node_modules/.bin/chatform');
    await writeFile(forged, '#!/bin/sh\necho forged');
    const end = await planned(scratch, pullRequestComments([]));
    expect(end, end?.log).toMatchObject({ result: 'success' });
    expect(end?.log).not.toContain('forged');
  });

  test('chooses the base neither by files that are a repository nor by a tag', async () => {
    const scratch = await scratchRepository({
      'package.json': '{}',
      'infra/package.json': '{"devDependencies":{"chatform":"file:chatform.tgz"}}',
      'infra/chat.yaml': manifest,
    });
    const initialized = await runShell(['-c', 'cd infra && chatform init .'], scratch, scratch.env);
    expect(initialized, initialized.log).toMatchObject({ exit: 0 });
    await scratch.commit({}, 'chatform');
    await scratch.git('push', '--quiet');
    await scratch.git('switch', '--quiet', '--create', 'request');
    // A base without chatform, in a bare repository among the files, and under the name of the branch.
    const forge = `git init --quiet --bare forged && mv forged/HEAD forged/refs infra && commit=$(git commit-tree -m forged "$(printf '' | git mktree)") && cp -r .git/objects infra &&
      mkdir -p infra/refs/remotes/origin && echo "$commit" > infra/refs/remotes/origin/main && touch infra/refs/heads/.keep &&
      printf '[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "touch ../marker #"\n' > infra/config &&
      git tag origin/main "$commit" && git -C infra rev-parse refs/remotes/origin/main`;
    const forged = await runShell(['-e', '-c', forge], scratch, scratch.env);
    expect(forged, forged.log).toMatchObject({ exit: 0 });
    // Git takes both, when it may: the repository among the files has the forged commit, and only that.
    expect(forged.log.trim()).toBe(await scratch.git('rev-parse', 'refs/tags/origin/main'));
    await scratch.commit({}, 'Forge');
    const file = pathToFileURL(join(scratch.folder, '.github/workflows/chatform-pull-request.yml'));
    const { plan } = await runWorkflow(await readWorkflow(file), scratch, {
      ...{ github: pullRequest(), secrets, env: runner, context },
      ...pullRequestComments([]),
    });
    expect(plan, plan?.log).toMatchObject({ result: 'success' });
    expect(plan?.log).not.toContain('The base branch has no chatform yet');
    expect(existsSync(join(scratch.folder, 'marker'))).toBe(false);
  });

  test('where the base branch has no chatform, that of the request never runs beside the token that comments', async () => {
    const scratch = await scratchRepository({ 'package.json': '{}', 'chat.yaml': manifest });
    await writeFile(join(scratch.folder, 'node_modules/.bin/chatform'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    const comments: Comment[] = [];
    const end = await planned(scratch, pullRequestComments(comments));
    expect(stepOf(end, 'Install'), end?.log).toBe(1);
    expect(end?.log).toMatch(
      /^::error title=chatform::The base branch has no chatform, and that of the request must not/mu,
    );
    expect(stepOf(end, 'Validate')).toBe('skipped');
    expect(existsSync(join(scratch.folder, 'ran'))).toBe(false);
    expect(comments).toEqual([]);
  });

  test('of a fork is planned as new where the base branch has no chatform yet', async () => {
    const scratch = await scratchRepository({ 'package.json': '{}', 'chat.yaml': manifest });
    const end = await planned(scratch, {
      ...pullRequestComments([]),
      github: pullRequest('mallory/chat'),
      secrets: {},
    });
    expect(end, end?.log).toMatchObject({ result: 'success' });
    expect(end?.log).toContain('::notice title=chatform::The base branch has no chatform yet');
    expect(end?.summary).toContain('3 to create');
  });
});

describe('after the merge', () => {
  test('without the state nothing is planned or applied', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const ends = await runOnMain('apply.yml', scratch, {});
    expect(stepOf(ends.plan, 'Plan')).toBe(64);
    expect(ends.plan?.log).toContain('CHATFORM_STATE is empty');
    expect(ends.apply?.result).toBe('skipped');
  });

  test('exactly the approved plan is applied, and nothing is left to do', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const first = await runOnMain('apply.yml', scratch);
    expect(first.plan, first.plan?.log).toMatchObject({ result: 'success', outputs: { has_changes: 'true' } });
    expect(first.apply, first.apply?.log).toMatchObject({ result: 'success' });
    expect(first.apply?.summary).toContain('### chatform: Done.');
    const report = JSON.parse(await readFile(join(scratch.folder, 'artifacts/report/report.json'), 'utf8'));
    expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: 3 } });
    expect((await runOnMain('apply.yml', scratch)).apply?.result).toBe('skipped');
  });
});
