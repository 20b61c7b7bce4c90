// What does a command see when a program calls it? Flags that were values, and a process around it that stays silent.

import type { Environment, Output } from '../cli/environment.ts';
import { type CommandDefinition, CommandInput, flagName } from '../cli/flags/command.ts';
import { nodeClock } from '../cli/node-clock.ts';

interface Surroundings {
  readonly paths?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The flags that were given, and the command's own defaults for those that were not. Numbers become text, as flags are. */
export function inputOf(
  { options }: CommandDefinition,
  given: Surroundings & { readonly autoApprove?: boolean },
): CommandInput {
  const values: Record<string, unknown> = {};
  for (const option of options) if (option.default !== undefined) values[flagName(option.flags)] = option.default;
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) values[name] = typeof value === 'number' ? String(value) : value;
  }
  return new CommandInput(given.paths ?? [], values);
}

const silence: Output = { write: () => {}, isTerminal: false, width: 100 };

/** What a pipeline is told by itself belongs to commands. */
const ofPipelines = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'] as const;

export function quietWorld(
  { cwd = process.cwd(), env = process.env }: Surroundings,
  signal?: AbortSignal,
): Environment {
  return {
    args: [],
    env: { ...env, ...Object.fromEntries(ofPipelines.map((name) => [name, undefined])) },
    cwd,
    stdout: silence,
    stderr: silence,
    canAsk: false,
    ask: async () => '',
    readInput: async () => new Uint8Array(),
    clock: nodeClock,
    random: Math.random,
    onInterrupt: (callback) => {
      if (signal?.aborted === true) queueMicrotask(callback);
      signal?.addEventListener('abort', callback, { once: true });
      return () => signal?.removeEventListener('abort', callback);
    },
  };
}
