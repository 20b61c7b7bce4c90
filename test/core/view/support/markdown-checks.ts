// Support: checks that hold for every comment on a pull request, whatever the names in its plan.
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect } from 'vitest';
import { canary, harmIn } from './hostile.ts';
import { changeOf, planOf } from './plans.ts';

export const toHtml = (markdown: string) =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });

/** More dangers and diffs than fit into any comment. */
export const large = planOf([
  ...Array.from({ length: 3_000 }, (_, at) =>
    changeOf(`user.フランク-${at}`, ['deactivate'], { reason: { code: 'undeclared' } }),
  ),
  ...Array.from({ length: 3_000 }, (_, at) =>
    changeOf(`group_channel.room-${at}`, ['update'], {
      attributes: [{ path: ['data'], before: `${'`'.repeat(at % 9)}a\nb`, after: `x\n${'y'.repeat(300)}`, how: 'set' }],
    }),
  ),
]);

/** Checks that every tag and fence is closed. */
export function expectWhole(text: string): void {
  const html = toHtml(text);
  for (const name of ['details', 'summary', 'pre', 'code']) {
    expect(html.split(`</${name}>`).length, name).toBe(html.split(new RegExp(`<${name}[ >]`, 'u')).length);
  }
  expect(toHtml(`${text}\nend *here*`)).toContain('<em>here</em>');
}

const allowed = /^\/?(?:h3|h4|p|ul|li|strong|code|pre|details|summary|blockquote)$/u;

/** The text outside code, where links, mentions and issue numbers have an effect, and all tags. */
export function expectInert(markdown: string): void {
  const html = toHtml(markdown);
  const comments = html.match(/<!--.*?-->/gsu) ?? [];
  const rest = html.replace(/<!--.*?-->/su, '').replace(/<code(?: class="language-\w+")?>[^<]*<\/code>/gu, '');
  for (const [, tag = ''] of rest.matchAll(/<([^>]*)>/gu)) expect(tag).toMatch(allowed);
  expect(rest).not.toContain(canary);
  expect(comments.length).toBeLessThanOrEqual(1);
  expect(harmIn(markdown)).toBeUndefined();
}
