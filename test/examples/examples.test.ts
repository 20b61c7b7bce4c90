// Tests that every example does what its page says: valid, planned as printed, applied, read back, nothing left.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edited, editsOf } from '../support/demo-edits.ts';
import { declaredIn, differencesIn } from '../support/estate.ts';
import { copyManifests, makeFolder, removeFolder } from '../support/folders.ts';
import { pageContent } from '../support/page-content.ts';
import { linesOf, publishedSchema } from '../support/published-schema.ts';
import { type CliEnd, runCli } from '../support/run-cli.ts';

const examples = join(import.meta.dirname, '../../examples/');
const names = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  // Pipelines, guides and programs, which have tests of their own.
  .filter((name) => !['agents', 'ci', 'container', 'operations', 'library'].includes(name));
/** The formats besides `human` and `json`, with the endings of their goldens. */
const views = [
  ['markdown', 'md'],
  ['html', 'html'],
  ['sarif', 'sarif.json'],
  ['github', 'github'],
] as const;
/** High limits, so that the example's rate plan costs the tests no time. */
const fast = ['--rate-plan', '100k_mau', '--tokens-out', 'tokens.ndjson'];

test('every example has a demo', () => {
  expect(Object.keys(editsOf).sort()).toEqual(names.sort());
});

test('every golden belongs to an example', () => {
  const goldens = readdirSync(new URL('goldens/', import.meta.url)).map((file) => file.split('.')[0]);
  expect([...new Set(goldens)].sort()).toEqual(names.sort());
});

describe.each(names)('%s', (name) => {
  let folder = '';
  beforeAll(async () => {
    folder = await makeFolder();
    await copyManifests(join(examples, name), folder);
  });
  afterAll(() => removeFolder(folder));
  const chatform = (...args: string[]): Promise<CliEnd> => runCli(args, { cwd: folder });
  const golden = (what: string): string => `goldens/${name}.${what}`;

  test('is valid without warnings', async () => {
    const { resources, files } = await declaredIn(folder);
    const ended = await chatform('validate');
    expect(ended).toEqual({
      exit: 0,
      stdout: `Valid: ${resources.length} objects in ${files.length} ${files.length === 1 ? 'file' : 'files'}.\n`,
      stderr: '',
    });
  });

  test('names its schema in every file, so that editors complete', async () => {
    const { files } = await declaredIn(folder);
    for (const { file } of files) {
      const text = await readFile(join(folder, file), 'utf8');
      const up = '../'.repeat(file.split('/').length + 1);
      expect(text.split('\n')[0], file).toBe(`# yaml-language-server: $schema=${up}schema/manifest.schema.json`);
    }
  });

  test('is planned as printed', async () => {
    const human = await chatform('plan');
    expect(human).toMatchObject({ exit: 0, stderr: '' });
    await expect(human.stdout).toMatchFileSnapshot(golden('human'));
    const json = await chatform('plan', '--format', 'json', '--detailed-exitcode');
    expect(json).toMatchObject({ exit: 2, stderr: '' });
    await expect(json.stdout).toMatchFileSnapshot(golden('json'));
    expect(publishedSchema('plan')(JSON.parse(json.stdout))).toEqual([]);
    for (const [format, ending] of views) {
      const shown = await chatform('plan', '--format', format);
      expect(shown).toMatchObject({ exit: 0, stderr: '' });
      await expect(pageContent(shown.stdout)).toMatchFileSnapshot(golden(ending));
    }
  });

  test('is applied, and everything is as declared', async () => {
    const output = ['--report', 'out/report.json', '--events', 'events.ndjson'];
    const ended = await chatform('apply', '--auto-approve', ...output, ...fast);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(await differencesIn(folder)).toEqual([]);
  });

  test('reports its run as the schemas say', async () => {
    const report = JSON.parse(await readFile(join(folder, 'out/report.json'), 'utf8'));
    expect(report).toMatchObject({ outcome: 'done', exit_code: 0, failures: [] });
    expect(report.steps.succeeded).toBe(report.steps.planned);
    const errorsOfReport = publishedSchema('report');
    expect(errorsOfReport(report)).toEqual([]);
    const errorsOfEvent = publishedSchema('events');
    for (const event of linesOf(await readFile(join(folder, 'events.ndjson'), 'utf8'))) {
      expect(errorsOfEvent(event), JSON.stringify(event)).toEqual([]);
    }
  });

  test('has nothing left to do afterwards', async () => {
    const ended = await chatform('plan', '--detailed-exitcode');
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
    await expect(ended.stdout).toMatchFileSnapshot(golden('applied.human'));
  });

  test("takes the demo's edits: planned as printed, applied, as declared, nothing left", async () => {
    for (const edit of editsOf[name] ?? []) {
      const file = join(folder, edit.file);
      await writeFile(file, edited(await readFile(file, 'utf8'), edit));
    }
    const planned = await chatform('plan', '--detailed-exitcode');
    expect(planned).toMatchObject({ exit: 2, stderr: '' });
    await expect(planned.stdout).toMatchFileSnapshot(golden('edited.human'));
    for (const [format, ending] of views) {
      const shown = await chatform('plan', '--format', format);
      await expect(pageContent(shown.stdout)).toMatchFileSnapshot(golden(`edited.${ending}`));
    }
    const applied = await chatform('apply', '--auto-approve', ...fast);
    expect(applied, applied.stderr).toMatchObject({ exit: 0 });
    expect(await differencesIn(folder)).toEqual([]);
    expect(await chatform('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });
});
