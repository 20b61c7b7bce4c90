// Tests `apply --stage`: a part, its gate, and the rest or the way back; and gates that fail, hang or are interrupted.
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Connected, connected, type Place, place } from '../../support/place.ts';
import { kindNamed } from '../../support/planning/planning.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { fastClock } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

/** Four channels of one member each, of which a quarter is the first. */
const files = {
  'chat.yaml': `version: 1
users: { alice: { nickname: A }, bob: { nickname: B }, carol: { nickname: C }, dora: { nickname: D } }
group_channels:
  room-1: { members: { alice: } }
  room-2: { members: { bob: } }
  room-3: { members: { carol: } }
  room-4: { members: { dora: } }
`,
};
const path = { PATH: process.env.PATH ?? '' };
const share = ['apply', '--auto-approve', '--stage', '25%', '--gate'];
/** Notes each question, and passes once the file `open` exists. */
const gate = 'echo asked >> asked; test -f open';

async function staged(): Promise<Connected> {
  const there = await connected(files);
  return { ...there, at: there.at.with({ env: path }) };
}

async function channelsOf({ running }: Connected): Promise<string[]> {
  return (await keysOf(running, kindNamed('group_channel'))).sort();
}

async function asked(at: Place): Promise<number> {
  return (await at.read('asked')).trim().split('\n').length;
}

