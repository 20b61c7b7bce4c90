// What people type who know other tools, and what to type here.
import { Suggestions } from '../../lib/suggestions.ts';
import type { CommandDefinition } from './command.ts';
import { longName } from './flag-names.ts';

/** By command, and by `state …` for its subcommands. Spelling alone would suggest `undo` for `unlock`. */
export const meantCommands: Readonly<Record<string, string>> = {
  check: 'Type chatform validate, or chatform fmt --check for the form of the files.',
  delete: 'Remove the block and apply, or type chatform destroy for everything in state.',
  deploy: 'Type chatform apply.',
  diff: 'Type chatform plan for what an apply would change, or chatform drift for what was changed elsewhere.',
  dump: 'Type chatform export.',
  'force-unlock': 'Type chatform state unlock.',
  format: 'Type chatform fmt.',
  import: 'Type chatform adopt for objects that manifests declare, or chatform export for manifests of an application.',
  lint: 'Type chatform validate.',
  lock: 'Type chatform state lock-status to see who holds the lock.',
  log: 'Type chatform state log.',
  login: 'Set CHATFORM_API_TOKEN, or name a file with --api-token-file.',
  logs: 'Type chatform state log.',
  preview: 'Type chatform plan.',
  pull: 'Type chatform state pull for a copy of the state, or chatform export for manifests of an application.',
  push: 'Type chatform apply, or chatform state push to store a copy of the state.',
  refresh: 'Type chatform plan --refresh.',
  rollback: 'Type chatform undo.',
  status: 'Type chatform plan for what an apply would change, or chatform state list for what was applied.',
  sync: 'Type chatform apply.',
  unlock: 'Type chatform state unlock.',
  up: 'Type chatform apply.',
  version: 'Type chatform --version.',
  'state backup': 'Type chatform state pull.',
  'state force-unlock': 'Type chatform state unlock.',
  'state import': 'Type chatform adopt.',
  'state lock': 'Type chatform state lock-status to see who holds the lock.',
  'state ls': 'Type chatform state list.',
  'state mv':
    'An id on the platform cannot change. Type chatform state forget for an object that another state manages.',
  'state remove': 'Type chatform state forget.',
  'state restore': 'Type chatform state push.',
  'state rm': 'Type chatform state forget.',
};

/** By the name without dashes. Each is tried in turn, and skipped if it names a flag that the command does not have. */
export const meantFlags: Readonly<Record<string, readonly string[]>> = {
  'dry-run': ['Type chatform plan, which changes nothing.'],
  f: ['Files and folders come without a flag: chatform COMMAND FILE.'],
  file: ['Files and folders come without a flag: chatform COMMAND FILE.'],
  filename: ['Files and folders come without a flag: chatform COMMAND FILE.'],
  'no-colour': ['Type --color never, or set NO_COLOR=1.'],
  o: ['This command writes no file or folder. Redirect its output: chatform COMMAND > FILE.'],
  output: [
    'Type --out for a file, or --format for a form.',
    'Type --out-dir for a folder, or --format for a form.',
    'Type --format for a form.',
  ],
  quiet: ['Type -q.'],
  silent: ['Type -q.'],
  t: ['Type --target.'],
  v: ['Type --verbose, or chatform --version.', 'Type chatform --version.'],
  var: ['Set CHATFORM_VAR_NAME=VALUE, or name a file with --variables.', 'Set CHATFORM_VAR_NAME=VALUE.'],
  'var-file': ['Type --variables.'],
  y: ['Type --auto-approve.', 'Type --confirm with the name that chatform destroy prints.', 'Type --force.'],
  yes: ['Type --auto-approve.', 'Type --confirm with the name that chatform destroy prints.', 'Type --force.'],
  'auto-approve': ['Type --confirm with the name that chatform destroy prints.', 'Nothing is asked here.'],
  force: ['Type --auto-approve.', 'Type --confirm with the name that chatform destroy prints.'],
  confirm: ['Type --auto-approve.'],
  'base-url': ['Type --public-url.'],
};

/** A sentence for a command of another tool. */
export function meantCommand(words: string): string | undefined {
  return Object.hasOwn(meantCommands, words) ? meantCommands[words] : undefined;
}

/** A sentence for a flag of another tool (`--json`), or for one with a single dash (`-auto-approve`, `-out=x`). */
function meantFlag(word: string, { options }: Pick<CommandDefinition, 'options'>): string | undefined {
  const [, dashes = '', name = '', value = ''] = /^(--?)([\w-]+)(?:=(.*))?$/su.exec(word) ?? [];
  const names = new Set(options.map(({ flags }) => longName(flags)));
  if (dashes === '-' && name.length > 1) {
    if (names.has(name)) return `Type --${name}${value === '' ? '' : ` ${value}`}, with two dashes.`;
    return meantFlag(`-${word}`, { options });
  }
  const sentences = Object.hasOwn(meantFlags, name) ? meantFlags[name] : undefined;
  return sentences?.find((sentence) =>
    [...sentence.matchAll(/--([\w-]+)/gu)].every(([, flag = '']) => isFlag(flag, names)),
  );
}

function isFlag(flag: string, names: ReadonlySet<string>): boolean {
  return names.has(flag) || flag === 'version' || flag === 'check';
}

/** Says what to type in place of a word of another tool, or else the nearest name. */
export function withHint(
  text: string,
  definitions: readonly CommandDefinition[],
  commandNames: readonly string[],
): string {
  const [, what, word = ''] = /^error: unknown (option|command) '([^']*)'/u.exec(text) ?? [];
  if (what === undefined) return text;
  const [definition] = definitions;
  const known = definition !== undefined && definitions.length === 1 ? definition : { options: [] };
  const hint =
    what === 'command'
      ? (meantCommand(word) ?? nearName(word, commandNames))
      : (meantFlag(word, known) ?? nearName(word, [...known.options.map(({ flags }) => longFlag(flags)), '--help']));
  return hint === undefined ? text : text.replace(/^error: .*/u, `$&\n${hint}`);
}

function nearName(word: string, names: readonly string[]): string | undefined {
  const near = new Suggestions().nearest(word, names);
  return near === undefined ? undefined : `(Did you mean ${near}?)`;
}

function longFlag(flags: string): string {
  return `--${longName(flags)}`;
}
