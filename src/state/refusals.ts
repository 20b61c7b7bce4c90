// The refusals that all backends share: what happened, what it means, what to do next.
import { errorCode } from '../lib/errors.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { describeHolder, type Lock } from './lease.ts';

export function writeFailed(state: string, cause: unknown): Refusal {
  return new Refusal(
    'state.write-failed',
    exitCode.unexpected,
    `The state ${state} could not be written: ${reason(cause)}.`,
    'Everything acknowledged before is safe, and this run records nothing more. Free space or repair the file system, then run the same command again: it continues where this one stopped.',
    { cause },
  );
}

export function readFailed(state: string, cause: unknown): Refusal {
  return new Refusal(
    'state.read-failed',
    exitCode.unexpected,
    `The state ${state} could not be read: ${reason(cause)}.`,
    'Nothing was changed. Check that this user may read the folder and its files, then run the command again.',
    { cause },
  );
}

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

export function wrongEncoding(state: string, encoding: string): Refusal {
  return new Refusal(
    'state.wrong-encoding',
    exitCode.unexpected,
    `The database of the state ${state} has the encoding ${encoding}.`,
    'Names may contain any character, and this database cannot store all of them. Nothing was changed. Use a database with ENCODING UTF8.',
  );
}

export function rewound(state: string): Refusal {
  return new Refusal(
    'state.rewound',
    exitCode.interrupted,
    `The state ${state} has lost entries that it had acknowledged to this run.`,
    'The database was restored, or a replica that lagged behind has taken over. This run stops here. Before the next one, compare a plan with the platform. Synchronous replication prevents this.',
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

export function locked(state: string, lock: Lock): Refusal {
  return new Refusal(
    'state.locked',
    exitCode.locked,
    `The state ${state} is locked by ${describeHolder(lock)}; its last heartbeat was at ${lock.heartbeat}.`,
    `Another run is using it, and nothing was done here. Wait for it to end, or set --lock-timeout to wait here. If that run is dead, its lock expires at ${lock.expires}; chatform state unlock breaks it at once.`,
  );
}

export function waitEnded(state: string, lock: Lock): Refusal {
  return new Refusal(
    'state.wait-interrupted',
    exitCode.interrupted,
    `Interrupted while waiting for the lock of the state ${state}, held by ${describeHolder(lock)}.`,
    'Nothing was changed. Run the same command again.',
  );
}

export function leaseLost(state: string): Refusal {
  return new Refusal(
    'state.lease-lost',
    exitCode.interrupted,
    `The lock of the state ${state} was lost: another run has taken it over.`,
    'This run did not renew its lock in time, so it stops here. Everything acknowledged is saved; the next run looks up on the platform what was under way. Run the same command again once the other run has ended.',
  );
}

export function unsettled(state: string): Refusal {
  return new Refusal(
    'state.unsettled',
    exitCode.locked,
    `The state ${state} changed hands each time it was read.`,
    'Several runs are using it one after the other, and nothing was done here. Wait a moment and run the command again.',
  );
}

function reason(cause: unknown): string {
  const code = errorCode(cause);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return `${known} (${code})`;
  return cause instanceof Error ? cause.message : String(cause);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reported an error',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'the file system does not allow it',
  EROFS: 'the file system is read-only',
};
