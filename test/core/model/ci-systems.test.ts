// Tests that jobs of CI systems are recognised, and what is read from them, with the variables that each system documents.
import { expect, test } from 'vitest';
import { ciSystems, filesAddress, isInCi, type JobFact, jobFact } from '../../../src/core/model/ci-systems.ts';

const facts: readonly JobFact[] = ['user', 'repository', 'job', 'commit', 'ref', 'checkout'];

/** Variables of one job of each system, next to what is read from them. */
const jobs: Readonly<Record<string, readonly [Readonly<Record<string, string>>, ...(string | undefined)[]]>> = {
  'GitHub Actions, Gitea and Forgejo': [
    {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'ada', GITHUB_REPOSITORY: 'acme/chat', GITHUB_RUN_ID: '7' },
      ...{ GITHUB_SHA: 'c0', GITHUB_REF: 'refs/heads/main', GITHUB_WORKSPACE: '/w' },
    },
    ...['ada', 'acme/chat', '7', 'c0', 'refs/heads/main', '/w'],
  ],
  'GitLab CI': [
    {
      ...{ GITLAB_CI: 'true', GITLAB_USER_LOGIN: 'ada', CI_PROJECT_PATH: 'acme/chat', CI_JOB_ID: '7' },
      ...{ CI_COMMIT_SHA: 'c0', CI_COMMIT_REF_NAME: 'main', CI_PROJECT_DIR: '/w' },
    },
    ...['ada', 'acme/chat', '7', 'c0', 'main', '/w'],
  ],
  'Azure Pipelines': [
    {
      ...{ TF_BUILD: 'True', BUILD_REQUESTEDFOREMAIL: '', BUILD_REQUESTEDFOR: 'Ada', BUILD_REPOSITORY_NAME: 'chat' },
      ...{ BUILD_BUILDID: '7', BUILD_SOURCEVERSION: 'c0', BUILD_SOURCEBRANCH: 'refs/heads/main' },
      ...{ BUILD_SOURCESDIRECTORY: '/w' },
    },
    ...['Ada', 'chat', '7', 'c0', 'refs/heads/main', '/w'],
  ],
  CircleCI: [
    {
      ...{ CIRCLECI: 'true', CIRCLE_USERNAME: 'ada', CIRCLE_PROJECT_REPONAME: 'chat', CIRCLE_BUILD_NUM: '7' },
      ...{ CIRCLE_SHA1: 'c0', CIRCLE_BRANCH: 'main' },
    },
    ...['ada', 'chat', '7', 'c0', 'main', undefined],
  ],
  Buildkite: [
    {
      ...{ BUILDKITE: 'true', BUILDKITE_BUILD_CREATOR: 'Ada', BUILDKITE_REPO: 'git@host:acme/chat.git' },
      ...{ BUILDKITE_JOB_ID: 'j7', BUILDKITE_COMMIT: 'c0', BUILDKITE_BRANCH: 'main' },
      ...{ BUILDKITE_BUILD_CHECKOUT_PATH: '/w' },
    },
    ...['Ada', 'git@host:acme/chat.git', 'j7', 'c0', 'main', '/w'],
  ],
  'Bitbucket Pipelines': [
    {
      ...{ BITBUCKET_BUILD_NUMBER: '7', BITBUCKET_STEP_TRIGGERER_UUID: '{u}', BITBUCKET_REPO_FULL_NAME: 'acme/chat' },
      ...{ BITBUCKET_COMMIT: 'c0', BITBUCKET_BRANCH: 'main', BITBUCKET_CLONE_DIR: '/w' },
    },
    ...['{u}', 'acme/chat', '7', 'c0', 'main', '/w'],
  ],
  Drone: [
    {
      ...{ DRONE: 'true', DRONE_BUILD_TRIGGER: 'ada', DRONE_REPO: 'acme/chat', DRONE_BUILD_NUMBER: '7' },
      ...{ DRONE_COMMIT_SHA: 'c0', DRONE_COMMIT_REF: 'refs/heads/main', DRONE_WORKSPACE: '/w' },
    },
    ...['ada', 'acme/chat', '7', 'c0', 'refs/heads/main', '/w'],
  ],
  Woodpecker: [
    {
      ...{
        CI: 'woodpecker',
        CI_PIPELINE_FORGE_URL: 'https://host/acme',
        CI_COMMIT_AUTHOR: 'ada',
        CI_REPO: 'acme/chat',
      },
      ...{ CI_PIPELINE_NUMBER: '7', CI_COMMIT_SHA: 'c0', CI_COMMIT_REF: 'refs/heads/main', CI_WORKSPACE: '/w' },
    },
    ...['ada', 'acme/chat', '7', 'c0', 'refs/heads/main', '/w'],
  ],
  'AWS CodeBuild': [
    {
      ...{ CODEBUILD_BUILD_ID: 'chat:7', CODEBUILD_INITIATOR: 'ada', CODEBUILD_SOURCE_REPO_URL: 'https://host/chat' },
      ...{ CODEBUILD_RESOLVED_SOURCE_VERSION: 'c0', CODEBUILD_SOURCE_VERSION: 'main', CODEBUILD_SRC_DIR: '/w' },
    },
    ...['ada', 'https://host/chat', 'chat:7', 'c0', 'main', '/w'],
  ],
  TeamCity: [
    { TEAMCITY_VERSION: '2026.1', TEAMCITY_PROJECT_NAME: 'chat', BUILD_NUMBER: '7', BUILD_VCS_NUMBER: 'c0' },
    ...[undefined, 'chat', '7', 'c0', undefined, undefined],
  ],
  'Travis CI': [
    {
      ...{ TRAVIS: 'true', TRAVIS_REPO_SLUG: 'acme/chat', TRAVIS_JOB_ID: '7', TRAVIS_COMMIT: 'c0' },
      ...{ TRAVIS_BRANCH: 'main', TRAVIS_BUILD_DIR: '/w' },
    },
    ...[undefined, 'acme/chat', '7', 'c0', 'main', '/w'],
  ],
  'Google Cloud Build': [{ BUILDER_OUTPUT: '/builder/outputs' }],
  Jenkins: [
    {
      ...{ JENKINS_URL: 'https://host/', BUILD_USER_ID: 'ada', GIT_URL: 'https://host/chat', BUILD_ID: '7' },
      ...{ GIT_COMMIT: 'c0', GIT_BRANCH: 'origin/main', WORKSPACE: '/w', BUILD_NUMBER: '8' },
    },
    ...['ada', 'https://host/chat', '7', 'c0', 'origin/main', '/w'],
  ],
};

