// Lists of items on as many lines as they need, or as there may be.

import { displayWidth, flow } from './layout.ts';

/** `a, b, c` on as many lines as necessary. */
export function fold(items: Iterable<string>, columns: number): Generator<string> {
  return flow(withCommas(items), columns);
}

/** Adds a comma to each item but the last. */
function* withCommas(items: Iterable<string>): Generator<string> {
  let waiting: string | undefined;
  for (const item of items) {
    if (waiting !== undefined) yield `${waiting},`;
    waiting = item;
  }
  if (waiting !== undefined) yield waiting;
}

/** `a, b, … and 98 more`: as many items as fit on one line, at least one. */
export function foldToLine(items: readonly string[], columns: number): string {
  const whole = items.join(', ');
  if (items.length < 2 || displayWidth(whole) <= columns) return whole;
  const tail = (shown: number) => `, … and ${items.length - shown} more`;
  let line = items[0] ?? '';
  let shown = 1;
  for (const item of items.slice(1)) {
    const longer = `${line}, ${item}`;
    if (displayWidth(longer + tail(shown + 1)) > columns) break;
    line = longer;
    shown += 1;
  }
  return line + tail(shown);
}

/** Like `fold`, with a maximum number of lines. The last line counts the items that do not fit. */
export function* foldToLines(items: readonly string[], columns: number, most: number): Generator<string> {
  let from = 0;
  for (let lines = 1; lines < most && from < items.length; lines += 1) {
    const line = [items[from] ?? ''];
    let used = displayWidth(line[0] ?? '') + 1;
    for (from += 1; from < items.length; from += 1) {
      const item = items[from] ?? '';
      used += displayWidth(item) + 2;
      if (used > columns) break;
      line.push(item);
    }
    yield `${line.join(', ')}${from < items.length ? ',' : ''}`;
  }
  if (from < items.length) yield foldToLine(items.slice(from), columns);
}
