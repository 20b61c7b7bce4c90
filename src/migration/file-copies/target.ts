// The destination of copies: a local folder or a bucket. A copy is named by the digest of its content.
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownFile } from '../../core/app/context/own-file.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Clock } from '../../core/model/ports.ts';
import type { ObjectBucket } from '../../core/state/engine/bucket.ts';
import { StoreFailure } from '../../core/state/engine/store.ts';
import { flushFolder } from '../../lib/durable-files.ts';
import { digestOfFile } from '../../lib/staging/staged-files.ts';

export interface Placed {
  readonly name: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

export interface CopyTarget {
  /** A folder for incomplete files. */
  readonly parts: string;
  /** Whether the copy is complete. `isSure`: an earlier run completed it, so comparing the size is enough. */
  has(copy: Placed, isSure: boolean): Promise<boolean>;
  /** Moves a complete file to its place, and returns once it survives a power failure. */
  place(part: string, copy: Placed, type: string | undefined): Promise<void>;
  close(): Promise<void>;
}

export async function folderTarget(folder: string): Promise<CopyTarget> {
  const parts = ownFile(folder, 'copyParts');
  await rm(parts, { recursive: true, force: true });
  await mkdir(parts, { recursive: true });
  return {
    parts,
    has: async ({ name, sha256, size }, isSure) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile() !== true || found.size !== size) return false;
      return isSure || (await digestOfFile(join(folder, name))) === sha256;
    },
    place: async (part, { name }) => {
      await rename(part, join(folder, name));
      await flushFolder(folder);
    },
    close: async () => {
      await rm(parts, { recursive: true, force: true });
      if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
    },
  };
}

export async function bucketTarget(bucket: ObjectBucket, clock: Pick<Clock, 'sleep'>): Promise<CopyTarget> {
  const parts = await mkdtemp(join(tmpdir(), 'chatform-files-'));
  return {
    parts,
    has: async ({ name, size }) => (await tried(() => bucket.sizeOf(name), clock)) === size,
    place: async (part, { name, size }, type) => {
      await tried(() => bucket.upload(name, part, size, type), clock);
      await rm(part, { force: true });
    },
    close: async () => {
      await rm(parts, { recursive: true, force: true });
      await bucket.close();
    },
  };
}

const maxTries = 5;
const firstPauseMs = 500;

/** Throws a refusal if the bucket fails or does not respond. */
async function tried<T>(call: () => Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      if (!error.isTransient || tries >= maxTries) throw unusableBucket(error);
      await clock.sleep(firstPauseMs * 2 ** (tries - 1));
    }
  }
}

function unusableBucket(cause: StoreFailure): Refusal {
  return new Refusal(
    'files.bucket',
    cause.call.kind === 'denied' ? exitCode.authentication : exitCode.unexpected,
    `The bucket of --to cannot be used: ${cause.call.what}.`,
    `${cause.call.advice} Run the command again: it continues where it stopped.`,
    { cause },
  );
}
