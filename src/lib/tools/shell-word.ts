// Writes a word of a command that people paste into a shell.

/** Quotes the word if a shell would interpret it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
