// Tests that every view shows all dangers and reasons, even if changes are grouped, and names who loses access.
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/core/model/change.ts';
import type { ChangeReason } from '../../../../src/core/model/reasons.ts';
import type { PlanFormatName } from '../../../../src/core/view/index.ts';
import { dangersOf } from '../../../../src/core/view/summary/dangers.ts';
import { legendOf } from '../../../../src/core/view/summary/legend.ts';
import { chainSentences } from '../../../../src/core/view/summary/verdict.ts';
import { reasonInWords } from '../../../../src/core/view/text/change-words.ts';
import { changeOf, planOf, print } from '../support/plans.ts';

const place = { file: 'chat.yaml', line: 7, column: 3 };
const printed = (format: PlanFormatName, changes: readonly Change[], plain = false) =>
  print(format, planOf(changes), { plain });
const labels = (...changes: Change[]) =>
  dangersOf(changes).flatMap(({ title, dangers }) => dangers.map(({ label }) => `${title}: ${label}`));

const revision = (before: number | undefined, after: number | undefined): Change =>
  changeOf('user.alice', ['update'], {
    attributes: [
      {
        path: ['issue_access_token'],
        ...(before === undefined ? {} : { before: { revision: before } }),
        ...(after === undefined ? {} : { after: { revision: after } }),
        how: after === undefined ? 'release' : 'set',
      },
    ],
    ...(before === undefined || after === undefined
      ? {}
      : { dangers: [{ danger: 'revokes', actions: ['update'] }], note_codes: [{ code: 'token_ends' }] }),
    source: place,
  });

describe('the list of dangers', () => {
  test('distinguishes removed blocks from declared closings', () => {
    expect(
      labels(
        changeOf('user.bob', ['deactivate'], { source: place }),
        changeOf('user.mallory', ['deactivate'], { reason: { code: 'undeclared' } }),
        changeOf('group_channel.old', ['delete'], { reversibility: 'irreversible' }),
      ),
    ).toEqual([
      'Cannot be undone: delete (block removed)',
      'Restricts access: deactivate',
      'Restricts access: deactivate (block removed)',
    ]);
  });

  test.for(['human', 'markdown', 'html', 'github'] as const)(
    'says of an emptied list of callers that it opens: %s',
    async (format) => {
      const change = changeOf('settings.application', ['lockout'], {
        attributes: [{ path: ['ip_whitelist'], before: ['192.0.2.0/24'], after: [], how: 'set' }],
        dangers: [{ danger: 'opens', actions: ['lockout'], attribute: 'ip_whitelist' }],
        source: place,
      });
      expect(labels(change)).toEqual(['Opens access: ip_whitelist']);
      const text = await printed(format, [change]);
      expect(text).toContain('to change who can call the API');
      expect(text).toContain(format === 'github' ? 'edits ip_whitelist of' : 'Opens access');
      expect(text).not.toMatch(/can lock out|restricts the callers/iu);
    },
  );

  test.for([
    {
      name: 'another token',
      change: revision(1, 2),
      found: ['Revokes tokens: an earlier token stops working: rotate token'],
    },
    { name: 'the first token', change: revision(undefined, 1), found: [] },
    { name: 'a token that is no longer managed', change: revision(1, undefined), found: [] },
  ])('$name', ({ change, found }) => {
    expect(labels(change)).toEqual(found);
  });

  test('names the attributes of plain edits, and who is added or removed', async () => {
    const change = changeOf('group_channel.room', ['update'], {
      attributes: [
        { path: ['is_public'], before: false, after: true, how: 'set' },
        { path: ['operators'], before: ['alice', 'bob'], after: ['alice', 'carol'], how: 'set' },
      ],
      dangers: [
        { danger: 'opens', actions: ['update'], attribute: 'is_public' },
        { danger: 'restricts', actions: ['update'], attribute: 'operators' },
        { danger: 'opens', actions: ['update'], attribute: 'operators' },
      ],
      source: place,
    });
    expect(labels(change)).toEqual([
      'Restricts access: operators',
      'Opens access: is_public',
      'Opens access: operators',
    ]);
    const lines = (await printed('human', [change])).split('\n').map((line) => line.trim().replaceAll(/ +/gu, ' '));
    expect(lines).toContain('~ operators group_channel.room (bob)');
    expect(lines).toContain('~ operators group_channel.room (carol)');
    expect(lines).toContain('~ is_public group_channel.room');
    expect(await printed('github', [change])).toContain(
      'title=The plan edits is_public of a group channel (danger.is-public)::',
    );
    expect(JSON.parse(await printed('json', [change])).changes[0].dangers).toEqual(change.dangers);
    expect(JSON.parse(await printed('sarif', [change])).runs[0].results[0].ruleId).toBe('danger.is-public');
  });

  test('annotates a rotated token, and shows it in every view', async () => {
    const text = await printed('github', [revision(1, 2)]);
    expect(text).toContain('::warning file=chat.yaml,line=7,col=3,title=The plan replaces the token of a user');
    expect(text).toContain('An earlier token stops working.');
    for (const format of ['human', 'markdown', 'html'] as const) {
      expect(await printed(format, [revision(1, 2)])).toMatch(/rotate token/u);
    }
  });
});

