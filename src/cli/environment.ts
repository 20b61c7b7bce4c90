// Everything that the command line touches of the process around it, as one value, so that tests can give another.
import { isSwitchedOn } from '../lib/variable.ts';
import type { Clock, Random } from '../model/ports.ts';

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

export function usesColour(environment: Environment, output: Output, choice: string): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSwitchedOn(environment.env.NO_COLOR)) return false;
  return output.isTerminal || isSwitchedOn(environment.env.FORCE_COLOR);
}
