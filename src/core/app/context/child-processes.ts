// Starts every program that chatform runs. A test lists the callers, and refuses other files that start a process.
//
// The programs are git and ssh-keygen, always with arguments and never through a shell, the command lines that the user passes in --gate,
// --sign-command, --verify-command and CHATFORM_STATE_KEY_COMMAND, and the words after `--`. No file under review may name one.
import {
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  type ExecFileException,
  exec,
  execFile,
  spawn,
} from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { isInside, realPath } from '../../../lib/paths.ts';
import { longestTimerMs } from '../../../lib/time-values.ts';
import type { Ports } from './ports.ts';

export type ProcessSurroundings = Pick<Ports, 'cwd' | 'env'>;

export interface ProcessEnd {
  /** Absent after exit code 0. Its `code` is the exit code, or a text if the program could not be started. */
  readonly failure?: ExecFileException;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProcessSurroundings,
  input: string | Uint8Array = '',
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const options = { ...shared, cwd, env } as const;
    try {
      const child = execFile(program, args, options, endOf(resolve));
      // A program that does not read its input may end before all of it is written.
      child.stdin?.on('error', () => {}).end(input);
    } catch (error) {
      // Thrown when a part of PATH is not a folder, and for arguments that no process may have.
      resolve({ failure: error as ExecFileException, stdout: Buffer.alloc(0), stderr: '' });
    }
  });
}

