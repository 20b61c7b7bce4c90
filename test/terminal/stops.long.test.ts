// Tests that every command that waits ends in order: in a terminal and behind pipes, by Ctrl-C, SIGTERM and SIGHUP.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { StopSignal } from '../../src/cli/process/interrupts.ts';
import { exitCode } from '../../src/core/model/exit-code.ts';
import { writeFiles } from '../support/folders.ts';
import { startPlatform } from '../support/platform.ts';
import { type CliEnd, succeeded } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type SlowPlatform, type Surface, slowPlatform, start } from './support/stops.ts';
import { noTmux, Terminal } from './support/tmux.ts';

type Cell = readonly [surface: Surface, signal: StopSignal];
const cells = (['terminal', 'pipe'] as const).flatMap((surface) =>
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal): Cell => [surface, signal]),
);
/** Halves of these with each signal once and both surfaces. */
const halves = [0, 1].map((first) => cells.filter((_cell, place) => place % 2 === first));

const slowMs = 700;
/** So that some hundred steps take a while. */
const slowly = { CHATFORM_RATE_PLAN: '5k_mau' };
const neverMs = 120_000;

const small = `version: 1
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { room: { members: { alice: , bob: }, messages: { file: room.ndjson } } }
`;
const history = Array.from({ length: 3 }, (_, at) =>
  JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: `m${at}`, timestamp: 1_700_000_000_000 + at }),
).join('\n');
const many = (count: number): string =>
  `version: 1\nusers:\n${Array.from({ length: count }, (_, at) => `  user-${at}: { nickname: U${at} }\n`).join('')}`;

interface Setting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: SlowPlatform;
  run(...args: readonly string[]): Promise<CliEnd>;
}

interface Stopped {
  /** The command changes nothing, neither on the platform nor in state or files that it keeps. */
  readonly isReading?: true;
  readonly args: readonly string[] | ((setting: Setting) => readonly string[]);
  /** Lines of standard input, which stays open after them. */
  readonly input?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Before the command starts. */
  readonly before?: (setting: Setting) => Promise<void>;
  /** The delay of answers while the command runs. */
  readonly delayMs?: number;
  /** Resolves once the command waits. Default: when the first request arrives. */
  readonly waits?: (setting: Setting) => Promise<unknown>;
  readonly exit?: number;
  readonly after?: (setting: Setting) => Promise<void>;
}

const apply = async ({ run }: Setting): Promise<void> => {
  await succeeded(run('apply', '--auto-approve'));
};

const isThere = (file: string) => (setting: Setting) =>
  vi.waitUntil(() => existsSync(join(setting.cwd, file)), { timeout: 60_000, interval: 10 });

/** A gate of several processes, which writes the id of its group into the file `gate`. */
const hangingGate = 'echo $$ > gate.new; mv gate.new gate; sleep 600 & sleep 600';

async function expectGroupEnded(cwd: string): Promise<void> {
  const group = Number(await readFile(join(cwd, 'gate'), 'utf8'));
  const isAlive = (): boolean => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };
  await vi.waitUntil(() => !isAlive(), { timeout: 20_000, interval: 50 });
}

/** The report and the trail say that the run was interrupted, and the next run has no call to look up. */
async function continues({ cwd, run }: Setting, command: string, ...next: readonly string[]): Promise<void> {
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ outcome: 'interrupted', exit_code: exitCode.interrupted });
  expect(report.steps.succeeded, JSON.stringify(report)).toBeGreaterThan(0);
  const { entries } = JSON.parse((await succeeded(run('state', 'log', '--format', 'json'))).stdout);
  expect(entries.at(-1)).toMatchObject({ command, outcome: 'interrupted' });
  expect((await run('plan')).stderr).not.toContain('interrupted');
  const { stderr } = await succeeded(run(...next));
  expect(stderr).not.toContain('may still take effect');
}

const slack: Readonly<Record<string, string>> = {
  'export/users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
  'export/channels.json': JSON.stringify([{ id: 'C1', name: 'room', members: ['U1'] }]),
};

