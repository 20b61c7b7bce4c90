// Writes a word of a command that people paste into a shell.
import { shellWord } from '../../lib/tools/shell-word.ts';
import { safe } from '../../view/text/text.ts';

/** Quotes the word if a shell would interpret it, with control characters escaped. */
export function inShell(word: string): string {
  return shellWord(safe(word));
}
