// Compares the commit of a plan with the commit that was applied last. Jobs do not run in the order of merges, so an old plan, or an old
// job that runs again, may undo what was merged since.

import { isInCi, jobFact } from '../../model/ci-systems.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Ports } from '../context/ports.ts';
import { readRuns } from '../context/trail.ts';
import type { Repository } from './git.ts';

const olderCommit = 'plan.older-commit';

/** What is known of the order of two commits. */
type Order = 'in order' | 'older' | 'unknown';

export interface CommitRules {
  /** Whether a plan of an older commit is only a warning in CI, too. */
  readonly allowOlder?: boolean | undefined;
}

/** The commit of the last run that applied something, as the job of that run named it. */
function lastApplied(state: StateSnapshot): string | undefined {
  return readRuns(state).findLast(
    ({ command, outcome, by }) => command === 'apply' && outcome !== 'refused' && by.commit !== undefined,
  )?.by.commit;
}

/** Loads git on demand: most runs follow the commit that was applied last. */
async function repositoryAt(ports: Ports): Promise<Repository | undefined> {
  const git = await import('./git.ts');
  const opened = await git.openRepository(ports.cwd, ports);
  return opened instanceof git.Repository ? opened : undefined;
}

/** The commit that a saved plan names. The job names it; without a job it is the checked-out one, once an apply has named its commit. */
export async function commitToSave(state: StateSnapshot, ports: Ports): Promise<string | undefined> {
  const commit = jobFact('commit', ports.env);
  if (commit !== undefined || lastApplied(state) === undefined) return commit;
  const repository = await repositoryAt(ports);
  if (repository === undefined) return undefined;
  const { exit, stdout } = await repository.git(['rev-parse', '--verify', 'HEAD^{commit}']);
  return exit === 0 ? stdout.toString('utf8').trim() : undefined;
}

/**
 * Returns a warning if the commit that was applied last is not in the history of the planned one, or if nobody can tell. Refused (6) for the
 * first in CI, unless the rules allow it. Without git or a repository there is nothing to ask. `planned` is the commit of a saved plan, or
 * the one of the job; undefined: the checked-out one.
 */
export async function commitWarnings(
  planned: string | undefined,
  state: StateSnapshot,
  { allowOlder = false }: CommitRules,
  ports: Ports,
): Promise<Diagnostic[]> {
  const last = lastApplied(state);
  if (last === undefined || last === planned) return [];
  const repository = await repositoryAt(ports);
  if (repository === undefined) return [];
  const order = await orderOf(last, planned ?? 'HEAD', repository);
  if (order === 'in order') return [];
  const [before, now] = [
    shortOf(last),
    planned === undefined ? 'the checked-out commit' : `commit ${shortOf(planned)}`,
  ];
  if (order === 'unknown') {
    return [
      {
        severity: 'warning',
        code: 'plan.commit-unknown',
        summary: 'chatform cannot tell whether this plan is of an older commit',
        detail: `Commit ${before} was applied last, and this clone lacks the history that relates it to ${now}. Fetch the whole history (git fetch --unshallow; in actions/checkout, fetch-depth: 0).`,
      },
    ];
  }
  const detail = `Commit ${before} was applied last, and it is not in the history of ${now}. This plan may undo what was merged since.`;
  if (isInCi(ports.env) && !allowOlder) {
    throw new Refusal(
      olderCommit,
      exitCode.conflict,
      detail,
      'Nothing was sent. Plan the newest commit of the branch. To go back to this commit, add --allow-older.',
    );
  }
  return [{ severity: 'warning', code: olderCommit, summary: 'This plan is of an older commit', detail }];
}

async function orderOf(last: string, planned: string, repository: Repository): Promise<Order> {
  // Some systems name a revision in another way.
  if (![last, planned].every((name) => name === 'HEAD' || /^[0-9a-f]{7,64}$/u.test(name))) return 'unknown';
  const isAncestor = async (first: string, second: string) =>
    (await repository.git(['merge-base', '--is-ancestor', first, second])).exit;
  const forwards = await isAncestor(last, planned);
  if (forwards === 0) return 'in order';
  if (forwards !== 1) return 'unknown';
  if ((await isAncestor(planned, last)) === 0) return 'older';
  // A shallow clone may lack the commits that connect the two.
  const { stdout } = await repository.git(['rev-parse', '--is-shallow-repository']);
  return stdout.toString('utf8').trim() === 'true' ? 'unknown' : 'older';
}

function shortOf(commit: string): string {
  return commit.slice(0, 12);
}
