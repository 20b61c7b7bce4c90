// Tests that actionlint and zizmor, where they can be had, have no finding in the pipelines: the examples, and our own.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { linters, obtain } from '../support/workflow-linters.ts';
import { examples } from './support/chat.ts';

const github = join(import.meta.dirname, '../../.github');
const filesOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
const workflows = [...filesOf(fileURLToPath(new URL('github/', examples))), ...filesOf(join(github, 'workflows'))];

test.for(linters)('$program accepts the workflows', async (linter, { skip }) => {
  const command = obtain(linter, await temporaryFolder());
  if (command === undefined) return skip(`${linter.program} cannot be had`);
  // actionlint knows only workflows.
  const others = linter.program === 'zizmor' ? [join(github, 'dependabot.yml')] : [];
  const { status, stdout, stderr } = spawnSync(command, [...linter.args, ...workflows, ...others], {
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
});