test('names at most twenty leaving members in an annotation', async () => {
  const leaving = (amount: number): Change =>
    changeOf('group_channel.support-42', ['leave'], {
      attributes: Array.from({ length: amount }, (_, at) => ({
        path: ['members', `m${at}`],
        before: {},
        how: 'reset' as const,
      })),
      source: place,
    });
  expect(await printed('github', [leaving(1)])).toContain('m0 leaves.');
  expect(await printed('github', [leaving(2)])).toContain('m0 and m1 leave.');
  expect(await printed('github', [leaving(22)])).toContain('m18, m19 and 2 more leave.');
});

describe('reasons survive grouping', () => {
  const edited: ChangeReason = { code: 'attributes_differ', edited: ['nickname'], changed_on_platform: [] };
  const drifted: ChangeReason = { code: 'attributes_differ', edited: [], changed_on_platform: ['nickname'] };
  const alike = (actions: Change['actions'], isSame: boolean, differ: boolean) =>
    Array.from({ length: 24 }, (_, at) =>
      changeOf(`user.u${String(at).padStart(2, '0')}`, actions, {
        attributes: [{ path: ['nickname'], before: 'x', after: isSame ? 'y' : `y${at}`, how: 'set' }],
        reason: differ && at % 2 === 1 ? drifted : edited,
        source: place,
      }),
    );

  test.for(
    (['human', 'plain', 'markdown', 'html', 'json'] as const).flatMap((format) =>
      [
        { actions: ['update'] as const, isSame: true },
        { actions: ['update'] as const, isSame: false },
        { actions: ['create'] as const, isSame: false },
        { actions: ['freeze'] as const, isSame: true },
      ].map((shape) => ({ format, ...shape })),
    ),
  )('$format: $actions, same values: $isSame', async ({ format, actions, isSame }) => {
    const shown = (changes: readonly Change[]) =>
      printed(format === 'plain' ? 'human' : format, changes, format === 'plain');
    const one = await shown(alike(actions, isSame, false));
    const printedReason = (reason: ChangeReason) =>
      format === 'json' ? JSON.stringify(reason) : reasonInWords(reason);
    expect(one).toContain(printedReason(edited));
    const two = await shown(alike(actions, isSame, true));
    for (const reason of [edited, drifted]) expect(two).toContain(printedReason(reason));
  });

  test('shows a shared reason once', async () => {
    const text = await printed('human', alike(['update'], false, false));
    expect(text.split(reasonInWords(edited))).toHaveLength(2);
  });
});

test('explains only the used verbs in the legend', () => {
  const plan = planOf([changeOf('open_channel.a', ['freeze']), changeOf('user.b', ['update'])]);
  expect(legendOf(plan)).toEqual([
    { verb: 'update', words: 'users see the new values' },
    { verb: 'freeze', words: 'only operators can write' },
  ]);
});

test.for([
  { chain: { calls: 4, from: 'user.a', to: 'group_channel.b' }, says: true },
  { chain: { calls: 4, from: 'user.a', to: 'user.a' }, says: false },
  { chain: { calls: 1, from: 'user.a', to: 'group_channel.b' }, says: false },
] as const)('the longest chain names two ends that differ, or nothing: %j', ({ chain, says }) => {
  expect(chainSentences({ lower_bound_s: 1, buckets: [], chain }) !== '').toBe(says);
});

test('counts erased messages, not their history files, in the verdict and among the dangers', async () => {
  const requests = [
    { method: 'GET', route: '/group_channels/{channel_url}/messages', count: 2000 },
    { method: 'DELETE', route: '/group_channels/{channel_url}/messages/{message_id}', count: 2000 },
  ] as const;
  const change = changeOf('messages.room', ['erase'], { reversibility: 'irreversible', source: place, requests });
  const plan = planOf([change], { requests });
  const shown = (format: PlanFormatName, plain = false) => print(format, plan, { plain });
  expect(await shown('human')).toContain('Plan: 2,000 messages to erase.');
  expect(await shown('human')).toContain('erase  messages.room (2,000 messages)');
  expect(await shown('human', true)).toContain('erase messages.room: 2,000 messages.');
  expect(await shown('markdown')).toContain('- **erase** 2,000 messages: `messages.room`');
  expect(await shown('html')).toContain('<span class="amount">erase</span> 2,000 messages: <span');
});
