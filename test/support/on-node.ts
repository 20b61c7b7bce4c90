// Runs the tests on another Node: npm run test:node -- 22, or 24. Fetches that Node from the npm registry into a temporary
// folder, runs the fast tests with it, and removes it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, argv, env, platform, stderr } from 'node:process';
import { makeFolder, removeFolder } from './folders.ts';

const project = join(import.meta.dirname, '../..');
const [version = '24', ...paths] = argv.slice(2);

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = await makeFolder({ 'package.json': '{ "private": true }' });
  const packageName = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  try {
    const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', `${packageName}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const bin = join(folder, 'node_modules', packageName, 'bin');
    if (installed.status !== 0 || !existsSync(bin)) {
      stderr.write(`Node ${version} cannot be had: the registry has no ${packageName}@${version}.\n`);
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
