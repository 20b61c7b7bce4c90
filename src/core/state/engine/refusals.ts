// The refusals of the engine: a store that fails or must not be trusted, and locks that others hold.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { describeHolder, type Lock } from './lease.ts';
import { StoreFailure } from './store.ts';

/** For a failure before anything was changed. `state` is its name. Passes any other error on. */
export function cannotOpen(state: string, cause: unknown): unknown {
  if (!(cause instanceof StoreFailure)) return cause;
  const { what, advice, kind, code, exit } = cause.call;
  const isDenied = kind === 'denied';
  return new Refusal(
    code ?? (isDenied ? 'state.login-refused' : 'state.unreachable'),
    exit ?? (isDenied ? exitCode.authentication : exitCode.unexpected),
    `The state ${state} cannot be used: ${what}.`,
    `${advice} Nothing was changed.`,
    { cause },
  );
}

/** For a failure during a run. A transient one was retried for `patienceMs`. */
export function cannotWrite(state: string, cause: unknown, patienceMs: number): Refusal {
  if (cause instanceof Refusal) return cause;
  const { what, advice, exit } =
    cause instanceof StoreFailure
      ? cause.call
      : { what: cause instanceof Error ? cause.message : String(cause), advice: 'Check the store.', exit: undefined };
  const isTransient = cause instanceof StoreFailure && cause.isTransient;
  const tried = isTransient ? `; it did not recover within ${Math.round(patienceMs / 1000)} s` : '';
  return new Refusal(
    'state.write-failed',
    exit ?? exitCode.interrupted,
    `The state ${state} could not be written: ${what}${tried}.`,
    `Everything acknowledged before is safe. The next run looks up on the platform what was under way, or sends it again where that does no harm. ${advice} Then run the same command again. --state-patience sets how long a run waits for its store.`,
    { cause },
  );
}

/** `did` says how the store breaks a lock or a journal. */
export function untrustworthy(state: string, did: string): Refusal {
  return new Refusal(
    'state.store-unsafe',
    exitCode.unexpected,
    `The store of the state ${state} must not be trusted: it ${did}.`,
    'A lock and a journal need conditional writes (If-None-Match and If-Match) and reads that see the last write. With this store two runs could hold the lock at once, and what was acknowledged could be lost. Nothing was kept. Use another store: AWS S3, MinIO, Ceph, R2, Azure Blob and Google Cloud Storage do what is needed in their current versions.',
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
    `The lock of the state ${state} was lost: another run has taken it over, or chatform state unlock has broken it.`,
    'This run stops here. Everything acknowledged is saved; the next run looks up on the platform what was under way. chatform state lock-status shows who holds the lock now. Run the same command again once nobody does.',
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

export function wrongEncoding(state: string, encoding: string): Refusal {
  return new Refusal(
    'state.wrong-encoding',
    exitCode.unexpected,
    `The database of the state ${state} has the encoding ${encoding}.`,
    'Names may contain any character, and this database cannot store all of them. Nothing was changed. Use a database with ENCODING UTF8.',
  );
}
