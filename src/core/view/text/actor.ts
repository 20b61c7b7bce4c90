// Who ran something, in words.
import type { Actor } from '../../model/ci-systems.ts';

const hashShown = 12;

/** `alice on runner-1, job 4711 of org/shop, commit 1a2b3c4d5e6f of refs/heads/main`. Escape it before printing. */
export function actorInWords({ user, host, repository, job, commit, ref }: Actor): string {
  const joined = (name: string, value: string | undefined, of: string | undefined): string[] => {
    if (value === undefined) return of === undefined ? [] : [of];
    return [`${name} ${value}${of === undefined ? '' : ` of ${of}`}`];
  };
  return [
    `${user} on ${host}`,
    ...joined('job', job, repository),
    ...joined('commit', commit?.slice(0, hashShown), ref),
  ].join(', ');
}
