// Identifies this machine and its processes. It uses node:fs, so only impure layers may import it.
import { readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from '../errors.ts';

/**
 * Identifies the boot and the pid namespace, where the system shows them: containers of one image may share a host name
 * while their pids are unrelated.
 */
export function machineName(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** The start of a process in clock ticks since the boot. Undefined where the system does not show it. */
export function startOfProcess(pid: number): string | undefined {
  return statOf(pid)?.[startField];
}

/**
 * Whether a process of this machine runs. `start` is its start, if known: the system may give the pid of a process that has
 * ended to another one.
 */
export function isRunning(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if (errorCode(error) === 'ESRCH') return false;
  }
  const fields = statOf(pid);
  if (fields === undefined) return true;
  const [state = ''] = fields;
  return !endedStates.includes(state) && (start === undefined || fields[startField] === start);
}

/** Zombies, which have ended but whose parent has not noticed, and dead processes. */
const endedStates: readonly string[] = ['Z', 'X', 'x'];
/** The place of the start among the fields from the state on (proc_pid_stat(5): state is the third field, starttime the 22nd). */
const startField = 19;

/** The fields of a process from its state on. The name before them may contain spaces and parentheses. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
