// Wraps text that may have colour codes, as messages for a terminal have.

import { displayWidth } from './layout.ts';

const colourCode = /\u{1b}\[[\d;]*m/gu;

/**
 * Wraps lines that are too long between words, below their first word. Keeps everything else, also the spaces inside a line
 * that fits, and text that moves the cursor.
 */
export function wrapLines(text: string, columns: number): string {
  if (/\r|\u{1b}(?!\[[\d;]*m)/u.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (visibleWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function visibleWidth(line: string): number {
  return displayWidth(line.replaceAll(colourCode, ''));
}

function wrapLine(line: string, columns: number): string {
  const [indent = ''] = /^ */u.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  // Each word has the spaces before it, which are left out at an end of a line.
  for (const word of line.slice(indent.length).match(/ *[^ ]+| +$/gu) ?? []) {
    if (current !== indent && visibleWidth(current + word.trimEnd()) > columns) {
      lines.push(current);
      current = indent;
    }
    current += current === indent ? word.trimStart() : word;
  }
  return [...lines, current].join('\n');
}
