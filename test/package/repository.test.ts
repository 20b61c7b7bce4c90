// Tests the files with which the repository keeps itself: workflows, updates of dependencies, forms for issues.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeVersions } from '../config/node-versions.ts';
import { scratchRepository } from '../examples/support/scratch.ts';
import { readWorkflow, runWorkflow } from '../examples/support/workflow.ts';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const namesIn = (folder: string) => readdirSync(join(project, folder)).map((name) => `${folder}/${name}`);
const packageFile = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

const workflowFiles = namesIn('.github/workflows');
const workflows = await Promise.all(
  workflowFiles.map(async (path) => [path, await readWorkflow(new URL(`../../${path}`, import.meta.url))] as const),
);

test('the tests run on every supported Node, of which the oldest is the one that package.json names', () => {
  const { test: job } = parse(read('.github/workflows/test.yml')).jobs;
  expect(job.strategy.matrix.node.map(String)).toEqual(nodeVersions);
  expect(packageFile.engines.node).toMatch(new RegExp(`^>=${nodeVersions[0]}\\.`, 'u'));
  expect(packageFile.devDependencies['@types/node']).toMatch(new RegExp(`^${nodeVersions[0]}\\.`, 'u'));
  expect(nodeVersions).toContain(read('.node-version').trim().split('.')[0]);
});

describe('our workflows', () => {
  test.for(workflows)('%s has only the rights that each job names, and no secret', ([path, workflow]) => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    expect(workflow.permissions).toEqual({});
    expect(read(path)).not.toContain('secrets.');
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ permissions: expect.any(Object), 'timeout-minutes': expect.any(Number) });
      // The shell would interpret the value of an expression, so values are passed through the environment.
      for (const step of job.steps) expect(step.run ?? '').not.toContain('${{');
    }
  });

  test('only the release of a tag may write', () => {
    const rights = workflows.flatMap(([path, { jobs }]) =>
      Object.entries(jobs).flatMap(([name, { permissions = {} }]) =>
        Object.entries(permissions).map(([scope, right]) => `${path} ${name}: ${scope} ${right}`),
      ),
    );
    expect(rights.filter((right) => right.endsWith('write'))).toEqual([
      '.github/workflows/release.yml release: contents write',
      '.github/workflows/release.yml publish: id-token write',
    ]);
  });

  test('each action is named by its commit, the same everywhere in the repository', () => {
    const pages = [...workflowFiles, ...namesIn('examples/ci/github'), 'src/core/state/README.md'];
    const used = pages.flatMap((path) => read(path).match(/uses: .*$/gmu) ?? []);
    expect(used.filter((line) => !/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(line))).toEqual([]);
    expect([...new Set(used.map((line) => line.slice(0, line.indexOf('@'))))]).toHaveLength(new Set(used).size);
  });
});

