// Tests that a plan separates the changes of a branch from those pending at its base, which it reads through git.
import { chown, realpath, symlink } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { commitAll, git, startRepository } from '../../support/git.ts';
import { Place, place } from '../../support/place.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
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

async function causes(cwd: string, flags: string): Promise<Record<string, string | undefined>> {
  const { changes } = (await new Place(cwd).json(`plan ${flags}`)) as {
    changes: { address: string; cause?: string }[];
  };
  return Object.fromEntries(changes.map(({ address, cause }) => [address, cause]));
}

describe('the cause of a change', () => {
  fastTest('is the branch, or an edit that was merged before and not applied', async () => {
    const at = new Place(await branched());
    const before = await at.content();
    const expected = { 'user.bob': 'pending', 'user.carol': 'request' };
    expect(await causes(at.cwd, '--base-ref main')).toEqual(expected);
    expect(await at.content()).toEqual(before);
    expect(await causes(at.cwd, '--refresh')).toEqual({ 'user.bob': undefined, 'user.carol': undefined });
    expect(await causes(at.cwd, '--base-ref main --target user.c*')).toEqual({ 'user.carol': 'request' });
  });

  fastTest('is not the branch for edits merged after it forked', async () => {
    const at = new Place(await branched());
    git(at.cwd, 'checkout', '--quiet', 'main');
    await at.write(edited(waiting, ['nickname: Alice', 'nickname: Alicia']));
    commitAll(at.cwd, 'later');
    git(at.cwd, 'checkout', '--quiet', 'feature');
    expect(await causes(at.cwd, '--base-ref main')).toEqual({ 'user.bob': 'pending', 'user.carol': 'request' });
  });

  fastTest('is the branch for uncommitted edits', async () => {
    const at = new Place(await branched());
    await at.write(edited(waiting, own, ['name: Lobby', 'name: Hall']));
    expect(await causes(at.cwd, '--base-ref HEAD')).toEqual({
      'open_channel.lobby': 'request',
      'user.bob': 'pending',
      'user.carol': 'pending',
    });
  });

  fastTest(
    'is found in a folder below the root, through links, and for a path that the base does not have',
    async () => {
      const at = await place({ ...ignore, 'deep/chat/chat.yaml': manifest, 'readme.md': 'x' });
      await symlink('chat', at.path('deep', 'link'));
      startRepository(at.cwd);
      git(at.cwd, 'checkout', '--quiet', '-b', 'feature');
      await at.write({ 'deep/new/more.yaml': 'version: 1\nusers: { dora: { nickname: Dora } }\n' });
      const deep = at.path('deep');
      const found = await causes(deep, 'chat new --base-ref main');
      expect(found).toMatchObject({ 'user.alice': 'pending', 'user.dora': 'request' });
      expect(await causes(deep, 'link --base-ref main')).toMatchObject({ 'user.alice': 'pending' });
      expect(await causes(deep, '../deep/chat --base-ref main')).toMatchObject({ 'user.alice': 'pending' });
    },
  );

  fastTest('is the branch for the first manifests of a repository', async () => {
    const at = await place(ignore);
    startRepository(at.cwd);
    await at.write(desk);
    expect(new Set(Object.values(await causes(at.cwd, '--base-ref main')))).toEqual(new Set(['request']));
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
    const found = Object.entries(await causes(cwd, '--base-ref HEAD'));
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
    const at = new Place(await crowded());
    await at.write(withCrowd(10, policy));
    return at.run('plan --base-ref main --format json');
  }

  fastTest('cannot be loosened by the request under review', async () => {
    const ended = await shrinking('policy: { removals: { free_count: 1000 } }\n');
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
    expect(plan.warnings).toMatchObject([{ code: 'plan.rules-edited' }]);
    expect(plan.warnings[0]?.detail).toContain('on_remove');
  });
});

fastTest('demands a signature by the policy of the base, and says that the request removes it', async () => {
  const chat = (bob: string, more: string) =>
    `version: 1\napplication: { base_url: "emulator:e" }\nusers: { a: { nickname: A }, b: { nickname: B }, bob: { nickname: Bob${bob} } }\n${more}`;
  const at = await place({
    'chat.yaml': chat(
      '',
      'policy: { approvals: { dangers: 0, signers: [ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT] } }\n',
    ),
    '.gitignore': '.chatform/\ne\n',
  });
  startRepository(at.cwd);
  await at.does('apply --auto-approve');
  await at.write({ 'chat.yaml': chat(', deactivated: true', '') });
  const { warnings } = await at.json('plan --base-ref main');
  expect(warnings).toMatchObject([
    { code: 'plan.rules-edited', detail: expect.stringMatching(/^approvals of the policy differs from main/u) },
    { code: 'plan.needs-signature' },
  ]);
});

describe('the rules of the base', () => {
  const chat = (nicknames: string, more: string, hall = '') =>
    `version: 1\napplication: { base_url: "emulator:e" }\nusers: { ${nicknames} }\ngroup_channels: { room-1: { name: K, members: { a: } }, room-2: { name: K, members: { a: } }, room-3: { name: K, members: { a: } }${hall} }\n${more}`;
  const people = 'a: { nickname: A }, b: { nickname: B }, c: { nickname: C }';
  const applied = copiesOf(async (cwd) => {
    await writeFiles(cwd, {
      'chat.yaml': chat(people, '', ', hall: { name: Hall, members: { a: } }'),
      '.gitignore': '.chatform/\ne\n',
    });
    startRepository(cwd);
    await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  });
  const behaviours = (changesPerWindow: number) => ({
    'chatform-behaviours.json': JSON.stringify({
      format_version: '1.0',
      application: 'emulator:e',
      date: '2026-01-01T00:00:00Z',
      chatform: '0.3.0',
      behaviours: {
        historyLine: { value: 'none', evidence: 'x' },
        changesPerWindow: { value: changesPerWindow, evidence: 'x' },
      },
    }),
  });

  fastTest.for([
    {
      edit: 'deletes by its own policy what that of the base freezes',
      policy: 'policy: { on_remove: { group_channel: delete } }\n',
      verdict: /^Plan: 1 to freeze\. With its policy: 1 to delete, cannot be undone\.$/mu,
      codes: ['plan.rules-edited'],
    },
    {
      edit: 'is refused by its own policy',
      policy:
        'policy: { rules: [{ name: calm, when: count("group_channel.freeze") > 0, message: m, level: error }] }\n'.replace(
          /count.*0/u,
          "'$&'",
        ),
      verdict: /^Plan: 1 to freeze\. With its policy: refused\.$/mu,
      codes: ['plan.rules-edited'],
    },
    {
      edit: 'only tightens a limit that it keeps',
      policy: 'policy: { removals: { free_count: 5 } }\n',
      verdict: /^Plan: 1 to freeze\.$/mu,
      codes: [],
    },
    {
      edit: 'loosens a limit without an effect',
      policy: 'policy: { removals: { free_count: 500 } }\n',
      verdict: /^Plan: 1 to freeze\.$/mu,
      codes: ['plan.rules-edited'],
    },
  ])('judge a request that $edit', async ({ policy, verdict, codes }) => {
    const at = new Place(await applied());
    await at.write({ 'chat.yaml': chat(people, policy) });
    const flags = 'plan --base-ref main';
    expect((await at.does(flags)).stdout).toMatch(verdict);
    const { warnings } = (await at.json(flags)) as { warnings: { code: string }[] };
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  fastTest('include the behaviours and limits of the base, and name each that a request edits', async () => {
    const at = new Place(await applied());
    await at.write(behaviours(7));
    commitAll(at.cwd, 'behaviours');
    await at.write({ ...behaviours(900), 'chat.yaml': chat(people, '').replace(' }\nu', ', rate_share: 0.9 }\nu') });
    const { warnings } = (await at.json('plan --base-ref main')) as { warnings: { code: string; detail: string }[] };
    expect(warnings).toMatchObject([
      {
        code: 'plan.rules-edited',
        detail: expect.stringMatching(
          /^application\.rate_share, changesPerWindow \(emulator:e\) of chatform-behaviours\.json differ from main/u,
        ),
      },
    ]);
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
    const at = new Place(await strictRepository());
    await at.write({ 'chat.yaml': loose, 'teams/x.yaml': `version: 1\n${text}\n` });
    await at.does('plan');
    const { exit, stderr } = await at.run('plan --base-ref main');
    expect(exit, stderr).toBe(code === undefined ? 0 : 65);
    if (code !== undefined) {
      expect(stderr).toContain(code);
      // Why a valid file is refused.
      expect(stderr).toContain('plan.rules-edited');
    }
  });
});

fastTest('makes the plan, with a warning, when the base has errors', async () => {
  const at = await place({ ...edited(['nickname: Bob', 'nikname: Bob']), ...ignore });
  startRepository(at.cwd);
  await at.write(desk);
  const ended = await at.does('plan --base-ref main --format json');
  const { warnings } = JSON.parse(ended.stdout) as { warnings: unknown[] };
  expect(warnings).toMatchObject([{ code: 'plan.base-invalid' }]);
});

describe('refuses with 64', () => {
  fastTest('a base that is not a commit, and a folder without git or a repository', async () => {
    const at = await place({ ...desk, ...ignore });
    await at.with({ env: { GIT_CEILING_DIRECTORIES: '/' } }).ends('plan --base-ref main', 64, 'base.no-repository');
    startRepository(at.cwd);
    const before = await at.content();
    await at.with({ env: { PATH: at.cwd } }).ends('plan --base-ref main', 64, 'base.no-git');
    for (const [ref, says] of [
      ['nope', 'cannot find the commit nope'],
      ['main:chat.yaml', 'cannot find the commit'],
      ['--output=x', 'not a valid commit name'],
      ['HEAD; touch x', 'cannot find the commit'],
    ] as const)
      expect((await at.ends(['plan', `--base-ref=${ref}`], 64, says)).stdout).toBe('');
    expect(await at.content()).toEqual(before);
  });

  fastTest('a name that a tag and a branch have, because git takes the tag', async () => {
    const at = new Place(await branched());
    git(at.cwd, 'update-ref', 'refs/remotes/origin/main', 'main');
    git(at.cwd, 'tag', 'origin/main', 'feature');
    await at.ends('plan --base-ref origin/main', 64, 'base.ambiguous-ref');
    await at.does('plan --base-ref refs/remotes/origin/main');
  });

  fastTest('a shallow clone without the base, and branches without a common commit', async () => {
    const at = new Place(await branched());
    const clone = await place();
    git(clone.cwd, 'clone', '--quiet', '--depth', '1', '--no-single-branch', `file://${at.cwd}`, '.');
    await clone.ends('plan --base-ref origin/main', 64, 'fetch-depth: 0');
    git(at.cwd, 'checkout', '--quiet', '--orphan', 'other');
    commitAll(at.cwd, 'other');
    await at.ends('plan --base-ref main', 64, 'base.unrelated');
  });

  fastTest.for(['blob:none', 'tree:0'])('a partial clone (%s), with a command that completes it', async (filter) => {
    const at = new Place(await branched());
    git(at.cwd, 'config', 'uploadpack.allowFilter', 'true');
    const clone = await place();
    git(clone.cwd, 'clone', '--quiet', `--filter=${filter}`, '--no-checkout', `file://${at.cwd}`, '.');
    git(clone.cwd, 'checkout', '--quiet', 'feature');
    const { stderr } = await clone.ends('plan --base-ref origin/main', 64, 'base.unreadable');
    const [, command = ''] = /Fetch them with git (.*?), /u.exec(stderr.replace(/\s+/gu, ' ')) ?? [];
    git(clone.cwd, ...command.split(' '), '--quiet');
    await clone.does('plan --base-ref origin/main');
  });

  fastTest('a repository of another user, with a command that trusts it', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give a folder to another user');
    const at = new Place(await branched());
    for (const name of ['.', '.git']) await chown(at.path(name), 1234, 1234);
    const home = await place();
    const here = at.with({ env: { HOME: home.cwd } });
    const { stderr } = await here.ends('plan --base-ref main', 64, 'base.no-repository');
    const words = stderr.replace(/\s+/gu, ' ');
    expect(words).toContain(`git config --global --add safe.directory '${await realpath(at.cwd)}'`);
    await home.write({ '.gitconfig': `[safe]\n\tdirectory = ${await realpath(at.cwd)}\n` });
    await here.does('plan --base-ref main');
  });
});

fastTest.for([
  ['base_url: emulator:.chatform/emulator', `base_url: https://api-\${CODE}.sendbird.com/v3`],
  ['nickname: Bob', `nickname: "\${var.CODE}"`],
  ['nickname: Bob', `nickname: Bob\n    deactivated: "\${var.CODE}"`],
  ['nickname: Bob', `nickname: Bob\n    deactivated: "\${var.NEW}"`],
] as const)(
  'shows neither a secret of the base of a request, nor in errors what the base does not show: %j',
  async ([from, to]) => {
    const locked = manifest.replace(
      '    name: Support 42\n',
      '    name: Support 42\n    is_public: true\n    access_code: { env: CODE, revision: 1 }\n',
    );
    const at = await place(
      { 'chat.yaml': locked, ...ignore },
      {
        CHATFORM_VAR_CODE: 'hunter2code',
        CHATFORM_VAR_NEW: 'hunter2code',
      },
    );
    startRepository(at.cwd);
    git(at.cwd, 'checkout', '--quiet', '-b', 'feature');
    await at.write(edited([from, to], ['users:', 'variables: { CODE: {}, NEW: { default: x } }\nusers:']));
    commitAll(at.cwd, 'show the code');
    const end = await at.ends('plan --base-ref main', 65, 'manifest.secret-variable');
    expect(`${end.stdout}${end.stderr}`).not.toContain('hunter2code');
  },
);

describe('the place of the state of the base', () => {
  const declaring = (state: string | undefined) => ({
    'chat.yaml': state === undefined ? manifest : manifest.replace('application:', `application:\n  state: ${state}`),
  });
  const repositoryWith = async (state: string | undefined) => {
    const at = await place({ '.gitignore': '.chatform/\nkept/\n', ...declaring(state) });
    startRepository(at.cwd);
    await at.does('apply --auto-approve');
    return at;
  };

  const cases: Readonly<Record<string, readonly [base: string | undefined, request: string | undefined]>> = {
    'is kept by a request that names another folder': ['file:kept', 'file:fake'],
    'is kept by a request that names a server': ['file:kept', 'postgres://db.example/chat'],
    'is kept by a request that names none': ['file:kept', undefined],
    'is the default one for a request that is the first to name one': [undefined, 'file:kept'],
  };
  for (const [name, [base, request]] of Object.entries(cases))
    fastTest(name, async () => {
      const at = await repositoryWith(base);
      await at.write(declaring(request));
      const plan = await at.json('plan --base-ref main --out plan.chatform');
      expect(plan).toMatchObject({
        ...(base === undefined ? {} : { state: base }),
        summary: {},
        warnings: [{ code: 'plan.state-moved', dangerous: true, source: { file: 'chat.yaml', line: 3 } }],
      });
      expect(plan.state).toBe(base);
      expect(plan.warnings[0].detail).toContain(`is ${base ?? 'not declared'} at main`);
      expect(plan.warnings[0].detail).toContain(`${request ?? 'not declared'} in this request`);
      const { stdout } = await at.does('plan --base-ref main');
      expect(stdout).toContain('! This request changes the place of the state (plan.state-moved)');
      await at.with({ env: { CI: 'true' } }).does('apply plan.chatform');
    });

  fastTest('is that of the request if both are the same, or a flag names one', async () => {
    const at = await repositoryWith('file:kept');
    await at.write({ 'chat.yaml': (declaring('file:kept')['chat.yaml'] ?? '').replace(...own) });
    expect(await at.json('plan --base-ref main')).toMatchObject({ state: 'file:kept', warnings: [] });
    await at.write(declaring('file:fake'));
    const flagged = await at.json('plan --base-ref main --state file:kept');
    expect(flagged).toMatchObject({ state: 'file:kept', warnings: [{ code: 'plan.state-moved' }] });
  });
});
