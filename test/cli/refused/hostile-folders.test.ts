// Tests that files under review choose neither the repository whose rules apply nor a program, in the commands that run git.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { leftOutIn } from '../../../src/migration/cutover/left-out-lines.ts';
import { copyFolder, writeFiles } from '../../support/folders.ts';
import { commitAll, git, startRepository } from '../../support/git.ts';
import { Place } from '../../support/place.ts';
import { fastTest } from '../../support/suite.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

const rule = `policy: { rules: [{ name: nobody-new, when: 'change.key == "mallory"', message: The base refuses. }] }\n`;
const manifest = `version: 1\napplication: { base_url: "emulator:e", rate_plan: 5k_mau }\nusers: { ann: { nickname: Ann } }\n`;
const decisions = 'accepted:\n  object.not-carried: yes\n';

/** `work` is a repository. Its branch `request` removes the rule of main and creates the user that the rule refuses. */
const requested = copiesOf(async (root) => {
  const work = join(root, 'work');
  await writeFiles(root, {
    'home/.gitconfig': '',
    'work/.gitignore': '.chatform/\n',
    'work/chat/chat.yaml': manifest + rule,
    'work/chat/conversion/decisions.yaml': decisions,
    'work/chat/conversion/ledger.ndjson': '{"outcome":"left_out","reason":"object.not-carried"}\n',
  });
  startRepository(work);
  git(work, 'switch', '--quiet', '--create', 'request');
  await writeFiles(work, { 'chat/chat.yaml': manifest.replace('} }\n', '}, mallory: { nickname: M } }\n') });
  commitAll(work, 'request');
});

interface Hostile {
  readonly root: string;
  readonly work: string;
  /** The folder in which the commands run. */
  readonly chat: string;
  /** Adds to the settings of the user, which files of a request can select by attributes. */
  settings(...lines: readonly (readonly [name: string, value: string])[]): void;
}

/** Proves that it ran. The variable is in the environment of the commands. */
const mark = 'touch "$MARKER"';

type Variables = Readonly<Record<string, string>>;

interface Attack {
  readonly name: string;
  /** The rules and the authors are those of the repository; or the commands are refused by this code. */
  readonly ends: 'by the base' | 'repository.nested';
  /** A git command that runs the program of the attack, where that is an attack with a program. */
  readonly control?: readonly string[];
  /** Resolves to further variables of the environment. */
  prepare(place: Hostile): Promise<Variables | undefined>;
}

/** Another repository whose main has no rule, and whose settings run a command. */
async function otherRepository({ root }: Hostile): Promise<string> {
  const other = join(root, 'other');
  await writeFiles(other, {
    'chat.yaml': manifest,
    'chat/chat.yaml': manifest,
    'conversion/decisions.yaml': decisions,
    'chat/conversion/decisions.yaml': decisions,
  });
  startRepository(other);
  git(other, 'config', 'core.fsmonitor', `${mark} #`);
  git(other, 'config', 'core.sshCommand', mark);
  git(other, 'config', 'core.pager', mark);
  return join(other, '.git');
}

const attributes = { 'chat/.gitattributes': '* diff=own filter=own\n', '.gitattributes': '* diff=own filter=own\n' };

