// Tests that the functions of the library give the results of the commands, print nothing, and throw refusals.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Option } from '../src/core/model/library/option.ts';
import { optionTypes } from '../src/core/model/library/program-options.ts';
import { useCases } from '../src/core/model/library/use-cases.ts';
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
  return { cwd: await temporaryFolder({ 'chat.yaml': text }), env: {} };
}

/** After an apply of the same. */
async function applied(): ReturnType<typeof estate> {
  const place = await estate();
  await library.apply(place);
  return place;
}

/** The results of a command, as JSON. */
async function printed(args: readonly string[], place: { readonly cwd: string }): Promise<Record<string, unknown>> {
  return JSON.parse((await runCli([...args, '--format', 'json'], place)).stdout) as Record<string, unknown>;
}

async function expectSame(cwd: string, mine: string, its: string): Promise<void> {
  expect(await readFile(join(cwd, mine), 'utf8')).toBe(await readFile(join(cwd, its), 'utf8'));
}

const conversion = { source: 'slack', exported: 'export', out: 'chat' } as const;
const usage = { code: 'usage', exitCode: 64 } as const;

/** A Slack export of one person and one message. */
const slackExport = {
  'export/users.json': JSON.stringify([{ id: 'U1ANN', name: 'ann' }]),
  'export/channels.json': JSON.stringify([{ id: 'C1GEN', name: 'general', members: ['U1ANN'] }]),
  'export/general/2024-05-06.json': JSON.stringify([
    {
      type: 'message',
      user: 'U1ANN',
      ts: '1714982400.000100',
      text: 'Hello',
      files: [{ id: 'F1', name: 'plan.pdf', url_private: 'https://files.slack.com/F1/plan.pdf', size: 3 }],
    },
  ]),
};

/** The members of a plan from its JSON that tests edit. */
interface Editable {
  readonly steps: { request: object }[];
  readonly changes: object[];
  readonly preconditions: object[];
  readonly settings: object;
}

const tests = `
tests:
  - name: everything is created
    given: { applied: false }
    expect: { counts: { user.create: 2, group_channel.create: 1 } }
  - name: nothing is left to do after an apply
    expect: { counts: {} }
`;