/** All three streams are pipes. The process emits `error` if the program cannot be started. */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProcessSurroundings,
): ChildProcessWithoutNullStreams {
  return spawn(program, args, { cwd, env, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

export interface ForegroundProgram {
  pass(signal: NodeJS.Signals): void;
  /** The exit code, or 128 and the number of the signal that ended the program. Rejects if it cannot be started. */
  readonly ended: Promise<number>;
}

/** Runs a program with the streams, and in the process group, of this process. */
export function runInForeground(
  program: string,
  args: readonly string[],
  { cwd, env }: ProcessSurroundings,
): ForegroundProgram {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  return { pass: (signal) => void child.kill(signal), ended };
}

export interface CommandLineOptions {
  /** What the command reads from standard input. */
  readonly input?: string | Uint8Array;
  /** Default: no limit. */
  readonly timeoutMs?: number;
  /** The command fails when it prints more. Default: no limit. */
  readonly maxBytes?: number;
}

/** Runs a command line of the user in a shell, unchanged. Never rejects. */
export function runCommandLine(
  commandLine: string,
  { cwd, env }: ProcessSurroundings,
  { input = '', timeoutMs: timeout = 0, maxBytes: maxBuffer = shared.maxBuffer }: CommandLineOptions,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    try {
      const child = exec(commandLine, { ...shared, cwd, env, timeout, maxBuffer }, endOf(resolve));
      // A command that does not read its input may end before all of it is written.
      child.stdin?.on('error', () => {}).end(input);
      child.on('exit', () => afterDrain([child.stdout, child.stderr]));
    } catch (error) {
      // Thrown for a command line that no process may have.
      resolve({ failure: error as ExecFileException, stdout: Buffer.alloc(0), stderr: '' });
    }
  });
}

/** Closes the streams of a command that has ended, which its children may hold open. What the command wrote is read first. */
function afterDrain(streams: readonly (Readable | null)[]): void {
  // A timer may fire before what is in the pipes is read.
  const close = () => {
    for (const stream of streams) stream?.destroy();
  };
  setTimeout(() => setImmediate(close), drainMs);
}

/**
 * The variables for a program that is found by its name. PATH is without relative folders and folders of the work tree, in which a
 * request could place a program of that name, such as its `node_modules/.bin`.
 */
export async function environmentOutside(workTree: string, env: Ports['env']): Promise<Ports['env']> {
  const { PATH: path, ...others } = withoutOwnVariables(env);
  if (path === undefined) return others;
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
  const real = await Promise.all(entries.map(realPath));
  const entriesOutside = entries.filter((_entry, at) => !isInside(workTree, real[at] ?? ''));
  // An empty PATH would be the working folder.
  return { ...others, PATH: entriesOutside.length === 0 ? '/dev/null' : entriesOutside.join(delimiter) };
}

export type GroupEnd =
  | {
      readonly type: 'exit';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** The last line that the command wrote to standard error, or else to standard output. */
      readonly said: string;
    }
  | { readonly type: 'unstarted'; readonly said: string }
  | { readonly type: 'timeout' }
  | { readonly type: 'aborted' };

/** How long a command may take to end by itself after SIGTERM, before SIGKILL. */
const graceMs = 5_000;
/** How long the streams of a command that has ended stay open, which its children may hold. */
const drainMs = 200;
/** The characters that are kept of each stream. */
const keptCharacters = 2_000;

/**
 * Runs a command line, which is the first argument, beside a process of the same group that waits at file descriptor 3. Where the
 * other end is closed without a line, this process was killed, and the group is ended. The waiting process
 * is not a child of the command, because a command may wait for all of its children.
 */
const guarded = `( (trap '' TERM; read -r line <&3 || { kill -TERM 0; sleep ${graceMs / 1_000}; kill -KILL 0; }) >/dev/null 2>&1 &)
exec 3<&-; exec /bin/sh -c "$1"`;

/**
 * Runs a command line of the user in a shell and in a process group of its own, which is ended as a whole at the time-out, on an
 * abort, and when this process is killed. On Windows nobody ends it after a kill. A Ctrl-C in the terminal does not reach it. Never
 * rejects.
 */
export function runInOwnGroup(
  commandLine: string,
  { cwd, env }: ProcessSurroundings,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<GroupEnd> {
  return new Promise((resolve) => {
    const isGuarded = process.platform !== 'win32';
    const [program, args] = isGuarded ? ['/bin/sh', ['-c', guarded, '/bin/sh', commandLine]] : [commandLine, []];
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(program, args, {
        cwd,
        env,
        shell: !isGuarded,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      }) as ChildProcessByStdio<null, Readable, Readable>;
    } catch (error) {
      // Thrown for a command line that no process may have.
      resolve({ type: 'unstarted', said: String(error) });
      return;
    }
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] = (said[name] + text).slice(-keptCharacters);
      });
    }
    // The process that waits may have been ended with its group.
    const guard = child.stdio[3] as Writable;
    guard.on('error', () => {});
    const lastLine = () => (said.stderr.trim() || said.stdout.trim()).split('\n').at(-1) ?? '';
    const timers: NodeJS.Timeout[] = [];
    let cut: GroupEnd | undefined;
    const kill = (how: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, how);
      } catch {
        // The group has ended.
      }
    };
    const end = (why: GroupEnd): void => {
      if (cut !== undefined) return;
      cut = why;
      kill('SIGTERM');
      timers.push(setTimeout(() => kill('SIGKILL'), graceMs));
    };
    const abort = (): void => end({ type: 'aborted' });
    const finish = (ended: GroupEnd): void => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // What a cut group has left, as a child that ignores SIGTERM.
      if (cut !== undefined) kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      if (!guard.writableEnded) guard.destroy();
      resolve(cut ?? ended);
    };
    signal.addEventListener('abort', abort);
    timers.push(setTimeout(() => end({ type: 'timeout' }), Math.min(timeoutMs, longestTimerMs)));
    child.on('error', (error) => finish({ type: 'unstarted', said: error.message }));
    child.on('close', (code, by) => finish({ type: 'exit', code, signal: by, said: lastLine() }));
    child.on('exit', (code, by) => {
      // A stream that is not read keeps this process alive.
      guard.end('ended\n', () => guard.destroy());
      timers.push(setTimeout(() => finish({ type: 'exit', code, signal: by, said: lastLine() }), drainMs));
    });
    if (signal.aborted) abort();
  });
}

/** The variables for a program that must not see those of chatform, least of all the API token. */
export function withoutOwnVariables(env: Ports['env']): Ports['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_')));
}

const shared = { encoding: 'buffer', maxBuffer: Number.POSITIVE_INFINITY, windowsHide: true } as const;

function endOf(resolve: (end: ProcessEnd) => void) {
  return (error: ExecFileException | null, stdout: Buffer, stderr: Buffer): void =>
    resolve({ ...(error === null ? {} : { failure: error }), stdout, stderr: stderr.toString('utf8') });
}
