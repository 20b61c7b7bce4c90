// The refusals of a state that cannot be read: damaged, of a newer version, or of another application.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

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

/** Whether the name already says that it is of a copy, a plan or a part. */
export function namesItsKind(name: string): boolean {
  return /^[Tt]he /u.test(name);
}

/** The advice for a state that nobody can read. No command overwrites it, not even with --force. */
export function beginAgain(state: string): string {
  const [, folder] = /^file:([^,]*)/u.exec(state) ?? [];
  const isDatabase = state.startsWith('postgres');
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
    `The state ${state} has the format ${JSON.stringify(format)}, which this version of chatform cannot read.`,
    'A newer version of chatform wrote it. Nothing was changed. Run that version, or a newer one.',
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

/** `differsInPort`: both are loopback addresses that differ only in the port. An earlier version may have left it out. */
export function otherApplication(state: string, found: string, expected: string, differsInPort: boolean): Refusal {
  return new Refusal(
    'state.other-application',
    exitCode.conflict,
    `The state ${state} belongs to the application ${JSON.stringify(found)}, but this run is for ${JSON.stringify(expected)}.`,
    differsInPort
      ? `On one machine another port is another application, and versions up to 0.2.0 left the port out, so nothing was done. If it is the state of this application, run: chatform state rebind ${expected} --from ${found}. Otherwise point --state at another place.`
      : 'Planning one application with the state of another would change the wrong objects, so nothing was done. Point --state at the state of this application, or --base-url at the application of that state.',
  );
}