const attacks: readonly Attack[] = [
  { name: 'nothing', ends: 'by the base', prepare: async () => undefined },
  {
    name: 'a bare repository as files of the folder',
    ends: 'by the base',
    control: ['status'],
    prepare: async (place) => {
      await copyFolder(await otherRepository(place), place.chat);
      git(place.root, 'config', '--file', join(place.chat, 'config'), 'core.worktree', '.');
      await writeFiles(place.chat, { 'refs/.keep': '', 'objects/.keep': '' });
      commitAll(place.work, 'bare');
      return undefined;
    },
  },
  {
    name: 'a .git folder that came with an export',
    ends: 'repository.nested',
    control: ['status'],
    prepare: async (place) => {
      await rename(await otherRepository(place), join(place.chat, '.git'));
      return undefined;
    },
  },
  {
    name: 'a .git file that leads into the folder',
    ends: 'repository.nested',
    control: ['status'],
    prepare: async (place) => {
      await rename(await otherRepository(place), join(place.chat, 'data'));
      await writeFiles(place.chat, { '.git': 'gitdir: data\n' });
      return undefined;
    },
  },
  {
    name: 'a .git file that claims to be a linked work tree',
    ends: 'repository.nested',
    prepare: async ({ root, work, chat }) => {
      git(work, 'worktree', 'add', '--quiet', '--detach', join(root, 'elsewhere'), 'main');
      await writeFiles(chat, { '.git': 'gitdir: ../.git/worktrees/elsewhere\n' });
      return undefined;
    },
  },
  {
    name: 'a submodule',
    ends: 'repository.nested',
    control: ['status'],
    prepare: async (place) => {
      const source = dirname(await otherRepository(place));
      await rename(place.chat, join(place.root, 'before'));
      git(place.work, 'rm', '-r', '--cached', '--quiet', 'chat');
      git(place.work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'chat');
      await rm(join(place.chat, 'chat'), { recursive: true });
      await copyFolder(join(place.root, 'before'), place.chat);
      git(place.chat, 'config', 'core.fsmonitor', `${mark} #`);
      return undefined;
    },
  },
  {
    name: 'attributes that select a text converter',
    ends: 'by the base',
    control: ['blame', 'conversion/decisions.yaml'],
    prepare: async ({ work, settings }) => {
      settings(['diff.own.textconv', `${mark} #`], ['diff.own.cachetextconv', 'true']);
      await writeFiles(work, attributes);
      commitAll(work, 'attributes');
      return undefined;
    },
  },
  {
    name: 'attributes that select filters of a file that is not committed',
    ends: 'by the base',
    control: ['blame', 'conversion/decisions.yaml'],
    prepare: async ({ work, settings }) => {
      for (const name of ['clean', 'smudge', 'process']) settings([`filter.own.${name}`, `${mark} #`]);
      await writeFiles(work, { ...attributes, 'chat/conversion/decisions.yaml': `# Checked\n${decisions}` });
      return undefined;
    },
  },
  {
    name: 'attributes that select an external diff',
    ends: 'by the base',
    control: ['diff'],
    prepare: async ({ work, settings }) => {
      settings(['diff.own.command', mark], ['diff.external', mark]);
      await writeFiles(work, { ...attributes, 'chat/conversion/decisions.yaml': `# Checked\n${decisions}` });
      return undefined;
    },
  },
  {
    name: 'a list of commits that blame ignores, which the settings name',
    ends: 'by the base',
    prepare: async ({ work, settings }) => {
      settings(['blame.ignoreRevsFile', '.git-blame-ignore-revs']);
      await writeFiles(work, { '.git-blame-ignore-revs': `${git(work, 'rev-parse', 'main')}\n` });
      return undefined;
    },
  },
  {
    name: 'a program named git among the files, and a PATH that finds it',
    ends: 'by the base',
    control: ['status'],
    prepare: async ({ chat }) => {
      for (const name of ['git', 'node_modules/.bin/git']) {
        await writeFiles(chat, { [name]: `#!/bin/sh\n${mark}\n` });
        await chmod(join(chat, name), 0o755);
      }
      const entries = ['', '.', 'node_modules/.bin', join(chat, 'node_modules/.bin'), process.env.PATH ?? ''];
      return { PATH: entries.join(delimiter) };
    },
  },
  {
    name: 'an environment that names another repository',
    ends: 'by the base',
    control: ['status'],
    prepare: async (place) => {
      const other = await otherRepository(place);
      return {
        GIT_DIR: other,
        GIT_COMMON_DIR: other,
        GIT_WORK_TREE: dirname(other),
        GIT_INDEX_FILE: join(other, 'index'),
        GIT_OBJECT_DIRECTORY: join(other, 'objects'),
        GIT_NAMESPACE: 'other',
        GIT_SHALLOW_FILE: join(place.chat, 'chat.yaml'),
      };
    },
  },
  {
    name: 'an environment that names settings and programs',
    ends: 'by the base',
    control: ['-c', 'x.y=z', 'status'],
    prepare: async ({ root }) => {
      const file = join(root, 'settings');
      git(root, 'config', '--file', file, 'core.fsmonitor', `${mark} #`);
      return {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        GIT_CONFIG_VALUE_0: `${mark} #`,
        GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${mark} #'`,
        GIT_CONFIG_GLOBAL: file,
        GIT_EXTERNAL_DIFF: mark,
        GIT_PAGER: mark,
        GIT_SSH_COMMAND: mark,
        GIT_EXEC_PATH: join(root, 'nowhere'),
        GIT_TRACE2: join(root, 'marker'),
      };
    },
  },
  {
    name: 'objects that were replaced',
    ends: 'by the base',
    prepare: async (place) => {
      const other = dirname(await otherRepository(place));
      git(place.work, 'fetch', '--quiet', other, 'main');
      git(place.work, 'replace', 'main', 'FETCH_HEAD');
      return undefined;
    },
  },
];

