// Tests on the other versions of Node what depends on the runtime: patterns, texts, signals, compression, the start of programs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeVersions } from '../config/node-versions.ts';

const project = join(import.meta.dirname, '../..');
const running = process.versions.node.split('.')[0];
const dependent = [
  ...['test/library.test.ts', 'test/lib', 'test/cli/process', 'test/core/view/text'],
  ...[
    'test/migration/convert/long-texts.test.ts',
    'test/core/manifest/history-files/history-file.test.ts',
    'test/core/platform/client.test.ts',
  ],
];

test.for(nodeVersions.filter((version) => version !== running))(
  'a selection of tests succeeds on Node %s',
  (version, { skip }) => {
    const command = ['--import', 'tsx', 'test/support/on-node.ts', version, ...dependent];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8' });
    skip(/^Node .* cannot be had/mu.test(stderr), stderr.trim());
    expect(status, `${stdout}${stderr}`).toBe(0);
  },
);
