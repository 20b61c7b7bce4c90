// What CI systems set in the environment of a job, and who runs a command by it, for the audit trail and for reports.
import { type EnvironmentVariables, isSwitchedOn } from '../../lib/option-values.ts';

/** Who ran the command, by the variables of the CI system, or else by user and host. */
export interface Actor {
  readonly user: string;
  readonly host: string;
  readonly repository?: string;
  readonly job?: string;
  readonly commit?: string;
  readonly ref?: string;
}

/** Facts about a job. Each system lists the variables of a fact, the best first. */
interface JobVariables {
  readonly user?: readonly string[];
  readonly repository?: readonly string[];
  readonly job?: readonly string[];
  readonly commit?: readonly string[];
  readonly ref?: readonly string[];
  /** The folder of the checkout. */
  readonly checkout?: readonly string[];
}

export type JobFact = keyof JobVariables;

interface CiSystem extends JobVariables {
  /** A variable that is set in every job of the system, and nowhere else. */
  readonly mark: string;
}

/** Some of them do not set `CI`: Azure Pipelines, TeamCity, AWS CodeBuild, Google Cloud Build, older versions of Jenkins. */
export const ciSystems: Readonly<Record<string, CiSystem>> = {
  'GitHub Actions, Gitea and Forgejo': {
    mark: 'GITHUB_ACTIONS',
    user: ['GITHUB_ACTOR'],
    repository: ['GITHUB_REPOSITORY'],
    job: ['GITHUB_RUN_ID'],
    commit: ['GITHUB_SHA'],
    ref: ['GITHUB_REF'],
    checkout: ['GITHUB_WORKSPACE'],
  },
  'GitLab CI': {
    mark: 'GITLAB_CI',
    user: ['GITLAB_USER_LOGIN'],
    repository: ['CI_PROJECT_PATH'],
    job: ['CI_JOB_ID'],
    commit: ['CI_COMMIT_SHA'],
    ref: ['CI_COMMIT_REF_NAME'],
    checkout: ['CI_PROJECT_DIR'],
  },
  'Azure Pipelines': {
    mark: 'TF_BUILD',
    user: ['BUILD_REQUESTEDFOREMAIL', 'BUILD_REQUESTEDFOR'],
    repository: ['BUILD_REPOSITORY_NAME'],
    job: ['BUILD_BUILDID'],
    commit: ['BUILD_SOURCEVERSION'],
    ref: ['BUILD_SOURCEBRANCH'],
    checkout: ['BUILD_SOURCESDIRECTORY'],
  },
  CircleCI: {
    mark: 'CIRCLECI',
    user: ['CIRCLE_USERNAME'],
    repository: ['CIRCLE_PROJECT_REPONAME'],
    job: ['CIRCLE_BUILD_NUM'],
    commit: ['CIRCLE_SHA1'],
    ref: ['CIRCLE_BRANCH'],
  },
  Buildkite: {
    mark: 'BUILDKITE',
    user: ['BUILDKITE_BUILD_CREATOR_EMAIL', 'BUILDKITE_BUILD_CREATOR', 'BUILDKITE_BUILD_AUTHOR_EMAIL'],
    repository: ['BUILDKITE_REPO'],
    job: ['BUILDKITE_JOB_ID'],
    commit: ['BUILDKITE_COMMIT'],
    ref: ['BUILDKITE_BRANCH'],
    checkout: ['BUILDKITE_BUILD_CHECKOUT_PATH'],
  },
  'Bitbucket Pipelines': {
    mark: 'BITBUCKET_BUILD_NUMBER',
    user: ['BITBUCKET_STEP_TRIGGERER_UUID'],
    repository: ['BITBUCKET_REPO_FULL_NAME'],
    job: ['BITBUCKET_BUILD_NUMBER'],
    commit: ['BITBUCKET_COMMIT'],
    ref: ['BITBUCKET_BRANCH'],
    checkout: ['BITBUCKET_CLONE_DIR'],
  },
  Drone: {
    mark: 'DRONE',
    user: ['DRONE_BUILD_TRIGGER', 'DRONE_COMMIT_AUTHOR'],
    repository: ['DRONE_REPO'],
    job: ['DRONE_BUILD_NUMBER'],
    commit: ['DRONE_COMMIT_SHA'],
    ref: ['DRONE_COMMIT_REF', 'DRONE_BRANCH'],
    checkout: ['DRONE_WORKSPACE'],
  },
  Woodpecker: {
    mark: 'CI_PIPELINE_FORGE_URL',
    user: ['CI_PIPELINE_AUTHOR', 'CI_COMMIT_AUTHOR'],
    repository: ['CI_REPO'],
    job: ['CI_PIPELINE_NUMBER'],
    commit: ['CI_COMMIT_SHA'],
    ref: ['CI_COMMIT_REF'],
    checkout: ['CI_WORKSPACE'],
  },
  'AWS CodeBuild': {
    mark: 'CODEBUILD_BUILD_ID',
    user: ['CODEBUILD_INITIATOR'],
    repository: ['CODEBUILD_SOURCE_REPO_URL'],
    job: ['CODEBUILD_BUILD_ID'],
    commit: ['CODEBUILD_RESOLVED_SOURCE_VERSION'],
    ref: ['CODEBUILD_WEBHOOK_HEAD_REF', 'CODEBUILD_SOURCE_VERSION'],
    checkout: ['CODEBUILD_SRC_DIR'],
  },
  TeamCity: {
    mark: 'TEAMCITY_VERSION',
    repository: ['TEAMCITY_PROJECT_NAME'],
    job: ['BUILD_NUMBER'],
    commit: ['BUILD_VCS_NUMBER'],
  },
  'Travis CI': {
    mark: 'TRAVIS',
    repository: ['TRAVIS_REPO_SLUG'],
    job: ['TRAVIS_JOB_ID'],
    commit: ['TRAVIS_COMMIT'],
    ref: ['TRAVIS_BRANCH'],
    checkout: ['TRAVIS_BUILD_DIR'],
  },
  'Google Cloud Build': { mark: 'BUILDER_OUTPUT' },
  Jenkins: {
    mark: 'JENKINS_URL',
    user: ['BUILD_USER_ID'],
    repository: ['GIT_URL'],
    job: ['BUILD_ID'],
    commit: ['GIT_COMMIT'],
    ref: ['GIT_BRANCH'],
    checkout: ['WORKSPACE'],
  },
};

