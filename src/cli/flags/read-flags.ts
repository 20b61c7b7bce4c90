// Reads the flags that several commands share into the options of use cases.
import type { ApplicationOptions, LockOptions, RunOptions, StateOptions } from '../../app/options.ts';
import type { CommandInput } from './command.ts';

export function applicationFlags(input: CommandInput): ApplicationOptions {
  return {
    baseUrl: input.text('base-url'),
    ratePlan: input.text('rate-plan'),
    apiTokenFile: input.text('api-token-file'),
  };
}

export function stateFlags(input: CommandInput): StateOptions {
  return { state: input.text('state'), statePatienceMs: input.duration('state-patience') };
}

export function lockFlags(input: CommandInput): LockOptions {
  return { ...stateFlags(input), lockTimeoutMs: input.duration('lock-timeout') };
}

export function runFlags(input: CommandInput): RunOptions {
  return { maxDurationMs: input.duration('max-duration'), keepGoing: input.flag('keep-going') };
}