function slackDay(day: number, messages: number): Readonly<Record<string, string>> {
  const list = Array.from({ length: messages }, (_, at) => ({
    type: 'message',
    user: 'U1',
    ts: `${1_706_745_600 + day * 86_400 + at}.000100`,
    text: `hello ${at}`,
  }));
  return { [`export/room/2024-02-${String(day).padStart(2, '0')}.json`]: JSON.stringify(list) };
}

const long: Readonly<Record<string, string>> = Object.assign(
  {},
  slack,
  ...Array.from({ length: 28 }, (_, day) => slackDay(day + 1, 2_500)),
);

const commands: Readonly<Record<string, Stopped>> = {
  apply: {
    args: ['apply', '--auto-approve', '--report', 'report.json'],
    files: { 'chat.yaml': many(150) },
    delayMs: slowMs,
    // In the middle of the run.
    waits: async ({ platform }) => {
      await platform.asked();
      await sleep(2 * slowMs);
    },
    after: (setting) => continues(setting, 'apply', 'apply', '--auto-approve'),
  },
  undo: {
    args: ['undo', '--auto-approve', '--no-refresh', '--report', 'report.json'],
    files: { 'chat.yaml': many(150) },
    // A second run, which edits and removes nothing, so that no safety rule refuses to take it back.
    before: async (setting) => {
      await apply(setting);
      await writeFiles(setting.cwd, { 'chat.yaml': many(150).replaceAll('nickname: U', 'nickname: V') });
      await apply(setting);
    },
    delayMs: slowMs,
    waits: async ({ platform }) => {
      await platform.asked();
      await sleep(2 * slowMs);
    },
    after: (setting) => continues(setting, 'undo', 'apply', '--auto-approve'),
  },
  destroy: {
    args: ({ platform }) => ['destroy', '--report', 'report.json', '--confirm', platform.application],
    files: { 'chat.yaml': many(150) },
    before: apply,
    delayMs: slowMs,
    waits: async ({ platform }) => {
      await platform.asked();
      await sleep(2 * slowMs);
    },
    after: (setting) => continues(setting, 'destroy', 'destroy', '--confirm', setting.platform.application),
  },
  'apply --stage': {
    args: ['apply', '--auto-approve', '--report', 'report.json', '--stage', 'user', '--gate', hangingGate],
    delayMs: 0,
    waits: isThere('gate'),
    after: async (setting) => {
      const { cwd } = setting;
      await expectGroupEnded(cwd);
      const { stages } = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
      expect(stages[0].gate).toMatchObject({ outcome: 'interrupted' });
      await continues(setting, 'apply', 'apply', '--auto-approve');
    },
  },
  'plan --refresh': { isReading: true, args: ['plan', '--refresh'], before: apply },
  drift: { isReading: true, args: ['drift'], before: apply },
  'apply --refresh': {
    args: ['apply', '--refresh', '--auto-approve', '--report', 'report.json'],
    before: apply,
    after: async ({ cwd }) => {
      expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({ exit_code: 8 });
    },
  },
  'validate --online': { isReading: true, args: ['validate', '--online'] },
  verify: { isReading: true, args: ['verify'], before: apply },
  export: { args: ['export', '--out-dir', 'copy', '--messages', '--state', 'file:copied'], before: apply },
  adopt: { args: ['adopt', 'user.alice'] },
  'state rebuild': { args: ['state', 'rebuild'] },
  calibrate: {
    args: ['calibrate', '--auto-approve'],
    delayMs: 150,
    waits: async ({ platform }) => {
      await platform.asked();
      await sleep(1_500);
    },
    after: async ({ run, cwd }) => {
      // The scratch objects are gone again, or in the record from which the next calibration removes them.
      expect((await readdir(cwd)).includes('chatform-behaviours.json')).toBe(false);
      const { stdout } = await succeeded(run('export', '--out-dir', 'left', '--without-state', '--format', 'json'));
      expect(stdout).not.toContain('chatform-calibrate-');
    },
  },
  convert: {
    args: ['convert', 'slack', 'export', '--out-dir', 'chat'],
    files: long,
    waits: isThere('chat/conversion/.staged'),
    after: async ({ cwd, run }) => {
      expect(existsSync(join(cwd, 'chat/conversion/.staged'))).toBe(false);
      await succeeded(run('convert', 'slack', 'export', '--out-dir', 'chat'));
    },
  },
  files: {
    args: ({ platform }) => [
      ...[
        'convert-files',
        'slack',
        'export',
        '--out-dir',
        'chat',
        '--to',
        'copies',
        '--public-url',
        'https://cdn.example.com',
      ],
      ...['--fetch', platform.host],
    ],
    files: slack,
    before: async ({ cwd, run, platform }) => {
      const files = [{ id: 'F1', name: 'a.png', url_private: `http://${platform.host}/a.png` }];
      const message = { type: 'message', user: 'U1', ts: '1714982400.000100', text: 'see', files };
      await writeFiles(cwd, { 'export/room/2024-05-06.json': JSON.stringify([message]) });
      await succeeded(run('convert', 'slack', 'export', '--out-dir', 'chat'));
    },
  },
  rehearse: {
    isReading: true,
    args: ['rehearse', '--events', 'events.ndjson', '--report', 'report.json'],
    files: { 'chat.yaml': many(6_000) },
    waits: isThere('events.ndjson'),
    after: async ({ cwd }) => {
      expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({ exit_code: 8 });
    },
  },
  'cutover --rehearse': {
    isReading: true,
    args: ['cutover', 'chat', '--rehearse'],
    files: long,
    before: async ({ run }) => {
      await succeeded(run('convert', 'slack', 'export', '--out-dir', 'chat'));
    },
    waits: async ({ cwd }) => {
      await vi.waitUntil(async () => (await readdir(join(cwd, '.tmp'))).some((name) => name.includes('cutover')), {
        timeout: 60_000,
        interval: 10,
      });
      await sleep(300);
    },
  },
  mcp: {
    isReading: true,
    args: ['mcp'],
    input: [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'drift', arguments: {} } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })),
    before: apply,
    exit: exitCode.done,
  },
  emulator: {
    args: ['emulator', '--port', '0', '--data', 'data/emulator'],
    waits: isThere('data/emulator'),
    exit: exitCode.done,
  },
};

