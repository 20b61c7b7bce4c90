// Tests the skills that init writes for agents: their form, and that each command and flag in them exists.
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { longName } from '../../../src/cli/flags/flag-names.ts';
import { agentFiles } from '../../../src/tools/init/agent-files.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';

const empty = await makeFolder();
afterAll(() => removeFolder(empty));
const { files } = await agentFiles(empty, 'pnpm exec chatform');
const skills = files.filter(({ file }) => basename(file) === 'SKILL.md');
const definitions = await allCommands();

test('writes one skill for changes and one for a move', () => {
  expect(skills.map(({ file }) => basename(dirname(file)))).toEqual(['chatform', 'move-chat']);
  for (const { file } of skills) expect(file).toContain(join('.agents', 'skills'));
});

test.for(skills.map(({ file, text }) => [basename(dirname(file)), text] as const))(
  'the skill %s has the open form, is short and repeats the rules of the guide',
  ([folder, text]) => {
    const [, head = ''] = /^---\n([\s\S]+?)\n---\n/u.exec(text) ?? [];
    const { name, description, ...others } = parse(head) as Record<string, string>;
    expect(others).toEqual({});
    expect(name).toBe(folder);
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u);
    expect(description?.length).toBeGreaterThan(100);
    expect(description?.length).toBeLessThanOrEqual(1_024);
    expect(text.split('\n').length).toBeLessThan(100);
    // Each mark was replaced by a section of the guide.
    expect(text).not.toContain('<!--');
    expect(text).toContain('- Never run `apply`');
  },
);

test.for(skills.map(({ file, text }) => [basename(dirname(file)), text] as const))(
  'each command of the skill %s exists with its flags, in the form that runs here',
  ([, text]) => {
    const lines = [...text.matchAll(/```sh\n([^`]*)```/gu)].flatMap(([, block = '']) => block.trim().split('\n'));
    const mentions = [...text.matchAll(/`([^`\n]*chatform [a-z][^`\n]*)`/gu)].map(([, mention = '']) => mention);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of [...lines, ...mentions]) {
      const [, name = '', words = ''] = /^pnpm exec chatform ([a-z]+)(.*)$/u.exec(line) ?? [];
      const command = definitions.find((definition) => definition.name === name);
      expect(command, line).toBeDefined();
      const known = command?.options.map(({ flags }) => `--${longName(flags)}`);
      for (const [flag] of words.matchAll(/--[a-z-]+/gu)) expect(known, line).toContain(flag);
    }
  },
);
