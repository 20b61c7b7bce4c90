// Finds a commit that a user names, and reads its files through git, without a checkout.
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { shellWord } from '../../../lib/tools/pasted-words.ts';
import type { FileAccess } from '../../manifest/files/access.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from '../context/ports.ts';
import { type GitEnd, openRepository, Repository } from './git.ts';
import { GitTree } from './git-tree.ts';

/** A flag that names a commit. */
export interface CommitFlag {
  readonly flag: string;
  /** The end of an advice: what to do without the flag. */
  readonly without: string;
  /** Whether the merge base of the named and the checked-out commit is read, and not the named one. */
  readonly isMergeBase: boolean;
}

export const baseRef: CommitFlag = { flag: '--base-ref', without: 'plan without --base-ref', isMergeBase: true };

/** An old branch must not bring back signers who have left since, so the commit itself is read. */
export const approvalsRef: CommitFlag = {
  flag: '--approvals-ref',
  without: 'apply without --approvals-ref',
  isMergeBase: false,
};

/**
 * Calls `read` with the files of the commit. Refused (64) without git, a repository, the commit or a merge base.
 */
export async function atCommit<T>(
  ref: string,
  from: CommitFlag,
  ports: Ports,
  read: (files: FileAccess) => Promise<T>,
): Promise<{ readonly commit: string; readonly value: T }> {
  const repository = await repositoryWith(ref, from, ports);
  const namedCommit = await findCommit(ref, repository);
  const commit = from.isMergeBase ? await findMergeBase(ref, namedCommit, repository) : namedCommit;
  const listing = await ask(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], from, repository);
  const prefix = relative(repository.workTree, await realpath(ports.cwd))
    .split(sep)
    .join('/');
  const blobs = repository.blobs();
  const files = new GitTree(listing, blobs, ports.cwd, prefix);
  return { commit, value: await read(files).finally(() => blobs.close()) };
}

async function repositoryWith(ref: string, { flag, without }: CommitFlag, ports: Ports): Promise<Repository> {
  if (ref.startsWith('-')) {
    throw refuse(
      'base.unknown-ref',
      `${flag} "${ref}" is not a valid commit name.`,
      `For example: ${flag} origin/main.`,
    );
  }
  const opened = await openRepository(ports.cwd, ports);
  if (opened instanceof Repository) return opened;
  if (opened.problem === 'no git') {
    throw refuse('base.no-git', 'git could not be started.', `Install git, or ${without}.`);
  }
  const foreign = foreignRepository.exec(opened.said ?? '')?.[1];
  if (foreign !== undefined) {
    throw refuse(
      'base.no-repository',
      `git does not read ${foreign}, because it belongs to another user.`,
      `If you trust it, run: git config --global --add safe.directory ${shellWord(foreign)}`,
    );
  }
  throw refuse(
    'base.no-repository',
    `This folder is not in a readable git repository${because(opened.said)}.`,
    `Run the command in the repository that contains the manifests, or ${without}. Variables that start with GIT_ are not read.`,
  );
}

/** What git says against a repository of another user, and, before 2.38, how it said it. */
const foreignRepository = /(?:dubious ownership in repository at|unsafe repository \() ?'([^'\n]+)'/u;

/** Refused (64) for an unknown name, and for one that is both a tag and a branch. */
async function findCommit(ref: string, repository: Repository): Promise<string> {
  const name = ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`];
  const answer = await repository.git(['-c', 'core.warnAmbiguousRefs=true', ...name]);
  if (answer.exit !== 0) {
    throw refuse(
      'base.unknown-ref',
      `git cannot find the commit ${ref} here.`,
      `Fetch it with git fetch origin. In CI the checkout may be shallow; fetch the whole history (actions/checkout: fetch-depth: 0).`,
    );
  }
  // git prefers a tag, which the author of a request may have pushed, to a branch.
  if (/\bambiguous\b/u.test(answer.stderr)) {
    throw refuse(
      'base.ambiguous-ref',
      `${ref} is the name of a tag and of a branch here.`,
      'Pass the whole name: refs/remotes/origin/main for a branch of origin, refs/heads/main for one of this clone.',
    );
  }
  return answer.stdout.toString('utf8').trim();
}

async function findMergeBase(ref: string, namedCommit: string, repository: Repository): Promise<string> {
  const common = await repository.git(['merge-base', 'HEAD', namedCommit]);
  if (common.exit !== 0) {
    const { stdout } = await repository.git(['rev-parse', '--is-shallow-repository']);
    throw refuse(
      'base.unrelated',
      `${ref} and the checked-out commit have no common ancestor here.`,
      stdout.toString('utf8').trim() === 'true'
        ? 'The clone is shallow. Fetch the whole history (git fetch --unshallow; in actions/checkout, fetch-depth: 0).'
        : 'Pass the branch that this one was created from.',
    );
  }
  const [commit = ''] = common.stdout.toString('utf8').split('\n');
  return commit;
}

async function ask(args: readonly string[], { without }: CommitFlag, repository: Repository): Promise<string> {
  const end: GitEnd = await repository.git(args);
  if (end.exit === 0) return end.stdout.toString('utf8');
  // chatform lets git fetch nothing, because the settings of the repository choose the programs that do.
  const { stdout } = await repository.git([
    'config',
    '--name-only',
    '--get-regexp',
    String.raw`^remote\..*\.promisor$`,
  ]);
  const [, promisor] = /^remote\.(.+)\.promisor$/mu.exec(stdout.toString('utf8')) ?? [];
  if (promisor !== undefined) {
    throw refuse(
      'base.unreadable',
      'The base commit cannot be read, because this is a partial clone: it lacks files of that commit.',
      `Fetch them with git fetch --refetch --no-filter ${shellWord(promisor)}, clone without --filter (in actions/checkout, without filter and sparse-checkout), or ${without}.`,
    );
  }
  throw refuse(
    'base.unreadable',
    `The base commit cannot be read${because(end.stderr)}.`,
    `Fetch the whole history (not a shallow clone), or ${without}.`,
  );
}

function because(said = ''): string {
  const lines = said.split('\n');
  const line = lines.find((text) => text.startsWith('fatal: ')) ?? lines[0] ?? '';
  return line === '' ? '' : `: ${line.replace(/^fatal: /u, '')}`;
}

function refuse(code: string, message: string, advice: string): Refusal {
  return new Refusal(code, exitCode.usage, message, advice);
}
