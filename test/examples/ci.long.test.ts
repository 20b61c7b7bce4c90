// Tests the slower pipelines: state in a database and on a branch, refusals, drift, GitLab, hooks.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { noPostgres, usePostgres } from '../support/postgres.ts';
import {
  applied,
  broken,
  type Comment,
  changedName,
  context,
  examples,
  frozen,
  listen,
  makeElsewhere,
  manifest,
  pullRequest,
  pullRequestComments,
  renameElsewhere,
  runner,
  runOnMain,
  secrets,
  stateBeside,
  stepOf,
} from './support/chat.ts';
import { type Scratch, scratchRepository } from './support/scratch.ts';
import { readWorkflow, runComposite, runShell, runWorkflow } from './support/workflow.ts';

const root = new URL('../../', import.meta.url);
const postgres = usePostgres();

describe('after the merge', () => {
  test('a plan that was not approved is refused, and the failure is reported', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const heard: string[] = [];
    const url = await listen(async (request, body) => {
      heard.push(`${request} ${body}`);
      return '';
    });
    const workflow = await readWorkflow(new URL('github/apply.yml', examples));
    const { plan, apply } = workflow.jobs;
    if (plan === undefined || apply === undefined) throw new Error('apply.yml has other jobs');
    const forged = {
      ...workflow,
      jobs: {
        plan: { ...plan, outputs: { ...plan.outputs, changed: JSON.stringify([{ name: '.', hash: 'f'.repeat(64) }]) } },
        apply,
      },
    };
    const ends = await runWorkflow(forged, scratch, {
      github: {},
      secrets: { ...secrets, NOTIFY_WEBHOOK: url },
      env: runner,
    });
    expect(ends.apply?.result).toBe('failure');
    expect(stepOf(ends.apply, 'Apply')).toBe(6);
    expect(heard).toEqual([
      'POST / {"text":"chatform apply: conflict (exit code 6). https://github.example/acme/chat/actions/runs/42"}',
    ]);
    expect(stepOf(ends.apply, 'Keep the report')).toBe('used');
  });

  test.skipIf(noPostgres !== undefined)(`with the state in PostgreSQL ${noPostgres ?? ''}`, async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const url = postgres().url();
    const inDatabase = { ...secrets, CHATFORM_STATE: url, CHATFORM_STATE_READ: url };
    const first = await runOnMain('apply.yml', scratch, inDatabase);
    expect(first.apply, first.apply?.log).toMatchObject({ result: 'success' });
    expect(existsSync(join(scratch.folder, '../state'))).toBe(false);
    expect((await runOnMain('apply.yml', scratch, inDatabase)).apply?.result).toBe('skipped');
  });

  test('the state branch is written by the job and read by the next run', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const first = await runOnMain('apply-state-branch.yml', scratch);
    expect(first.apply, first.apply?.log).toMatchObject({ result: 'success' });
    expect(await scratch.git('ls-tree', '-r', '--name-only', 'origin/chatform-state')).toContain('state/');
    expect(await scratch.git('ls-tree', '--name-only', 'origin/chatform-state')).not.toContain('chat.yaml');
    // Windows would otherwise convert the line ends of the state.
    await scratch.git('fetch', '--quiet', 'origin', 'chatform-state');
    await scratch.git('-c', 'core.autocrlf=true', 'worktree', 'add', '--quiet', 'windows', 'FETCH_HEAD');
    expect(await readFile(join(scratch.folder, 'windows/state/state.ndjson'), 'utf8')).not.toContain('\r');

    await freshCheckout(scratch);
    const second = await runOnMain('apply-state-branch.yml', scratch);
    expect(second.apply?.log).toContain('Nothing to do since the last apply. The platform was not read (--refresh).');
    await freshCheckout(scratch);
    await scratch.commit({ 'chat.yaml': frozen }, 'Freeze');
    const third = await runOnMain('apply-state-branch.yml', scratch);
    expect(third.apply?.log).toContain('1 to freeze');
    expect(await scratch.git('rev-list', '--count', 'origin/chatform-state')).toBe('2');
  });

  test('the state branch is pushed after a failure', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    await runOnMain('apply-state-branch.yml', scratch);
    await freshCheckout(scratch);
    const before = await scratch.git('rev-parse', 'origin/chatform-state');
    // Another client created carol, so her creation is a conflict and the rest continues.
    await makeElsewhere(scratch, 'carol');
    const more = frozen.replace('users:\n', 'users:\n  carol: { nickname: Carol }\n');
    await scratch.commit({ 'chat.yaml': more }, 'Carol');
    const end = await runOnMain('apply-state-branch.yml', scratch);
    expect(end.apply?.result, end.apply?.log).toBe('failure');
    expect(stepOf(end.apply, 'Keep the state')).toBe(0);
    expect(await scratch.git('rev-parse', 'origin/chatform-state')).not.toBe(before);
  });

  test('an unreadable state branch ends the run before anything is sent', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    await scratch.git('remote', 'set-url', 'origin', '/nowhere/remote.git');
    const end = await runOnMain('apply-state-branch.yml', scratch);
    expect(stepOf(end.apply, 'Get the state')).toBe(1);
    expect(stepOf(end.apply, 'Apply')).toBe('skipped');
  });
});

