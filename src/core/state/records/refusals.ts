// The refusals of a state that cannot be read: damaged, of a newer version, or of another application.
import { pathArgument, shellWord } from '../../../lib/tools/pasted-words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { storeOf } from '../../model/stores/places.ts';
import type { TextChange } from './converted-text.ts';

/** `state` is the name of a state, or a subject such as "The copy chat.ndjson". */
export function corrupt(state: string, place: string, what: string): Refusal {
  const isState = !namesItsKind(state);
  return new Refusal(
    'state.corrupt',
    exitCode.unexpected,
    `${isState ? `The state ${state}` : state} is damaged: ${place} ${what}.`,
    isState
      ? `A crash cannot cause this: someone or something else changed the file. Nothing was changed. Restore it from a backup. Without one, ${beginAgain(state)}`
      : 'A crash cannot cause this: someone or something else changed the file. Nothing was changed. Make it again.',
  );
}

/** For a file of a state that people or tools have changed as a text. `place` is in the state, such as "the snapshot". */
export function converted(state: string, place: string, { kind, words }: TextChange): Refusal {
  const cures: Readonly<Record<TextChange['kind'], string>> = {
    'line-ends':
      'Git or an editor converted the line ends. In a repository, add a file .gitattributes with the line `* -text` beside the files, delete the files, and check them out again. Otherwise restore them from a backup.',
    encoding:
      'An editor or a shell saved the file in another encoding. Restore it from git or from a backup. Files of a state are not made to be edited.',
    merge:
      'Two versions of a state cannot be merged. Take all files of the folder from one of the two commits, the one of the last run: git checkout COMMIT -- FOLDER. Then plan with --refresh.',
  };
  return new Refusal(
    'state.corrupt',
    exitCode.unexpected,
    `The state ${state} is damaged: ${place} ${words}.`,
    `Nothing was changed. ${cures[kind]}`,
  );
}

/** Whether the name already says that it is of a copy, a plan or a part. */
export function namesItsKind(name: string): boolean {
  return /^[Tt]he /u.test(name);
}

/** The advice for a state that nobody can read. No command overwrites it, not even with --force. */
export function beginAgain(state: string): string {
  const [, folder] = /^file:([^,]*)/u.exec(state) ?? [];
  const isDatabase = storeOf(state)?.store.isBucket === false;
  const elsewhere = isDatabase ? 'the same address with ?state=NAME' : 'another prefix of the bucket';
  const place =
    folder === undefined
      ? `set --state (CHATFORM_STATE) to an empty place, such as ${elsewhere}`
      : `move the folder ${folder} away`;
  return `${place}. Then chatform state push puts the last copy of chatform state pull there; if there is no copy, chatform state rebuild makes a new state from the manifests and the platform.`;
}

export function newerFormat(state: string, format: string): Refusal {
  return new Refusal(
    'state.newer-format',
    exitCode.unexpected,
    `${namesItsKind(state) ? state : `The state ${state}`} has the format ${JSON.stringify(format)}, which this version of chatform cannot read.`,
    'A newer version of chatform wrote it. Nothing was changed. Run that version, or a newer one.',
  );
}

/** For a copy that people or tools have changed as a text. */
export function convertedCopy(file: string, { kind, words }: TextChange): Refusal {
  const again =
    'Git, an editor, or > in PowerShell converted it. Pull the state again, into a named file: chatform state pull FILE. If that state is gone,';
  const cures: Readonly<Record<TextChange['kind'], string>> = {
    'line-ends': `${again} remove the added characters from the file FILE: tr -d '\\r' < FILE > RESTORED.`,
    encoding: `${again} turn the file FILE back in PowerShell: [IO.File]::WriteAllText("$PWD/RESTORED", [IO.File]::ReadAllText("$PWD/FILE").Replace("\`r\`n", "\`n")).`,
    merge: 'Two copies cannot be merged. Take one of the two, as it was.',
  };
  return new Refusal(
    'state.bad-copy',
    exitCode.unexpected,
    `${file} is not a complete copy of a state: the file ${words}.`,
    `Nothing was changed. ${cures[kind]}`,
  );
}

export function badCopy(file: string, what: string): Refusal {
  return new Refusal(
    'state.bad-copy',
    exitCode.unexpected,
    `${file} is not a complete copy of a state: ${what}.`,
    'Nothing was changed. chatform state pull writes copies, and not a byte of them may change. Pull it again.',
  );
}

export function otherApplication(state: string, found: string, expected: string): Refusal {
  return new Refusal(
    'state.other-application',
    exitCode.conflict,
    `The state ${state} belongs to the application ${JSON.stringify(found)}, but this run is for ${JSON.stringify(expected)}.`,
    found.startsWith('emulator:') && !expected.startsWith('emulator:')
      ? `Nothing was done. Each application has a state of its own, and this is the state of a trial on the emulator. ${dropTrial(state)}`
      : 'Planning one application with the state of another would change the wrong objects, so nothing was done. Point --state at the state of this application, or --base-url at the application of that state.',
  );
}

/** How to go on with the application after a trial on the emulator. A database or a bucket may have the states of others, too. */
function dropTrial(state: string): string {
  const folder = /^file:(.+)$/su.exec(state)?.[1];
  return folder === undefined
    ? 'Pass another place for the state of the application: --state PLACE'
    : `Remove the state of the trial, then run the same command again: rm -r ${shellWord(pathArgument(folder))}`;
}
