// Writes a word of a command that people paste into a shell.
import { safe } from '../../view/text/text.ts';

/** Quotes the word if a shell would interpret it. */
export function inShell(word: string): string {
  const shown = safe(word);
  return /^[\w@%+=:,./-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
