// The refusals of a state that cannot be read: damaged, of a newer version, of another application.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

export function corrupt(state: string, place: string, what: string): Refusal {
  return new Refusal(
    'state.corrupt',
    exitCode.unexpected,
    `The state ${state} is damaged: ${place} ${what}.`,
    'A crash cannot cause this: someone or something else changed the file. Nothing was changed. Restore the folder from a backup, or push the last copy with chatform state push. Without one, move the folder away: chatform state rebuild makes a new state from the manifests and the platform.',
  );
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

/** `differsInPort`: both name a loopback address, and one of them another port or, from an earlier version, none. */
export function otherApplication(state: string, found: string, expected: string, differsInPort: boolean): Refusal {
  return new Refusal(
    'state.other-application',
    exitCode.conflict,
    `The state ${state} belongs to the application ${JSON.stringify(found)}, and this run is for ${JSON.stringify(expected)}.`,
    differsInPort
      ? `On one machine another port is another application, and versions up to 0.2.0 left the port out, so nothing was done. If it is the state of this application, run: chatform state rebind ${expected} --from ${found}. Otherwise point --state at another place.`
      : 'Planning one application with the state of another would change the wrong objects, so nothing was done. Point --state at the state of this application, or --base-url at the application of that state.',
  );
}
