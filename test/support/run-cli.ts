// Support: runs a command in this process, isolated from the environment.
import { expect } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { CommandEnvironment, Output } from '../../src/cli/process/environment.ts';
import { Interrupts } from '../../src/cli/process/interrupts.ts';
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import type { Clock } from '../../src/core/model/ports.ts';

export interface CliEnd {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers to successive prompts. Absent: no terminal, as in CI. */
  readonly answers?: readonly string[];
  /** The content of standard input. */
  readonly input?: string | Uint8Array;
  /** Default: the real one. */
  readonly clock?: Clock;
  /** Aborting it simulates Ctrl-C. */
  readonly interrupt?: AbortSignal;
}

const width = 100;
/** The interval at which a fast clock reads the real one. */
const tickMs = 10;

/** A clock that runs `factor` times as fast, for long waits. It stops while the machine is busy. */
export function fastClock(factor: number): Clock {
  const startedAt = Date.now();
  let seen = performance.now();
  let passed = 0;
  const now = (): number => {
    const at = performance.now();
    passed += Math.min(at - seen, 2 * tickMs) * factor;
    seen = at;
    return passed;
  };
  return {
    now,
    date: () => new Date(startedAt + now()),
    sleep: async (ms, signal) => {
      const until = now() + ms;
      do await nodeClock.sleep(Math.min((until - now()) / factor, tickMs), signal);
      while (now() < until && signal?.aborted !== true);
    },
  };
}

/** Colour is off unless `env` enables it. */
export async function runCli(
  args: readonly string[],
  { cwd, env = {}, answers, input = '', clock = nodeClock, interrupt }: CliOptions,
): Promise<CliEnd> {
  const stdout = new Captured(false);
  const stderr = new Captured(answers !== undefined);
  const left = [...(answers ?? [])];
  const world: CommandEnvironment = {
    args,
    env: { NO_COLOR: '1', ...env },
    cwd,
    stdout,
    stderr,
    canAsk: answers !== undefined,
    ask: async (question) => {
      stderr.write(question);
      const answer = left.shift();
      if (answer === undefined) throw new Error(`the test has no answer to: ${question}`);
      return answer;
    },
    readInput: async () => Buffer.from(input),
    clock,
    random: Math.random,
    ...interruptedBy(interrupt, clock, stderr),
  };
  const exit = await runCommandLine(world);
  return { exit, stdout: stdout.text, stderr: stderr.text };
}

/** The result of a command that must succeed. */
export async function succeeded(run: Promise<CliEnd>): Promise<CliEnd> {
  const end = await run;
  if (end.exit !== 0) throw new Error(`The command ended with ${end.exit}.\n${end.stdout}${end.stderr}`);
  return end;
}

/** The result of a command that must end with `exit` and say each of the texts on standard error. */
export async function expectEnd(
  run: Promise<CliEnd>,
  exit: number,
  ...says: readonly (string | RegExp)[]
): Promise<CliEnd> {
  const end = await run;
  expect(end.exit, end.stdout + end.stderr).toBe(exit);
  for (const text of says) {
    if (typeof text === 'string') expect(end.stderr).toContain(text);
    else expect(end.stderr).toMatch(text);
  }
  return end;
}

function interruptedBy(
  interrupt: AbortSignal | undefined,
  clock: Clock,
  stderr: Output,
): Pick<CommandEnvironment, 'onInterrupt' | 'onSecondInterrupt' | 'abandonable'> {
  return new Interrupts({
    signals: {
      on: (name, listener) => name === 'SIGINT' && interrupt?.addEventListener('abort', listener, { once: true }),
    },
    clock,
    say: (text) => stderr.write(text),
    exit: (code) => {
      throw new Error(`one interrupt ended the process with ${code}`);
    },
  });
}

class Captured implements Output {
  text = '';
  readonly width = width;
  readonly isTerminal: boolean;

  constructor(isTerminal: boolean) {
    this.isTerminal = isTerminal;
  }

  write(text: string): void {
    this.text += text;
  }
}
