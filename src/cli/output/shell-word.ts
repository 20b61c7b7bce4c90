// Writes a word of a command that people paste into a shell.
import { safe } from '../../view/text/text.ts';

/** Quoted where a shell would read it as something else. */
export function inShell(word: string): string {
  const shown = safe(word);
  return /^[\w@%+=:,./-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
