// Tests that plan, show and apply write their views to the given places, inform the pipeline, and keep secrets.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../support/folders.ts';
import { withoutWriter } from '../../support/page-content.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  alice: { nickname: Alice Liddell, metadata: { team: wonderland } }
  bob: { nickname: Bob }
group_channels:
  tea-party: { name: Tea party, members: { alice: , bob: }, is_public: true, access_code: { env: TEA_CODE, revision: 1 } }
`;
const secrets = { CHATFORM_API_TOKEN: 'token-5f1c0ffee', CHATFORM_VAR_TEA_CODE: 'code-0ddba11' };
const formats = ['human', 'json', 'markdown', 'html', 'sarif', 'github'] as const;
const all = formats.map((format) => `${format}=out/plan.${format}`);

const folderWith = (text = manifest) => temporaryFolder({ 'chat.yaml': text });
const read = (folder: string, file: string) => readFile(join(folder, file), 'utf8');

describe('--write', () => {
  test('writes every format in one run, and the same from a saved plan', async () => {
    const cwd = await folderWith();
    const planned = await succeeded(
      runCli(['plan', '--format', 'json', '--out', 'plan.chatform', '--write', ...all], { cwd }),
    );
    expect(JSON.parse(await read(cwd, 'out/plan.json'))).toEqual(JSON.parse(planned.stdout));
    expect(publishedSchema('plan')(JSON.parse(planned.stdout))).toEqual([]);
    const written = await contentOf(join(cwd, 'out'));
    expect(Object.keys(written).sort()).toEqual(formats.map((format) => `plan.${format}`).sort());
    expect((await stat(join(cwd, 'out/plan.html'))).mode & 0o777).toBe(0o600);

    for (const format of formats) {
      const shown = await runCli(['show', 'plan.chatform', '--format', format], { cwd });
      expect(shown).toMatchObject({ exit: 0, stderr: '' });
      // A file has no terminal width.
      if (format !== 'human') expect(withoutWriter(shown.stdout)).toBe(withoutWriter(written[`plan.${format}`] ?? ''));
    }
    await runCli(['show', 'plan.chatform', '--write', 'markdown=again.md', '--write', 'html=again.html'], { cwd });
    expect(await read(cwd, 'again.md')).toBe(written['plan.markdown']);
    expect(withoutWriter(await read(cwd, 'again.html'))).toBe(withoutWriter(written['plan.html'] ?? ''));
  });

  test.for([['markdown'], ['markdown='], ['pdf=plan.pdf'], ['=plan.md']])(
    '%s is refused, and nothing is written',
    async ([given = '']) => {
      const cwd = await folderWith();
      const ended = await runCli(['plan', '--write', given], { cwd });
      expect(ended).toMatchObject({ exit: 64, stdout: '' });
      expect(ended.stderr).toContain('not FORMAT=FILE');
    },
  );

  test('reports a file that it cannot write', async () => {
    const cwd = await folderWith();
    expect(await runCli(['plan', '--write', 'html=chat.yaml/plan.html'], { cwd })).toMatchObject({ exit: 1 });
  });
});

test.for([
  ['100', 64],
  ['many', 64],
  ['8192', 0],
] as const)('--max-bytes %s ends with %i', async ([bytes, exit]) => {
  const cwd = await folderWith();
  expect((await runCli(['plan', '--max-bytes', bytes], { cwd })).exit).toBe(exit);
});

describe('--redact', () => {
  test('hides personal data in every view, on stderr and in the summary, with new tags in every run', async () => {
    const cwd = await folderWith();
    const env = { GITHUB_STEP_SUMMARY: 'summary.md' };
    const first = await runCli(['plan', '--redact', '--write', ...all], { cwd, env });
    const output = [...Object.values(await contentOf(join(cwd, 'out'))), await read(cwd, 'summary.md')];
    for (const text of [first.stdout, first.stderr, ...output]) expect(text).not.toMatch(/Alice|wonderland|Tea party/u);
    const tags = (text: string) => text.match(/\d+ characters, \w{10}/gu) ?? [];
    expect(tags(first.stdout).length).toBeGreaterThan(2);
    const second = await runCli(['plan', '--redact'], { cwd });
    expect(tags(second.stdout)).not.toEqual(tags(first.stdout));
  });

  test('hides the same data in an apply', async () => {
    const cwd = await folderWith();
    const ended = await expectEnd(runCli(['apply', '--auto-approve', '--redact'], { cwd, env: secrets }), 0);
    expect(ended.stdout + ended.stderr).not.toMatch(/Liddell|wonderland/u);
  });
});

test('never shows tokens and access codes in a view, summary, report or output', async () => {
  const cwd = await folderWith();
  const env = { ...secrets, GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'outputs' };
  let output = '';
  for (const format of formats) output += (await runCli(['plan', '--format', format], { cwd, env })).stdout;
  await runCli(['plan', '--out', 'plan.chatform', '--write', ...all], { cwd, env });
  const applied = await succeeded(runCli(['apply', 'plan.chatform', '--report', 'report.json'], { cwd, env }));
  expect((await stat(join(cwd, 'report.json'))).mode & 0o777).toBe(0o600);
  output += applied.stdout + applied.stderr;
  for (const [file, text] of Object.entries(await contentOf(cwd))) {
    if (!file.startsWith('.chatform/emulator')) output += text;
  }
  expect(output).toContain('TEA_CODE');
  for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
});

describe('in a pipeline', () => {
  const env = { GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'outputs' };
  const outputsOf = async (cwd: string) =>
    Object.fromEntries(
      (await read(cwd, 'outputs'))
        .trimEnd()
        .split('\n')
        .map((line) => line.split('=')),
    );

  test('appends the summary and sets the outputs for later steps', async () => {
    const cwd = await folderWith();
    await runCli(['plan', '--detailed-exitcode'], { cwd, env });
    const hash = /plan hash `(\w{64})`/u.exec(await read(cwd, 'summary.md'))?.[1];
    expect(await outputsOf(cwd)).toEqual({
      has_changes: 'true',
      has_dangers: 'false',
      has_drift: 'false',
      hash,
      exit_code: '2',
    });
    await runCli(['apply', '--auto-approve'], { cwd, env: { ...env, ...secrets } });
    const summary = await read(cwd, 'summary.md');
    expect(summary.match(/^<!-- chatform:plan/gmu)).toHaveLength(2);
    expect(summary).toContain('### chatform: Done.');
    expect(await outputsOf(cwd)).toMatchObject({ outcome: 'done', succeeded: '3', failed: '0', exit_code: '0' });
    await runCli(['plan'], { cwd, env });
    expect(await outputsOf(cwd)).toMatchObject({ has_changes: 'false' });
  });

  test('reports refusals in the summary', async () => {
    const cwd = await folderWith('version: 1\nuserz: {}\n');
    expect((await runCli(['plan', '--format', 'github'], { cwd, env })).stdout).toMatch(
      /^::error file=chat.yaml,line=2/u,
    );
    expect(await outputsOf(cwd)).toEqual({ exit_code: '65' });
    await runCli(['apply'], { cwd, env });
    expect(await read(cwd, 'summary.md')).toContain('### chatform: not started');
  });

  test('reports no outcome for a rehearsal', async () => {
    const cwd = await folderWith();
    expect(await runCli(['rehearse'], { cwd, env: { ...env, ...secrets } })).toMatchObject({ exit: 0 });
    expect(await outputsOf(cwd)).toEqual({ exit_code: '0' });
    await expect(read(cwd, 'summary.md')).rejects.toThrow('ENOENT');
  });

  test('appends nothing with --summary never', async () => {
    const cwd = await folderWith();
    await runCli(['plan', '--summary', 'never'], { cwd, env });
    await expect(read(cwd, 'summary.md')).rejects.toThrow('ENOENT');
  });

  test('continues when the summary is full or cannot be written', async () => {
    const cwd = await temporaryFolder({ 'chat.yaml': manifest, 'full.md': 'x'.repeat(1_048_000) });
    expect(await runCli(['plan'], { cwd, env: { GITHUB_STEP_SUMMARY: 'full.md' } })).toMatchObject({ exit: 0 });
    expect((await stat(join(cwd, 'full.md'))).size).toBe(1_048_000);
    const ended = await succeeded(
      runCli(['plan'], { cwd, env: { GITHUB_STEP_SUMMARY: 'chat.yaml/summary', GITHUB_OUTPUT: '.' } }),
    );
    expect(ended.stderr).toContain('the file that GITHUB_STEP_SUMMARY names cannot be written');
    expect(ended.stderr).toContain('the file that GITHUB_OUTPUT names cannot be written');
  });
});
