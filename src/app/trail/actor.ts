// Who acts: the identity that the CI system states in the environment, else the user of this machine.
import { hostname } from 'node:os';
import type { Ports } from '../ports.ts';
import { userName } from '../session/open-state.ts';
import type { Actor, Begun } from './trail.ts';

/** By field, the variables of GitHub, GitLab, Azure Pipelines, CircleCI and Jenkins, in this order. */
const variables = {
  user: ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'BUILD_REQUESTEDFOREMAIL', 'CIRCLE_USERNAME', 'BUILD_USER_ID'],
  repository: ['GITHUB_REPOSITORY', 'CI_PROJECT_PATH', 'BUILD_REPOSITORY_NAME', 'CIRCLE_PROJECT_REPONAME', 'GIT_URL'],
  job: ['GITHUB_RUN_ID', 'CI_JOB_ID', 'BUILD_BUILDID', 'CIRCLE_BUILD_NUM', 'BUILD_ID'],
  commit: ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BUILD_SOURCEVERSION', 'CIRCLE_SHA1', 'GIT_COMMIT'],
  ref: ['GITHUB_REF', 'CI_COMMIT_REF_NAME', 'BUILD_SOURCEBRANCH', 'CIRCLE_BRANCH', 'GIT_BRANCH'],
} as const;

/** `machineUser`: who runs the process. */
export function actorIn(env: Ports['env'], machineUser: string): Actor {
  const found = (names: readonly string[]): string | undefined =>
    names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const { user, ...others } = variables;
  const stated = Object.entries(others).flatMap(([field, names]) => {
    const value = found(names);
    return value === undefined ? [] : [[field, value]];
  });
  return { user: found(user) ?? machineUser, host: hostname(), ...Object.fromEntries(stated) };
}

/** What is done at once, now. */
export function actOf(command: string, { env, clock }: Pick<Ports, 'env' | 'clock'>): Begun {
  return { command, by: actorIn(env, userName()), started_at: clock.date().toISOString() };
}
