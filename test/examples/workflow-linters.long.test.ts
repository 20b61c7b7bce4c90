// Tests that actionlint and zizmor, where they are installed, have no finding in the pipelines.
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { examples } from './support/chat.ts';

const linters = [
  { program: 'actionlint', args: [], install: 'go install github.com/rhysd/actionlint/cmd/actionlint@latest' },
  { program: 'zizmor', args: ['--offline', '--no-progress', '--persona', 'pedantic'], install: 'pip install zizmor' },
];
const folder = fileURLToPath(new URL('github/', examples));
const files = (await readdir(folder)).map((name) => `${folder}${name}`);

describe.for(linters)('$program', ({ program, args, install }) => {
  const isAbsent = spawnSync(program, ['--version']).error !== undefined;

  test.skipIf(isAbsent)(`accepts the workflows ${isAbsent ? `(absent: ${install})` : ''}`, () => {
    const { status, stdout, stderr } = spawnSync(program, [...args, ...files], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
