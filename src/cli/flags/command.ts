// What a command says of itself, and how its flags are read.
import { durationAdvice, parseDuration } from '../../lib/duration.ts';
import { type Refusal, usage } from '../../model/errors.ts';
import type { ExitCode } from '../../model/exit-code.ts';
import type { Environment } from '../environment.ts';

/** One flag. Its environment twin follows from its name: `--state` is CHATFORM_STATE. */
export interface OptionDefinition {
  /** As commander reads it: `--out <file>`, `--keep-going`, `--write <format=file...>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
}

export interface CommandDefinition {
  readonly name: string;
  /** As usage shows them: `[path...]`. */
  readonly arguments?: readonly { readonly usage: string; readonly description: string }[];
  readonly summary: string;
  /** Examples first, then the explanation. */
  readonly help: string;
  readonly options: readonly OptionDefinition[];
  /** Loads what it needs by itself, so that other commands do not pay for it. */
  run(input: CommandInput, environment: Environment): Promise<ExitCode>;
}

export class CommandInput {
  /** Standard output holds a whole document: nothing may follow it there. */
  isAnswered = false;
  readonly args: readonly string[];
  readonly #options: Readonly<Record<string, unknown>>;

  /** Refused (64) when an argument or a flag is empty. */
  constructor(args: readonly string[], options: Readonly<Record<string, unknown>>) {
    if (args.includes('')) throw empty('An argument');
    for (const [name, value] of Object.entries(options)) {
      if (value === '' || (Array.isArray(value) && value.includes(''))) throw empty(`--${kebab(name)}`);
    }
    this.args = args;
    this.#options = options;
  }

  text(name: string): string | undefined {
    const value = this.#options[camel(name)];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    const value = this.#options[camel(name)];
    return value === true || (typeof value === 'string' && flagWord(value) === true);
  }

  /** A list flag may be repeated; in the environment its values are separated by commas. */
  list(name: string): readonly string[] {
    const value = this.#options[camel(name)];
    if (typeof value === 'string') return value.split(',').filter((item) => item !== '');
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  /** `50m`, `1h30m`, `90s`, `500ms` in milliseconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const duration = parseDuration(text);
    if (duration === undefined) throw usage(`--${name} is "${text}", which is no duration.`, durationAdvice);
    return duration;
  }

  /** A whole number of at least zero. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/u.test(text))
      throw usage(`--${name} is "${text}", which is no whole number.`, `Write it as --${name} 10.`);
    return Number(text);
  }
}

/** The value of a flag's environment twin, in the spelling of any pipeline (`True`); undefined for other words. */
export function flagWord(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['', '0', 'false', 'no', 'off'].includes(word) ? false : undefined;
}

/** An empty text would mean the current folder, or that no flag was given (--approved-hash): more than was meant. */
function empty(what: string): Refusal {
  return usage(
    `${what} is empty: it probably comes from a variable that is not set.`,
    'Nothing was done. Set the variable, or leave the flag or argument out.',
  );
}

/** `--api-token-file <file>` → `CHATFORM_API_TOKEN_FILE`. */
export function environmentTwin(flags: string): string {
  return `CHATFORM_${longName(flags).replaceAll('-', '_').toUpperCase()}`;
}

/** `--out <file>` → `out`. */
export function longName(flags: string): string {
  return /--([\w-]+)/u.exec(flags)?.[1] ?? '';
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/-(\w)/gu, (_whole, letter: string) => letter.toUpperCase());
}
