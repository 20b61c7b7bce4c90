// Support: waits for a condition that another process, a server or the garbage collector will soon fulfil.
import { vi } from 'vitest';

/** Resolves once the condition is true. The limit is generous, because a busy machine may stall for long. */
export function soon(holds: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(holds, { timeout: 120_000, interval: 20 });
}
