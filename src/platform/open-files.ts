// Limits the number of connections to the number of files that this process may open. Sockets count as files, and a process
// at its limit can neither connect nor write its state.
import { readFileSync } from 'node:fs';

/** The applier's maximum of calls in flight. */
const mostConnections = 512;
const fewestConnections = 8;
/** Reserved for state, temporary files, sources, standard streams and the runtime itself. */
const otherFiles = 64;

/** Returns the maximum number of connections. `limit` is undefined if unknown. Half of it, because the built-in emulator opens the other ends. */
export function connectionsWithin(limit: number | undefined): number {
  if (limit === undefined) return mostConnections;
  const room = Math.floor((limit - otherFiles) / 2);
  return Math.max(fewestConnections, Math.min(mostConnections, room));
}

/** Returns the limit of open files (`ulimit -n`), or undefined if there is none or the system does not report it. */
export function openFilesLimit(): number | undefined {
  try {
    const limit = Number(
      /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN,
    );
    return Number.isNaN(limit) ? undefined : limit;
  } catch {
    return undefined;
  }
}
