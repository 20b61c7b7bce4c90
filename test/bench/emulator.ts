// How many requests a second does the emulator answer, when nothing limits it?
import { Pool } from 'undici';
import { startEmulator } from '../../src/emulator/server.ts';
import { type Row, rounded } from './table.ts';

const requests = 10_000;
const connections = 32;

export async function benchEmulator(): Promise<Row[]> {
  const emulator = await startEmulator({ rateLimits: false });
  const url = new URL(emulator.url);
  const pool = new Pool(url.origin, { connections });
  const headers = { 'Api-Token': emulator.token, 'Content-Type': 'application/json' };
  const run = async (name: string, send: (index: number) => Promise<number>): Promise<Row> => {
    let next = 0;
    let wrong = 0;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < requests) if ((await send(next++)) !== 200) wrong += 1;
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    return { request: name, requests, 'not 200': wrong, 'per second': rounded(requests / seconds, 0) };
  };
  const call = async (method: 'POST' | 'GET', path: string, body?: object): Promise<number> => {
    const answer = await pool.request({
      method,
      path: url.pathname + path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  try {
    return [
      await run('POST /users', (index) =>
        call('POST', '/users', { user_id: `u${index}`, nickname: 'U', profile_url: '' }),
      ),
      await run('GET /users/{user_id}', (index) => call('GET', `/users/u${index}`)),
      await run('GET /users (100 a page)', () => call('GET', '/users?limit=100')),
    ];
  } finally {
    await pool.close();
    await emulator.close();
  }
}
