// Identifies who runs a command: by the variables of the CI system, or else by user and host.
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../model/actor.ts';
import type { Ports } from './ports.ts';

/** By field, the variables of GitHub, GitLab, Azure Pipelines, CircleCI and Jenkins, in this order. */
const variables = {
  user: ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'BUILD_REQUESTEDFOREMAIL', 'CIRCLE_USERNAME', 'BUILD_USER_ID'],
  repository: ['GITHUB_REPOSITORY', 'CI_PROJECT_PATH', 'BUILD_REPOSITORY_NAME', 'CIRCLE_PROJECT_REPONAME', 'GIT_URL'],
  job: ['GITHUB_RUN_ID', 'CI_JOB_ID', 'BUILD_BUILDID', 'CIRCLE_BUILD_NUM', 'BUILD_ID'],
  commit: ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BUILD_SOURCEVERSION', 'CIRCLE_SHA1', 'GIT_COMMIT'],
  ref: ['GITHUB_REF', 'CI_COMMIT_REF_NAME', 'BUILD_SOURCEBRANCH', 'CIRCLE_BRANCH', 'GIT_BRANCH'],
} as const;

export function actorOf({ env }: Pick<Ports, 'env'>): Actor {
  const found = (names: readonly string[]): string | undefined =>
    names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const { user, ...others } = variables;
  const stated = Object.entries(others).flatMap(([field, names]) => {
    const value = found(names);
    return value === undefined ? [] : [[field, withoutCredentials(value)]];
  });
  return { user: found(user) ?? userName(), host: hostname(), ...Object.fromEntries(stated) };
}

/** Jenkins gives the address that it cloned from, which may contain a token: as its user, its password or in its query. */
function withoutCredentials(value: string): string {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/isu.exec(value) ?? [];
  if (scheme === undefined) return value.replace(/^[^@/]*:[^@/]*@/u, '');
  // A password may contain any character, and the host is followed by a slash.
  return scheme + rest.replace(/^.*@(?=.*\/)/su, '').replace(/[?#].*$/su, '');
}

/** In some containers the user id has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
