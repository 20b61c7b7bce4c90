// Where does this run keep its state, and as whom?
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { StateBackend } from '../model/ports.ts';
import { openBackend } from '../state/index.ts';
import type { CommandInput } from './command.ts';
import type { World } from './world.ts';

export function stateOf(input: CommandInput, world: World): StateBackend {
  const job = world.env.GITHUB_RUN_ID ?? world.env.CI_JOB_ID ?? world.env.BUILD_ID;
  return openBackend(input.text('state') ?? 'file:.chatform/state', {
    clock: world.clock,
    newId: randomUUID,
    cwd: world.cwd,
    owner: {
      user: userName(),
      host: hostname(),
      pid: process.pid,
      ...(job === undefined ? {} : { job }),
    },
  });
}

/** Some containers run under an id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