/** Whether the command runs in a CI job. `CI` decides where it is set: systems set it to other words than `true`, too. */
export function isInCi(env: EnvironmentVariables): boolean {
  if (env.CI !== undefined && env.CI !== '') return isSwitchedOn(env.CI);
  return Object.values(ciSystems).some(({ mark }) => isSwitchedOn(env[mark]));
}

/** What the system says about the job. A system is also known by a single variable, without its mark. */
export function jobFact(fact: JobFact, env: EnvironmentVariables): string | undefined {
  const isMarked = ({ mark }: CiSystem) => isSwitchedOn(env[mark]);
  const systems = Object.values(ciSystems);
  const ordered = [...systems.filter(isMarked), ...systems.filter((system) => !isMarked(system))];
  const values = ordered.flatMap((system) => (system[fact] ?? []).map((name) => env[name]));
  return values.find((value) => value !== undefined && value !== '');
}

/** By the mark of a system, the web address of a checkout, with variables in braces. `#L` and a number lead to a line of a file. */
const fileAddresses: Readonly<Record<string, string>> = {
  GITEA_ACTIONS: '{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/src/commit/{GITHUB_SHA}/',
  GITHUB_ACTIONS: '{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/blob/{GITHUB_SHA}/',
  GITLAB_CI: '{CI_PROJECT_URL}/-/blob/{CI_COMMIT_SHA}/',
};

/** The web address of the checkout at its commit. Undefined where variables do not name all parts of it. */
export function filesAddress(env: EnvironmentVariables): string | undefined {
  const [, template] = Object.entries(fileAddresses).find(([mark]) => isSwitchedOn(env[mark])) ?? [];
  if (template === undefined) return undefined;
  const names = Array.from(template.matchAll(/\{(\w+)\}/gu), ([, name = '']) => name);
  if (names.some((name) => (env[name] ?? '') === '')) return undefined;
  const address = template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => env[name] ?? '');
  return /^https?:\/\/[\w.:-]+\/[\w./~%-]+$/u.test(address) ? address : undefined;
}
