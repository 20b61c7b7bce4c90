// Escapes text for Markdown, so that nothing in it is read as Markdown, HTML, a mention or a link.

import type { DiffLine } from '../diff/value-diff.ts';
import { safe } from '../text/text.ts';

/** A code span, in which mentions, issue numbers, links and tags have no effect. Its fence is longer than any inside. */
export function codeSpan(text: string): string {
  const shown = safe(text);
  const fence = '`'.repeat(longestRun(shown) + 1);
  const padded = /^`|`$|^ .* $/u.test(shown) || shown === '' ? ` ${shown} ` : shown;
  return fence + padded + fence;
}

/** A fenced block. `lines` must not contain line ends or control characters. */
export function fenced(language: string, lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return `${fence}${language}\n${lines.map((line) => `${line}\n`).join('')}${fence}\n`;
}

export function diffLine({ sign, text }: DiffLine): string {
  if (sign === '@') return text.startsWith('@@') ? text : `@@ ${text} @@`;
  return `${sign} ${text}`;
}

/** A section that opens on a click. `summary` is trusted text, `named` is not. */
export function collapsed(summary: string, body: string, named: readonly string[] = [], isMore = false): string {
  const names = named.map((name) => `<code>${escapeHtml(safe(name))}</code>`).join(', ');
  const line = `${escapeHtml(summary)}${names === '' ? '' : `: ${names}`}${isMore ? ', …' : ''}`;
  return `<details><summary>${line}</summary>\n\n${body}\n</details>\n\n`;
}

/** A comment by which a pipeline finds the comment to update. The application's name cannot end it. */
export function marker(application: string): string {
  const inert = application.replace(/[^\w.:/-]|-(?=-)/gu, (char) =>
    [...Buffer.from(char, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  );
  return `<!-- chatform:plan application=${inert} -->\n`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
}

/** Escapes text so that it cannot end a table cell or a code span. */
export function cell(text: string): string {
  return safe(text).replaceAll('|', '\\|').replaceAll('`', "'");
}
