// Stores objects as files in a folder, and says what errors of the file system mean. A file is durable before it gets its name, unless
// it only tests the folder.
//
//   state.ndjson                 the snapshot, if it is one object: a permanent name, so that versions can be compared
//   head_0000000003.2            an object: its key with _ for /, and a version number once it was replaced
//   tmp_head_0000000003_<id>     an object that is still being written
//
// An object is written under a temporary name, flushed, and then linked, so that one of two processes gets the name. Replacing
// it links the next version number, so one of two processes that know a version succeeds. There is no lock that a dead process
// could keep. The highest version counts.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FlushDeniedError } from '../../../lib/durable-files.ts';
import { errorCode } from '../../../lib/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { isProbe, probeKey } from '../engine/layout.ts';
import { type ObjectStore, type StoreAddress, type StoredObject, StoreFailure } from '../engine/store.ts';
import { type FolderFiles, nodeFiles } from './folder-files.ts';

const shownName = 'state.ndjson';
/** The key of the shown snapshot, which no head names. */
const shownKey = 'snapshot/0/shown';
/** A process that waits for a disk longer than its lease has lost its lock. */
const terms = { patienceMs: 60_000, leaseMs: 60_000 };

/** `name` is for messages. `path` is the folder. */
export function folderAddress(name: string, path: string, files: FolderFiles = nodeFiles): StoreAddress {
  return { name, terms, connect: async () => new FolderStore(path, files) };
}

class FolderStore implements ObjectStore {
  readonly #path: string;
  readonly #files: FolderFiles;
  /** The names of files that this process is still writing. */
  readonly #temporary = new Set<string>();
  #isMade = false;

  constructor(path: string, files: FolderFiles) {
    this.#path = path;
    this.#files = files;
  }

