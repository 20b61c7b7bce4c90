// Breaks a lock by taking it: the holder is fenced off from that moment on, and nobody else comes in between.
import type { OpenState } from '../model/ports.ts';
import type { UpkeepWriter } from './upkeep.ts';

/** How to take a lock. */
export interface LockRequest extends OpenState {
  /** The epoch of a lock to break, even if it has not expired. */
  readonly breaks?: number;
}

/** What to do under the lock that was taken, before it is given back. */
export type WorkUnderLock = (writer: UpkeepWriter) => Promise<void>;

/** `held`: the epoch of the lock as it is found; false when that is not the one to break. */
export async function breakHeld(
  held: number | undefined,
  { application, epoch }: { readonly application: string; readonly epoch: number },
  open: (request: LockRequest) => Promise<UpkeepWriter>,
  work: WorkUnderLock | undefined,
): Promise<boolean> {
  if (held !== epoch) return false;
  const writer = await open({ application, lockTimeoutMs: 0, breaks: epoch });
  try {
    await work?.(writer);
  } finally {
    await writer.close();
  }
  return true;
}
