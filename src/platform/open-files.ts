// Fits the number of connections to the number of files that this process may open: sockets count as files, and a process
// without any left can neither connect nor write its state.
import { readFileSync } from 'node:fs';

/** The applier's maximum of calls in flight. */
const mostConnections = 512;
const fewestConnections = 8;
/** For state, temporary files, sources, standard streams and the runtime itself. */
const otherFiles = 64;

/** `limit` is undefined where it is not known. The built-in emulator has the other end of each connection. */
export function connectionsWithin(limit: number | undefined): number {
  if (limit === undefined) return mostConnections;
  const room = Math.floor((limit - otherFiles) / 2);
  return Math.max(fewestConnections, Math.min(mostConnections, room));
}

/** The limit of open files (`ulimit -n`), or undefined if there is none or the system does not tell. */
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
