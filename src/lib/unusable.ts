// What no manifest may hold: keys that programs reserve, and characters that databases and URLs do not take.

/** Keys that programs would mistake for a part of themselves (semantics §9). */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether the text holds a NUL character or half of a surrogate pair. */
export function isUnusableText(text: string): boolean {
  return !text.isWellFormed() || text.includes('\0');
}

/** The text with U+FFFD in place of such characters. */
export function usableText(text: string): string {
  return isUnusableText(text) ? text.toWellFormed().replaceAll('\0', '\ufffd') : text;
}
