// The frame of a page that loads nothing. Its content security policy allows one style and one script.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../markdown/text.ts';
import { safe } from '../text/text.ts';
import { pageStyle } from './style.ts';

interface Frame {
  /** The target of the skip link, and its text. */
  readonly skip: readonly [string, string];
  readonly script?: string;
}

export function openingOf(title: string, { skip: [target, words], script }: Frame): string {
  const scripts = script === undefined ? '' : ` script-src '${digest(script)}';`;
  const policy = `default-src 'none'; style-src '${digest(pageStyle)}';${scripts} base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="${target}">${words}</a>
`;
}

export function closingOf(script?: string): string {
  return `<footer>Written by chatform. This page loads nothing and sends nothing.</footer>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A name that may wrap after its separators. */
export function breakable(name: string): string {
  return escapeHtml(safe(name)).replace(/(?<=[^\s.:/_\-·][.:/_\-·])(?=[^\s.:/_\-·])/gu, '<wbr>');
}

export function text(value: string): string {
  return escapeHtml(safe(value));
}
