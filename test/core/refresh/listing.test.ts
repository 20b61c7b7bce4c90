// Tests that a listing contains every object once, with nothing hidden or truncated, whatever happens to its pages.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/core/model/ports.ts';
import { type ApiRequest, routeName } from '../../../src/core/model/request.ts';
import { hiddenBy, type ListedObject, listAll } from '../../../src/core/refresh/listing.ts';
import { readPages } from '../../../src/core/refresh/pages.ts';
import { LiveReader } from '../../../src/core/refresh/send.ts';
import { withStatus } from '../../../src/core/resources/group-channel/statuses.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { kindNamed } from '../../support/planning/planning.ts';
import { Rig, unhurried } from './support/rig.ts';

function readerOf(send: (request: ApiRequest) => Answer): LiveReader {
  return new LiveReader({
    platform: { send: async (request) => send(request) },
    pacer: unhurried,
    clock: { now: () => 0, date: () => new Date(0), sleep: async () => {} },
    random: () => 0,
  });
}

type Options = Parameters<typeof listAll>[2];

async function listed(kind: string, send: (request: ApiRequest) => Answer, options?: Options): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const page of listAll(kindNamed(kind), readerOf(send), options)) all.push(...page);
  return all;
}

const refusal = (code: number): Answer => ({ type: 'refused', status: 400, code, message: 'no' });

function people(rig: Rig, count: number): string[] {
  const ids = Array.from({ length: count }, (_none, at) => `u${at}`);
  for (const user_id of ids) rig.edit('POST', '/users', { user_id, nickname: user_id, profile_url: '' });
  return ids;
}

describe('an attribute that the plan of the application does not include', () => {
  // An export does not continue without members and operators.
  const parts = registry.flatMap((kind) =>
    (kind.live?.parts ?? [])
      .filter(({ attribute }) => attribute !== 'members' && attribute !== 'operators')
      .map((part) => ({ name: `${kind.name}.${part.attribute}`, kind: kind.name, part })),
  );

  test.for(parts)('$name: left out where that is allowed, and refused elsewhere', async ({ kind, part }) => {
    const rig = new Rig();
    people(rig, 2);
    rig.edit('POST', '/group_channels', { channel_url: 'room', user_ids: ['u0'] });
    rig.edit('POST', '/open_channels', { channel_url: 'lobby' });
    const refusing = (request: ApiRequest): Answer =>
      routeName(request) === routeName(part.request('x')) ? refusal(400108) : rig.answer(request);
    const lacking: (string | undefined)[] = [];
    const mayLack = (attribute: string | undefined): boolean => lacking.push(attribute) > 0;
    const found = await listed(kind, refusing, { readEach: true, mayLack });
    // If the list shows the part, no other request is made.
    const isAsked = lacking.length > 0;
    expect(lacking).toEqual(isAsked ? lacking.map(() => part.attribute) : []);
    for (const { attributes } of isAsked ? found : []) expect(attributes).not.toHaveProperty(part.attribute);
    const strict = listed(kind, refusing, { readEach: true });
    await (isAsked ? expect(strict).rejects.toMatchObject({ code: 'refresh.refused' }) : strict);
  });

  test('bots are left out as a whole', async () => {
    const refusing = () => refusal(400108);
    expect(await listed('bot', refusing, { mayLack: () => true })).toEqual([]);
    await expect(listed('bot', refusing)).rejects.toMatchObject({ code: 'refresh.refused' });
  });
});

