// Support: starts a command in a terminal or behind pipes, and asks it to stop.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { StopSignal } from '../../../src/cli/process/interrupts.ts';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { serve } from '../../support/loopback.ts';
import { runProgram } from '../../support/program.ts';
import { Terminal } from './tmux.ts';

export type Surface = 'terminal' | 'pipe';

export interface Started {
  /** Ctrl-C for SIGINT in a terminal. */
  stop(signal: StopSignal): void;
  /** Resolves with the exit code and all output. */
  readonly ended: Promise<{ readonly exit: number; readonly output: string }>;
}

const patience = { timeout: 120_000, interval: 25 };

/** The command's process id is in `.pid` once it runs, and its exit code in `.exit` once it has ended. */
export async function start(
  surface: Surface,
  { args, input }: { readonly args: readonly string[]; readonly input?: readonly string[] | undefined },
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const words = args.map((word) => `'${word}'`).join(' ');
  const script = join(cwd, '.run.sh');
  await writeFile(join(cwd, '.input'), (input ?? []).map((text) => `${text}\n`).join(''));
  const feed = input === undefined ? '' : 'mkfifo .fifo; { cat .input; sleep 15; } > .fifo &\n';
  const source = input === undefined ? '' : ' < .fifo';
  await writeFile(script, `${feed}echo $$ > .pid.tmp; mv .pid.tmp .pid; exec ${runProgram} ${words}${source}\n`);
  const line = 'sh .run.sh; echo $? > .exit.tmp; mv .exit.tmp .exit';
  const run = surface === 'terminal' ? inTerminal : behindPipes;
  const { press, output } = await run(line, cwd, env);
  await vi.waitUntil(() => existsSync(join(cwd, '.pid')), patience);
  const pid = Number(await readFile(join(cwd, '.pid'), 'utf8'));
  const end = async () => {
    await vi.waitUntil(() => existsSync(join(cwd, '.exit')), patience);
    return { exit: Number(await readFile(join(cwd, '.exit'), 'utf8')), output: output() };
  };
  return {
    stop: (signal) => {
      if (signal === 'SIGINT' && press !== undefined) press();
      else process.kill(pid, signal);
    },
    ended: end(),
  };
}

async function inTerminal(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const terminal = await Terminal.open(cwd, { columns: 100, rows: 50 }, env);
  terminal.type(line);
  return { press: () => terminal.press('C-c'), output: () => terminal.screen({ history: true }) };
}

async function behindPipes(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-c', line], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { press: undefined, output: () => output };
}

/** An emulator behind a host that can answer late. */
export interface SlowPlatform {
  readonly env: Readonly<Record<string, string>>;
  /** With its port. */
  readonly host: string;
  /** As state names it. */
  readonly application: string;
  /** The delay of every answer. */
  delayMs: number;
  /** Resolves when the next request arrives. */
  asked(): Promise<void>;
}

export async function slowPlatform({ url, token }: RunningEmulator): Promise<SlowPlatform> {
  const waiting: (() => void)[] = [];
  const { host: behind } = new URL(url);
  const host = await serve(async (incoming, outgoing) => {
    while (waiting.length > 0) waiting.shift()?.();
    // The effect comes after the delay, so that a call that is cut off is in doubt.
    const body: Buffer[] = [];
    for await (const piece of incoming) body.push(piece as Buffer);
    await sleep(platform.delayMs);
    const { method, headers } = incoming;
    const inner = request(`http://${behind}${incoming.url}`, { method, headers: { ...headers, host: behind } });
    inner.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    inner.end(Buffer.concat(body));
  });
  const platform: SlowPlatform = {
    env: { CHATFORM_BASE_URL: `http://${host}/v3`, CHATFORM_API_TOKEN: token, CHATFORM_RATE_PLAN: '100k_mau' },
    host,
    application: `${host}/v3`,
    delayMs: 0,
    asked: () => new Promise((resolve) => void waiting.push(resolve)),
  };
  return platform;
}