async function hostile(): Promise<Hostile> {
  const root = await requested();
  const settings = (...lines: readonly (readonly [string, string])[]) => {
    for (const [name, value] of lines) git(root, 'config', '--file', join(root, 'home/.gitconfig'), name, value);
  };
  return { root, work: join(root, 'work'), chat: join(root, 'work/chat'), settings };
}

describe.for(attacks)('a folder with $name', ({ ends, control, prepare }) => {
  fastTest('runs nothing, and has neither its own base nor its own authors', async () => {
    const place = await hostile();
    const { root, work, chat } = place;
    const author = { by: 'A', commit: git(work, 'rev-parse', 'main') };
    const marker = join(root, 'marker');
    const surroundings = { PATH: process.env.PATH ?? '', HOME: join(root, 'home'), MARKER: marker };
    const env = { ...surroundings, ...(await prepare(place)) };
    const at = new Place(chat, { env });
    if (ends === 'by the base') {
      await at.ends('plan --base-ref main', 5, 'The base refuses.');
      const left = await leftOutIn(chat, { cwd: chat, env });
      expect(left).toMatchObject([{ reason: 'object.not-carried', decision: 'accepted', ...author }]);
    } else {
      await at.ends('plan --base-ref main', 64, ends, 'GIT_CEILING_DIRECTORIES');
      await expect(leftOutIn(chat, { cwd: chat, env })).rejects.toMatchObject({ code: ends });
    }
    expect(existsSync(marker)).toBe(false);
    if (control === undefined) return;
    // The attack works on a git that is not told what to ignore.
    spawnSync('git', control, { cwd: chat, env });
    expect(existsSync(marker)).toBe(true);
  });
});

describe('a repository inside another one', () => {
  fastTest('is used if it is a linked work tree of the outer one, or the variable of git ends the search', async () => {
    const { work, root } = await hostile();
    git(work, 'worktree', 'add', '--quiet', '-b', 'linked', join(work, 'trees/linked'), 'request');
    const env = { PATH: process.env.PATH ?? '', HOME: join(root, 'home') };
    await new Place(join(work, 'trees/linked/chat'), { env }).ends('plan --base-ref main', 5, 'The base refuses.');
    await rename(work, join(root, 'inner'));
    git(root, 'init', '--quiet');
    const at = new Place(join(root, 'inner/chat'), { env });
    await at.ends('plan --base-ref main', 64, 'repository.nested', `GIT_CEILING_DIRECTORIES=${root}`);
    await at.with({ env: { GIT_CEILING_DIRECTORIES: root } }).ends('plan --base-ref main', 5, 'The base refuses.');
  });

  fastTest('does not hide behind a .git that is not a repository', async () => {
    const { work, root, chat } = await hostile();
    const env = { PATH: process.env.PATH ?? '', HOME: join(root, 'home'), GIT_CEILING_DIRECTORIES: work };
    await mkdir(join(chat, '.git'));
    await new Place(chat, { env }).ends('plan --base-ref main', 64, 'base.no-repository');
  });
});

fastTest('a partial clone fetches nothing, so that no settings of a remote run a program', async () => {
  const { work, root } = await hostile();
  git(work, 'config', 'uploadpack.allowFilter', 'true');
  const clone = join(root, 'clone');
  git(root, 'clone', '--quiet', '--filter=blob:none', '--branch=request', `file://${work}`, clone);
  git(clone, 'config', 'remote.origin.uploadpack', `${mark}; git-upload-pack`);
  const env = { PATH: process.env.PATH ?? '', HOME: join(root, 'home'), MARKER: join(root, 'marker') };
  await new Place(join(clone, 'chat'), { env }).ends(
    'plan --base-ref origin/main',
    64,
    'base.unreadable',
    'partial clone',
  );
  expect(existsSync(join(root, 'marker'))).toBe(false);
});
