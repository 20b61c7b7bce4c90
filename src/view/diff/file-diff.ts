// Which lines of a file change? As a unified diff.
import { createTwoFilesPatch } from 'diff';
import type { ViewOptions } from '../options.ts';
import { painter, signStyle } from '../terminal/paint.ts';
import { safe } from '../text.ts';

/** Lines with their ends. */
export function* fileDiff(name: string, before: string, after: string, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  const [from, to] = [safe(name), safe(name)];
  const patch = createTwoFilesPatch(`a/${from}`, `b/${to}`, before, after, undefined, undefined, { context: 3 });
  const [, ...lines] = patch.trimEnd().split('\n');
  for (const line of lines) {
    const shown = safe(line.replace(/\r$/u, '').replaceAll('\t', '  '));
    const isHead = /^(?:---|\+\+\+) /u.test(line);
    const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : undefined;
    yield `${isHead ? paint('bold', shown) : sign === undefined ? shown : paint(signStyle[sign], shown)}\n`;
  }
}
