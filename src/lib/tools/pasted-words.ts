// Writes words that people paste into a shell or into a manifest.

/** A command of chatform, such as `state forget`. Each word is quoted if a shell would interpret it. */
export function chatformCommand(name: string, ...words: readonly string[]): string {
  return ['chatform', name, ...words.map(shellWord)].join(' ');
}

/** A pattern for `--target`, `adopt` and `state` that matches only this address. */
export function onlyAddress(address: string): string {
  return /[*?[{]/u.test(address) ? address.replaceAll(/[\\*?[\]{}]/gu, '\\$&') : address;
}

/** The command that takes an object into state. */
export function adoptCommand(address: string): string {
  return chatformCommand('adopt', onlyAddress(address));
}

/** A path as an argument, which no command takes for a flag. */
export function pathArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** Quotes the word if a shell would interpret it. Characters that messages escape are written as octal numbers. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(word) && !word.includes('::')) return word;
  if (visible.test(word) && !/::|##|\p{M}{4}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const bytes = Array.from(new TextEncoder().encode(word), (byte) => {
    const char = String.fromCodePoint(byte);
    return /[\w@./-]/u.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"$(printf '${bytes.join('')}')"`;
}

/** A key or a text in YAML, in quotes if it may mean something else there. `${var.x}` stays a text. */
export function yamlWord(text: string): string {
  if (/^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z_][\w.@/-]*$/iu.test(text)) return text;
  const literal = JSON.stringify(text.replaceAll(/\$\{(?:var|each)\./gu, '$$$&'));
  return Array.from(literal, (char) => (visible.test(char) ? char : inUtf16(char)))
    .join('')
    .replaceAll('::', ':\\u003a')
    .replaceAll('##', '#\\u0023');
}

function inUtf16(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

const visible = /^(?:(?![\p{Default_Ignorable_Code_Point}\u{2800}])[\p{L}\p{M}\p{N}\p{P}\p{S} ])*$/u;
