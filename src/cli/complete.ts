// Completes the word at the cursor for a shell: fast, and silent about everything that fails.

import { objectRecords } from '../core/model/addressed-series.ts';
import { storeOf } from '../core/model/stores/places.ts';
import { filesMark } from './commands/completion.ts';
import { commands } from './commands/index.ts';
import type { CommandDefinition, OptionDefinition } from './flags/command.ts';
import { readShorthands, shorthandsOf } from './flags/everywhere.ts';
import { longName } from './flags/flag-names.ts';
import { variableSet } from './flags/flag-values.ts';
import { commandFirst } from './flags/options.ts';
import type { CommandEnvironment } from './process/environment.ts';

/** The maximum number of candidates. */
const maxAddresses = 500;

/** `words` are the words after `chatform`. The last one may be incomplete or empty. */
export async function complete(words: readonly string[], environment: CommandEnvironment): Promise<void> {
  const within = readShorthands({ ...environment, args: joined(words).slice(0, -1) });
  const typed = [...within.args, joined(words).at(-1) ?? ''];
  for (const candidate of await candidatesFor(typed, within)) environment.stdout.write(`${candidate}\n`);
}

/** bash splits `--format=js` into three words, and `--format=` into two. */
function joined(words: readonly string[]): readonly string[] {
  const at = words.lastIndexOf('=');
  if (at === -1 || at < words.length - 2) return words.filter((word) => word !== '=');
  return [...words.slice(0, at).filter((word) => word !== '='), words[at + 1] ?? ''];
}

async function candidatesFor(typed: readonly string[], environment: CommandEnvironment): Promise<readonly string[]> {
  const current = typed.at(-1) ?? '';
  const isCommand = (word: string) => Object.hasOwn(commands, word);
  const words = [...commandFirst(typed.slice(0, -1), isCommand), current];
  const begun = (list: readonly string[]) => list.filter((text) => text.startsWith(current));
  const [command = ''] = words;
  if (words.length > 1 && command.startsWith('-')) return begun(Object.keys(commands));
  if (words.length < 2) return begun([...Object.keys(commands), 'help', '--help', '--version']);
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load === undefined) return command === 'help' ? begun(Object.keys(commands)) : [];
  const definition = await load();
  // zsh and fish pass --format=js as one word.
  const [, name, value] = /^(--[\w-]+)=(.*)$/su.exec(current) ?? [];
  if (name !== undefined && value !== undefined) {
    const option = optionOf(definition, name);
    const values = option === undefined ? [] : await valuesOf(option, value, words, environment);
    return values.map((text) => (text === filesMark ? text : `${name}=${text}`));
  }
  const option = waitingOption(definition, words);
  if (option !== undefined) return valuesOf(option, current, words, environment);
  if (current.startsWith('-')) return begun([...unusedFlags(definition, words), ...shorthandsOf(definition), '--help']);
  return positionals(definition, current, words, environment);
}

/** The flag whose value is at the cursor. A flag with several values extends to the next flag. */
function waitingOption(definition: CommandDefinition, words: readonly string[]): OptionDefinition | undefined {
  if (words.at(-1)?.startsWith('-') === true) return undefined;
  const at = words.findLastIndex((word, place) => place < words.length - 1 && word.startsWith('--'));
  const option = at === -1 ? undefined : optionOf(definition, words[at] ?? '');
  if (option === undefined || !option.flags.includes('<')) return undefined;
  return at === words.length - 2 || option.flags.includes('...') ? option : undefined;
}

function optionOf({ options }: CommandDefinition, name: string): OptionDefinition | undefined {
  return options.find(({ flags }) => nameOf(flags) === name);
}

function nameOf(flags: string): string {
  return /--[\w-]+/u.exec(flags)?.[0] ?? '';
}

function unusedFlags({ options }: CommandDefinition, words: readonly string[]): string[] {
  const used = new Set(words.slice(0, -1));
  return options
    .filter(({ flags }) => flags.includes('...') || !used.has(nameOf(flags)))
    .flatMap(({ flags, negated }) => [nameOf(flags), ...(negated === undefined ? [] : [`--no-${longName(flags)}`])]);
}

async function valuesOf(
  { flags, choices }: OptionDefinition,
  begun: string,
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<readonly string[]> {
  if (choices !== undefined) return choices.filter((choice) => choice.startsWith(begun));
  if (/<address/u.test(flags)) return addresses(begun, words, environment);
  return /<(?:file|dir|place|planfile|path)/u.test(flags) ? [filesMark] : [];
}

async function positionals(
  { name, arguments: takes = [] }: CommandDefinition,
  begun: string,
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<readonly string[]> {
  const typedCount = words.slice(1, -1).filter((word) => !word.startsWith('-')).length;
  const usage = takes[Math.min(typedCount, takes.length - 1)]?.usage ?? '';
  if (typedCount >= takes.length && !usage.includes('...')) return [];
  const choices = /^<([\w-]+(?:\|[\w-]+)+)>$/u.exec(usage)?.[1]?.split('|');
  if (choices !== undefined) return choices.filter((choice) => choice.startsWith(begun));
  if (/path|file|dir/u.test(usage)) return [filesMark];
  if (name === 'commands') return Object.keys(commands).filter((text) => text.startsWith(begun));
  if (name === 'schema') {
    const { schemaNames } = await import('../tools/package-files.ts');
    return schemaNames.filter((text) => text.startsWith(begun));
  }
  const ofState = name === 'state' && ['list', 'show', 'forget'].includes(words[1] ?? '');
  return ofState || usage.includes('address') ? addresses(begun, words, environment) : [];
}

/** Addresses in the state that the words or the environment select. Empty if it cannot be read. */
async function addresses(
  begun: string,
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<readonly string[]> {
  const stateFlag = words[words.indexOf('--state') + 1];
  const named = (words.includes('--state') ? stateFlag : undefined) ?? valueIn('state', words, environment);
  const silent = { ...environment, notify: () => {} };
  try {
    const { withStateOfFolder } = await import('../core/app/opening/folder-application.ts');
    const { state: place } = await withStateOfFolder({ state: named === '' ? undefined : named }, silent);
    const application = valueIn('base-url', words, environment) ?? (await applicationIn(place, environment));
    if (application === undefined) return [];
    const { openState } = await import('../core/app/context/open-state.ts');
    const found: string[] = [];
    const snapshot = await (await openState({ state: place }, silent)).read(application);
    for (const { address } of objectRecords(snapshot.records())) {
      // A shell expects one candidate per line.
      if (!address.startsWith(begun) || /[\p{Cc}]/u.test(address)) continue;
      found.push(address);
      if (found.length === maxAddresses) break;
    }
    return found;
  } catch {
    return [];
  }
}

function valueIn(flag: string, [command = '']: readonly string[], { env }: CommandEnvironment): string | undefined {
  return env[variableSet(command, flag, env) ?? ''];
}

/** The application of a state folder, read from its header, because loading all manifests would be slow. */
async function applicationIn(
  place = 'file:.chatform/state',
  environment: CommandEnvironment,
): Promise<string | undefined> {
  if (storeOf(place)?.scheme !== 'file') return undefined;
  const { openState } = await import('../core/app/context/open-state.ts');
  const [application] = await (await openState({ state: place }, { ...environment, notify: () => {} })).applications();
  return application;
}
