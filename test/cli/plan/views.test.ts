// Tests that plan, show and apply write their views to the given places, inform the pipeline, and keep secrets.
import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { withoutWriter } from '../../support/page-content.ts';
import { type Place, place } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  alice: { nickname: Alice Liddell, metadata: { team: wonderland } }
  bob: { nickname: Bob }
group_channels:
  tea-party: { name: Tea party, members: { alice: , bob: }, is_public: true, access_code: { env: TEA_CODE, revision: 1 } }
`;
const files = { 'chat.yaml': manifest };
const secrets = { CHATFORM_API_TOKEN: 'token-5f1c0ffee', CHATFORM_VAR_TEA_CODE: 'code-0ddba11' };
const pipeline = { GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'outputs' };
const formats = ['human', 'json', 'markdown', 'html', 'sarif', 'github'] as const;
const all = `--write ${formats.map((format) => `${format}=out/plan.${format}`).join(' ')}`;

describe('--write', () => {
  test('writes every format in one run, and the same from a saved plan', async () => {
    const at = await place(files);
    const planned = await at.json(`plan --out plan.chatform ${all}`);
    expect(await at.readJson('out/plan.json')).toEqual(planned);
    expect(publishedSchema('plan')(planned)).toEqual([]);
    const written = await at.content('out');
    expect(Object.keys(written).sort()).toEqual(formats.map((format) => `plan.${format}`).sort());
    expect((await stat(at.path('out/plan.html'))).mode & 0o777).toBe(0o600);
    for (const format of formats) {
      const shown = await at.does(`show plan.chatform --format ${format}`);
      expect(shown.stderr).toBe('');
      // A file has no terminal width.
      if (format !== 'human') expect(withoutWriter(shown.stdout)).toBe(withoutWriter(written[`plan.${format}`] ?? ''));
    }
    await at.does('show plan.chatform --write markdown=again.md --write html=again.html');
    expect(await at.read('again.md')).toBe(written['plan.markdown']);
    expect(withoutWriter(await at.read('again.html'))).toBe(withoutWriter(written['plan.html'] ?? ''));
  });

  test('links from a page to that of the state, wherever both are', async () => {
    const at = await place(files, secrets);
    await at.does('apply --auto-approve');
    await at.does('state html pages/app.html');
    const edited = at.with({ env: { CHATFORM_STATE_PAGE: 'pages/app.html' } });
    await edited.write({ 'chat.yaml': (await at.read('chat.yaml')).replace(/nickname: (\w+)/u, 'nickname: $1x') });
    const { stdout } = await edited.does('plan --format html --write html=pages/plan.html html=other/plan.html');
    const link = (html: string) => /"m":"([^"#]*)#view=people&find=/u.exec(html)?.[1];
    expect(link(stdout)).toBe('pages/app.html');
    expect(link(await at.read('pages/plan.html'))).toBe('app.html');
    expect(link(await at.read('other/plan.html'))).toBe('../pages/app.html');
  });

  test.for(['markdown', 'markdown=', 'pdf=plan.pdf', '=plan.md'])('refuses %s', async (given) => {
    const { stdout } = await (await place(files)).ends(`plan --write ${given}`, 64, 'not FORMAT=FILE');
    expect(stdout).toBe('');
  });

  test('reports a file that it cannot write', async () => {
    await (await place(files)).ends('plan --write html=chat.yaml/plan.html', 1);
  });
});

test.for([
  ['100', 64],
  ['many', 64],
  ['8192', 0],
] as const)('--max-bytes %s ends with %i', async ([bytes, exit]) => {
  await (await place(files)).ends(`plan --max-bytes ${bytes}`, exit);
});

test('hides personal data with --redact in every view, on stderr and in the summary, with new tags in every run', async () => {
  const at = await place(files, { GITHUB_STEP_SUMMARY: 'summary.md' });
  const first = await at.run(`plan --redact ${all}`);
  const second = await at.run('plan --redact');
  const applied = await at.with({ env: secrets }).does('apply --auto-approve --redact');
  const ends = [first, applied].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const output = [...ends, ...Object.values(await at.content('out')), await at.read('summary.md')];
  for (const text of output) expect(text).not.toMatch(/Alice|wonderland|Tea party/u);
  const tags = (text: string) => text.match(/\d+ characters, \w{10}/gu) ?? [];
  expect(tags(first.stdout).length).toBeGreaterThan(2);
  expect(tags(second.stdout)).not.toEqual(tags(first.stdout));
});

test('never shows tokens and access codes in a view, summary, report or output', async () => {
  const at = await place(files, { ...secrets, ...pipeline });
  let output = '';
  for (const format of formats) output += (await at.run(`plan --format ${format}`)).stdout;
  await at.does(`plan --out plan.chatform ${all}`);
  const applied = await at.does('apply plan.chatform --report report.json');
  expect((await stat(at.path('report.json'))).mode & 0o777).toBe(0o600);
  output += applied.stdout + applied.stderr;
  for (const [file, text] of Object.entries(await at.content()))
    if (!file.startsWith('.chatform/emulator')) output += text;
  expect(output).toContain('TEA_CODE');
  for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
});

describe('in a pipeline', () => {
  const outputsOf = async (at: Place) => {
    const lines = (await at.read('outputs')).trimEnd().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=')));
  };

  test('appends the summary and sets the outputs for later steps', async () => {
    const at = await place(files, { ...pipeline, ...secrets });
    await at.ends('plan --detailed-exitcode', 2);
    const hash = /plan hash `(\w{64})`/u.exec(await at.read('summary.md'))?.[1];
    const none = { has_dangers: 'false', has_drift: 'false' };
    expect(await outputsOf(at)).toEqual({ has_changes: 'true', ...none, hash, exit_code: '2' });
    await at.does('apply --auto-approve');
    const summary = await at.read('summary.md');
    expect(summary.match(/^<!-- chatform:plan/gmu)).toHaveLength(2);
    expect(summary).toContain('### chatform: Done.');
    expect(await outputsOf(at)).toMatchObject({ outcome: 'done', succeeded: '3', failed: '0', exit_code: '0' });
    await at.does('plan');
    expect(await outputsOf(at)).toMatchObject({ has_changes: 'false' });
  });

  test('reports refusals in the summary', async () => {
    const at = await place({ 'chat.yaml': 'version: 1\nuserz: {}\n' }, pipeline);
    expect((await at.run('plan --format github')).stdout).toMatch(/^::error file=chat.yaml,line=2/u);
    expect(await outputsOf(at)).toEqual({ exit_code: '65' });
    await at.ends('apply', 65);
    expect(await at.read('summary.md')).toContain('### chatform: not started');
  });

  test.for([
    ['an outcome for a rehearsal', 'rehearse', { exit_code: '0' }],
    ['to the summary with --summary never', 'plan --summary never', { has_changes: 'true' }],
  ] as const)('appends nothing: %s', async ([, command, outputs]) => {
    const at = await place(files, { ...pipeline, ...secrets });
    await at.does(command);
    const found = await outputsOf(at);
    expect(found).toMatchObject(outputs);
    expect(found).not.toHaveProperty('outcome');
    await expect(at.read('summary.md')).rejects.toThrow('ENOENT');
  });

  test('continues when the summary is full or cannot be written', async () => {
    const at = await place({ ...files, 'full.md': 'x'.repeat(1_048_000) });
    await at.with({ env: { GITHUB_STEP_SUMMARY: 'full.md' } }).does('plan');
    expect((await stat(at.path('full.md'))).size).toBe(1_048_000);
    const says = (name: string) => `the file that ${name} names cannot be written`;
    const unwritable = at.with({ env: { GITHUB_STEP_SUMMARY: 'chat.yaml/summary', GITHUB_OUTPUT: '.' } });
    await unwritable.ends('plan', 0, says('GITHUB_STEP_SUMMARY'), says('GITHUB_OUTPUT'));
  });
});
