// Where does this run keep its state, and as whom?
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { Environment } from '../../cli/environment.ts';
import type { CommandInput } from '../../cli/flags/command.ts';
import { openBackend } from '../../state/index.ts';
import type { UpkeepBackend } from '../../state/upkeep.ts';
import { safe } from '../../view/text.ts';
import { printDuration } from '../../view/words.ts';

export async function stateOf(input: CommandInput, world: Environment): Promise<UpkeepBackend> {
  const machine = machineName();
  const job = world.env.GITHUB_RUN_ID ?? world.env.CI_JOB_ID ?? world.env.BUILD_ID;
  return openBackend(input.text('state') ?? 'file:.chatform/state', {
    clock: world.clock,
    newId: randomUUID,
    cwd: world.cwd,
    variable: (name) => world.env[name],
    patienceMs: input.duration('state-patience'),
    waiting: (holder, maxMs) => {
      const stop = new AbortController();
      const forget = world.onInterrupt(() => stop.abort());
      const atMost = printDuration(Math.min(maxMs, world.timeLeft?.() ?? maxMs) / 1000);
      world.stderr.write(`Waiting for the lock of the state, at most ${atMost}. It is held by ${safe(holder)}.\n`);
      return { signal: stop.signal, end: forget };
    },
    owner: {
      user: userName(),
      host: hostname(),
      pid: process.pid,
      ...(job === undefined ? {} : { job }),
      ...(machine === undefined ? {} : { machine }),
    },
  });
}

/**
 * The boot and the namespace of pids, where the system tells them: containers of one image may share a host name, and a
 * pid of one says nothing about a pid of the other.
 */
function machineName(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Some containers run under an id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