test.skipIf(noPostgres !== undefined)(
  `the workflows that init writes serve two applications, each with its own approval ${noPostgres ?? ''}`,
  async () => {
    const scratch = await scratchRepository({ 'README.md': 'Other things' });
    for (const folder of ['apps/chat', 'apps/support']) {
      const initialized = await runShell(['-c', `chatform init ${folder}`], scratch, scratch.env);
      expect(initialized, initialized.log).toMatchObject({ exit: 0 });
    }
    await scratch.commit({}, 'chatform');
    const comments: Comment[] = [];
    const url = postgres().url();
    const inDatabase = { ...secrets, CHATFORM_STATE: url, CHATFORM_STATE_READ: url };
    const surroundings = {
      github: pullRequest(),
      secrets: inDatabase,
      env: runner,
      context,
      ...pullRequestComments(comments),
    };
    const run = async (name: string) => {
      const file = pathToFileURL(join(scratch.folder, `.github/workflows/chatform-${name}.yml`));
      return runWorkflow(await readWorkflow(file), scratch, surroundings);
    };
    const jobs: string[] = [];
    for (const name of ['pull-request', 'apply', 'drift']) {
      for (const [job, end] of Object.entries(await run(name))) {
        expect(end, end.log).toMatchObject({ result: 'success' });
        jobs.push(job);
      }
    }
    expect(jobs).toEqual([
      'plan',
      'plan',
      'apply apps/chat',
      'apply apps/support',
      'drift apps/chat',
      'drift apps/support',
    ]);
    expect(comments).toHaveLength(1);
    // Both have the same plan, which is shown once.
    expect(comments[0]?.body).toMatch(/# apps\/chat, apps\/support\n[\s\S]*^- `apps\/support`: /mu);
    for (const name of ['report-apps-chat/report.json', 'drift-apps-support/drift.apps-support.html'])
      expect(existsSync(join(scratch.folder, 'artifacts', name)), name).toBe(true);

    // A change of one is applied for that one alone.
    const manifestOf = join(scratch.folder, 'apps/support/chatform.yaml');
    await writeFile(manifestOf, (await readFile(manifestOf, 'utf8')).replace('nickname: Bob', 'nickname: Robert'));
    expect(Object.keys(await run('apply'))).toEqual(['plan', 'apply']);
    expect(Object.entries(await run('apply'))).toMatchObject([
      ['plan', {}],
      ['apply', { result: 'skipped' }],
    ]);
  },
);

describe('every night', () => {
  test('drift is reported', async () => {
    const scratch = await applied();
    const workflow = await readWorkflow(new URL('github/drift.yml', examples));
    const surroundings = { github: {}, secrets, env: runner };
    const mistyped = { ...secrets, CHATFORM_STATE_READ: 'file:.chatform/elsewhere' };
    const empty = await runWorkflow(workflow, scratch, { ...surroundings, secrets: mistyped });
    expect(stepOf(empty.drift, 'Drift'), 'nothing was compared').toBe(66);
    const quiet = await runWorkflow(workflow, scratch, surroundings);
    expect(quiet.drift, quiet.drift?.log).toMatchObject({ result: 'success' });
    await renameElsewhere(scratch, 'alice');
    const { drift } = await runWorkflow(workflow, scratch, surroundings);
    expect(stepOf(drift, 'Drift'), drift?.log).toBe(2);
    expect(drift?.summary).toContain('user.alice');
    expect(existsSync(join(scratch.folder, 'artifacts/drift/drift.html'))).toBe(true);
  });
});

describe('a request that accepts drift', () => {
  test('is opened, and updated the next night', async () => {
    const scratch = await applied();
    const workflow = await readWorkflow(new URL('github/drift-request.yml', examples));
    const requests: { number: number; head: string; base: string; body: string }[] = [];
    const pulls = {
      list: async () => ({ data: requests }),
      create: async (request: { head: string; base: string; body: string }) =>
        void requests.push({ number: requests.length + 1, ...request }),
      update: async ({ pull_number, body }: { pull_number: number; body: string }) => {
        for (const request of requests) if (request.number === pull_number) request.body = body;
      },
    };
    const repos = { get: async () => ({ data: { default_branch: 'main' } }) };
    const surroundings = { github: {}, secrets, env: runner, context, octokit: { rest: { pulls, repos } } };
    await renameElsewhere(scratch, 'alice');
    for (let night = 0; night < 2; night += 1) {
      await scratch.git('switch', '--quiet', 'main');
      const ends = await runWorkflow(workflow, scratch, surroundings);
      for (const end of Object.values(ends)) expect(end, end.log).toMatchObject({ result: 'success' });
    }
    expect(requests).toMatchObject([{ head: 'chatform-drift', base: 'main' }]);
    expect(requests[0]?.body).toContain('    Wrote 1 value to 1 file.');
    const changed = await scratch.git('diff', 'origin/main', 'origin/chatform-drift');
    expect(changed.split('\n').filter((line) => /^[+-] /u.test(line))).toHaveLength(2);
    expect(changed).toContain('Somebody');
  });
});

describe('the composite action', () => {
  const file = new URL('action/action.yml', examples);
  test('runs a command with flags, and passes on its output', async () => {
    const scratch = await scratchRepository({ 'our chat.yaml': manifest });
    const surroundings = { github: {}, env: { CHATFORM_STATE: 'file:.chatform/state' } };
    const planned = await runComposite(
      file,
      { paths: 'our chat.yaml', arguments: '--format=markdown\n--detailed-exitcode\n' },
      scratch,
      surroundings,
    );
    expect(planned.outputs).toMatchObject({ has_changes: 'true', has_dangers: 'false', exit_code: '2' });
    expect(planned.log).toContain('<!-- chatform:plan application=');
    const inputs = { command: 'apply', paths: 'our chat.yaml\n', arguments: '--auto-approve' };
    const done = await runComposite(file, inputs, scratch, surroundings);
    expect(done, done.log).toMatchObject({ result: 'success', outputs: { outcome: 'done', exit_code: '0' } });
    const wrong = await runComposite(file, { command: 'validate', paths: 'nowhere' }, scratch, surroundings);
    expect(wrong).toMatchObject({ result: 'failure' });
  });
});

describe('GitLab', () => {
  interface GitlabJob {
    readonly extends?: string;
    readonly before_script?: readonly string[];
    readonly stage?: string;
    readonly script: readonly string[];
    readonly after_script?: readonly string[];
    readonly parallel?: { readonly matrix: readonly Readonly<Record<string, string>>[] };
    readonly artifacts?: { readonly paths?: readonly string[] };
  }
  const pipeline = async (file = '.gitlab-ci.yml') =>
    parse(await readFile(new URL(`gitlab/${file}`, examples), 'utf8')) as Record<string, GitlabJob>;
  /** Like a runner: all lines in one shell that stops at the first failure. */
  const runLines = async (scratch: Scratch, lines: readonly string[] = [], env = {}) =>
    runShell(['-eo', 'pipefail', '-c', lines.join('\n')], scratch, { ...scratch.env, CHATFORM_EACH: '.', ...env });
  const run = async (scratch: Scratch, name: string, env = {}) => {
    const jobs = await pipeline();
    const job = jobs[name];
    const { before_script: before = [] } = { ...(jobs.default as GitlabJob), ...jobs[job?.extends ?? ''], ...job };
    const [row] = job?.parallel?.matrix ?? [];
    const lines = name.endsWith('main') || row !== undefined ? [] : before;
    return runLines(scratch, [...lines, ...(job?.script ?? [])], { CHATFORM_STATE_READ: state, ...row, ...env });
  };
  const state = stateBeside;
  const mergeRequest = async (scratch: Scratch) => ({
    CI_MERGE_REQUEST_DIFF_BASE_SHA: await scratch.git('rev-parse', 'origin/main'),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_PROJECT_ID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
    CI_BUILDS_DIR: scratch.env.HOME ?? '',
    CI_PROJECT_DIR: scratch.folder,
    CI_JOB_ID: randomUUID(),
  });

  test('a merge request is planned, and one note is updated', async () => {
    const scratch = await applied();
    const { plan } = await pipeline();
    await scratch.git('switch', '--quiet', '--create', 'change');
    await scratch.commit({ 'chat.yaml': changedName }, 'Change');
    const marker = '<!-- chatform:merge-request -->';
    const notes: { id: number; author: { id: number }; body: string }[] = Array.from({ length: 200 }, (_, at) => ({
      ...{ id: at + 1, author: { id: 1 }, body: `${marker} quoted` },
    }));
    const url = await listen(async (request, body) => {
      const [method, path = ''] = request.split(' ');
      if (path === '/user') return '{"id":9}';
      const text = /name="body"\r\n\r\n([\s\S]*?)\r\n--/u.exec(body)?.[1] ?? '';
      if (method === 'POST') notes.push({ id: notes.length + 1, author: { id: 9 }, body: text });
      const own = notes.find(({ id }) => path.endsWith(`/notes/${id}`));
      if (method === 'PUT' && own !== undefined) own.body = text;
      const page = Number(/[?&]page=(\d+)/u.exec(path)?.[1] ?? 1);
      return JSON.stringify(notes.slice((page - 1) * 100, page * 100));
    });
    const api = {
      CI_API_V4_URL: url,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '7',
      CHATFORM_NOTE_TOKEN: 'note-token',
      CI_COMMIT_SHA: 'c0ffee',
      CI_JOB_URL: 'https://gitlab.example/jobs/42',
    };
    const checked = await run(scratch, 'validate', await mergeRequest(scratch));
    expect(checked, checked.log).toMatchObject({ exit: 0 });
    for (let at = 0; at < 2; at += 1) {
      const planned = await run(scratch, 'plan', { ...api, ...(await mergeRequest(scratch)) });
      expect(planned, planned.log).toMatchObject({ exit: 0 });
      const noted = await runLines(scratch, plan?.after_script, api);
      expect(noted, noted.log).toMatchObject({ exit: 0 });
    }
    expect(notes).toHaveLength(201);
    expect(notes[200]?.body).toContain('+ nickname: "Bobby @octocat"');
    expect(existsSync(join(scratch.folder, 'plans/plan.html'))).toBe(true);
    // The plan of an earlier commit never stays.
    await rm(join(scratch.folder, 'plan.md'));
    expect(await runLines(scratch, plan?.after_script, api)).toMatchObject({ exit: 0 });
    expect(notes).toHaveLength(201);
    expect(notes[200]?.body).toContain(
      'The job for c0ffee failed before there was a plan: https://gitlab.example/jobs/42',
    );
    // Without its token there is no note and no failure.
    expect(await runLines(scratch, plan?.after_script, { ...api, CHATFORM_NOTE_TOKEN: '' })).toMatchObject({ exit: 0 });
  });

  test('a merge request without the state is refused, and that of a fork is told so', async () => {
    const scratch = await applied();
    const withheld = { CHATFORM_STATE_READ: '' };
    const refused = await run(scratch, 'plan', { ...(await mergeRequest(scratch)), ...withheld });
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.log).toContain('masked and not protected');
    const fork = { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '6', ...withheld };
    const planned = await run(scratch, 'plan', { ...(await mergeRequest(scratch)), ...fork });
    expect(planned, planned.log).toMatchObject({ exit: 0 });
    expect(planned.log).toContain('There is no state here, as on forks');
  });

  test('where the target branch has no chatform, that of the request never runs beside a variable', async () => {
    const scratch = await scratchRepository({ 'package.json': '{}', 'chat.yaml': manifest });
    await scratch.git('switch', '--quiet', '--create', 'change');
    await scratch.commit({ 'package.json': '{"devDependencies":{"chatform":"file:chatform.tgz"}}' }, 'Add chatform');
    const program = join(scratch.folder, 'node_modules/.bin/chatform');
    await writeFile(program, '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    for (const variables of [{}, { CHATFORM_STATE_READ: '', CHATFORM_NOTE_TOKEN: 'note-token' }]) {
      const refused = await run(scratch, 'validate', { ...(await mergeRequest(scratch)), ...variables });
      expect(refused, refused.log).toMatchObject({ exit: 1 });
      expect(refused.log).toContain('must not run beside CHATFORM_STATE_READ');
      expect(existsSync(join(scratch.folder, 'ran'))).toBe(false);
    }
    const planned = await run(scratch, 'plan', { ...(await mergeRequest(scratch)), CHATFORM_STATE_READ: '' });
    expect(planned, planned.log).toMatchObject({ exit: 0 });
    expect(planned.log).toContain('The target branch has no chatform yet');
  });

  test('the approved plan is applied', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const jobs = await pipeline();
    const planned = await run(scratch, 'plan-main');
    expect(planned, planned.log).toMatchObject({ exit: 0 });
    expect(await run(scratch, 'apply', { CHATFORM_STATE: '' })).toMatchObject({ exit: 64 });
    const view = await readFile(join(scratch.folder, 'view.json'), 'utf8');
    await writeFile(join(scratch.folder, 'view.json'), view.replace(/"hash": "\w+"/u, `"hash": "${'f'.repeat(64)}"`));
    expect(await run(scratch, 'apply', { CHATFORM_STATE: state })).toMatchObject({ exit: 6 });
    await writeFile(join(scratch.folder, 'view.json'), view);
    const quiet = await run(scratch, 'drift');
    expect(quiet, 'nothing was compared yet').toMatchObject({ exit: 66 });
    const done = await run(scratch, 'apply', { CHATFORM_STATE: state });
    expect(done, done.log).toMatchObject({ exit: 0 });
    expect(await run(scratch, 'drift')).toMatchObject({ exit: 0 });
    for (const path of [...(jobs['plan-main']?.artifacts?.paths ?? []), ...(jobs.apply?.artifacts?.paths ?? [])]) {
      expect(existsSync(join(scratch.folder, path.replace('*', ''))), path).toBe(true);
    }
  });

  test('a merge request that accepts drift is opened, and updated the next night', async () => {
    const scratch = await applied();
    const jobs = await pipeline('drift-request.gitlab-ci.yml');
    const main = await pipeline();
    const scripts = (name: string) => ({ before: jobs[name]?.before_script, script: jobs[name]?.script });
    expect(scripts('write-drift').before).toBeUndefined();
    expect(JSON.stringify(scripts('write-drift'))).not.toContain('REQUEST_TOKEN');
    // What may write to the repository installs nothing, runs no chatform, and names no other secret.
    expect(scripts('propose-drift').before).toEqual([]);
    expect(JSON.stringify(scripts('propose-drift'))).not.toMatch(/npm|npx|CHATFORM_(?!REQUEST_TOKEN)/u);
    expect(Object.values(main.stages ?? {})).toEqual(
      expect.arrayContaining([jobs['write-drift']?.stage, jobs['propose-drift']?.stage]),
    );

    const requests: Record<string, string>[] = [];
    const url = await listen(async (request, body) => {
      const [method] = request.split(' ');
      const sent = Object.fromEntries(new URLSearchParams(body));
      if (method === 'POST') requests.push(sent);
      if (method === 'PUT') Object.assign(requests[0] ?? {}, sent);
      return JSON.stringify(requests.map((own, at) => ({ ...own, iid: at + 1 })));
    });
    const api = {
      ...{ CI_API_V4_URL: url, CI_PROJECT_ID: '5', CI_DEFAULT_BRANCH: 'main' },
      ...{ CI_PROJECT_URL: scratch.remote.replace(/\.git$/u, ''), CHATFORM_REQUEST_TOKEN: 'request-token' },
    };
    const night = async (): Promise<string> => {
      await scratch.git('switch', '--quiet', 'main');
      await scratch.git('checkout', '--quiet', '--', '.');
      const written = await runLines(scratch, jobs['write-drift']?.script, { CHATFORM_STATE_READ: state });
      expect(written, written.log).toMatchObject({ exit: 0 });
      await scratch.git('checkout', '--quiet', '--', '.');
      const proposed = await runLines(scratch, jobs['propose-drift']?.script, api);
      expect(proposed, proposed.log).toMatchObject({ exit: 0 });
      return proposed.log;
    };
    expect(await night()).toContain('Nothing that can be written has drifted.');
    await renameElsewhere(scratch, 'alice');
    await night();
    requests[0] = { ...requests[0], description: 'Yesterday' };
    await night();
    expect(requests).toMatchObject([{ source_branch: 'chatform-drift', target_branch: 'main' }]);
    expect(requests[0]?.description).toContain('    Wrote 1 value to 1 file.');
    await scratch.git('fetch', '--quiet', 'origin');
    const changed = await scratch.git('diff', 'origin/main', 'origin/chatform-drift');
    expect(changed.split('\n').filter((line) => /^[+-] /u.test(line))).toHaveLength(2);
    expect(changed).toContain('Somebody');
  });
});

