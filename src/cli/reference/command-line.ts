// Generates schema/command-line.md: how commands end, environment variables, and the files that chatform reads and writes.

import { exitCode, exitMeanings } from '../../core/model/exit-code.ts';
import { ownNames } from '../../lib/own-names.ts';
import { otherVariables } from '../flags/all-variables.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { shorthands } from '../flags/everywhere.ts';
import { listExits } from '../flags/exits.ts';
import { flagsWithoutVariable } from '../flags/flag-names.ts';
import { code, referencePage, table } from './markdown.ts';

/** By the path from the folder in which a command runs, unless it begins with `~` or `OUT`. */
const files: Readonly<Record<string, string>> = {
  '*.yaml, *.yml': 'manifests, all that are below the folder: commit them',
  '*.test.yaml': 'tests of manifests, for `chatform test`: commit them',
  [ownNames.ignoreList]: 'which files are not manifests, in the syntax of `.gitignore`: commit it',
  [ownNames.behaviours]:
    'how the platform behaves, written by `calibrate` and used by `plan`, `apply` and `rehearse`: commit it',
  [ownNames.state]: 'the state, unless `--state` names another place: keep it',
  [ownNames.emulator]: 'the objects of the emulator with `base_url: emulator:.chatform/emulator`: may be removed',
  [ownNames.cache]: 'what is known of history files that were read: may be removed',
  [ownNames.plans]: 'the plans that the tools for agents saved: may be removed',
  [ownNames.calibration]: 'the objects of a `calibrate` that did not end: the next one removes file and objects',
  [ownNames.conformance]:
    'the manifests and the state of a `conformance` that did not end: the next one continues, and removes them',
  [`${ownNames.manifestSchema}, ${ownNames.testSchema}`]:
    'what editors know of manifests, written by `init`: commit them',
  [`OUT/${ownNames.lock}`]:
    'the lock of a run that writes into the folder OUT: the next run on the same machine removes one of a killed run',
  [`OUT/${ownNames.exportProgress}`]: 'how far an `export` has come: the one that ends removes it',
  [`OUT/${ownNames.copyParts}`]: 'files that `convert-files --to` has not copied whole: may be removed',
  '~/.cache/chatform': 'compiled code, below `XDG_CACHE_HOME` if that is set: may be removed',
};

export function commandLinePage(commands: readonly CommandDefinition[]): string {
  const opening =
    'How commands end, the environment variables that they read, and the files that they read and write without being told their names. `chatform COMMAND --help` has the flags.';
  return referencePage('command-line.md', opening, [
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.values(exitCode).map((number) => [String(number), exitMeanings[number]]),
    ),
    'What they mean for each command:',
    table(
      ['Command', 'Code', 'Meaning'],
      commands.flatMap(({ name, exits }) =>
        listExits(exits).map(({ code: number, meaning, when }) => [
          code(when === undefined ? name : `${name} ${when}`),
          String(number),
          meaning,
        ]),
      ),
    ),
    '## Flags of every command',
    table(
      ['Flag', 'Meaning'],
      shorthands.map(({ word, value, description }) => [
        code(value === undefined ? word : `${word} ${value}`),
        description,
      ]),
    ),
    '## Environment variables',
    `Flags have a variable: \`--state\` is \`CHATFORM_STATE\`. These have none, because they mean something else in each command, or name a file that each writes anew: ${flagsWithoutVariable.map((flag) => code(`--${flag}`)).join(', ')}; and \`--auto-approve\` of calibrate, conformance and state.`,
    'Variables without a flag. chatform warns about any other name that starts with `CHATFORM_`.',
    table(
      ['Variable', 'Meaning'],
      Object.entries(otherVariables).map(([name, meaning]) => [code(name.replace(/_$/u, '_…')), meaning]),
    ),
    '## Files',
    'OUT is the folder that a command was told to write. What may be removed is made again.',
    table(
      ['File', 'What it is'],
      Object.entries(files).map(([names, meaning]) => [names.split(', ').map(code).join(', '), meaning]),
    ),
  ]);
}
