// The process environment of the command line as one value, so that tests can replace it.

import { nodeClock, workingFolder } from '../../core/app/context/this-process.ts';
import { isInCi } from '../../core/model/ci-systems.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { commandInterrupted } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Clock, Random } from '../../core/model/ports.ts';
import type { Typing } from '../../core/view/text/typed-commands.ts';
import { wrapLines } from '../../core/view/text/wrap-lines.ts';
import { isSwitchedOn } from '../../lib/option-values.ts';
import { Interrupts } from './interrupts.ts';

export interface Output {
  write(text: string): void;
  /** Await it before writing more of a long text, or the text accumulates in memory. Undefined while there is room. */
  room?(): Promise<void> | undefined;
  readonly isTerminal: boolean;
  /** Columns of the terminal, or a fixed number without one. */
  readonly width: number;
  /** The terminal, for redrawing in place. Absent if that is not possible. */
  readonly stream?: NodeJS.WritableStream;
}

/** `typed` is set by the command line. */
export interface CommandEnvironment extends Typing {
  readonly args: readonly string[];
  /** The path by which chatform was started. */
  readonly program?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `noFolder` when it was deleted. */
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether -q suppresses progress and remarks. Absent: no. */
  readonly isQuiet?: boolean;
  /** Whether a user can be prompted. */
  readonly canAsk: boolean;
  ask(question: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onInterrupt: Interrupts['onInterrupt'];
  readonly onSecondInterrupt: Interrupts['onSecondInterrupt'];
  readonly abandonable: Interrupts['abandonable'];
  /** Set by --each, which compares the plans that its folders show. */
  readonly planShown?: (plan: Plan, refusals: readonly Diagnostic[]) => void;
}

/** In CI, or without a terminal: plain lines, no prompt (semantics §12). */
export function isUnattended(environment: CommandEnvironment): boolean {
  return isInCi(environment.env) || !environment.stderr.isTerminal;
}

/** The files in which a GitHub job publishes outputs and its summary. */
export function isInPipeline({ env }: CommandEnvironment): boolean {
  return (env.GITHUB_OUTPUT ?? '') !== '' || (env.GITHUB_STEP_SUMMARY ?? '') !== '';
}

export function usesColour(environment: CommandEnvironment, output: Output, choice: string): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSwitchedOn(environment.env.NO_COLOR)) return false;
  if (isSwitchedOn(environment.env.FORCE_COLOR)) return true;
  return obeysEscapes(environment, output);
}

/** Whether text can be coloured and redrawn. A dumb terminal, such as that of an editor, shows escape sequences as text. */
export function obeysEscapes({ env }: CommandEnvironment, output: Output): boolean {
  return output.isTerminal && env.TERM !== 'dumb';
}

const widthElsewhere = 100;

/** Listens to the signals of this process from now on. */
export function processInterrupts(): Interrupts {
  return new Interrupts({
    signals: process,
    clock: nodeClock,
    say: (text) => void process.stderr.write(text),
    exit: (code) => process.exit(code),
  });
}

const flushMs = 1_000;

/** Resolves once the output has been handed over. An interrupted run waits a second at most: a reader may have stopped reading. */
export async function flushed({ isInterrupted }: Interrupts): Promise<void> {
  const written = Promise.all([process.stdout, process.stderr].map((to) => new Promise((done) => to.write('', done))));
  await (isInterrupted ? Promise.race([written, nodeClock.sleep(flushMs)]) : written);
}

export function nodeEnvironment(interrupts: Interrupts): CommandEnvironment {
  const { onInterrupt, onSecondInterrupt, abandonable } = interrupts;
  return {
    args: process.argv.slice(2),
    program: process.argv[1],
    env: process.env,
    cwd: workingFolder(),
    stdout: outputOf(process.stdout),
    stderr: wrapping(outputOf(process.stderr)),
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    ask: (question) => ask(question, onInterrupt),
    readInput: async () => (await import('node:stream/consumers')).buffer(process.stdin),
    clock: nodeClock,
    random: Math.random,
    onInterrupt,
    onSecondInterrupt,
    abandonable,
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has gone away (`chatform plan | head`, a closed terminal) is not an error of chatform.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY === true)) return;
    if (process.exitCode === undefined && stream !== process.stderr)
      process.stderr.write(`error: The output cannot be written: ${error.code ?? error.message}.\n`);
    process.exitCode = exitCode.unexpected;
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

/** Messages end between words where the terminal ends. Results on stdout have a layout of their own. */
function wrapping(output: Output): Output {
  if (!output.isTerminal) return output;
  return {
    ...output,
    get width() {
      return output.width;
    },
    write: (text) => output.write(wrapLines(text, output.width)),
  };
}

/** Also resolves when the stream closes, because a reader that is gone makes no room. */
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

/** Some containers report 0 columns, where redrawing in place is not possible. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY === true && stream.columns > 0 ? stream.columns : undefined;
}

/** Asks in the terminal. Ctrl-C and Ctrl-D give an empty answer, unless the signal has interrupted the command (130). */
async function ask(question: string, onInterrupt: Interrupts['onInterrupt']): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  const forget = onInterrupt(() => stop.abort());
  try {
    const { columns } = process.stderr;
    return await terminal.question(columns > 0 ? wrapLines(question, columns) : question, { signal: stop.signal });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    if (stop.signal.aborted) throw commandInterrupted();
    // Ctrl-C and Ctrl-D are keys here. They answer the prompt, but never with yes.
    return '';
  } finally {
    forget();
    terminal.close();
  }
}
