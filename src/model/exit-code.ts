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
  /** Plan stale, in conflict, for another application, or an untrusted host. */
  conflict: 6,
  locked: 7,
  /** Interrupted or lease lost; saved, resumable. */
  interrupted: 8,
  /** --max-duration reached; resumable. */
  outOfTime: 9,
  usage: 64,
  invalid: 65,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