describe('a release', () => {
  const release = new URL('../../.github/workflows/release.yml', import.meta.url);
  const changes = '# Changes\n\n## Unreleased\n\n- New.\n\n## 1.2.0 (2026-11-01)\n\n- Better.\n\n## 1.1.0\n\n- Old.\n';

  /** Plays the workflow with programs in place of npm and gh, which write what they were called with. */
  async function released(tag: string, isPrivate: boolean, { version = '1.2.0', host = 'git.example' } = {}) {
    const homepage = `https://${host}/acme/chatform`;
    const packed = JSON.stringify({ version, private: isPrivate, homepage });
    const scratch = await scratchRepository({ 'src/CHANGELOG.md': changes, 'package.json': packed });
    const [bin = ''] = (scratch.env.PATH ?? '').split(':');
    const log = `echo "$(basename "$0") $*" >> ${JSON.stringify(join(scratch.folder, 'calls'))}`;
    const npm = `#!/bin/sh\n${log}\n[ "$1" != pack ] || echo package > "$3/chatform-1.2.0.tgz"\n[ "$1" != sbom ] || echo '{}'\n`;
    await writeFile(join(bin, 'npm'), npm);
    await writeFile(join(bin, 'gh'), `#!/bin/sh\n${log}\n`, { mode: 0o755 });
    const ends = await runWorkflow(await readWorkflow(release), scratch, {
      github: { ref: `refs/tags/${tag}`, token: 'token' },
      env: { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'acme/chatform' },
    });
    const written = (path: string) => readFile(join(scratch.folder, path), 'utf8').catch(() => '');
    return {
      results: Object.fromEntries(Object.entries(ends).map(([job, { result }]) => [job, result])),
      log: ends.pack?.log,
      calls: (await written('calls')).split('\n'),
      notes: await written('release/notes.md'),
      sums: await written('release/SHA256SUMS'),
    };
  }

  test('of a private package is a draft with notes and checksums, and nothing goes to npm', async () => {
    const { results, calls, notes, sums } = await released('v1.2.0', true);
    expect(results).toEqual({ pack: 'success', release: 'success', publish: 'skipped' });
    expect(notes).toBe('\n- Better.\n\n');
    expect(sums.replaceAll(/[0-9a-f]{64}/gu, 'SUM')).toBe('SUM  chatform-1.2.0.tgz\nSUM  sbom.cdx.json\n');
    expect(calls.filter((call) => call.startsWith('gh '))).toEqual([
      'gh release create v1.2.0 --repo acme/chatform --verify-tag --title v1.2.0 --notes-file notes.md --draft=true -- chatform-1.2.0.tgz sbom.cdx.json SHA256SUMS',
    ]);
    expect(calls.join('\n')).not.toContain('npm publish');
  });

  test('of a public package is published from the archive that was tested, without running its scripts', async () => {
    const { results, calls } = await released('v1.2.0', false);
    expect(results).toEqual({ pack: 'success', release: 'success', publish: 'success' });
    expect(calls.join('\n')).toContain('--draft=false');
    expect(calls).toContain('npm publish --ignore-scripts --provenance --access public ./chatform-1.2.0.tgz');
  });

  test.for([
    { tag: 'v1.1.0', reason: 'package.json has the version 1.2.0' },
    { tag: 'v1.2.0', version: '1.3.0', reason: 'package.json has the version 1.3.0' },
    { tag: 'v1.3.0', version: '1.3.0', reason: 'src/CHANGELOG.md has nothing below ## 1.3.0' },
  ])('by the tag $tag ends because $reason', async ({ tag, version, reason }) => {
    const { results, log, calls } = await released(tag, true, { version: version ?? '1.2.0' });
    expect(results.pack).toBe('failure');
    expect(log).toContain(reason);
    expect(calls.join('\n')).not.toContain('npm');
  });

  test('of a public package ends while package.json has placeholders', async () => {
    const { host } = new URL(JSON.parse(read('package.json')).homepage);
    const { results, log, calls } = await released('v1.2.0', false, { host });
    expect(results.pack).toBe('failure');
    expect(log).toContain('package.json still has placeholders');
    expect(calls.join('\n')).not.toContain('npm');
  });
});

test('updates of dependencies are grouped, weekly, and wait for a version to be a week old', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    readonly updates: readonly Readonly<Record<string, unknown>>[];
  };
  for (const update of updates) {
    expect(update).toMatchObject({ schedule: { interval: 'weekly' }, cooldown: { 'default-days': 7 } });
  }
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker']);
});

test('the packages that the floor holds back are those that Dependabot leaves alone, at the versions of the table', () => {
  const [, table = ''] = read('.github/CONTRIBUTING.md').split('## Held back');
  const rows = [...table.matchAll(/^\| `(.+)` \| ([\d.]+) \| /gmu)].map(([, name = '', version = '']) => [
    name,
    version,
  ]);
  const installed = { ...packageFile.dependencies, ...packageFile.devDependencies };
  for (const [name = '', version] of rows)
    expect(`${installed[name]}.`, name).toMatch(new RegExp(`^${version}\\.`, 'u'));
  const [npm] = parse(read('.github/dependabot.yml')).updates as readonly {
    readonly ignore: readonly { readonly 'dependency-name': string }[];
  }[];
  const ignored = npm?.ignore.map((entry) => entry['dependency-name']);
  expect(ignored).toEqual([...rows.map(([name]) => name), 'typescript-5.4']);
});

test.for(namesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml')))('%s is a form', (path) => {
  const form = parse(read(path)) as { readonly body: readonly { readonly type: string; readonly id?: string }[] };
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const ids = form.body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the container is built from an image that a digest names, with a supported Node', () => {
  const [, version = ''] =
    /^FROM docker\.io\/library\/node:(\d+)\.\d+\.\d+-alpine[\d.]+@sha256:[0-9a-f]{64}$/mu.exec(
      read('examples/container/Containerfile'),
    ) ?? [];
  expect(nodeVersions).toContain(version);
});
