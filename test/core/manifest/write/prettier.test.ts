// Tests that prettier and fmt agree: what prettier makes of a formatted manifest, fmt leaves alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { formatBytes } from '../../../../src/tools/format.ts';

const project = join(import.meta.dirname, '../../../..');

/** Files that prettier itself changes in each pass. */
const unstable = new Map([
  ['json.yaml', 'a comment in brackets'],
  ['documents.yaml', 'a comment after the end mark of a document'],
]);

function filesIn(folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.yaml') && !/\.formatted\.yaml$/u.test(name));
}

/** Other YAML of the examples is not formatted. */
const others = /^examples\/ci\/|\.test\.yaml$|mapping\.yaml$/u;
const files = [
  ...filesIn('examples').filter((name) => !others.test(name)),
  ...filesIn('test/core/manifest/write/cases'),
];

function formatted(name: string, text: string): string | undefined {
  return formatBytes(name, Buffer.from(text)).file?.after;
}

/** The width at which fmt splits brackets. */
const prettily = (text: string) => format(text, { parser: 'yaml', printWidth: 100 });

test.for(files.filter((name) => !unstable.has(name.split('/').at(-1) ?? '')))('%s', async (name) => {
  const page = formatted(name, readFileSync(join(project, name), 'utf8'));
  const pretty = await prettily(page ?? '');
  expect(formatted(name, pretty)).toBe(pretty);
  expect(await prettily(pretty)).toBe(pretty);
});
