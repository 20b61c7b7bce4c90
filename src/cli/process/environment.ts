// Everything that the command line touches of the process around it, as one value, so that tests can give another.

import { nodeClock } from '../../app/context/node-clock.ts';
import { isSwitchedOn } from '../../lib/option-values.ts';
import type { Clock, Random } from '../../model/ports.ts';

export interface Output {
  write(text: string): void;
  /** To be awaited before more of a long text is written, or it piles up in memory; undefined while there is room. */
  room?(): Promise<void> | undefined;
  readonly isTerminal: boolean;
  /** Columns of the terminal; a fixed figure elsewhere. */
  readonly width: number;
  /** The terminal itself, for a line that is redrawn in place; absent where that cannot be. */
  readonly stream?: NodeJS.WritableStream;
}

export interface Environment {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True when a person can be asked. */
  readonly canAsk: boolean;
  ask(question: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  readonly clock: Clock;
  readonly random: Random;
  /** Calls back on SIGINT and SIGTERM, until the returned function is called. */
  onInterrupt(callback: () => void): () => void;
}

/** `CI` set, or no terminal: plain lines, no prompt (semantics §12). */
export function isUnattended(environment: Environment): boolean {
  return isSwitchedOn(environment.env.CI) || !environment.stderr.isTerminal;
}

/** GitHub names files for what a job publishes: outputs for later steps, a summary for people. */
export function isInPipeline({ env }: Environment): boolean {
  return (env.GITHUB_OUTPUT ?? '') !== '' || (env.GITHUB_STEP_SUMMARY ?? '') !== '';
}

export function usesColour(environment: Environment, output: Output, choice: string): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSwitchedOn(environment.env.NO_COLOR)) return false;
  return output.isTerminal || isSwitchedOn(environment.env.FORCE_COLOR);
}

const widthElsewhere = 100;

export function nodeEnvironment(): Environment {
  return {
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    ask,
    readInput: async () => (await import('node:stream/consumers')).buffer(process.stdin),
    clock: nodeClock,
    random: Math.random,
    onInterrupt,
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has gone away (`chatform plan | head`) is not an error of chatform.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) => void stream.write(text),
    room: () => (stream.writableNeedDrain ? roomIn(stream) : undefined),
    isTerminal: stream.isTTY === true,
    ...(columnsOf(stream) === undefined ? {} : { stream }),
    get width() {
      return columnsOf(stream) ?? widthElsewhere;
    },
  };
}

/** A reader that goes away makes no room, so the end of the stream counts as well. */
function roomIn(stream: NodeJS.WriteStream): Promise<void> {
  const events = ['drain', 'close', 'error'] as const;
  return new Promise((resolve) => {
    const end = (): void => {
      for (const event of events) stream.off(event, end);
      resolve();
    };
    for (const event of events) stream.on(event, end);
  });
}

/** A terminal may say that it has 0 columns, as some containers' do: nothing can be redrawn in place there. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY === true && stream.columns > 0 ? stream.columns : undefined;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } catch (error) {
    // Ctrl-C and Ctrl-D are answers, too, and never a yes.
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}

function onInterrupt(callback: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
}
