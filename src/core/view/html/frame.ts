// The frame of every page: one head with the same facts in the same order, one style sheet, and a policy that loads nothing.
import { createHash } from 'node:crypto';
import { printUtc } from '../../../lib/words.ts';
import type { Actor } from '../../model/ci-systems.ts';
import { escapeHtml } from '../markdown/text.ts';
import { actorInWords } from '../text/actor.ts';
import { safe } from '../text/text.ts';
import { pageStyle } from './style.ts';

type HeadFact = readonly [name: string, value: string | undefined];

/** The head of a page. Texts are escaped here. Unknown facts are left out. */
export interface PageHead {
  /** `plan`, `run`: the page is headed `chatform plan`. */
  readonly kind: string;
  /** The result in a sentence or two. */
  readonly verdict: string;
  readonly application?: string | undefined;
  readonly planHash?: string | undefined;
  readonly by?: Actor | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly facts?: readonly HeadFact[];
  /** The target of the skip link, such as `#channels`, and its text. */
  readonly skip: readonly [target: string, words: string];
}

/** Everything up to the content, which is a `main`. `script` is the same as that of `pageEnd`. */
export function pageHead(head: PageHead, script?: string): string {
  const { kind, verdict, application, planHash, by, from, to, facts = [], skip } = head;
  const scripts = script === undefined ? '' : ` script-src '${digest(script)}';`;
  const policy = `default-src 'none'; style-src '${digest(pageStyle)}';${scripts} base-uri 'none'; form-action 'none'`;
  const known: readonly HeadFact[] = [
    ['Application', application],
    ['Plan hash', planHash],
    ['By', by === undefined ? undefined : actorInWords(by)],
    [to === undefined ? 'At' : 'From', from === undefined ? undefined : printUtc(from)],
    ['To', to === undefined ? undefined : printUtc(to)],
    ...facts,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>chatform ${kind}${application === undefined ? '' : `: ${text(application)}`}</title>
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="${skip[0]}">${skip[1]}</a>
<header>
<h1><strong>chatform</strong> ${kind}</h1>
<p class="verdict">${text(verdict)}</p>
${factList(known)}</header>
`;
}

export function pageEnd(script?: string): string {
  return `<footer>Written by chatform. This page loads nothing and sends nothing.</footer>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

/** Names beside their values. */
export function factList(facts: readonly HeadFact[]): string {
  const items = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`<div><dt>${text(name)}</dt><dd>${valueHtml(value)}</dd></div>`],
  );
  return items.length === 0 ? '' : `<dl class="facts">${items.join('')}</dl>\n`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A name that may wrap after its separators. */
export function breakable(name: string): string {
  return escapeHtml(safe(name)).replace(/(?<=[^\s.:/_\-·][.:/_\-·])(?=[^\s.:/_\-·])/gu, '<wbr>');
}

/** A route, or a limit that is named after one. It wraps before a slash, and never within a word. */
export function routeCode(route: string): string {
  return `<code class="route">${beforeSlashes(route)}</code>`;
}

/** A value from outside. A digest wraps into equal parts, a time never, and everything else also before slashes. */
export function valueHtml(value: string): string {
  if (/^[0-9a-f]{64}$/u.test(value)) return `<code class="digest">${value.replaceAll(/.{8}(?=.)/gu, '$&<wbr>')}</code>`;
  if (/^\d{4}-\d\d-\d\d [\d:.]+ UTC$/u.test(value)) return `<span class="time">${value}</span>`;
  return beforeSlashes(value);
}

function beforeSlashes(value: string): string {
  return text(value).replaceAll(/(?<=[^\s<])\//gu, '<wbr>/');
}

export function text(value: string): string {
  return escapeHtml(safe(value));
}
