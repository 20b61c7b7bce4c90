// Tests the endpoints of control: the clock, snapshots and resets, and who may call them.
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Api, type Parsed, request, START_MS, startApi } from './support/support.ts';

const HOUR_S = 3600;

async function control({ emulator }: Api, method: string, path: string, body?: object): Promise<Parsed> {
  return (await request({ ...emulator, url: emulator.url.replace('/v3', '') }, method, path, body)).body;
}

async function started(more = {}): Promise<Api> {
  const api = await startApi({ admin: true, ...more });
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob']);
  return api;
}

describe('the clock', () => {
  test('moves forward, so that bans end', async () => {
    const api = await started();
    await api.ok('POST', '/group_channels/room-1/ban', { user_id: 'bob', seconds: HOUR_S });
    const invite = () => api.code('POST', '/group_channels/room-1/invite', { user_ids: ['bob'] });
    expect(await invite()).toBe(400750);
    expect(await control(api, 'POST', '/__clock', { advance_s: HOUR_S - 1 })).toMatchObject({
      now_ms: START_MS + (HOUR_S - 1) * 1000,
      advanced_ms: (HOUR_S - 1) * 1000,
    });
    expect(await invite()).toBe(400750);
    await control(api, 'POST', '/__clock', { to: new Date(START_MS + HOUR_S * 1000).toISOString() });
    expect(await invite()).toBe(200);
  });

  test('moves forward, so that page tokens expire', async () => {
    const api = await started();
    const { next } = await api.get('/users?limit=1');
    const page = () => api.code('GET', `/users?limit=1&token=${encodeURIComponent(next)}`);
    expect(await page()).toBe(200);
    await control(api, 'POST', '/__clock', { advance_s: HOUR_S });
    expect(await page()).toBe(400109);
  });

  test.for([
    [{ advance_s: -1 }, 'only moves forward'],
    [{ to: START_MS - 1 }, 'only moves forward'],
    [{ to: 'soon' }, 'Send {"advance_s"'],
    [{ advance_s: '5' }, 'Send {"advance_s"'],
    [{ advance_s: 1, to: START_MS + 1 }, 'Send {"advance_s"'],
    [{ advance_s: 1e15 }, 'before the year 10000'],
    [{}, 'Send {"advance_s"'],
  ] as const)('refuses %j', async ([body, says]) => {
    const api = await started();
    expect((await control(api, 'POST', '/__clock', body)).message).toContain(says);
    expect(await control(api, 'GET', '/__clock')).toMatchObject({ now_ms: START_MS, advanced_ms: 0 });
  });
});

describe('a reset', () => {
  test('returns to the start, with its clock, its faults and its data', async () => {
    const api = await startApi({ admin: true });
    await api.users('ann');
    await control(api, 'POST', '/__clock', { advance_s: HOUR_S });
    await control(api, 'PUT', '/_emulator/faults', { rules: [{ fault: 'error_503' }] });
    expect(await control(api, 'POST', '/__reset')).toMatchObject({ now_ms: START_MS });
    expect(await api.get('/users')).toMatchObject({ users: [] });
    await api.users('ann');
  });

  test('returns to the last snapshot as often as wanted, whatever happened since', async () => {
    const api = await started();
    await api.say('ann');
    await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'bob', seconds: 60 });
    const seen = async () => [
      await api.get('/users'),
      await api.get('/group_channels/room-1?show_member=true'),
      await api.get('/group_channels/room-1/messages?message_ts=0'),
      await api.get('/group_channels/room-1/mute'),
      await api.get('/users/bob/my_group_channels'),
    ];
    const before = await seen();
    await control(api, 'POST', '/__snapshot');
    for (const undo of [1, 2]) {
      await api.users(`carl-${undo}`);
      await api.ok('DELETE', '/users/bob');
      await api.say('ann');
      await api.ok('PUT', '/group_channels/room-1', { name: 'Other' });
      await control(api, 'POST', '/__reset');
      expect(await seen()).toEqual(before);
    }
  });

  test('takes milliseconds for thousands of objects', async () => {
    const api = await startApi({ admin: true });
    for (let number = 0; number < 5000; number++)
      api.emulator.platform.handle(
        {
          method: 'POST',
          path: '/v3/users',
          query: '',
          headers: { 'api-token': api.emulator.token },
          body: { type: 'json', value: { user_id: `user-${number}`, nickname: 'x', profile_url: '' } },
        },
        START_MS,
      );
    await control(api, 'POST', '/__snapshot');
    const startedMs = performance.now();
    await control(api, 'POST', '/__reset');
    expect(performance.now() - startedMs).toBeLessThan(1000);
    expect((await api.get('/users?limit=1')).users).toHaveLength(1);
  });
});

describe('the endpoints', () => {
  test('exist only where they are allowed, and beside the paths of the vendor', async () => {
    const off = await startApi();
    expect(await control(off, 'POST', '/__reset')).toMatchObject({ code: expect.any(Number) });
    const on = await started();
    expect((await control(on, 'POST', '/__nothing')).message).toContain('POST /__clock');
    expect(await on.code('GET', '/__clock')).toBe(400404);
  });

  test.for([
    [{ host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'localhost:1', origin: 'http://localhost:3000' }, 200],
  ] as const)(
    'answer a request with %j by %i, because browsers send those of other sites',
    async ([headers, status]) => {
      const { emulator } = await started();
      const url = new URL('/__clock', emulator.url);
      const answered = await new Promise((resolve) => {
        httpRequest(url, { headers }, (answer) => resolve(answer.resume().statusCode)).end();
      });
      expect(answered).toBe(status);
    },
  );
});