describe('a listing includes', () => {
  test('deactivated users, page by page', async () => {
    const rig = new Rig();
    people(rig, 250);
    rig.edit('PUT', '/users/u7', { is_active: false });
    const sent: ApiRequest[] = [];
    const found = await listed('user', (request) => {
      sent.push(request);
      return rig.answer(request);
    });
    expect(new Set(found.map(({ key }) => key)).size).toBe(250);
    expect(found.find(({ key }) => key === 'u7')?.attributes).toMatchObject({ deactivated: true });
    expect(sent.map(({ query }) => query?.limit)).toEqual(['100', '100', '100']);
  });

  test('frozen and empty channels, all members of a supergroup, and pending invitations', async () => {
    const rig = new Rig();
    const ids = people(rig, 230);
    rig.edit('POST', '/group_channels', { channel_url: 'crowd', user_ids: ids.slice(0, 100), is_super: true });
    for (const from of [100, 200]) {
      rig.edit('POST', '/group_channels/crowd/invite', { user_ids: ids.slice(from, from + 100) });
    }
    const invitation_status = { u1: 'invited_by_friend', u2: 'invited_by_non_friend' };
    for (const id of ['u1', 'u2'])
      rig.edit('PUT', `/users/${id}/channel_invitation_preference`, { auto_accept: false });
    rig.edit('POST', '/group_channels', {
      channel_url: 'room',
      user_ids: ['u0', 'u1', 'u2'],
      operator_ids: ['u0'],
      invitation_status,
      access_code: 'geheim',
      is_public: true,
    });
    rig.edit('PUT', '/group_channels/room/freeze', { freeze: true });
    const found = await listed('group_channel', (request) => rig.answer(request));
    expect(found.map(({ key }) => key).sort()).toEqual(['crowd', 'room']);
    const [crowd, room] = ['crowd', 'room'].map((name) => found.find(({ key }) => key === name));
    expect(Object.keys(crowd?.attributes.members ?? {})).toHaveLength(230);
    expect(room).toMatchObject({
      hidden: ['access_code'],
      attributes: {
        frozen: true,
        operators: ['u0'],
        members: {
          u0: {},
          u1: { invitation_status: 'invited_by_friend' },
          u2: { invitation_status: 'invited_by_non_friend' },
        },
      },
    });
    expect(JSON.stringify(found)).not.toContain('geheim');
  });

  test('channels that a user has hidden', async () => {
    const rig = new Rig();
    people(rig, 2);
    rig.edit('POST', '/group_channels', { channel_url: 'room', user_ids: ['u0', 'u1'] });
    rig.edit('PUT', '/group_channels/room/hide', { user_id: 'u1', allow_auto_unhide: false });
    const reader = readerOf((request) => rig.answer(request));
    const [none, some] = [await hiddenBy('u0', reader), await hiddenBy('u1', reader)];
    expect([...none]).toEqual([]);
    expect([...some]).toEqual([['room', 'hidden_prevent_auto_unhide']]);
    const statuses = new Map([['u1', 'hidden_prevent_auto_unhide']]);
    expect(withStatus({ members: { u0: {}, u1: {} } }, 'hidden_status', statuses)).toEqual({
      members: { u0: {}, u1: { hidden_status: 'hidden_prevent_auto_unhide' } },
    });
  });
});

