// Tests that users and both kinds of channel follow the same rules for metadata.

import { describe, expect, test } from 'vitest';
import { type Api, startApi } from './support/support.ts';

describe.for([
  ['user', '/users/ann/metadata'],
  ['open channel', '/open_channels/lobby/metadata'],
  ['group channel', '/group_channels/room-1/metadata'],
] as const)('metadata of a %s', ([, path]) => {
  async function start(): Promise<Api> {
    const api = await startApi();
    await api.users('ann');
    await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
    await api.room('room-1', ['ann']);
    await api.ok('POST', path, { metadata: { a: '1', b: '2' } });
    return api;
  }

  test('is added, and shown in whole and in part', async () => {
    const api = await start();
    expect(await api.ok('POST', path, { metadata: { c: '3' } })).toEqual({ c: '3' });
    expect(await api.ok('GET', path)).toEqual({ a: '1', b: '2', c: '3' });
    expect(await api.ok('GET', `${path}?keys=a,c,x`)).toEqual({ a: '1', c: '3' });
    expect(await api.ok('GET', `${path}/b`)).toEqual({ b: '2' });
  });

  test('is updated, and added only with upsert', async () => {
    const api = await start();
    expect(await api.ok('PUT', path, { metadata: { a: 'x' } })).toEqual({ a: 'x' });
    expect((await api.call('PUT', path, { metadata: { a: 'y', new: 'z' } })).body.code).toBe(400201);
    expect(await api.ok('PUT', path, { metadata: { a: 'y', new: 'z' }, upsert: true })).toEqual({ a: 'y', new: 'z' });
    expect(await api.ok('PUT', `${path}/b`, { value: 'w' })).toEqual({ b: 'w' });
    expect((await api.call('PUT', `${path}/q`, { value: 'w' })).body.code).toBe(400201);
    expect(await api.ok('PUT', `${path}/a%2Fb`, { value: 'w', upsert: true })).toEqual({ 'a/b': 'w' });
    expect(await api.ok('GET', path)).toEqual({ a: 'y', b: 'w', new: 'z', 'a/b': 'w' });
  });

  test('is deleted one by one or in whole', async () => {
    const api = await start();
    expect(await api.ok('DELETE', `${path}/a`)).toEqual({});
    expect(await api.ok('GET', `${path}?key=b`)).toEqual({ b: '2' });
    expect((await api.call('DELETE', `${path}/a`)).body.code).toBe(400201);
    expect(await api.ok('DELETE', path)).toEqual({});
    expect(await api.ok('GET', path)).toEqual({});
  });

  test('keeps its limits over all calls together', async () => {
    const api = await start();
    expect((await api.call('POST', path, { metadata: { a: 'again' } })).body.code).toBe(400202);
    expect((await api.call('POST', path, { metadata: { c: '', d: '', e: '', f: '' } })).body.code).toBe(400203);
    const upsert = { metadata: { c: '', d: '', e: '', f: '' }, upsert: true };
    expect((await api.call('PUT', path, upsert)).body.code).toBe(400203);
    expect((await api.call('POST', path, {})).body.code).toBe(400105);
    expect((await api.call('PUT', `${path}/a`, {})).body.code).toBe(400105);
    expect((await api.call('GET', path.replace(/\/(ann|lobby|room-1)\//, '/none/'))).body.code).toBe(400201);
  });

  test('is deleted by the query of older clients', async () => {
    const api = await start();
    expect(await api.ok('DELETE', `${path}?key=a`)).toEqual({});
    expect(await api.ok('GET', path)).toEqual({ b: '2' });
    expect((await api.call('DELETE', `${path}?key=a`)).body.code).toBe(400201);
  });

  test('turns values into texts, or refuses them', async () => {
    const api = await start();
    const given = { yes: true, no: false, n: 1.5 };
    expect(await api.ok('POST', path, { metadata: given })).toEqual({ yes: 'True', no: 'False', n: '1.5' });
    expect(await api.ok('PUT', `${path}/a`, { value: 7 })).toEqual({ a: '7' });
    for (const value of [null, [], {}]) {
      expect((await api.call('PUT', path, { metadata: { a: value } })).body.code).toBe(400100);
    }
  });
});

test('shows metadata in lists on request', async () => {
  const api = await startApi();
  await api.users('ann');
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.room('room-1', ['ann']);
  for (const [path, query] of [
    ['open_channels/lobby', 'show_metadata=true'],
    ['group_channels/room-1', 'show_metadata=true&show_empty=true'],
  ] as const) {
    const list = `/${path.split('/')[0]}?${query}`;
    expect((await api.ok('GET', list)).channels).toMatchObject([{ metadata: {} }]);
    await api.ok('POST', `/${path}/metadata`, { metadata: { a: '1' } });
    expect((await api.ok('GET', list)).channels).toMatchObject([{ metadata: { a: '1' } }]);
    expect((await api.ok('GET', list.replace('metadata=true', 'metadata=false'))).channels[0]).not.toHaveProperty(
      'metadata',
    );
    await api.ok('DELETE', `/${path}`);
  }
});
