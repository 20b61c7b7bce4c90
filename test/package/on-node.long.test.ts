// Tests that the program works on other versions of Node: plans, applies, exports, conversions and copies, over HTTP.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');

test.for(['22', '24'])('a selection of tests succeeds on Node %s', (version, { skip }) => {
  const command = ['--import', 'tsx', 'test/support/on-node.ts', version, 'test/library.test.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8' });
  skip(/^Node .* cannot be had/mu.test(stderr), stderr.trim());
  expect(status, `${stdout}${stderr}`).toBe(0);
});
