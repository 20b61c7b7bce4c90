// How does a state say no? Each refusal of this layer once: what happened, what it means, what to do next.
import { errorCode } from '../lib/errors.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { describeHolder, type Lock } from './lease.ts';

export function writeFailed(state: string, cause: unknown): Refusal {
  return new Refusal(
    'state.write-failed',
    exitCode.unexpected,
    `The state ${state} could not be written: ${reason(cause)}.`,
    'Everything that was acknowledged before is safe, and nothing more is recorded in this run. Free space or repair the file system, then run the same command again: it goes on where this one stopped.',
    { cause },
  );
}

export function readFailed(state: string, cause: unknown): Refusal {
  return new Refusal(
    'state.read-failed',
    exitCode.unexpected,
    `The state ${state} could not be read: ${reason(cause)}.`,
    'Nothing was changed. Check that the folder and its files may be read by this user, then run the command again.',
    { cause },
  );
}

export function corrupt(state: string, place: string, what: string): Refusal {
  return new Refusal(
    'state.corrupt',
    exitCode.unexpected,
    `The state ${state} is damaged: ${place} ${what}.`,
    'A crash does not leave this behind, so somebody or something else changed the file. Nothing was touched. Restore the folder from a backup, or push the last copy with chatform state push. Without one, move it away: chatform state rebuild makes a new one from the manifests and the platform.',
  );
}

export function newerFormat(state: string, format: string): Refusal {
  return new Refusal(
    'state.newer-format',
    exitCode.unexpected,
    `The state ${state} has the format ${JSON.stringify(format)}, which this version of chatform cannot read.`,
    'A newer chatform has written it. Nothing was touched. Run that version, or a newer one.',
  );
}

export function wrongEncoding(state: string, encoding: string): Refusal {
  return new Refusal(
    'state.wrong-encoding',
    exitCode.unexpected,
    `The database of the state ${state} keeps text as ${encoding}.`,
    'Names may hold any character, which such a database cannot. Nothing was changed. Use a database with ENCODING UTF8.',
  );
}

export function rewound(state: string): Refusal {
  return new Refusal(
    'state.rewound',
    exitCode.interrupted,
    `The state ${state} no longer holds what it had acknowledged to this run.`,
    'The database was restored, or a replica that lagged behind has taken over. This run stops here. Before the next one, compare a plan with the platform; synchronous replication prevents this.',
  );
}

export function badCopy(file: string, what: string): Refusal {
  return new Refusal(
    'state.bad-copy',
    exitCode.unexpected,
    `${file} is no whole copy of a state: ${what}.`,
    'Nothing was changed. A copy is what chatform state pull writes; it must arrive as it was written, so pull it again.',
  );
}

export function otherApplication(state: string, found: string, expected: string): Refusal {
  return new Refusal(
    'state.other-application',
    exitCode.conflict,
    `The state ${state} is of the application ${JSON.stringify(found)}, and this run is about ${JSON.stringify(expected)}.`,
    'Planning one application with the state of another would change the wrong objects, so nothing was done. Point --state at the place of the state of this application, or --base-url at that application.',
  );
}

export function locked(state: string, lock: Lock): Refusal {
  return new Refusal(
    'state.locked',
    exitCode.locked,
    `The state ${state} is locked by ${describeHolder(lock)}; its last sign of life was at ${lock.heartbeat}.`,
    `Another run is at work on it, and nothing was done here. Wait for it, or give --lock-timeout a time to wait. If that run is dead, its lock ends by itself at ${lock.expires}; chatform state unlock breaks it at once.`,
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
    'This run was silent for too long, so it stops here. Everything that was acknowledged is saved; what was under way is looked up on the platform by the next run. Run the same command again once the other one has ended.',
  );
}

export function unsettled(state: string): Refusal {
  return new Refusal(
    'state.unsettled',
    exitCode.locked,
    `The state ${state} changed hands each time it was read.`,
    'Several runs are at work on it one after the other, and nothing was done here. Wait a moment and run the command again.',
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
  EPERM: 'the file system does not permit it',
  EROFS: 'the file system is read-only',
};
