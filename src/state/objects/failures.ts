// What to tell the user about a store that fails, and about one that must not be trusted.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { StoreFailure } from './store.ts';

/** For a failure before anything was changed. `state` is its name. */
export function cannotOpen(state: string, cause: unknown): unknown {
  if (!(cause instanceof StoreFailure)) return cause;
  const { what, advice, kind } = cause.call;
  const isDenied = kind === 'denied';
  return new Refusal(
    isDenied ? 'state.login-refused' : 'state.unreachable',
    isDenied ? exitCode.authentication : exitCode.unexpected,
    `The state ${state} cannot be used: ${what}.`,
    `${advice} Nothing was changed.`,
    { cause },
  );
}

/** For a failure in the middle of a run, after `patienceMs` of retries when it was transient. */
export function cannotWrite(state: string, cause: unknown, patienceMs: number): Refusal {
  if (cause instanceof Refusal) return cause;
  const { what, advice } =
    cause instanceof StoreFailure
      ? cause.call
      : { what: cause instanceof Error ? cause.message : String(cause), advice: 'Check the store.' };
  const isTransient = cause instanceof StoreFailure && cause.isTransient;
  const tried = isTransient ? `; it did not recover within ${Math.round(patienceMs / 1000)} s` : '';
  return new Refusal(
    'state.write-failed',
    exitCode.interrupted,
    `The state ${state} could not be written: ${what}${tried}.`,
    `Everything acknowledged before is safe. The next run looks up on the platform what was under way, or sends it again where that does no harm. ${advice} Then run the same command again. --state-patience sets how long a run waits for its store.`,
    { cause },
  );
}

/** `did`: what the store did that breaks a lock or a journal. */
export function untrustworthy(state: string, did: string): Refusal {
  return new Refusal(
    'state.store-unsafe',
    exitCode.unexpected,
    `The store of the state ${state} must not be trusted: it ${did}.`,
    'A lock and a journal need conditional writes (If-None-Match and If-Match) and reads that see the last write. With this store two runs could hold the lock at once, and what was acknowledged could be lost. Nothing was kept. Use another store: AWS S3, MinIO, Ceph, R2, Azure Blob and Google Cloud Storage do what is needed in their current versions.',
  );
}
