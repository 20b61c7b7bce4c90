// Reads the flags that several commands share into the options of use cases.
import type { ApplicationOptions, LockOptions, RunOptions, StateOptions } from '../../app/options.ts';
import { usage } from '../../model/errors.ts';
import type { CommandInput } from './command.ts';

/** Undefined: as the policy says. Refused (64) when both are given. */
export function refreshFlag(input: CommandInput): boolean | undefined {
  if (!input.flag('skip-refresh')) return input.flag('refresh') ? true : undefined;
  if (!input.flag('refresh')) return false;
  throw usage('Both --refresh and --skip-refresh are given.', 'Give one of them.');
}

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
