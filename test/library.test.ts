// Tests that the functions of the library give the results of the commands, print nothing, and throw refusals.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import * as library from '../src/library.ts';
import { writeFiles } from './support/folders.ts';
import { runCli } from './support/run-cli.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const manifest = `
version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { room: { members: { alice: , bob: } } }
`;

async function estate(text = manifest): Promise<{ readonly cwd: string; readonly env: Record<string, string> }> {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'chat.yaml': text });
  return { cwd, env: {} };
}

describe('the library', () => {
  test('converts like the command', async () => {
    const cwd = await temporaryFolder({
      'export/users.json': JSON.stringify([{ id: 'U1ANN', name: 'ann' }]),
      'export/channels.json': JSON.stringify([{ id: 'C1GEN', name: 'general', members: ['U1ANN'] }]),
      'export/general/2024-05-06.json': JSON.stringify([
        { type: 'message', user: 'U1ANN', ts: '1714982400.000100', text: 'Hello' },
      ]),
    });
    const result = await library.convert({ source: 'slack', exported: 'export', out: 'chat', cwd });
    expect(result).toMatchObject({ users: 1, channels: 1, messages: 1, undecided: [] });
    expect((await runCli(['convert', 'slack', 'export', '--out', 'its'], { cwd })).exit).toBe(0);
    for (const file of result.files) {
      expect(await readFile(join(cwd, 'chat', file), 'utf8')).toBe(await readFile(join(cwd, 'its', file), 'utf8'));
    }
    await expect(library.convert({ source: 'fax', exported: 'export', out: 'chat', cwd })).rejects.toMatchObject({
      exitCode: 64,
    });
  });

  test('reads drift, verifies and exports what was applied', async () => {
    const place = await estate();
    await expect(library.drift(place)).rejects.toMatchObject({ code: 'state.empty', exitCode: 1 });
    await library.apply(place);
    expect((await library.drift(place)).drift).toHaveLength(0);
    expect(await library.verify({ ...place, all: true })).toMatchObject({ exit_code: 0 });
    const exported = await library.exportEstate({ ...place, out: 'copy', withoutState: true });
    expect(exported.counts.map(({ count }) => count)).toEqual(expect.arrayContaining([2, 1]));
  });

  test.for(['.', 'sub', 'sub/', 'sub/../sub', './/sub'])('takes any spelling of a working folder: %j', async (name) => {
    const { cwd: home, env } = await estate();
    await writeFiles(home, { 'sub/chat.yaml': manifest });
    const cwd = relative(process.cwd(), join(home, 'x')).replace(/x$/u, name);
    expect(await library.validate({ cwd, env, paths: ['chat.yaml'] })).toMatchObject({ isValid: true });
    const { plan } = await library.plan({ cwd, env, paths: ['chat.yaml'] });
    expect(plan.changes).toHaveLength(3);
  });

  test('refuses a working folder that is missing, and an unknown rate plan', async () => {
    const { cwd, env } = await estate();
    const code = { code: 'usage', exitCode: 64 };
    await expect(library.validate({ cwd: join(cwd, 'gone'), env })).rejects.toMatchObject(code);
    const ratePlan = 'zzz' as library.RatePlan;
    await expect(library.plan({ cwd, env, ratePlan })).rejects.toMatchObject(code);
  });

  test('plans like the command and saves the same file', async () => {
    const place = await estate();
    const { plan } = await library.plan({ ...place, out: 'mine.json' });
    const shown = await runCli(['plan', '--format', 'json', '--out', 'its.json'], place);
    expect(plan.hash).toBe((JSON.parse(shown.stdout) as { hash: string }).hash);
    expect(await readFile(join(place.cwd, 'mine.json'), 'utf8')).toBe(
      await readFile(join(place.cwd, 'its.json'), 'utf8'),
    );
  });

  test('applies the reviewed plan, reports its events, and leaves nothing to do', async () => {
    const place = await estate();
    const { plan } = await library.plan(place);
    const events: library.ApplyEvent[] = [];
    const report = await library.apply({ ...place, approvedHash: plan.hash, onEvent: (event) => events.push(event) });
    expect(report).toMatchObject({ outcome: 'done', exit_code: 0, steps: { planned: 3, succeeded: 3 } });
    expect(events.filter(({ type }) => type === 'step.ended')).toHaveLength(3);
    expect((await library.plan(place)).plan.changes).toHaveLength(0);
    expect(await library.apply(place)).toMatchObject({ outcome: 'done', steps: { planned: 0 } });
  });

  test('applies a saved plan', async () => {
    const place = await estate();
    await library.plan({ ...place, out: 'plan.chatform' });
    expect(await library.apply({ ...place, paths: ['plan.chatform'] })).toMatchObject({ outcome: 'done' });
  });

  test('rehearses without leaving a trace', async () => {
    const place = await estate();
    const { report, nextSteps } = await library.rehearse({ ...place, latency: 50, seed: 3 });
    expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: 3 } });
    expect(nextSteps).toBe(0);
    expect((await library.plan(place)).plan.changes).toHaveLength(3);
  });

  test('returns problems of manifests from validate and throws them from plan', async () => {
    const place = await estate(manifest.replace('nickname: Bob', 'nickname: [Bob]'));
    const found = await library.validate(place);
    expect(found).toMatchObject({ isValid: false, files: ['chat.yaml'] });
    expect(found.diagnostics).toHaveLength(1);
    await expect(library.plan(place)).rejects.toMatchObject({ code: 'manifest.invalid', exitCode: 65 });
    await expect(library.validate({ ...place, paths: [''] })).rejects.toMatchObject({ code: 'usage', exitCode: 64 });
    expect(await library.validate(await estate())).toMatchObject({ isValid: true, objects: 3, diagnostics: [] });
  });

  test.for<[string, Partial<library.ApplyOptions>, Partial<library.Refusal>]>([
    ['an empty hash', { approvedHash: '' }, { code: 'usage', exitCode: 64 }],
    ['an empty path', { paths: [''] }, { code: 'usage', exitCode: 64 }],
    ['another hash', { approvedHash: '0'.repeat(64) }, { code: 'plan.not-approved', exitCode: 6 }],
    ['no such target', { target: ['user.nobody'] }, { exitCode: 64 }],
    ['no token', { baseUrl: 'https://api-x.sendbird.com/v3' }, { code: 'token.missing', exitCode: 3 }],
    ['no duration', { maxDuration: 'long' }, { code: 'usage', exitCode: 64 }],
  ])('refuses to apply: %s', async ([, options, refusal]) => {
    const thrown = await library.apply({ ...(await estate()), ...options }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(library.Refusal);
    expect(thrown).toMatchObject(refusal);
  });

  test('refuses a plan that a safety rule refuses, and says why', async () => {
    const place = await estate();
    await library.apply(place);
    await writeFiles(place.cwd, { 'chat.yaml': manifest.replace(/group.*\n/u, '') });
    const thrown = await library.plan(place).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'safety.refused', exitCode: 5 });
    expect((thrown as library.Refusal).diagnostics.length).toBeGreaterThan(0);
  });

  test('stops when its signal is aborted, and continues when called again', async () => {
    const place = await estate();
    const report = await library.apply({ ...place, signal: AbortSignal.abort() });
    expect(report).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
    expect(await library.apply(place)).toMatchObject({ outcome: 'done' });
  });

  test('prints nothing, also in a pipeline', async () => {
    const place = await estate();
    const env = { GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'output.txt' };
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await library.plan({ ...place, env });
      await library.apply({ ...place, env });
      expect([...out.mock.calls, ...err.mock.calls]).toEqual([]);
    } finally {
      out.mockRestore();
      err.mockRestore();
    }
    await expect(readFile(join(place.cwd, 'summary.md'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(place.cwd, 'output.txt'))).rejects.toThrow('ENOENT');
  });
});