test('has a job of each system', () => {
  expect(Object.keys(jobs).sort()).toEqual(Object.keys(ciSystems).sort());
});

test.for(Object.entries(jobs))('recognises a job of %s, and reads its facts', ([, [env, ...expected]]) => {
  expect(isInCi(env)).toBe(true);
  expect(Object.fromEntries(facts.map((fact) => [fact, jobFact(fact, env)]))).toEqual(
    Object.fromEntries(facts.map((fact, at) => [fact, expected[at]])),
  );
});

test.for([
  [{}, false],
  [{ CI: '' }, false],
  [{ CI: 'true' }, true],
  [{ CI: '1' }, true],
  [{ CI: 'false', TF_BUILD: 'True' }, false],
  [{ CI: '0', GITHUB_ACTIONS: 'true' }, false],
  [{ CI: '', TF_BUILD: 'True' }, true],
  [{ BUILD_NUMBER: '7' }, false],
] as const)('%o is in CI: %s', ([env, expected]) => {
  expect(isInCi(env)).toBe(expected);
});

test('reads a job whose system is unknown by its variables, and prefers the system that is marked', () => {
  expect(jobFact('job', { BUILD_ID: '7' })).toBe('7');
  expect(jobFact('job', { BUILD_ID: '7', GITHUB_RUN_ID: '8' })).toBe('8');
  expect(jobFact('job', { JENKINS_URL: 'https://host/', BUILD_ID: '7', GITHUB_RUN_ID: '8' })).toBe('7');
});

test.for<[Readonly<Record<string, string>>, string | undefined]>([
  [{ GITHUB_ACTIONS: 'true' }, 'https://git.example.com/acme/chat/blob/c0/'],
  [{ GITHUB_ACTIONS: 'true', GITEA_ACTIONS: 'true' }, 'https://git.example.com/acme/chat/src/commit/c0/'],
  [{ GITLAB_CI: 'true' }, 'https://lab.example.com/acme/chat/-/blob/c1/'],
  [{ GITHUB_ACTIONS: 'true', GITHUB_SHA: '' }, undefined],
  [{ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'javascript:alert(1)//' }, undefined],
  [{ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://token@git.example.com' }, undefined],
  [{}, undefined],
])('with %j, the files of the checkout are at %s', ([more, address]) => {
  const github = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'acme/chat', GITHUB_SHA: 'c0' };
  const gitlab = { CI_PROJECT_URL: 'https://lab.example.com/acme/chat', CI_COMMIT_SHA: 'c1' };
  expect(filesAddress({ ...github, ...gitlab, ...more })).toBe(address);
});
