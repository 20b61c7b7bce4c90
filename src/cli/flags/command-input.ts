// Reads the flags and the arguments of a command, and gives them to its use case.

import type { ApplicationOverrides, LockOptions, RunLimits, StateOptions } from '../../core/app/context/ports.ts';
import { type Refusal, usage } from '../../core/model/errors.ts';
import {
  type OptionTable,
  type OptionType,
  type UseCaseOptions,
  useCaseOptions,
} from '../../core/model/library/option.ts';
import { isTime } from '../../core/model/library/program-options.ts';
import { connectionOptions, estateOptions, runOptions } from '../../core/model/library/shared-options.ts';
import { durationAdvice, parseDuration } from '../../lib/option-values.ts';
import { timeAdvice } from '../../lib/time-values.ts';
import { camel, kebab } from './flag-names.ts';

export class CommandInput {
  /** Whether stdout has a complete document, so that nothing may follow it. */
  isAnswered = false;
  readonly args: readonly string[];
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #variables: Readonly<Record<string, string>>;

  /**
   * `variables` are those that options come from, by the names of the options. Refused (64) when an argument or a flag is empty.
   */
  constructor(
    args: readonly string[],
    options: Readonly<Record<string, unknown>>,
    variables: Readonly<Record<string, string>> = {},
  ) {
    if (args.includes('')) throw empty('An argument');
    for (const [name, value] of Object.entries(options)) {
      if (value === '' || (Array.isArray(value) && value.includes(''))) throw empty(`--${kebab(name)}`);
    }
    this.args = args;
    this.#options = options;
    this.#variables = variables;
  }

  /** A copy with other arguments and flags. Undefined removes a flag. */
  with(args: readonly string[], flags: Readonly<Record<string, unknown>>): CommandInput {
    const changed = Object.fromEntries(Object.entries(flags).map(([name, value]) => [camel(name), value]));
    return new CommandInput(args, { ...this.#options, ...changed }, this.#variables);
  }

  /** The variable that the flag comes from. Undefined for a flag of the command line. */
  variableOf(name: string): string | undefined {
    const key = camel(name);
    return Object.hasOwn(this.#variables, key) ? this.#variables[key] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.#options[camel(name)];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#options[camel(name)] === true;
  }

  /** The values of a flag that may be repeated. */
  list(name: string): readonly string[] {
    const value = this.#options[camel(name)];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  /** `50m`, `1h30m`, `90s`, `500ms` in milliseconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const duration = parseDuration(text);
    if (duration === undefined) throw usage(`--${name} is "${text}", which is not a duration.`, durationAdvice);
    return duration;
  }

  /** `04:00`, `04:00Z`, or a date and time, as it is written. */
  time(name: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !isTime(text)) throw usage(`--${name} is "${text}", which is not a time.`, timeAdvice);
    return text;
  }

  /** A whole number of at least zero. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/u.test(text))
      throw usage(`--${name} is "${text}", which is not a whole number.`, `For example: --${name} 10.`);
    return Number(text);
  }
}

/** An empty text could mean the current folder or an absent flag (--approved-hash), which is more than intended. */
function empty(what: string): Refusal {
  return usage(
    `${what} is empty: it probably comes from a variable that is not set.`,
    'Nothing was done. Set the variable, or omit the flag or argument.',
  );
}

/** The options of a use case that have a flag, as the use case gets them. Others are undefined. */
export function flagOptions<Table extends OptionTable>(
  table: Table,
  input: CommandInput,
): UseCaseOptions<Table, undefined> {
  return useCaseOptions(table, (_name, { flag, type }) =>
    flag === undefined ? undefined : readFlag(input, flag, type),
  );
}

function readFlag(input: CommandInput, flag: string, type: OptionType): unknown {
  switch (type) {
    case 'switch':
      return input.flag(flag);
    case 'texts':
      return input.list(flag);
    case 'duration':
      return input.duration(flag);
    case 'count':
      return input.count(flag);
    case 'time':
      return input.time(flag);
    default:
      return input.text(flag);
  }
}

export function applicationFlags(input: CommandInput): ApplicationOverrides {
  return flagOptions(connectionOptions, input);
}

export function stateFlags(input: CommandInput): StateOptions {
  const { state } = estateOptions;
  return { ...flagOptions({ state }, input), statePatienceMs: input.duration('state-patience') };
}

export function lockFlags(input: CommandInput): LockOptions {
  const { lockTimeout } = runOptions;
  return { ...stateFlags(input), ...flagOptions({ lockTimeout }, input) };
}

export function runFlags(input: CommandInput): RunLimits {
  const { maxDuration, stopAt, keepGoing } = runOptions;
  return flagOptions({ maxDuration, stopAt, keepGoing }, input);
}
