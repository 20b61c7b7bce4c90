// Runs the fast tests on other versions of Node: npm run test:node for all that are supported, npm run test:node -- 22 [PATH…]
// for one. Fetches each Node from the npm registry into a temporary folder, and removes it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, argv, env, platform, stderr, stdout } from 'node:process';
import { nodeVersions } from '../config/node-versions.ts';
import { makeFolder, removeFolder } from './folders.ts';

const project = join(import.meta.dirname, '../..');
const [version, ...paths] = argv.slice(2);

for (const each of version === undefined ? nodeVersions : [version]) {
  stdout.write(`Node ${each}\n`);
  const status = await testOn(each);
  if (status !== 0) process.exitCode = status;
}

/** The exit code of the tests, or 1 without that Node. */
async function testOn(node: string): Promise<number> {
  const folder = await makeFolder({ 'package.json': '{ "private": true }' });
  const packageName = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  try {
    const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', `${packageName}@${node}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const bin = join(folder, 'node_modules', packageName, 'bin');
    if (installed.status !== 0 || !existsSync(bin)) {
      stderr.write(`Node ${node} cannot be had: the registry has no ${packageName}@${node}.\n`);
      return 1;
    }
    const vitest = join(project, 'node_modules/vitest/vitest.mjs');
    const { status } = spawnSync(
      join(bin, 'node'),
      [vitest, 'run', '--config', 'test/config/vitest.config.ts', ...paths],
      { cwd: project, stdio: 'inherit', env: { ...env, PATH: `${bin}:${env.PATH ?? ''}` } },
    );
    return status ?? 1;
  } finally {
    await removeFolder(folder);
  }
}
