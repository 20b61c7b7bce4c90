// Tests what the search for a data request makes of each answer of the platform.
import { expect, test } from 'vitest';
import type { CallSearch, Step } from '../../../../src/core/model/step.ts';
import { erasureOf, erasuresInDoubt } from '../../../../src/core/resources/user/erasure.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const asked = (status: string, more: JsonObject = {}): JsonObject => ({
  request_id: 'r1',
  action: 'delete',
  status,
  user_ids: ['bob'],
  created_at: 2,
  ...more,
});
const list = (...requests: JsonObject[]): JsonObject => ({ requests, next: '' });
const users = (...ids: string[]): JsonObject => ({ users: ids.map((user_id) => ({ user_id })), next: '' });

/** The outcomes of these answers in words, from the first on. */
async function outcomes(answers: readonly JsonObject[], key = 'bob'): Promise<string[]> {
  const erasure = erasureOf(key);
  const step: Step = {
    ...erasure,
    id: `user.${key}#1`,
    address: `user.${key}`,
    action: 'erase',
    phase: 'delete_user',
    entry: { type: 'delete', address: `user.${key}` },
    needs: [],
    begin: true,
    doneOn: [],
  };
  const search = await erasuresInDoubt.search(step, true, async () => []);
  return answers.map((answer) => inWords(search.take(answer)));
}

function inWords(result: ReturnType<CallSearch['take']>): string {
  switch (result.type) {
    case 'page': {
      const { route, query = {}, params = {} } = result.request;
      const more = Object.entries({ ...params, ...query }).map(([name, value]) => `${name}=${value}`);
      return `GET ${[route, ...more].join(' ')}${result.afterMs === undefined ? '' : ` after ${result.afterMs}`}`;
    }
    case 'send':
      return `POST ${result.request.route}`;
    case 'done':
      return `done: ${result.note}`;
    case 'lost':
      return `lost: ${result.why.split('registered the erasure as ')[1]}`;
  }
}

const view = 'GET /privacy/gdpr/{request_id} request_id=r1 after';
const look = 'GET /users user_ids=bob active_mode=all';

test.for<readonly [string, readonly JsonObject[], readonly string[]]>([
  ['an empty list lets the request be sent', [list()], ['POST /privacy/gdpr']],
  [
    'requests for others, and requests for access, let it be sent',
    [list(asked('scheduled', { user_ids: ['ann'] }), asked('scheduled', { action: 'access' }))],
    ['POST /privacy/gdpr'],
  ],
  [
    'every page of the list is read',
    [{ requests: [asked('scheduled')], next: 'p2' }, list()],
    ['GET /privacy/gdpr limit=100 token=p2', `${view} 1000`],
  ],
  [
    'a waiting request of anybody is followed and not sent again',
    [list(asked('scheduled')), asked('processing'), asked('done')],
    [`${view} 1000`, `${view} 2000`, 'done: data request r1: done'],
  ],
  [
    'of several requests the newest counts',
    [list(asked('scheduled'), asked('done', { request_id: 'r2', created_at: 3 }))],
    [look],
  ],
  [
    'an ended request of a user who is gone is enough',
    [list(asked('done')), users()],
    [look, 'done: data request r1: done'],
  ],
  ['an ended request of an earlier user is not', [list(asked('done')), users('bob')], [look, 'POST /privacy/gdpr']],
  ['no_data is done if the user is gone', [asked('no_data'), users()], [look, 'done: data request r1: no_data']],
  [
    'no_data is a failure if the user still exists',
    [asked('no_data'), users('bob')],
    [look, 'lost: data request r1: no_data; but the user still exists: ask the vendor'],
  ],
  [
    'an unknown state is a failure',
    [asked('paused')],
    ['lost: data request r1: paused; chatform does not know this state'],
  ],
  ['an answer without an id is a failure', [{}], ['lost: data request : ; chatform does not know this state']],
])('%s', async ([, answers, expected]) => {
  expect(await outcomes(answers)).toEqual(expected);
});

test('gives up after ten minutes, and looks up no id with a comma', async () => {
  const patient = await outcomes(Array.from({ length: 40 }, () => asked('processing')));
  const waits = patient.flatMap((outcome) => Number(/ after (\d+)$/u.exec(outcome)?.[1] ?? []) || []);
  expect(waits.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(11 * 60_000);
  expect(patient.at(-1)).toBe('lost: data request r1: processing; apply again to wait for it');
  expect(await outcomes([asked('no_data', { user_ids: ['a,b'] })], 'a,b')).toEqual([
    'lost: data request r1: no_data; no list shows whether the user still exists',
  ]);
});
