// The frame of every page: one head with the same facts in the same order, one style sheet, and a policy that loads nothing.
import { createHash } from 'node:crypto';
import { printNumber, printUtc } from '../../../lib/words.ts';
import type { Actor } from '../../model/ci-systems.ts';
import { escapeHtml } from '../markdown/text.ts';
import type { Status } from '../summary/status.ts';
import { actorInWords } from '../text/actor.ts';
import { safe } from '../text/text.ts';
import { pageStyle } from './style.ts';

/** As many digits as on a terminal. */
export const hashShown = 12;

const maxNamedAtOnce = 3;

/** Undefined: not known. HTML is printed as it is. */
type FactValue = string | { readonly html: string } | undefined;
type HeadFact = readonly [name: string, value: FactValue];

/** The head of a page. Texts are escaped here. Unknown facts are left out. */
export interface PageHead {
  /** `plan`, `run`: the page is headed `chatform plan`. */
  readonly kind: string;
  /** The result in a few words, in front of the verdict and in the title. */
  readonly status?: Status;
  /** The result in a sentence or two. */
  readonly verdict: string;
  /** HTML below the verdict. */
  readonly counts?: string;
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

const style = compact(pageStyle);

/** Without indentation and lines of comments, which are a fifth of a page. */
function compact(source: string): string {
  return source.replaceAll(/^[ \t]+/gmu, '').replaceAll(/^\/\/.*\n/gmu, '');
}

/** Everything up to the content, which is a `main`. `script` is the same as that of `pageEnd`. */
export function pageHead(head: PageHead, script?: string): string {
  return pageStart(head, script) + pageHeader(head);
}

/** The part of `pageHead` before everything that is seen. */
export function pageStart({ kind, status, application }: PageHead, script?: string): string {
  const scripts = script === undefined ? '' : ` script-src '${digest(compact(script))}';`;
  const policy = `default-src 'none'; style-src '${digest(style)}';${scripts} base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${status === undefined ? '' : `${text(status.words)} · `}chatform ${kind}${application === undefined ? '' : `: ${text(application)}`}</title>
<style>${style}</style>
</head>
<body>
`;
}

export function pageHeader(head: PageHead): string {
  const { kind, status, verdict, counts = '', application, planHash, by, from, to, facts = [], skip } = head;
  const headFacts: readonly HeadFact[] = [
    ['Application', application],
    ['Plan hash', planHash === undefined ? undefined : copied(planHash, 'hash', planHash.slice(0, hashShown))],
    ['By', by === undefined ? undefined : actorInWords(by)],
    [to === undefined ? 'At' : 'From', from === undefined ? undefined : printUtc(from)],
    ['To', to === undefined ? undefined : printUtc(to)],
    ...facts,
  ];
  const pill = status === undefined ? '' : `<span class="pill ${status.kind}">${text(status.words)}</span> `;
  return `<a class="skip" href="${skip[0]}">${skip[1]}</a>
<header>
<h1><strong>chatform</strong> ${kind}</h1>
<p class="verdict">${pill}${text(verdict)}</p>
${counts}${factList(headFacts)}</header>
`;
}

/** Code with a button that copies `value`, which appears where scripts run. */
export function copied(value: string, name: string, shown = value): { readonly html: string } {
  return {
    html: `<code>${text(shown)}</code> <button type="button" class="copy" value="${text(value)}" hidden>Copy<span class="unseen"> the ${name}</span></button>`,
  };
}

export function pageEnd(script?: string): string {
  return `<footer>Written by chatform. This page loads nothing and sends nothing.</footer>
${script === undefined ? '' : `<script>${compact(script)}</script>\n`}</body>
</html>
`;
}

/** Names beside their values. */
export function factList(facts: readonly HeadFact[]): string {
  const items = facts.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`<div><dt>${text(name)}</dt><dd>${typeof value === 'string' ? valueHtml(value) : value.html}</dd></div>`],
  );
  return items.length === 0 ? '' : `<dl class="facts">${items.join('')}</dl>\n`;
}

/** A name and its comma stay together. */
export function listed(names: readonly string[]): string {
  const last = names.length - 1;
  return names.map((name, at) => `<span class="name">${name}${at === last ? '' : ','}</span>`).join(' ');
}

/** The first names, and the others folded, so that what follows stays near. `total` counts those that are not listed, too. */
export function foldedNames(names: readonly string[], total: number): string {
  const [first, others] = [names.slice(0, maxNamedAtOnce), names.slice(maxNamedAtOnce)];
  if (others.length === 0) return listed(first);
  const unlisted = total > names.length ? `, … and ${printNumber(total - names.length)} more in the table` : '';
  return `${listed(first)}<details><summary>${printNumber(total - first.length)} more</summary>${listed(others)}${unlisted}</details>`;
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
