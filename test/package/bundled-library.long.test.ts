// Tests that a program with the library can be bundled by esbuild, with nothing external but the optional packages.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const project = join(import.meta.dirname, '../..');

/** Needs validators of many kinds, the parser for rows with problems, and the engine for expressions. */
const manifest = `version: 1
policy: { rules: [{ name: names, where: 'matches(key, "^a")', forbid: [delete] }] }
users: { alice: { nickname: Alice } }
sources: [{ kind: user, file: users.ndjson }]
`;

const program = `
import { plan, validate } from 'chatform';

const { objects } = await validate({ cwd: 'examples/support-desk' });
console.log(objects > 0 ? 'valid' : 'empty');
console.log((await plan({ cwd: 'examples/quickstart' })).plan.changes.length);
const { diagnostics } = await validate({ cwd: 'bad' });
console.log(diagnostics.map(({ code }) => code).join(' '));
`;

test('a bundle runs where nothing is installed', async () => {
  const [source, machine] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(source, 'node_modules'));
  await symlink(inject('installed'), join(source, 'node_modules/chatform'));
  await writeFile(join(source, 'program.mjs'), program);
  const { peerDependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const { warnings } = await build({
    absWorkingDir: source,
    entryPoints: ['program.mjs'],
    outfile: join(machine, 'program.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // As examples/library/README.md says.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    external: Object.keys(peerDependencies),
    logLevel: 'silent',
  });
  expect(warnings.map(({ text }) => text)).toEqual([]);
  await cp(join(project, 'examples'), join(machine, 'examples'), { recursive: true });
  await mkdir(join(machine, 'bad'));
  await writeFile(join(machine, 'bad/chat.yaml'), manifest);
  await writeFile(join(machine, 'bad/users.ndjson'), '{"user_id":"bob",}\n');
  const output = execFileSync(process.execPath, ['program.mjs'], { cwd: machine, encoding: 'utf8' });
  expect(output.split('\n')).toEqual(['valid', '5', expect.stringContaining('manifest.bad-row'), '']);
});