describe('a list of pages', () => {
  const page = (ids: readonly string[], next: string): Answer => ({
    type: 'ok',
    body: { users: ids.map((user_id) => ({ user_id, nickname: 'N' })), next },
  });
  const expired = refusal(400109);

  test('starts again after an expired token', async () => {
    let isExpired = true;
    const found = await listed('user', ({ query }) => {
      if (query?.token === undefined) return page(['a', 'b'], 't1');
      if (!isExpired) return page(['c'], '');
      isExpired = false;
      return expired;
    });
    expect(found.map(({ key }) => key)).toEqual(['a', 'b', 'a', 'b', 'c']);
  });

  test('is refused with advice if its tokens always expire', async () => {
    const endless = listed('user', ({ query }) => (query?.token === undefined ? page(['a'], 't1') : expired));
    await expect(endless).rejects.toMatchObject({
      code: 'refresh.refused',
      exitCode: 1,
      message: expect.stringContaining('refused a page token each time, with code 400109: no'),
    });
  });

  const tokenAfter = (token: unknown) => (token === undefined ? 1 : Number(String(token).slice(1)) + 1);
  const circles: readonly [string, (page: number) => Answer][] = [
    ['always leads to the same token', (at) => page([`u${at}`], 't1')],
    ['leads back to an earlier token', (at) => page([`u${at}`], `t${at % 3}`)],
    ['shows the same page under new tokens', (at) => page(['a', 'b'], `t${at}`)],
    ['shows three pages in turn under new tokens', (at) => page([`u${at % 3}`], `t${at}`)],
    ['is empty but has new tokens for ever', (at) => page([], `t${at}`)],
  ];
  test.for(circles)('is refused if it %s', async ([, answer]) => {
    const endless = listed('user', ({ query }) => answer(tokenAfter(query?.token)));
    await expect(endless).rejects.toMatchObject({
      code: 'refresh.refused',
      exitCode: 1,
      message: expect.stringContaining('leads in a circle'),
    });
  });

  const filtered = registry.filter(({ live }) => live?.list?.filter !== undefined).map(({ name }) => name);
  test.for(filtered)('of named objects of %s ends soon, whatever the platform shows', async (kind) => {
    const { live } = kindNamed(kind);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), async (count, perPage) => {
        let requests = 0;
        const keys = Array.from({ length: count }, (_none, at) => `k${at}`);
        const send = ({ route }: ApiRequest): Answer => {
          // Parts of the objects of earlier pages.
          if (route !== live?.list?.route) return refusal(400201);
          requests += 1;
          const others = Array.from({ length: perPage }, (_none, at) => ({
            ...Object.fromEntries(['user_id', 'channel_url'].map((name) => [name, `o${requests}-${at}`])),
          }));
          return { type: 'ok', body: { [live?.list?.field ?? '']: others, next: `t${requests}` } };
        };
        await expect(listed(kind, send, { keys })).rejects.toMatchObject({
          code: 'refresh.refused',
          exitCode: 1,
          message: expect.stringContaining('GET /'),
        });
        expect(requests).toBeLessThanOrEqual(Math.ceil((2 * count) / perPage) + 3);
      }),
    );
  });

  test('of one object is refused when it never ends', async () => {
    let requests = 0;
    const send = (): Answer => {
      requests += 1;
      const items = Array.from({ length: 100_000 }, (_none, at) => ({ user_id: `u${requests}-${at}` }));
      return { type: 'ok', body: { operators: items, next: `t${requests}` } };
    };
    const request: ApiRequest = {
      method: 'GET',
      route: '/group_channels/{channel_url}/operators',
      params: { channel_url: 'room' },
    };
    await expect(readPages(request, 'operators', readerOf(send))).rejects.toMatchObject({
      message: expect.stringContaining('shows more than 1,000,000 objects'),
    });
    expect(requests).toBeLessThan(13);
  });

  test('may have a few empty pages, and the last object of a page again', async () => {
    const found = await listed('user', ({ query }) => {
      const at = tokenAfter(query?.token);
      if (at > 12) return page([`u${at}`], '');
      return page(at % 6 === 0 ? [`u${at - 1}`, `u${at}`] : [], `t${at}`);
    });
    expect(found.map(({ key }) => key)).toEqual(['u5', 'u6', 'u11', 'u12', 'u13']);
  });

  test('is undefined for a missing object, and other refusals end the read', async () => {
    const request: ApiRequest = { method: 'GET', route: '/users' };
    const read = (answer: Answer) =>
      readPages(
        request,
        'users',
        readerOf(() => answer),
      );
    expect(await read(refusal(400201))).toBeUndefined();
    for (const strange of [refusal(400108), { type: 'ok', body: {} } as const]) {
      await expect(read(strange)).rejects.toMatchObject({ code: 'refresh.refused' });
    }
  });

  test('leaves out a channel that disappears while its members are read', async () => {
    const found = await listed('group_channel', (request) => {
      if (routeName(request) !== 'GET /group_channels') return refusal(400201);
      const whole = { channel_url: 'room', members: [], member_count: 0, operators: [], metadata: {} };
      const channels = [whole, { ...whole, channel_url: 'crowd', member_count: 20 }];
      return { type: 'ok', body: { channels, next: '' } };
    });
    expect(found.map(({ key }) => key)).toEqual(['room']);
  });

  test('does not exist for kinds without a list', async () => {
    const parts = registry.filter(({ live }) => live === undefined);
    expect(parts.length).toBeGreaterThan(0);
    for (const { name: kind } of parts) expect(await listed(kind, () => expired)).toEqual([]);
  });
});
