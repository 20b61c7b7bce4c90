// The exit codes of a command, from which its help and its description for programs are made.
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';

export type ExitMeanings = Readonly<Partial<Record<ExitCode, string>>>;

/** By the flag that a group of codes needs; '' has the codes of every call. */
export type Exits = Readonly<Record<string, ExitMeanings>>;

/** Commands that carry out a plan which somebody approves. */
export const runExits: ExitMeanings = {
  0: 'done',
  3: 'token refused',
  4: 'some steps failed (run it again)',
  5: 'refused by a safety rule or at the prompt',
  6: 'plan stale or for another application',
  7: 'state locked',
  8: 'interrupted',
  9: '--max-duration or --stop-at reached',
  64: 'no approval in CI',
  65: 'manifests invalid or untrusted host',
};

export interface ExitOfCommand {
  readonly code: ExitCode;
  readonly meaning: string;
  /**
   * The flag without which the command does not end with this code, or not with this meaning.
   * @pattern ^--
   */
  readonly when?: string;
}

/** In the order of the groups, and by code. */
export function listExits(exits: Exits): readonly ExitOfCommand[] {
  return Object.entries(exits).flatMap(([when, meanings]) =>
    Object.values(exitCode).flatMap((code) => {
      const meaning = meanings[code];
      return meaning === undefined ? [] : [{ code, meaning, ...(when === '' ? {} : { when }) }];
    }),
  );
}

/** `Exit codes: 0 done, 3 token refused. With --online: 1 unreachable.` */
export function exitsInWords(exits: Exits): string {
  const groups = Object.keys(exits).map((when) => {
    const codes = listExits({ '': exits[when] ?? {} }).map(({ code, meaning }) => `${code} ${meaning}`);
    return `${when === '' ? '' : `With ${when}: `}${codes.join(', ')}.`;
  });
  return `Exit codes: ${groups.join(' ')}`;
}
