// Tests that a plan separates the changes of a branch from those pending at its base, which it reads through git.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { desk } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { commitAll, git, startRepository } from '../../support/git.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { fastTest, longTest } from '../../support/suite.ts';
import { copiesOf, temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = desk['chat.yaml'] ?? '';
const ignore = { '.gitignore': '.chatform/\n' };

function edited(...edits: readonly (readonly [string, string])[]): Record<string, string> {
  return { 'chat.yaml': edits.reduce((text, [from, to]) => text.replace(from, to), manifest) };
}

const waiting = ['nickname: Bob', 'nickname: Robert'] as const;
const own = ['nickname: Carol', 'nickname: Caroline'] as const;

/** Applied at the first commit. Main has a pending edit, and the branch has an edit of its own. */
const branched = copiesOf(async (cwd) => {
  await writeFiles(cwd, { ...desk, ...ignore });
  startRepository(cwd);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  await writeFiles(cwd, edited(waiting));
  commitAll(cwd, 'waiting');
  git(cwd, 'checkout', '--quiet', '-b', 'feature');
  await writeFiles(cwd, edited(waiting, own));
  commitAll(cwd, 'own');
});

async function causes(cwd: string, ...args: readonly string[]): Promise<Record<string, string | undefined>> {
  const ended = await succeeded(runCli(['plan', '--format', 'json', ...args], { cwd }));
  const { changes } = JSON.parse(ended.stdout) as { changes: { address: string; cause?: string }[] };
  return Object.fromEntries(changes.map(({ address, cause }) => [address, cause]));
}

describe('the cause of a change', () => {
  fastTest('is the branch, or an edit that was merged before and not applied', async () => {
    const cwd = await branched();
    const before = await contentOf(cwd);
    const expected = { 'user.bob': 'pending', 'user.carol': 'request' };
    expect(await causes(cwd, '--base-ref', 'main')).toEqual(expected);
    expect(await contentOf(cwd)).toEqual(before);
    expect(await causes(cwd)).toEqual({ 'user.bob': undefined, 'user.carol': undefined });
    expect(await causes(cwd, '--base-ref', 'main', '--target', 'user.c*')).toEqual({ 'user.carol': 'request' });
  });

  fastTest('is not the branch for edits merged after it forked', async () => {
    const cwd = await branched();
    git(cwd, 'checkout', '--quiet', 'main');
    await writeFiles(cwd, edited(waiting, ['nickname: Alice', 'nickname: Alicia']));
    commitAll(cwd, 'later');
    git(cwd, 'checkout', '--quiet', 'feature');
    expect(await causes(cwd, '--base-ref', 'main')).toEqual({ 'user.bob': 'pending', 'user.carol': 'request' });
  });

  fastTest('is the branch for uncommitted edits', async () => {
    const cwd = await branched();
    await writeFiles(cwd, edited(waiting, own, ['name: Lobby', 'name: Hall']));
    expect(await causes(cwd, '--base-ref', 'HEAD')).toEqual({
      'open_channel.lobby': 'request',
      'user.bob': 'pending',
      'user.carol': 'pending',
    });
  });

  fastTest(
    'is found in a folder below the root, through links, and for a path that the base does not have',
    async () => {
      const cwd = await temporaryFolder({ ...ignore, 'deep/chat/chat.yaml': manifest, 'readme.md': 'x' });
      await symlink('chat', join(cwd, 'deep', 'link'));
      startRepository(cwd);
      git(cwd, 'checkout', '--quiet', '-b', 'feature');
      await writeFiles(cwd, { 'deep/new/more.yaml': 'version: 1\nusers: { dora: { nickname: Dora } }\n' });
      const deep = join(cwd, 'deep');
      const found = await causes(deep, 'chat', 'new', '--base-ref', 'main');
      expect(found).toMatchObject({ 'user.alice': 'pending', 'user.dora': 'request' });
      expect(await causes(deep, 'link', '--base-ref', 'main')).toMatchObject({ 'user.alice': 'pending' });
      expect(await causes(deep, '../deep/chat', '--base-ref', 'main')).toMatchObject({ 'user.alice': 'pending' });
    },
  );

  fastTest('is the branch for the first manifests of a repository', async () => {
    const cwd = await temporaryFolder(ignore);
    startRepository(cwd);
    await writeFiles(cwd, desk);
    expect(new Set(Object.values(await causes(cwd, '--base-ref', 'main')))).toEqual(new Set(['request']));
  });

  longTest('a base is read whole when its files are larger than a pipe holds, and its bulk files too', async () => {
    const line = (at: number) => `{"user_id":"bulk-${at}","nickname":"B"}\n`;
    const cwd = await temporaryFolder({
      ...ignore,
      ...desk,
      'long.yaml': `version: 1\n${'# a comment that fills the pipe\n'.repeat(4000)}`,
      'bulk.yaml': 'version: 1\nsources: [{ kind: user, file: bulk.ndjson }]\n',
      'bulk.ndjson': Array.from({ length: 300 }, (_, at) => line(at)).join(''),
    });
    startRepository(cwd);
    await writeFiles(cwd, { 'bulk.ndjson': Array.from({ length: 301 }, (_, at) => line(at)).join('') });
    const found = Object.entries(await causes(cwd, '--base-ref', 'HEAD'));
    expect(found).toHaveLength(306);
    expect(found.filter(([, cause]) => cause === 'request')).toEqual([['user.bulk-300', 'request']]);
  });
});

describe('the policy of the base', () => {
  const crowd = (to: number) => Array.from({ length: to }, (_, at) => `  u${at}: { nickname: U }\n`).join('');
  const withCrowd = (to: number, policy: string) => ({
    'chat.yaml': `${manifest.split('users:')[0]}users:\n${crowd(to)}${policy}`,
  });

  const crowded = copiesOf(async (cwd) => {
    await writeFiles(cwd, { ...withCrowd(30, ''), ...ignore });
    startRepository(cwd);
    await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  });

  async function shrinking(policy: string) {
    const cwd = await crowded();
    await writeFiles(cwd, withCrowd(10, policy));
    return runCli(['plan', '--base-ref', 'main', '--format', 'json'], { cwd });
  }

  fastTest('cannot be loosened by the request under review', async () => {
    const ended = await shrinking('policy: { removals: { min_count: 1000 } }\n');
    expect(ended.exit).toBe(5);
    expect(ended.stderr).toContain('safety.input-shrank');
  });

  fastTest('accepts an acknowledgement of the request, which the diff shows', async () => {
    const ended = await shrinking(
      'policy: { on_remove: { user: forget }, acknowledge: [{ effect: user.deactivate, count: 20 }] }\n',
    );
    expect(ended.exit, ended.stderr).toBe(0);
    const plan = JSON.parse(ended.stdout) as { summary: unknown; warnings: { code: string; detail: string }[] };
    expect(plan.summary).toEqual({ deactivate: 20 });
    expect(plan.warnings).toMatchObject([{ code: 'plan.policy-edited' }]);
    expect(plan.warnings[0]?.detail).toContain('on_remove');
  });
});

describe('checks manifests by the policy of the base', () => {
  const one = (more: string) =>
    `version: 1\napplication: { base_url: "emulator:e" }\nusers: { a: { nickname: A } }\n${more}`;
  const strict = one(
    'policy: { external: { users: ["^sys-"] }, restrictions: [{ files: "teams/**", users: ["^t-"] }] }\n',
  );
  const loose = one('policy: { external: { users: ["."] }, personal_data: warn }\n');
  const strictRepository = copiesOf(async (cwd) => {
    await writeFiles(cwd, { ...ignore, 'chat.yaml': strict, 'teams/x.yaml': 'version: 1\n' });
    startRepository(cwd);
  });

  fastTest.for([
    ['users: { b: { nickname: B, metadata: { mail: b@example.com } } }', 'manifest.personal-data'],
    ['open_channels: { hall: { operators: [stranger] } }', 'manifest.undeclared-user'],
    ['users: { b: { nickname: B } }', 'manifest.restricted'],
    ['open_channels: { hall: { operators: [sys-x] } }', 'manifest.restricted'],
    ['users: { t-b: { nickname: B } }', undefined],
  ] as const)('%s: %s', async ([text, code]) => {
    const cwd = await strictRepository();
    await writeFiles(cwd, { 'chat.yaml': loose, 'teams/x.yaml': `version: 1\n${text}\n` });
    expect((await runCli(['plan'], { cwd })).exit).toBe(0);
    const { exit, stderr } = await runCli(['plan', '--base-ref', 'main'], { cwd });
    expect(exit, stderr).toBe(code === undefined ? 0 : 65);
    if (code !== undefined) {
      expect(stderr).toContain(code);
      // Why a valid file is refused.
      expect(stderr).toContain('plan.policy-edited');
    }
  });
});

fastTest('makes the plan, with a warning, when the base has errors', async () => {
  const cwd = await temporaryFolder({ ...edited(['nickname: Bob', 'nikname: Bob']), ...ignore });
  startRepository(cwd);
  await writeFiles(cwd, desk);
  const ended = await succeeded(runCli(['plan', '--base-ref', 'main', '--format', 'json'], { cwd }));
  const { warnings } = JSON.parse(ended.stdout) as { warnings: unknown[] };
  expect(warnings).toMatchObject([{ code: 'plan.base-invalid' }]);
});

describe('refuses with 64', () => {
  fastTest('for a base that is not a commit', async () => {
    const cwd = await temporaryFolder({ ...desk, ...ignore });
    startRepository(cwd);
    const before = await contentOf(cwd);
    for (const [ref, says] of [
      ['nope', 'cannot find the commit nope'],
      ['main:chat.yaml', 'cannot find the commit'],
      ['--output=x', 'not a valid commit name'],
      ['HEAD; touch x', 'cannot find the commit'],
    ] as const) {
      const ended = await runCli(['plan', `--base-ref=${ref}`], { cwd });
      expect(ended, ref).toMatchObject({ exit: 64, stdout: '', stderr: expect.stringContaining(says) });
    }
    expect(await contentOf(cwd)).toEqual(before);
  });

  fastTest('without a repository', async () => {
    const cwd = await temporaryFolder(desk);
    await expectEnd(
      runCli(['plan', '--base-ref', 'main'], { cwd, env: { GIT_CEILING_DIRECTORIES: '/' } }),
      64,
      'base.no-repository',
    );
  });

  fastTest('without git', async () => {
    const cwd = await temporaryFolder(desk);
    await expectEnd(runCli(['plan', '--base-ref', 'main'], { cwd, env: { PATH: cwd } }), 64, 'base.no-git');
  });

  fastTest('for a shallow clone without the base', async () => {
    const origin = await branched();
    const cwd = await temporaryFolder();
    git(cwd, 'clone', '--quiet', '--depth', '1', '--no-single-branch', `file://${origin}`, 'clone');
    const clone = join(cwd, 'clone');
    await expectEnd(runCli(['plan', '--base-ref', 'origin/main'], { cwd: clone }), 64, 'fetch-depth: 0');
  });

  fastTest('for branches without a common commit', async () => {
    const cwd = await branched();
    git(cwd, 'checkout', '--quiet', '--orphan', 'other');
    commitAll(cwd, 'other');
    await expectEnd(runCli(['plan', '--base-ref', 'main'], { cwd }), 64, 'base.unrelated');
  });
});

fastTest('refuses a request that would show a secret of its base, before it prints anything', async () => {
  const env = { CHATFORM_VAR_CODE: 'hunter2code' };
  const locked = manifest.replace(
    '    name: Support 42\n',
    '    name: Support 42\n    is_public: true\n    access_code: { env: CODE, revision: 1 }\n',
  );
  const cwd = await temporaryFolder({ 'chat.yaml': locked, ...ignore });
  startRepository(cwd);
  git(cwd, 'checkout', '--quiet', '-b', 'feature');
  await writeFiles(cwd, edited(['emulator:.chatform/emulator', `https://api-\${CODE}.sendbird.com/v3`]));
  commitAll(cwd, 'show the code');
  const end = await expectEnd(runCli(['plan', '--base-ref', 'main'], { cwd, env }), 65, 'manifest.secret-variable');
  expect(`${end.stdout}${end.stderr}`).not.toContain('hunter2code');
});
