// What is to be said of tokens before a plan issues them? They need a place to go to (semantics §5.4).
import type { Diagnostic } from '../model/diagnostic.ts';

/** One note for all of them. */
export function issuedTokensNote(count: number): Diagnostic[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 token is issued' : `${count.toLocaleString('en')} tokens are issued`;
  return [
    {
      severity: 'note',
      code: 'plan.issues-tokens',
      summary: 'Tokens are issued',
      detail: `${what}, into the file of --tokens-out and nowhere else: apply is refused without it.`,
    },
  ];
}