describe('the library', () => {
  test('converts like the command', async () => {
    const cwd = await temporaryFolder(slackExport);
    const result = await library.convert({ ...conversion, cwd });
    expect(result).toMatchObject({ users: 1, channels: 1, messages: 2, undecided: [] });
    expect((await runCli(['convert', 'slack', 'export', '--out-dir', 'its'], { cwd })).exit).toBe(0);
    for (const file of result.files) await expectSame(cwd, `chat/${file}`, `its/${file}`);
    const source = 'fax' as library.ConversionSource;
    await expect(library.convert({ ...conversion, source, cwd })).rejects.toMatchObject({ exitCode: 64 });
  });

  test('converts tables with a mapping like the command', async () => {
    const cwd = await temporaryFolder({
      'people.csv': 'id,name\n1,Ann\n',
      'mapping.yaml': `
version: 1
name: own
title: Own
tables: { people: { files: people.csv } }
users: { from: people, id: "\${id}", name: "\${name}" }
`,
    });
    const tables = { source: 'table', exported: ['people.csv'], cwd } as const;
    const result = await library.convert({ ...tables, mapping: 'mapping.yaml', out: 'chat' });
    expect(result).toMatchObject({ users: 1 });
    const args = ['convert', 'table', 'people.csv', '--mapping', 'mapping.yaml', '--out-dir', 'its'];
    expect(await printed(args, { cwd })).toEqual(result);
    await expect(library.convert({ ...tables, out: 'chat' })).rejects.toMatchObject(usage);
  });

  test('converts with identities and times, and copies files like the command', async () => {
    const cwd = await temporaryFolder({ ...slackExport, 'people.csv': 'id,user_id\nU1ANN,ann-1\n' });
    const seen: number[] = [];
    const result = await library.convert({
      ...conversion,
      cwd,
      identities: 'people.csv',
      covers: 'all',
      taken: '2024-06-01',
      onProgress: ({ bytes }) => seen.push(bytes),
    });
    expect(result.identities).toEqual({ matched: 1, missing: 0, unused: 0 });
    expect(seen.at(-1)).toBeGreaterThan(0);
    const copied = await library.copyFiles({
      ...conversion,
      cwd,
      to: 'files',
      publicUrl: 'https://cdn.example.com',
    });
    const args = [
      'convert-files',
      'slack',
      'export',
      '--out-dir',
      'chat',
      '--to',
      'files',
      '--public-url',
      'https://cdn.example.com',
    ];
    expect(await printed(args, { cwd })).toEqual(copied);
    expect(copied.unfetched).toEqual([{ host: 'files.slack.com', files: 1 }]);
  });

  test('explains and adopts like the commands, and asks the application whether it is ready', async () => {
    const place = await applied();
    const address = 'group_channel.room';
    const shown = await printed(['explain', address, '--refresh'], place);
    expect(await library.explain({ ...place, address, refresh: 'all' })).toEqual(shown);
    const adopted = await library.adopt({ ...place, state: 'file:other', addresses: ['user.*', address] });
    expect(adopted.adopted.map((object) => object.address)).toEqual([address, 'user.alice', 'user.bob']);
    const again = library.adopt({ ...place, state: 'file:other', addresses: [address], lockTimeout: '1s' });
    await expect(again).rejects.toMatchObject({ code: 'adopt.known', exitCode: 6 });
    expect(await library.validate({ ...place, online: true })).toMatchObject({ valid: true, objects: 3 });
  });

  test('runs the tests of manifests, and stops between two of them', async () => {
    const place = await estate();
    await writeFiles(place.cwd, { 'chat.test.yaml': tests });
    const names: string[] = [];
    const report = await library.runTests({ ...place, onResult: ({ name }) => names.push(name) });
    expect(report.tests.map(({ failures }) => failures)).toEqual([[], []]);
    expect(names).toEqual(['everything is created', 'nothing is left to do after an apply']);
    const stop = new AbortController();
    const stopped = library.runTests({ ...place, signal: stop.signal, onResult: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'library.cancelled', exitCode: 8 });
  });

  test.for<[string, (options: library.EstateOptions) => Promise<unknown>]>([
    ['validate', library.validate],
    ['plan', library.plan],
    ['drift', library.drift],
    ['rehearse', library.rehearse],
    ['verify', library.verify],
    ['runTests', library.runTests],
    ['calibrate', library.calibrate],
    ['explain', (options) => library.explain({ ...options, address: 'user.alice' })],
    ['explainAccess', (options) => library.explainAccess({ ...options, address: 'user.alice' })],
    ['adopt', (options) => library.adopt({ ...options, addresses: ['user.alice'] })],
    ['planUndo', library.planUndo],
    ['exportEstate', (options) => library.exportEstate({ ...options, out: 'copy' })],
    ['convert', ({ env: _env, ...options }) => library.convert({ ...options, ...conversion })],
    [
      'copyFiles',
      (options) => library.copyFiles({ ...options, ...conversion, to: 'files', publicUrl: 'https://x.example' }),
    ],
  ])('%s does nothing when its signal is aborted', async ([, call]) => {
    const { cwd, env } = await estate();
    const before = await readdir(cwd);
    const cancelled = call({ cwd, env, signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: 'library.cancelled', exitCode: 8 });
    expect(await readdir(cwd)).toEqual(before);
  });

  test('an export that is cancelled while it reads leaves no file', async () => {
    const place = await applied();
    const stop = new AbortController();
    const onNotice = ({ type }: library.Notice): void => {
      if (type === 'export-reading') stop.abort();
    };
    const stopped = library.exportEstate({ ...place, out: 'copy', withoutState: true, signal: stop.signal, onNotice });
    await expect(stopped).rejects.toMatchObject({ code: 'refresh.interrupted', exitCode: 8 });
    expect(await readdir(place.cwd)).not.toContain('copy');
  });

  test('a conversion that is cancelled while it reads leaves no file', async () => {
    const cwd = await temporaryFolder(slackExport);
    const stop = new AbortController();
    const stopped = library.convert({ ...conversion, cwd, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'library.cancelled', exitCode: 8 });
    expect(await readdir(cwd)).toEqual(['export']);
  });

  test('reads drift, tells what the command would print, verifies and exports what was applied', async () => {
    const place = await estate();
    await expect(library.drift(place)).rejects.toMatchObject({ code: 'state.empty', exitCode: 66 });
    await library.apply(place);
    expect((await library.drift(place)).plan.drift).toHaveLength(0);
    const { plan: counted } = await library.drift({ ...place, unmanaged: true });
    expect(counted.unmanaged).toMatchObject({ objects: 0 });
    await expect(library.drift({ ...place, unmanaged: true, target: ['user.*'] })).rejects.toMatchObject({
      exitCode: 64,
    });
    const notices: library.Notice[] = [];
    await library.plan({ ...place, refresh: 'all', onNotice: (notice) => notices.push(notice) });
    expect(notices).toEqual([expect.objectContaining({ type: 'refresh-cost' })]);
    expect(await library.verify({ ...place, all: true })).toMatchObject({ exit_code: 0 });
    const exported = await library.exportEstate({ ...place, out: 'copy', withoutState: true });
    expect(exported.objects).toMatchObject({ users: 2, group_channels: 1 });
    const options = { ...place, messages: true, reactions: true, withoutState: true };
    expect(await library.exportEstate({ ...options, out: 'next', since: 'copy', overlap: '12h' })).toBeDefined();
    const later = { ...options, messages: false, reactions: false, out: 'last', overlap: '7d' };
    await expect(library.exportEstate(later)).rejects.toMatchObject({ exitCode: 64 });
    await expect(library.exportEstate({ ...later, overlap: '12h' })).rejects.toMatchObject({ exitCode: 64 });
  });

  test.for(['.', 'sub', 'sub/', 'sub/../sub', './/sub'])('takes any spelling of a working folder: %j', async (name) => {
    const { cwd: home, env } = await estate();
    await writeFiles(home, { 'sub/chat.yaml': manifest });
    const cwd = relative(process.cwd(), join(home, 'x')).replace(/x$/u, name);
    expect(await library.validate({ cwd, env, paths: ['chat.yaml'] })).toMatchObject({ valid: true });
    const { plan } = await library.plan({ cwd, env, paths: ['chat.yaml'] });
    expect(plan.changes).toHaveLength(3);
  });

  test('refuses a working folder that is missing, and an unknown rate plan', async () => {
    const { cwd, env } = await estate();
    await expect(library.validate({ cwd: join(cwd, 'gone'), env })).rejects.toMatchObject(usage);
    const ratePlan = 'zzz' as library.RatePlan;
    await expect(library.plan({ cwd, env, ratePlan })).rejects.toMatchObject(usage);
  });

  test('plans like the command, saves the same file, and applies it', async () => {
    const place = await estate();
    const { plan } = await library.plan({ ...place, out: 'mine.json' });
    expect(await printed(['plan', '--out', 'its.json'], place)).toMatchObject({ hash: plan.hash });
    await expectSame(place.cwd, 'mine.json', 'its.json');
    const part = { ...place, paths: ['mine.json'], target: ['user.alice'] };
    await expect(library.apply(part)).rejects.toMatchObject(usage);
    expect(await library.apply({ ...place, paths: ['mine.json'] })).toMatchObject({ outcome: 'done' });
  });

  test('shows the stages of a plan as the command does, and applies the plan beside them', async () => {
    const place = await estate();
    const stage = ['user'];
    const { plan, staged } = await library.plan({ ...place, stage });
    const shown = await printed(['plan', '--stage', 'user'], place);
    expect(shown).toMatchObject({ hash: plan.hash, stages: staged?.stages });
    expect([...(staged?.changes ?? [])].map((change) => [change.address, change.stage])).toEqual(
      (shown.changes as readonly library.Change[]).map((change) => [change.address, change.stage]),
    );
    expect(plan).not.toHaveProperty('stages');
    await expect(library.plan({ ...place, stage: ['usr'] })).rejects.toMatchObject(usage);
    const report = await library.apply({ ...place, plan, stage, gate: 'true' });
    expect(report).toMatchObject({ outcome: 'done', stages: [{ select: 'user', gate: { outcome: 'passed' } }, {}] });
    expect(await library.plan({ ...place, stage })).not.toHaveProperty('staged');
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

  test.for([
    ['as it was returned', (plan: library.Plan) => plan],
    ['from its JSON', (plan: library.Plan) => JSON.parse(JSON.stringify(plan)) as library.Plan],
  ] as const)('applies a plan object %s, and exactly that', async ([, passOn]) => {
    const place = await estate();
    const { plan } = await library.plan(place);
    await writeFiles(place.cwd, { 'chat.yaml': manifest.replace('Alice', 'Alicia') });
    const passed = passOn(plan);
    expect(await library.rehearse({ ...place, plan: passed })).toMatchObject({ outcome: 'done', next_plan_steps: 0 });
    const report = await library.apply({ ...place, plan: passed, approvedHash: plan.hash });
    expect(report).toMatchObject({ outcome: 'done', plan_hash: plan.hash, steps: { succeeded: 3 } });
    expect(await library.apply({ ...place, plan: passed })).toMatchObject({ steps: { planned: 0 } });
    expect((await library.plan(place)).plan.changes.slice().map(({ address }) => address)).toEqual(['user.alice']);
  });

  test.for<[string, (plan: Editable) => void]>([
    ['step', ({ steps }) => void Object.assign(steps[0]?.request ?? {}, { body: { user_id: 'eve' } })],
    ['number of steps', ({ steps }) => void steps.pop()],
    ['digest of a record', ({ preconditions }) => void preconditions.pop()],
    ['change that is shown', ({ changes }) => void changes.pop()],
    ['application', (plan) => Object.assign(plan, { application: 'emulator:other' })],
    ['address of the application', ({ settings }) => void Object.assign(settings, { base_url: 'http://127.0.0.1:1' })],
    ['hash', (plan) => Object.assign(plan, { hash: '0'.repeat(64) })],
    ['entry for state', (plan) => Object.assign(plan, { bookkeeping: [] })],
    ['list that became a text', (plan) => Object.assign(plan, { steps: 'none' })],
    ['list that is missing', (plan) => Object.assign(plan, { preconditions: undefined })],
    ['member that was added', (plan) => Object.assign(plan, { live: [] })],
  ])('refuses a plan object with another %s', async ([, change]) => {
    const place = await estate();
    const edited = JSON.parse(JSON.stringify((await library.plan(place)).plan)) as Editable & library.Plan;
    change(edited);
    const refusal = { code: 'plan.unreadable', exitCode: 6, message: expect.stringContaining('was edited') };
    await expect(library.apply({ ...place, plan: edited })).rejects.toMatchObject(refusal);
    expect((await library.plan(place)).plan.changes).toHaveLength(3);
  });

  test('refuses a plan object that is stale, that cannot be applied, or that other options contradict', async () => {
    const place = await estate();
    const { plan } = await library.plan(place);
    for (const options of [{ paths: ['chat.yaml'] }, { target: ['user.alice'] }, { refresh: 'all' }])
      await expect(library.apply({ ...place, plan, ...options })).rejects.toMatchObject(usage);
    const baseUrl = 'emulator:other';
    await expect(library.apply({ ...place, plan, baseUrl })).rejects.toMatchObject({ exitCode: 6 });
    await library.apply(place);
    await writeFiles(place.cwd, { 'chat.yaml': manifest.replace('Alice', 'Alicia') });
    const { plan: rename } = await library.plan(place);
    await writeFiles(place.cwd, { 'chat.yaml': manifest.replace('Alice', 'Alix') });
    await library.apply(place);
    const stale = library.apply({ ...place, plan: rename });
    await expect(stale).rejects.toMatchObject({ code: 'plan.conflict', exitCode: 6 });
    const shown = (await printed(['plan'], place)) as unknown as library.Plan;
    for (const other of [(await library.drift(place)).plan, shown])
      await expect(library.apply({ ...place, plan: other })).rejects.toMatchObject({ code: 'plan.unreadable' });
    const { plan: back } = await library.planUndo(place);
    expect(await library.apply({ ...place, plan: back })).toMatchObject({ outcome: 'done', steps: { succeeded: 1 } });
  });

  test('reads the live objects for a plan that is applied later, if the policy asks for that', async () => {
    const policy = 'policy: { refresh: { apply: all } }\n';
    const place = await estate(manifest + policy);
    await library.apply(place);
    expect((await library.plan(place)).plan.refreshed).toMatchObject({ objects: 3 });
    expect((await library.plan({ ...place, refresh: 'none' })).plan.refreshed).toBeUndefined();
  });

  test('plans an undo like the command, and takes back exactly what was looked at', async () => {
    const place = await applied();
    await writeFiles(place.cwd, { 'chat.yaml': manifest.replace('Alice', 'Alicia') });
    await library.apply(place);
    const { plan } = await library.planUndo({ ...place, out: 'undo.json' });
    expect(await printed(['undo', '--out', 'its.json'], place)).toMatchObject({ hash: plan.hash });
    await expectSame(place.cwd, 'undo.json', 'its.json');
    await expect(library.undo({ ...place, approvedHash: '0'.repeat(64) })).rejects.toMatchObject({ exitCode: 6 });
    await expect(library.undo({ ...place, run: 99 })).rejects.toMatchObject({ exitCode: 66 });
    const events: library.ApplyEvent[] = [];
    const options = { approvedHash: plan.hash, onEvent: (event: library.ApplyEvent) => void events.push(event) };
    expect(await library.undo({ ...place, ...options })).toMatchObject({ outcome: 'done', steps: { succeeded: 1 } });
    expect(events.filter(({ type }) => type === 'step.ended')).toHaveLength(1);
    expect([...(await library.plan(place)).plan.changes].map(({ address }) => address)).toEqual(['user.alice']);
    const stopped = await library.undo({ ...place, run: 1, signal: AbortSignal.abort() }).catch((error) => error);
    expect(stopped).toMatchObject({ exitCode: 8 });
  });

  test('rehearses without leaving a trace', async () => {
    const place = await estate();
    const rehearsed = await library.rehearse({ ...place, latency: 50, seed: 3 });
    expect(rehearsed).toMatchObject({ outcome: 'done', steps: { succeeded: 3 }, next_plan_steps: 0 });
    expect((await library.plan(place)).plan.changes).toHaveLength(3);
  });

  test('returns problems of manifests from validate and throws them from plan', async () => {
    const place = await estate(manifest.replace('nickname: Bob', 'nickname: [Bob]'));
    const found = await library.validate(place);
    expect(found).toMatchObject({ valid: false, files: 1 });
    expect(found.diagnostics).toHaveLength(1);
    await expect(library.plan(place)).rejects.toMatchObject({ code: 'manifest.invalid', exitCode: 65 });
    await expect(library.validate({ ...place, paths: [''] })).rejects.toMatchObject(usage);
    expect(await library.validate(await estate())).toMatchObject({ valid: true, objects: 3, diagnostics: [] });
  });

  test.for<[string, Partial<library.ApplyOptions>, Partial<library.Refusal>]>([
    ['an empty hash', { approvedHash: '' }, usage],
    ['an empty path', { paths: [''] }, usage],
    ['another hash', { approvedHash: '0'.repeat(64) }, { code: 'plan.not-approved', exitCode: 6 }],
    ['no such target', { target: ['user.nobody'] }, { exitCode: 64 }],
    ['no token', { baseUrl: 'https://api-x.sendbird.com/v3' }, { code: 'token.missing', exitCode: 3 }],
    ['no duration', { maxDuration: 'long' }, usage],
  ])('refuses to apply: %s', async ([, options, refusal]) => {
    const thrown = await library.apply({ ...(await estate()), ...options }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(library.Refusal);
    expect(thrown).toMatchObject(refusal);
  });

  test('rejects with a refusal for every bad value of every option of every function', async () => {
    const place = { cwd: await temporaryFolder(), env: {} };
    const gaps: string[] = new Array(2);
    const bad = [
      null,
      Number.NaN,
      -1,
      1.5,
      1n,
      Symbol('s'),
      {},
      [],
      gaps,
      [1],
      ['a\0b'],
      'a\0b',
      '',
      new Date(Number.NaN),
      () => {},
    ];
    const functions: Readonly<Record<string, unknown>> = { ...library };
    const others: string[] = [];
    for (const [name, table] of Object.entries(useCases)) {
      const call = functions[name] as (options: unknown) => Promise<unknown>;
      const refused = async (options: unknown, what: string): Promise<void> => {
        const thrown = await call(options).catch((error: unknown) => error);
        if (!(thrown instanceof library.Refusal)) others.push(`${name}, ${what}: ${String(thrown)}`);
      };
      for (const value of [null, 1, 'text', [], () => {}, 1n]) await refused(value, 'no object');
      await refused({ ...place, nosuch: 1 }, 'an unknown option');
      const needed = Object.entries<Option>(table).filter(([, option]) => option.isRequired === true);
      if (needed.length > 0) await refused(place, 'without what it needs');
      const complete = Object.fromEntries(needed.map(([key]) => [key, key === 'addresses' ? ['user.a'] : 'nosuch']));
      for (const [key, option] of Object.entries<Option>(table)) {
        const { matches } = optionTypes[option.type];
        const wrong = bad.filter(
          (value) => !matches(value) || value === '' || JSON.stringify(value)?.includes('\\u0000') === true,
        );
        for (const value of wrong) await refused({ ...place, ...complete, [key]: value }, key);
        if (key === 'cwd') await refused({ ...place, ...complete, cwd: 'x'.repeat(5_000) }, 'a long folder');
      }
    }
    expect(others).toEqual([]);
  });

  test.for<[string, (listener: () => never) => library.ApplyOptions, string]>([
    ['onEvent', (onEvent) => ({ onEvent }), 'onEvent threw an error: own'],
    ['onNotice', (onNotice) => ({ onNotice, refresh: 'all' }), 'onNotice threw an error: own'],
  ])('ends a run in order when %s throws or rejects, and continues afterwards', async ([, options, message]) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      for (const listener of [
        () => {
          throw new Error('own');
        },
        () => Promise.reject(new Error('own')) as never,
      ]) {
        const place = await estate(`${manifest}open_channels: { lobby: { name: L } }\n`);
        const thrown = await library.apply({ ...place, ...options(listener) }).catch((error: unknown) => error);
        expect(thrown).toBeInstanceOf(library.Refusal);
        expect(thrown).toMatchObject({ code: 'library.listener-failed', exitCode: 8, message });
        expect(await library.apply(place)).toMatchObject({ outcome: 'done' });
      }
    } finally {
      process.off('unhandledRejection', unhandled);
    }
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('refuses a plan that a safety rule refuses, and says why', async () => {
    const place = await applied();
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
