// Support: waits for what happens elsewhere soon, in a process, a server or the garbage collector.
import { vi } from 'vitest';

/** Resolves once it holds. The limit ends what hangs; a busy machine may stand still for half a minute. */
export function soon(holds: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(holds, { timeout: 120_000, interval: 20 });
}