async function settingOf({ files = { 'chat.yaml': small, 'room.ndjson': history } }: Stopped): Promise<Setting> {
  const cwd = await temporaryFolder({ ...files, '.tmp/.keep': '' });
  const platform = await slowPlatform(await startPlatform());
  const env = { ...platform.env, TMPDIR: join(cwd, '.tmp') };
  return { cwd, env, platform, run: (...args) => spawnCli(args, { cwd, env }).ended };
}

async function stopped(command: Stopped, surface: Surface, signal: StopSignal): Promise<void> {
  const setting = await settingOf(command);
  const { cwd, env, platform, run } = setting;
  const { args, input, before, delayMs = neverMs, after, exit = exitCode.interrupted } = command;
  await before?.(setting);
  platform.delayMs = delayMs;
  const waits = command.waits?.(setting) ?? platform.asked();
  const words = typeof args === 'function' ? args(setting) : args;
  const child = await start(surface, { args: words, input }, cwd, { ...env, ...slowly });
  // A command that ends by itself has never waited.
  await Promise.race([waits, child.ended]);
  child.stop(signal);
  const end = await child.ended;
  expect(end.exit, end.output.slice(-1_000)).toBe(exit);
  expect(end.output).not.toMatch(/Interrupted again|error\[internal|unhandled/u);
  platform.delayMs = 0;
  if (before === apply) expect((await succeeded(run('state', 'lock-status'))).stdout).toContain('is not locked');
  expect(await readdir(join(cwd, '.tmp'))).toEqual(['.keep']);
  await after?.(setting);
}

/** Commands that write meet each signal on each surface, and the others one of the halves in turn. */
const stops = Object.entries(commands).map(
  ([name, command], place) => [name, command, command.isReading === true ? (halves[place % 2] ?? []) : cells] as const,
);

test.skipIf(noTmux !== undefined).for(stops)('%s', async ([, command, ofCommand]) => {
  const ended = await Promise.allSettled(ofCommand.map(([surface, signal]) => stopped(command, surface, signal)));
  const failed = ended.flatMap((result, at) =>
    result.status === 'fulfilled' ? [] : [`${ofCommand[at]?.join(', ')}: ${String(result.reason).slice(-2_000)}`],
  );
  expect(failed).toEqual([]);
});

test.skipIf(noTmux !== undefined)('a second Ctrl-C ends an apply at once, in words', async () => {
  const setting = await settingOf({ args: [], files: { 'chat.yaml': many(50) } });
  const { cwd, env, platform, run } = setting;
  platform.delayMs = 4_000;
  const child = await start('terminal', { args: ['apply', '--auto-approve', '--settle-time', '5s'] }, cwd, env);
  await platform.asked();
  child.stop('SIGINT');
  await sleep(600);
  child.stop('SIGINT');
  const { exit, output } = await child.ended;
  expect(exit).toBe(130);
  expect(output).toContain('Interrupted again: ending at once. The same command can be run again.');
  platform.delayMs = 0;
  await succeeded(run('apply', '--auto-approve', '--settle-time', '5s'));
});

test.skipIf(noTmux !== undefined)(
  'a second Ctrl-C ends a gate that ignores the first, and the terminal is as before',
  async () => {
    const setting = await settingOf({ args: [] });
    const { cwd, env } = setting;
    const terminal = await Terminal.open(cwd, { columns: 100, rows: 50 }, env);
    const deaf = `trap "" TERM; ${hangingGate}`;
    terminal.type(`stty -g > before; chatform apply --auto-approve --stage user --gate '${deaf}'; echo $? > .exit.tmp`);
    await isThere('gate')(setting);
    terminal.press('C-c');
    await terminal.shows(/Waiting for running calls to finish/u);
    await sleep(600);
    terminal.press('C-c');
    await isThere('.exit.tmp')(setting);
    expect(await readFile(join(cwd, '.exit.tmp'), 'utf8')).toBe('130\n');
    terminal.type('stty -g > after.tmp; mv after.tmp after');
    await isThere('after')(setting);
    expect(await readFile(join(cwd, 'after'), 'utf8')).toBe(await readFile(join(cwd, 'before'), 'utf8'));
    await expectGroupEnded(cwd);
  },
);

test.skipIf(noTmux !== undefined)('a terminal that is closed during an apply ends it in order', async () => {
  const setting = await settingOf({ args: [], files: { 'chat.yaml': many(150) } });
  const { cwd, env, platform } = setting;
  platform.delayMs = slowMs;
  const terminal = await Terminal.open(cwd, { columns: 80, rows: 24 }, { ...env, ...slowly });
  terminal.type('chatform apply --auto-approve --report report.json');
  await platform.asked();
  await sleep(2 * slowMs);
  await terminal.close();
  const outcome = async () => JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')).steps.succeeded > 0;
  await vi.waitUntil(outcome, { timeout: 30_000, interval: 50 });
  const isFree = async () => (await setting.run('state', 'lock-status')).stdout.includes('is not locked');
  await vi.waitUntil(isFree, { timeout: 30_000, interval: 200 });
  await continues(setting, 'apply', 'apply', '--auto-approve');
});

test.skipIf(noTmux !== undefined)('a terminal that is closed at the question ends with a report', async () => {
  const setting = await settingOf({ args: [] });
  const { cwd, env } = setting;
  const terminal = await Terminal.open(cwd, { columns: 80, rows: 24 }, env);
  terminal.type('chatform apply --report report.json');
  await terminal.shows(/Only "yes" is accepted:$/u);
  await terminal.close();
  const ended = async () => (await setting.run('state', 'lock-status')).stdout.includes('is not locked');
  await vi.waitUntil(ended, { timeout: 30_000, interval: 500 });
  expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({ exit_code: 8 });
});
