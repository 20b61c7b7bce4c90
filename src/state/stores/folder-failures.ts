// What errors of a file system mean for a state in a folder: it cannot be read or written, or is not safe there.
import { FlushDeniedError } from '../../lib/durable-files.ts';
import { errorCode } from '../../lib/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { StoreFailure } from '../engine/store.ts';

export function readFailure(cause: unknown): unknown {
  const advice = 'Check that this user may read the folder and its files, then run the command again.';
  return failureOf(cause, 'state.read-failed', advice);
}

export function writeFailure(cause: unknown): unknown {
  // Node reports a folder that cannot be created below a read-only one as one that does not exist.
  const isMissing = errorCode(cause) === 'ENOENT';
  const what = isMissing ? 'its folder cannot be created, perhaps because the folder above is read-only' : undefined;
  const advice =
    'Check that this user may write to the folder, that the file system is not read-only, and that it has free space. --state names another place.';
  return failureOf(cause, 'state.write-failed', advice, what);
}

/** Converts an error of the system to a failure of the store. Returns any other error unchanged. */
function failureOf(cause: unknown, code: string, advice: string, reason?: string): unknown {
  const errno = errorCode(cause);
  if (errno === undefined) return cause;
  const known = reason ?? reasons[errno];
  const what = known === undefined ? (cause as Error).message : `${known} (${errno})`;
  return new StoreFailure({ kind: 'refused', what, advice, code, exit: exitCode.unexpected }, { cause });
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

/** The error codes of file systems that do not support an operation. */
const unsupported = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EMLINK']);

export function withoutHardLinks(cause: unknown): never {
  throw unsafe(cause, 'hard links');
}

export function withoutFlushes(cause: unknown): never {
  throw unsafe(cause, 'flushes');
}

/** Returns the error itself unless it says that the file system does not support the operation. */
function unsafe(cause: unknown, operation: 'hard links' | 'flushes'): unknown {
  const isDenied = cause instanceof FlushDeniedError;
  if (!isDenied && !unsupported.has(errorCode(cause) ?? '')) return cause;
  return new StoreFailure(
    {
      kind: 'refused',
      what: isDenied ? cause.message : `its file system has no ${operation} (${errorCode(cause)})`,
      advice: `Without ${operation} two runs could hold the lock at once, or a power failure could undo what was acknowledged. Keep the state on a local disk, in a database or in a bucket.`,
      code: 'state.store-unsafe',
      exit: exitCode.unexpected,
    },
    { cause },
  );
}
