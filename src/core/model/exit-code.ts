// Exit codes. CI relies on their meanings (semantics §12).

export const exitCode = {
  done: 0,
  unexpected: 1,
  /** Only with --detailed-exitcode. */
  changes: 2,
  authentication: 3,
  /** Applied with failures, unknown outcomes or a verify mismatch; resumable. */
  incomplete: 4,
  /** Refused by a safety rule or at the prompt; nothing changed. */
  refused: 5,
  /** Plan stale, in conflict, or for another application. */
  conflict: 6,
  locked: 7,
  /** Interrupted or lease lost; saved, resumable. */
  interrupted: 8,
  /** The time limit (--max-duration, --stop-at) reached; resumable. */
  outOfTime: 9,
  usage: 64,
  /** Also a manifest that names an untrusted host. */
  invalid: 65,
  /** An object, a run or a state that the command line names does not exist. */
  notFound: 66,
} as const;

/**
 * The exit code of the command. Later versions may have others.
 * @type integer
 * @minimum 0
 */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of a program that chatform ran, passed on as it is. */
export type ProgramExit = number & { readonly isOfProgram: true };
export type CommandExit = ExitCode | ProgramExit;

/** For all commands. Each command says more about its own (cli/flags/exits.ts). */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: 'done',
  [exitCode.unexpected]: 'unexpected error, or a file, a program or the platform failed',
  [exitCode.changes]: 'something to do, with --detailed-exitcode only',
  [exitCode.authentication]: 'authentication refused',
  [exitCode.incomplete]: 'some steps failed, or what was compared differs',
  [exitCode.refused]: 'refused by a safety rule, by the key of the state, or at the prompt; nothing changed',
  [exitCode.conflict]: 'stale, in conflict, or for another application',
  [exitCode.locked]: 'the state is locked',
  [exitCode.interrupted]: 'interrupted; saved, can be resumed',
  [exitCode.outOfTime]: 'the time limit was reached; can be resumed',
  [exitCode.usage]: 'wrong command line',
  [exitCode.invalid]: 'manifests or another input are not valid, or name an untrusted host',
  [exitCode.notFound]: 'an object, a run or a state does not exist',
};
