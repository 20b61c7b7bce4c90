// Tests that the trace of a bug names sources although bundles run.
import { execFile } from 'node:child_process';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { nameSources } from '../../../src/cli/output/source-places.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

const sources = {
  'src/deep.ts': '// A comment.\n\nexport function fail(why: string): never {\n  throw new Error(why);\n}\n',
  'src/main.ts': `import { fail } from './deep.ts';
export function bug(): unknown {
  try {
    return fail('broken');
  } catch (cause) {
    return new Error('worse', { cause });
  }
}
`,
};

/** Built like the program, and run in a separate process, because the test runner would map the trace itself. */
async function bugOf(folder: string): Promise<Error & { cause: Error }> {
  const bundle = await rolldown({ input: join(folder, 'src/main.ts'), platform: 'node' });
  await bundle.write({ dir: join(folder, 'dist'), sourcemap: true, sourcemapExcludeSources: true });
  const url = pathToFileURL(join(folder, 'dist/main.js')).href;
  const script = `const { stack, cause } = (await import('${url}')).bug(); console.log(JSON.stringify([stack, cause.stack]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  const [stack, stackOfCause] = JSON.parse(stdout) as [string, string];
  const cause = Object.assign(new Error('broken'), { stack: stackOfCause });
  return Object.assign(new Error('worse', { cause }) as Error & { cause: Error }, { stack });
}

/** The places of the trace that are in the folder: file, line and column. */
function placesIn(stack: string | undefined): string[] {
  const found = (stack ?? '').matchAll(/(?:^|[\s(/])((?:deep|main)\.(?:ts|js):\d+:\d+)/gmu);
  return [...found].map(([, place = '']) => place);
}

test('names file, line and column of the source in a trace and in its cause', async () => {
  const error = await bugOf(await temporaryFolder(sources));
  expect(placesIn(error.stack)[0]).toMatch(/^main\.js/u);
  nameSources(error);
  expect(placesIn(error.stack)).toEqual(['main.ts:6:12']);
  expect(placesIn(error.cause.stack)).toEqual(['deep.ts:4:9', 'main.ts:4:12']);
  expect(error.stack).toMatch(/^Error: worse\n/u);
});

test('keeps a trace without source maps', async () => {
  const folder = await temporaryFolder(sources);
  const error = await bugOf(folder);
  await unlink(join(folder, 'dist/main.js.map'));
  const before = error.stack;
  nameSources(error);
  expect(error.stack).toBe(before);
});
