// Tests that Slack markup becomes readable text.
import { expect, test } from 'vitest';
import { readable } from '../../../../src/convert/sources/slack/mrkdwn.ts';

const names = {
  user: (id: string) => (id === 'U1' ? 'ann' : undefined),
  channel: (id: string) => (id === 'C1' ? 'general' : undefined),
};

test.for<readonly [mrkdwn: string, text: string, mentions?: readonly string[]]>([
  ['plain text', 'plain text'],
  ['<@U1> hi', '@ann hi', ['U1']],
  ['<@U1|old> and <@W2|wil>', '@ann and @wil', ['U1', 'W2']],
  ['<@U9>', '@U9', ['U9']],
  ['<#C1|old-name> <#C1> <#C1|> <#C2>', '#old-name #general #general #C2'],
  ['<!here> <!channel> <!subteam^S1|@team> <!subteam^S1> <!here|here>', '@here @channel @team @group @here'],
  ['<!date^1392734382^{date}|February 18th>', 'February 18th'],
  ['<https://example.com>', 'https://example.com'],
  ['<https://example.com/a|a page>', 'a page (https://example.com/a)'],
  ['<http://example.com|example.com>', 'http://example.com'],
  ['<mailto:a@example.com|a@example.com>', 'a@example.com'],
  ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
  ['&amp;lt;', '&lt;'],
  ['fine :+1: :thumbsup::skin-tone-2:', 'fine 👍 👍🏻'],
  [':constructor: :__proto__::skin-tone-2:', ':constructor: :__proto__::skin-tone-2:'],
  ['at 10:100:20, :own_emoji: and `:x:`', 'at 10:100:20, :own_emoji: and `:x:`'],
])('%s', ([mrkdwn, text, mentions = []]) => {
  expect(readable(mrkdwn, names)).toEqual({ text, mentions });
});
