// Support: keys that shells and YAML read as something else, and the words that a shell reads.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests
import { execFileSync } from 'node:child_process';

export const oddKeys = [
  ...['nobody', 'x*', 'a?c', 'team[1]', '{a,b}', 'back\\slash*', 'back\\slash', '-n', '--all'],
  ...[
    'a b',
    'a  b',
    '$(x)',
    '`x`',
    '${var.x}',
    '$${var.x}',
    "it's",
    '"',
    'a, b',
    'a: b',
    '# x',
    'é',
    '~',
    '!x',
    'a&b',
    'a|b',
  ],
  ...[
    'a\u200fb',
    'a\u0085b',
    'a\u2028b',
    '\ufeffa',
    'a\u3164b',
    'a\nb',
    'a\tb',
    '::set-output',
    'a ::b',
    '##[group]',
    '👩‍👧',
  ],
];

/** The words of each command, as the shell reads them. */
export function inShell(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return read
    .split('\0\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0'));
}
