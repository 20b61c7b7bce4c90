// Tests the exact calls for users: every attribute added, edited and removed, reactivated, deactivated, deleted.
import { describe, expect, test } from 'vitest';
import { requestPath } from '../../../../src/core/model/request.ts';
import { user } from '../../../../src/core/resources/user/user.ts';
import { strictAjv } from '../support/blocks.ts';
import { type Case, edit, image, sendsExactCalls, stepsOf } from '../support/cases.ts';

const alice = { nickname: 'Alice' };

const creations: readonly Case[] = [
  { name: 'the least: an empty image is said, since the platform wants one', after: alice },
  {
    name: 'all in one call',
    after: {
      nickname: 'Alice',
      profile_url: 'https://example.com/a.png',
      metadata: { team: 'support', 'a.b': '' },
      issue_access_token: true,
    },
  },
  {
    name: 'a file: metadata follows in a call of its own',
    after: { ...alice, profile_file: image('a'), metadata: { team: 'support' } },
  },
  {
    name: 'session token and deactivation, each by its own call, the latter last',
    after: { ...alice, session_token: { expires_at: '2027-01-01T00:00:00Z' }, deactivated: true },
  },
  { name: 'declared open', after: { ...alice, deactivated: false } },
  { name: 'no token', after: { ...alice, issue_access_token: false } },
];

const updates: readonly Case[] = [
  edit('nothing', alice, {}, {}),
  edit('nickname', {}, alice, { nickname: 'Al' }),
  edit('several, one call', alice, { profile_url: 'x' }, { nickname: 'Al', profile_url: 'y' }),
  edit('profile_url removed', alice, { profile_url: 'x' }, {}),
  edit('an empty profile_url removed', alice, { profile_url: '' }, {}),
  edit('a file for the URL', alice, { profile_url: 'x' }, { profile_file: image('a') }),
  edit('a URL for the file', alice, { profile_file: image('a') }, { profile_url: 'x' }),
  edit('another file', alice, { profile_file: image('a') }, { profile_file: image('b') }),
  edit(
    'the same file under another name',
    alice,
    { profile_file: image('a') },
    { profile_file: { ...image('a'), file: 'moved.png' } },
  ),
  edit('a file and a nickname', {}, alice, { nickname: 'Al', profile_file: image('a') }),
  edit('file removed: it stays', alice, { profile_file: image('a') }, {}),
  edit('metadata set', alice, {}, { metadata: { team: 'x' } }),
  edit(
    'metadata: some go before others come',
    alice,
    { metadata: { a: '1', 'b/c': '2', d: '3' } },
    { metadata: { d: '4', e: '5' } },
  ),
  edit('metadata removed whole', alice, { metadata: { a: '1' } }, {}),
  edit('token asked for later', alice, {}, { issue_access_token: true }),
  edit('true is revision 1', alice, { issue_access_token: true }, { issue_access_token: { revision: 1 } }),
  edit('token rotated', alice, { issue_access_token: true }, { issue_access_token: { revision: 2 } }),
  edit('token no longer managed', alice, { issue_access_token: true }, {}),
  edit(
    'session token with another end',
    alice,
    { session_token: { expires_at: '2027-01-01T00:00:00Z' } },
    { session_token: { expires_at: '2028-01-01T00:00:00Z' } },
  ),
  edit('deactivated', alice, {}, { deactivated: true }),
  {
    ...edit('deactivated, and meant to leave', alice, {}, { deactivated: true }),
    policy: { leave_channels_on_deactivation: true },
  },
  edit('reactivated', alice, { deactivated: true }, { deactivated: false }),
  edit('reactivated since the line is gone', alice, { deactivated: true }, {}),
  edit('reactivated and renamed: opened first', {}, { ...alice, deactivated: true }, { nickname: 'Al' }),
  edit('renamed and deactivated: closed last', {}, alice, { nickname: 'Al', deactivated: true }),
  edit('renamed while deactivated: a bracket', { deactivated: true }, alice, { nickname: 'Al' }),
];

const removals: readonly Case[] = [
  { name: 'by default', before: alice },
  { name: 'deactivated already', before: { ...alice, deactivated: true } },
  { name: 'delete', before: alice, on_remove: 'delete' },
  { name: 'forget', before: alice, on_remove: 'forget' },
];

describe('user', () => {
  test.for(['.', '..', 'a,b', '\udfff', ''])('refuses metadata with the key %j', (key) => {
    const check = strictAjv.compile(user.attributes.metadata?.schema ?? false);
    expect([check({ [key]: '' }), check({ 'a.b..': '' })]).toEqual([false, true]);
  });

  sendsExactCalls('user', 'a/b', { creation: creations, update: updates, removal: removals });

  test('resolves a creation by a read instead of repeating it, and writes its token only to the sink', () => {
    const given = { after: { ...alice, metadata: { a: '1' }, issue_access_token: true } };
    const [create] = stepsOf('user', 'a', given);
    expect(create).toMatchObject({
      begin: true,
      doneOn: [],
      resolve: {
        request: { method: 'GET', route: '/users/{user_id}', params: { user_id: 'a' } },
        absentOn: [400201],
        expect: [
          { path: ['nickname'], is: 'Alice' },
          { path: ['profile_url'], is: '' },
          { path: ['metadata', 'a'], is: '1' },
        ],
      },
      sink: { field: 'access_token', user_id: 'a' },
    });
  });

  test('treats a missing metadata key and a missing user as removed', () => {
    const [metadata] = stepsOf('user', 'a', edit('', alice, { metadata: { a: '1' } }, {}));
    const [removal] = stepsOf('user', 'a', { before: alice, on_remove: 'delete' });
    expect([metadata?.doneOn, removal?.doneOn]).toEqual([[400201], [400201]]);
  });

  test('keeps addresses below 4 KB with the longest ids and keys', () => {
    const id = '𝒳'.repeat(80);
    const key = '𝒳'.repeat(128);
    const steps = stepsOf('user', id, edit('', alice, { metadata: { [key]: '1' } }, {}));
    expect(steps.map(({ request }) => (request === undefined ? 0 : requestPath(request).length))).toEqual([2513]);
  });

  test('reads the answers of the documents as the declaration', () => {
    const answer = { user_id: 'a', nickname: 'Alice', profile_url: '', is_active: false, metadata: { a: '1' } };
    expect(user.observe(answer)).toEqual({
      nickname: 'Alice',
      profile_url: '',
      // It shows whether there is an image.
      profile_file: '',
      metadata: { a: '1' },
      deactivated: true,
    });
    expect(user.observe({})).toEqual({});
  });
});