  get(key: string): Promise<StoredObject | undefined> {
    return reading(async () => {
      for (;;) {
        const version = await this.#versionOf(key);
        const isShown = isFirstPart(key) || key === shownKey;
        const name = version > 0 ? nameOf(key, version) : isShown ? shownName : undefined;
        const found = name === undefined ? undefined : await this.#files.read(this.#at(name));
        if (found !== undefined) return { ...found, tag: String(version) };
        // The object was replaced or shown in between, or it does not exist.
        if ((await this.#versionOf(key)) === version) return undefined;
      }
    });
  }

  create(key: string, bytes: Uint8Array, after?: string): Promise<string | undefined> {
    return writing(async () => {
      const names = await this.#names();
      if (after !== undefined && versionsIn(names, after).length === 0) return undefined;
      if (versionsIn(names, key).length > 0 || !(await this.#put(key, 1, bytes))) return undefined;
      // While this process was paused, another one may have created and replaced the object, which frees the first name.
      if ((await this.#versionOf(key)) === 1) return '1';
      await this.#files.remove(this.#at(nameOf(key, 1)));
      return undefined;
    });
  }

  replace(key: string, bytes: Uint8Array, tag: string): Promise<string | undefined> {
    return writing(async () => {
      const version = Number(tag);
      const next = version + 1;
      if (!(version > 0) || (await this.#versionOf(key)) !== version) return undefined;
      if (!(await this.#put(key, next, bytes))) return undefined;
      const versions = await this.#versions(key);
      const isOurs = versions.at(-1) === next && versions.includes(version);
      await this.#files.remove(this.#at(nameOf(key, isOurs ? version : next)));
      return isOurs ? String(next) : undefined;
    });
  }

  list(prefix: string): Promise<readonly string[]> {
    return reading(async () => {
      const start = prefix.replaceAll('/', '_');
      const found = (await this.#names()).filter((name) => name.startsWith(start) || name === shownName);
      const names = found.filter((name) => !this.#temporary.has(name));
      const keys = names.flatMap((name) => keyOf(name) ?? []);
      return [...new Set(keys.filter((key) => key.startsWith(prefix)))].sort();
    });
  }

  remove(keys: readonly string[]): Promise<void> {
    return writing(async () => {
      const removed = new Set(keys);
      for (const name of await this.#names())
        if (name !== shownName && removed.has(keyOf(name) ?? '')) await this.#files.remove(this.#at(name));
    });
  }

  /** Flushes nothing, because files that return after a power failure do not count. */
  showSnapshot(keys: readonly string[]): Promise<void> {
    return writing(async () => {
      const [only] = keys;
      if (keys.length === 1 && only !== undefined)
        await this.#files.rename(this.#at(nameOf(only, 1)), this.#at(shownName));
      else await this.#files.remove(this.#at(shownName));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Both times come from one clock then, also in a folder that several machines share. */
  clockAheadMs(): Promise<number> {
    return writing(() =>
      this.#withTemporary(
        probeKey('clock'),
        Buffer.alloc(0),
        async (path) => (await this.#files.read(path))?.ageMs ?? 0,
      ),
    );
  }

  /** Returns false if the name is taken, or if somebody has removed the temporary file. */
  #put(key: string, version: number, bytes: Uint8Array): Promise<boolean> {
    const path = this.#at(nameOf(key, version));
    return this.#withTemporary(key, bytes, async (temporary, remove) => {
      if (!(await this.#files.link(temporary, path).catch(withoutHardLinks))) return false;
      try {
        // Removed before the flush begins, because a file system makes changes of names wait for a flush. A later run removes a
        // temporary name that returns after a power failure.
        const removal = remove();
        await Promise.all([removal, isProbe(key) ? undefined : this.#files.flush(this.#path).catch(withoutFlushes)]);
        return true;
      } catch (error) {
        // A head unknown to its holder would lock out others.
        await this.#files.remove(path).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Writes a temporary file for the object. It is removed after the work, if the work has not removed it. */
  async #withTemporary<T>(
    key: string,
    bytes: Uint8Array,
    work: (path: string, remove: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    if (!this.#isMade) await this.#files.makeFolder(this.#path);
    this.#isMade = true;
    const name = nameOf(`tmp/${key}/${randomUUID()}`, 1);
    const path = this.#at(name);
    this.#temporary.add(name);
    let removal: Promise<void> | undefined;
    // A later run removes a file that cannot be removed now.
    const remove = (): Promise<void> => (removal ??= this.#files.remove(path).catch(() => undefined));
    try {
      await this.#files.write(path, bytes, !isProbe(key)).catch(withoutFlushes);
      return await work(path, remove);
    } finally {
      await remove();
      this.#temporary.delete(name);
    }
  }

  /** Returns 0 if there is no such object. */
  async #versionOf(key: string): Promise<number> {
    return (await this.#versions(key)).at(-1) ?? 0;
  }

  async #versions(key: string): Promise<number[]> {
    return versionsIn(await this.#names(), key);
  }

  #names(): Promise<readonly string[]> {
    return this.#files.list(this.#path);
  }

  #at(name: string): string {
    return join(this.#path, name);
  }
}

function nameOf(key: string, version: number): string {
  const name = key.replaceAll('/', '_');
  return version === 1 ? name : `${name}.${version}`;
}

/** Returns the versions of an object in ascending order. */
function versionsIn(names: readonly string[], key: string): number[] {
  const start = nameOf(key, 1);
  const further = `${start}.`;
  const versions: number[] = [];
  // A loop, because every write looks for versions, some times in a folder of hundreds of names.
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    if (name === start) versions.push(1);
    else if (name.startsWith(further) && keyOf(name) === key) versions.push(Number(name.slice(further.length)));
  }
  return versions.sort((left, right) => left - right);
}

/** Returns undefined for files that the engine does not use. */
function keyOf(name: string): string | undefined {
  if (name === shownName) return shownKey;
  const [, key] = /^((?:tmp|head|journal|segment|snapshot|probe)_.*?)(?:\.\d+)?$/u.exec(name) ?? [];
  return key?.replaceAll('_', '/');
}

function isFirstPart(key: string): boolean {
  return /^snapshot\/.*\/0+$/u.test(key);
}

function reading<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw readFailure(cause);
  });
}

function writing<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw writeFailure(cause);
  });
}

function readFailure(cause: unknown): unknown {
  const advice = 'Check that this user may read the folder and its files, then run the command again.';
  return failureOf(cause, 'state.read-failed', advice);
}

function writeFailure(cause: unknown): unknown {
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

function withoutHardLinks(cause: unknown): never {
  throw unsafe(cause, 'hard links');
}

function withoutFlushes(cause: unknown): never {
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
