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
export function isRunning(pid: number, start?: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if (errorCode(error) === 'ESRCH') return false;
  }
  const fields = statOf(pid);
  if (fields === undefined) return true;
  return !hasEnded(fields) && (start === undefined || fields[startField] === start);
}

/** Whether a process has ended, although its parent may not have noticed. While a zombie has other threads, these may be in a call. */
function hasEnded(fields: readonly string[]): boolean {
  const [state] = fields;
  return state === 'X' || state === 'x' || (state === 'Z' && Number(fields[threadsField]) <= 1);
}

/** Places among the fields from the state on (proc_pid_stat(5): state is the third field, num_threads the 20th, starttime the 22nd). */
const threadsField = 17;
const startField = 19;

/** The fields of a process from its state on. The name before them may contain spaces and parentheses. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
