// What does the command line know of the process around it? Everything it touches, as one value, so that tests give another.
import type { Clock, Random } from '../model/ports.ts';

export interface Output {
  write(text: string): void;
  /** To be waited for before more of a long text is written, or it piles up in memory; undefined while there is room. */
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
  /** Milliseconds, where something besides an interrupt ends what waits (time-limit.ts). */
  timeLeft?(): number;
}

/** `CI` set, or no terminal: plain lines, no prompt (semantics §12). */
export function isUnattended(world: Environment): boolean {
  return isSet(world.env.CI) || !world.stderr.isTerminal;
}

export function usesColour(world: Environment, output: Output, choice: string): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSet(world.env.NO_COLOR)) return false;
  return output.isTerminal || isSet(world.env.FORCE_COLOR);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
