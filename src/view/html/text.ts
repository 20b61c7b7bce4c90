// Texts of a page: escaped, on one line, and broken where a name is best broken.
import { escapeHtml } from '../markdown/text.ts';
import { safe } from '../text.ts';

/** A name, which may be broken behind its separators. */
export function breakable(name: string): string {
  return escapeHtml(safe(name)).replace(/(?<=[^\s.:/_\-·][.:/_\-·])(?=[^\s.:/_\-·])/gu, '<wbr>');
}

export function text(value: string): string {
  return escapeHtml(safe(value));
}
