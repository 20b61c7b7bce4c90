// Tests that the page of the library describes every function, and that its examples compile.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionsIn } from '../src/cli/reference/library-page.ts';
import { useCases } from '../src/core/model/library/use-cases.ts';
import { typesTo, uncollected } from './support/build.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const project = join(import.meta.dirname, '..');
const functions = functionsIn(readFileSync(join(project, 'src/library.ts'), 'utf8'));

test('describes each function, its errors and an example', () => {
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(useCases).sort());
  for (const { name, text, throws, example } of functions) {
    expect(text, name).toMatch(/^[A-Z][^?]*\.$/u);
    expect(throws, name).toMatch(/\(\d+\)|exit code/u);
    expect(example, name).toContain(`await ${name}(`);
  }
});

test('has examples that compile', async () => {
  const examples = Object.fromEntries(functions.map(({ name, example }) => [`${name}.ts`, example]));
  const errors = await compiled({ ...examples, 'wrong.ts': 'await plan({ targets: [] });' });
  expect(errors).toMatch(/^[^\n]*\bwrong\.ts\(2,[^\n]*'targets'[^\n]*\n$/u);
});

/** What the compiler says about programs that may use every function. */
async function compiled(programs: Readonly<Record<string, string>>): Promise<string> {
  const names = functions.map(({ name }) => name).join(', ');
  const files = Object.entries(programs).map(([file, text]) => [
    file,
    `import { ${names} } from 'chatform';\n${text}\n`,
  ]);
  const folder = await temporaryFolder({
    ...Object.fromEntries(files),
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({
      extends: join(project, 'tsconfig.json'),
      compilerOptions: {
        paths: { chatform: ['./chatform/library.d.ts'] },
        typeRoots: [join(project, 'node_modules/@types')],
        noUnusedLocals: false,
      },
      include: ['*.ts'],
    }),
  });
  // The compiler would check all sources with the programs, which `npm run typecheck` does.
  await typesTo(join(folder, 'chatform'), '--noCheck', '--singleThreaded');
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  // Several checkers would each check what they share.
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--singleThreaded'], {
    encoding: 'utf8',
    env: uncollected,
  });
  return stdout;
}
