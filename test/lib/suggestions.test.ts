// Which name is near enough to be what the author meant.
import { expect, test } from 'vitest';
import { Suggestions } from '../../src/lib/suggestions.ts';

test.for([
  ['nicknam', ['nickname', 'name'], 'nickname'],
  ['usres', ['users', 'bots'], 'users'],
  ['bbo', ['bob'], 'bob'],
  ['nickname', ['bot_nickname', 'name'], 'bot_nickname'],
  ['--fromat', ['--format', '--form'], '--format'],
  ['CHATFORM_STAT', ['CHATFORM_STATE', 'CHATFORM_STAGE'], 'CHATFORM_STATE'],
  ['user.alise', ['user.alice', 'user.bob'], 'user.alice'],
  ['jose\u0301', ['jos\u00e9', 'jo'], 'jos\u00e9'],
] as const)('takes %s for the near one of %j', ([name, candidates, expected]) => {
  expect(new Suggestions().nearest(name, candidates)).toBe(expected);
});

test.for([
  ['LOG', ['TO', 'LOCK_TIMEOUT']],
  ['CHATFORM_LOG', ['CHATFORM_TO', 'CHATFORM_LOCK_TIMEOUT']],
  ['user.ann', ['user.bob', 'user.al']],
  ['group_channel.support-17', ['group_channel.support-42', 'group_channel.support-90']],
  ['--fmt', ['--out', '--format']],
  ['apply', ['supply']],
] as const)('takes %s for none of %j', ([name, candidates]) => {
  expect(new Suggestions().nearest(name, candidates)).toBeUndefined();
});