const right = {
  'rooms.csv': 'id\nred\n',
  'lobby.ndjson': '{"user_id":"alice","message":"hi","timestamp":1600000000000}\n',
  '.chatformignore': 'draft.yaml\n',
};

interface Hook {
  readonly entry: string;
  readonly always_run?: boolean;
  readonly files?: string;
}

describe('before a commit', () => {
  test('the plain hook checks what is staged', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest, 'notes.md': 'x' });
    await scratch.git('config', 'core.hooksPath', fileURLToPath(new URL('pre-commit', examples)));
    await writeFile(join(scratch.folder, 'chat.yaml'), broken);
    await expect(scratch.commit({}, 'Broken')).rejects.toThrow('manifest.');
    // Fixed in the working folder but not staged, so still refused.
    await writeFile(join(scratch.folder, 'chat.yaml'), frozen);
    await expect(scratch.git('commit', '--quiet', '--message', 'Half')).rejects.toThrow('manifest.');
    await scratch.commit({}, 'Mended');
    await scratch.commit({ 'notes.md': 'y' }, 'Notes');
    expect(await scratch.git('rev-list', '--count', 'HEAD')).toBe('3');
  });

  test.for([
    ['rows', { 'rooms.csv': 'other\nred\n' }],
    ['history files', { 'lobby.ndjson': '{"message":1}\n' }],
    ['lists of ignored files', { '.chatformignore': '# none\n' }],
  ] as const)('the plain hook checks a commit that changes %s alone', async ([, wrong]) => {
    const reading = frozen.replace('frozen: true', 'messages: { file: lobby.ndjson }');
    const scratch = await scratchRepository({
      'chat.yaml': `${reading}  "room-\${each.id}": { for_each: { file: rooms.csv }, name: R }\n`,
      'draft.yaml': broken,
      ...right,
    });
    await scratch.git('config', 'core.hooksPath', fileURLToPath(new URL('pre-commit', examples)));
    await expect(scratch.commit(wrong, 'Wrong')).rejects.toThrow('manifest.');
    await scratch.commit({ ...right, 'notes.md': 'y' }, 'Right');
  });

  test('the hooks of pre-commit name existing commands', async () => {
    const scratch = await scratchRepository({ 'chat.yaml': manifest });
    const here = parse(await readFile(new URL('.pre-commit-hooks.yaml', root), 'utf8')) as Hook[];
    const config = parse(await readFile(new URL('pre-commit/.pre-commit-config.yaml', examples), 'utf8')) as {
      repos: { hooks: Hook[] }[];
    };
    for (const { entry, ...when } of [...here, ...config.repos.flatMap(({ hooks }) => hooks)]) {
      // Manifests read rows, histories, pictures and lists of ignored files, so no pattern of names finds all that is checked.
      if (entry.endsWith('validate')) expect(when).toMatchObject({ always_run: true, pass_filenames: false });
      if (entry.endsWith('validate')) expect(when).not.toHaveProperty('files');
      const ended = await runShell(['-c', entry], scratch, scratch.env);
      expect(ended, ended.log).toMatchObject({ exit: 0 });
    }
  });
});

/** A new clone in place of the old one, with the files that the CI system keeps. */
async function freshCheckout({ folder, git }: Scratch): Promise<void> {
  await git('worktree', 'remove', '--force', '.chatform/state-branch');
  await git('branch', '--delete', '--force', 'chatform-state');
  await git('fetch', '--quiet', 'origin');
  await writeFile(join(folder, 'report.json'), '');
}