async function eventsIn(at: Place): Promise<JsonObject[]> {
  const events = (await at.read('events.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const event of events) expect(publishedSchema('events')(event)).toEqual([]);
  return events;
}

/** The process of a gate that wrote its id into the file `gate`. */
async function gateProcess(at: Place): Promise<number> {
  await vi.waitUntil(
    () =>
      access(at.path('gate')).then(
        () => true,
        () => false,
      ),
    { timeout: 20_000 },
  );
  return Number(await at.read('gate'));
}

/** A killed process may take a moment to end. */
async function expectEnded(pid: number): Promise<void> {
  const isAlive = (): boolean => {
    try {
      return process.kill(-pid, 0);
    } catch {
      return false;
    }
  };
  await vi.waitUntil(() => !isAlive(), { timeout: 20_000 });
}

const leaseMs = 60_000;
const hanging = 'echo $$ > pid; mv pid gate; sleep 600 & sleep 600';

describe('apply --stage', () => {
  test('applies a share of the channels with their users, asks the gate, and applies the rest', async () => {
    const { at, running } = await staged();
    const flags = ['--report', 'report.json', '--events', 'events.ndjson'];
    const { stderr } = await at.does([...share, 'env > variables', ...flags]);
    expect(stderr).toContain('Stage 1 (25%) has ended. Asking its gate.\nThe gate after stage 1 passed.\n');
    expect(stderr).toMatch(/Stage 1 \(25%\): 2 steps\. Its gate passed after .*\nStage 2 \(the rest\): 6 steps\./u);
    const report = await at.readJson('report.json');
    expect(publishedSchema('report')(report)).toEqual([]);
    expect(report.stages).toEqual([
      {
        select: '25%',
        objects: 2,
        steps: 2,
        pulled_in: 1,
        until: 'room-1',
        gate: { outcome: 'passed', took_s: expect.any(Number) },
      },
      { objects: 6, steps: 6 },
    ]);
    const events = await eventsIn(at);
    const atGate = events.findIndex(({ type }) => type === 'gate.ended');
    const stages = events.flatMap(({ type, stage }, at) => (type === 'step.started' ? [[at < atGate, stage]] : []));
    expect(stages).toEqual([...Array(2).fill([true, 1]), ...Array(6).fill([false, 2])]);
    const variables = await at.read('variables');
    expect(variables).toContain(`STAGE=1\n`);
    expect(variables).toContain('STAGE_SELECTION=25%\n');
    expect(variables).toMatch(/^STAGE_APPLICATION=127\.0\.0\.1:\d+\/v3$/mu);
    expect(variables).not.toContain('CHATFORM_');
    expect(variables).not.toContain(running.token);
    await at.does('plan --detailed-exitcode');
  });

  test('shows the stages in the plan, also in the summary of a pipeline', async () => {
    const { at } = await staged();
    const { stdout } = await at.with({ env: { GITHUB_STEP_SUMMARY: at.path('summary.md') } }).does([...share, 'true']);
    const lines = [
      'Stage 1 (25%): 2 steps on 2 objects, 1 of them because others need or contain them; channels up to',
      'Stage 2 (the rest): 6 steps on 6 objects',
    ];
    for (const line of lines) expect(stdout).toContain(line);
  });

  test('is what a plan with the same stages shows, also while an earlier run is not complete', async () => {
    const { at } = await staged();
    const preview = async (...command: readonly string[]) => {
      const { stages, changes, hash } = JSON.parse((await at.does([...command, '--format', 'json'])).stdout);
      const divided = changes.map(({ address, stage }: JsonObject) => [stage, address]).sort();
      return { stages, divided, hash };
    };
    const before = await preview('plan', '--stage', '25%');
    expect(before.stages).toMatchObject([{ named: ['user.alice', 'group_channel.room-1'] }, { objects: 6 }]);
    expect(before.divided.slice(0, 2)).toEqual([
      [1, 'group_channel.room-1'],
      [1, 'user.alice'],
    ]);
    await at.does('plan --stage 25% --out staged.plan');
    await at.does('plan --out plain.plan');
    expect(await at.read('staged.plan')).toBe(await at.read('plain.plan'));
    expect(await preview('show', 'staged.plan', '--stage', '25%')).toEqual(before);
    await at.ends('plan --stage grup_channel', 64, 'is not a kind', 'group_channel');
    await at.ends([...share, gate, '--report', 'report.json'], 4);
    expect((await preview('plan', '--stage', '25%')).stages).toMatchObject([
      { steps: 0, until: 'room-1' },
      { steps: 6 },
    ]);
    await at.does([...share, 'true']);
    expect(await preview('plan', '--stage', '25%')).toMatchObject({ divided: [] });
  });

  test('stops with 4 where the gate fails, and prints the command that undoes the part', async () => {
    const { at, call } = await staged();
    const names = () =>
      Promise.all(['room-1', 'room-2'].map(async (url) => (await call('GET', `/group_channels/${url}`)).name));
    const named = (name: string) => files['chat.yaml'].replaceAll('{ members', `{ name: ${name}, members`);
    await at.write({ 'chat.yaml': named('Old') });
    await at.does('apply --auto-approve');
    await at.write({ 'chat.yaml': named('New') });
    const { stderr } = await at.ends(
      [...share, "echo 'no answer from the bot' >&2; false", '--report', 'report.json'],
      4,
      'Its gate did not pass after',
      'the command ended with exit code 1: no answer from the bot.',
      'What was applied stays, and nothing was undone',
      'run the same command again',
    );
    expect(await names()).toEqual(['New', 'Old']);
    expect(await at.readJson('report.json')).toMatchObject({ exit_code: 4, stop_cause: 'gate', to_undo: [2] });
    const undo = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
    expect(undo).toBe('chatform undo 2');
    await at.does([...undo.split(' ').slice(1), '--auto-approve']);
    expect(await names()).toEqual(['Old', 'Old']);
  });

  test('asks a gate that failed again, without applying more before', async () => {
    const there = await staged();
    const { at } = there;
    await at.ends([...share, gate], 4);
    await at.ends([...share, gate], 4, 'Stage 1 (25%): 0 steps.', 'chatform undo 1');
    expect(await channelsOf(there)).toEqual(['room-1']);
    await at.write({ open: '' });
    const { stdout } = await at.does([...share, gate]);
    expect(stdout).toContain('Stage 1 (25%): nothing left; channels up to room-1; then the gate');
    expect(await asked(at)).toBe(3);
    expect(await channelsOf(there)).toEqual(['room-1', 'room-2', 'room-3', 'room-4']);
  });
});

describe('a gate', () => {
  test('that hangs is ended with all that it started', async () => {
    const { at } = await staged();
    await at.ends([...share, hanging, '--gate-timeout', '300ms'], 4, 'did not end within', '--gate-timeout');
    await expectEnded(await gateProcess(at));
    await at.does([...share, 'true']);
  });

  test('is ended by an interrupt, and asked again by the next run', async () => {
    const { at } = await staged();
    const stop = new AbortController();
    const ended = at.with({ interrupt: stop.signal }).ends([...share, hanging, '--report', 'report.json'], 8);
    const pid = await gateProcess(at);
    stop.abort();
    await ended;
    await expectEnded(pid);
    const { stages } = await at.readJson('report.json');
    expect(stages[0].gate).toMatchObject({ outcome: 'interrupted' });
    await at.write({ open: '' });
    await at.does([...share, gate]);
    expect(await asked(at)).toBe(1);
  });

  test('is ended at the time limit of the run', async () => {
    const { at } = await staged();
    await at.with({ clock: fastClock(100) }).ends([...share, hanging, '--max-duration', '2m'], 9);
    await expectEnded(await gateProcess(at));
  });

  test('may take longer than the lease of the lock, which nobody else gets meanwhile', async () => {
    const { at } = await staged();
    const clock = fastClock(60);
    const here = at.with({ clock });
    const wait = 'echo $$ > pid; mv pid gate; until test -f open; do sleep 0.1; done';
    const ended = here.does([...share, wait]);
    await gateProcess(at);
    await clock.sleep(2 * leaseMs);
    await here.ends('apply --auto-approve', 7, 'has no recorded end', 'state.locked');
    await at.write({ open: '' });
    await ended;
  });

  test('is ended when the run loses its lock, and nothing more is sent', async () => {
    const there = await staged();
    const { at } = there;
    const here = at.with({ clock: fastClock(60) });
    const flags = ['--gate-timeout', '24h', '--report', 'report.json'];
    const ended = here.ends([...share, hanging, ...flags], 8, 'state.lease-lost');
    const pid = await gateProcess(at);
    const before = await channelsOf(there);
    await here.does('state unlock --auto-approve');
    await ended;
    await expectEnded(pid);
    const { outcome, exit_code, stages } = await at.readJson('report.json');
    expect({ outcome, exit_code }).toEqual({ outcome: 'interrupted', exit_code: 8 });
    expect(stages[0].gate).toMatchObject({ outcome: 'interrupted' });
    expect(await channelsOf(there)).toEqual(before);
  });

  test('may leave a process behind, but not the one that waits for the end of the run', async () => {
    const { at } = await staged();
    await at.does([...share, 'echo $$ > pid; sleep 600 > /dev/null 2>&1 & echo $! > left; mv pid gate']);
    const group = await gateProcess(at);
    const left = Number(await at.read('left'));
    expect(process.kill(left, 0)).toBe(true);
    process.kill(left, 'SIGKILL');
    await expectEnded(group);
  });

  test('has no child that it did not start', async ({ skip }) => {
    if (!existsSync('/proc/thread-self/children')) skip('this system does not list the children of a process');
    const { at } = await staged();
    await at.does([...share, 'read -r children < /proc/$$/task/$$/children; test -z "$children"']);
  });

  test('that was asked when its run was killed ends with the run and is asked again', async () => {
    const { at, running } = await staged();
    const env = {
      ...path,
      CHATFORM_BASE_URL: running.url,
      CHATFORM_API_TOKEN: running.token,
      CHATFORM_RATE_PLAN: '100k_mau',
    };
    const child = spawnCli([...share, hanging], { cwd: at.cwd, env });
    const pid = await gateProcess(at);
    child.kill('SIGKILL');
    await child.ended;
    await expectEnded(pid);
    await at.write({ open: '' });
    await at.does([...share, gate]);
    expect(await asked(at)).toBe(1);
    await at.does('plan --detailed-exitcode');
  });
});

describe('what cannot be staged', () => {
  test.for<[title: string, args: readonly string[], says: readonly string[]]>([
    ['a stage without a gate', ['--stage', '10%'], ['--stage needs --gate or --verify']],
    ['a gate without a stage', ['--gate', 'true'], ['--gate needs --stage']],
    [
      'a gate that gets no time',
      ['--stage', 'user', '--gate', 'true', '--gate-timeout', '0s'],
      ['--gate-timeout 0s gives the command no time'],
    ],
    [
      'several mistakes, all at once',
      ['--stage', 'usr', '--stage', '100%', '--stage', '0%', '--stage', '2.5%'],
      [
        '"usr" is not a kind. Did you mean "user"?',
        '"100%" is not',
        '"0%" is not',
        '"2.5%" is not',
        '--stage needs --gate',
      ],
    ],
    [
      'a pattern that matches nothing',
      ['--stage', 'group_channel.x*', '--gate', 'true'],
      ['--stage "group_channel.x*" matches nothing declared or in state'],
    ],
  ])('is refused: %s', async ([, args, says]) => {
    const at = await place(files);
    const base = ['--base-url', 'emulator:.chatform/emulator'];
    await at.ends(['apply', '--auto-approve', ...base, ...args], 64, ...says);
    expect(['state', 'emulator'].filter((name) => existsSync(at.path(`.chatform/${name}`)))).toEqual([]);
  });
});

describe('a part that does not divide the plan', () => {
  const oneStage = 'One stage: --stage does not divide this plan, so no gate is asked.';
  const users = 'version: 1\nusers: { alice: { nickname: A }, bob: { nickname: B } }\n';

  test.for<[title: string, content: string, stages: readonly string[], lines: readonly string[]]>([
    [
      'a share of one channel',
      `${users}open_channels: { lobby: { name: L, operators: [alice, bob] } }\n`,
      ['25%'],
      ['Stage 1 (25%): 3 steps.', 'Stage 2 (the rest): 0 steps.'],
    ],
    ['a share without channels', users, ['25%'], ['Stage 1 (25%): 0 steps.', 'Stage 2 (the rest): 2 steps.']],
    ['a kind without a change', users, ['open_channel'], ['Stage 1 (open_channel): 0 steps.']],
    ['the whole plan', users, ['user'], ['Stage 1 (user): 2 steps.']],
    ['a part of a stage before it', users, ['user', 'user.alice'], ['Stage 2 (user.alice): 0 steps.']],
  ])('runs as one stage: %s', async ([, content, stages, lines]) => {
    const at = await place({ 'chat.yaml': content });
    const base = ['--base-url', 'emulator:.chatform/emulator', ...stages.flatMap((text) => ['--stage', text])];
    expect((await at.does(['plan', ...base])).stdout).toContain(oneStage);
    const { stdout, stderr } = await at.does(['apply', '--auto-approve', ...base, '--gate', 'false']);
    for (const line of [oneStage, ...lines]) expect(stdout + stderr).toContain(line);
  });

  test('asks the gate between the stages that have steps', async () => {
    const at = await place(files);
    const base = ['--base-url', 'emulator:.chatform/emulator', '--stage', 'custom_type', '--stage', '25%'];
    const { stdout, stderr } = await at.does(['apply', '--auto-approve', ...base, '--gate', 'test "$STAGE" = 2']);
    expect(stdout + stderr).toContain('The gate after stage 2 passed.');
    expect(stdout + stderr).not.toContain('The gate after stage 1');
  });

  test('refuses a pattern only while it matches nothing that is declared', async () => {
    const at = await place(files);
    const base = ['--base-url', 'emulator:.chatform/emulator', '--gate', 'true'];
    await at.does(['apply', '--auto-approve', ...base, '--stage', 'group_channel.room-1']);
    await at.write({ 'chat.yaml': `${files['chat.yaml']}open_channels: { lobby: { name: L } }\n` });
    await at.does(['apply', '--auto-approve', ...base, '--stage', 'group_channel.room-*']);
    await at.write({ 'chat.yaml': `${files['chat.yaml']}open_channels: { lobby: { name: M } }\n` });
    await at.ends(
      ['apply', '--auto-approve', ...base, '--stage', 'group_channel.rom-*'],
      64,
      'matches nothing declared',
    );
  });
});
