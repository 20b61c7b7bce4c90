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
/** The codes by which the platform refuses to show a user. */
const [gone, deactivated] = [400201, 400300];
const bob = { user_id: 'bob' };

type Answer = JsonObject | number;

/** The outcomes of these answers in words, from the first on. A number is the code of a refusal. */
async function outcomes(answers: readonly Answer[], key = 'bob'): Promise<string[]> {
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
  return answers.map((answer) => {
    const result = typeof answer === 'number' ? search.refused?.(answer) : search.take(answer);
    return result === undefined ? `lost: ${search.unread('no')}` : inWords(result);
  });
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
      return `lost: ${result.why}`;
  }
}

const view = 'GET /privacy/gdpr/{request_id} request_id=r1 after';
const look = 'GET /users/{user_id} user_id=bob';
const registered = (status: string): string =>
  `lost: the platform registered the erasure as data request r1: ${status}`;
const unused =
  'It erases no user without them. If the application has no data requests, remove the user with on_remove: delete';
const notOurs = `lost: chatform could not use the data requests of the application: the answer shows no request for this user. ${unused}`;

test.for<readonly [string, readonly Answer[], readonly string[]]>([
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
    'a waiting request of anybody is followed and not sent again, until the user is gone',
    [list(asked('scheduled')), asked('processing'), asked('done'), gone],
    [`${view} 1000`, `${view} 2000`, look, 'done: data request r1: done'],
  ],
  [
    'of several requests the newest counts',
    [list(asked('scheduled'), asked('done', { request_id: 'r2', created_at: 3 }))],
    [look],
  ],
  [
    'an ended request of a user who is gone is enough',
    [list(asked('done')), gone],
    [look, 'done: data request r1: done'],
  ],
  ...[bob, deactivated].map((user): [string, Answer[], string[]] => [
    `an ended request of an earlier user is not (${JSON.stringify(user)})`,
    [list(asked('done')), user],
    [look, 'POST /privacy/gdpr'],
  ]),
  [
    'done is believed once the user is gone',
    [asked('done'), bob, deactivated, gone],
    [look, `${look} after 1000`, `${look} after 2000`, 'done: data request r1: done'],
  ],
  ['no_data is done if the user is gone', [asked('no_data'), gone], [look, 'done: data request r1: no_data']],
  [
    'no_data is a failure if the user still exists',
    [asked('no_data'), bob],
    [look, `${registered('no_data')}; but the user still exists: ask the vendor`],
  ],
  ...[asked('paused'), list(asked('paused'))].map((answer): [string, Answer[], string[]] => [
    `an unknown state is a failure (${Object.keys(answer)[0]})`,
    [answer],
    [`${registered('paused')}; chatform does not know this state`],
  ]),
  ['an answer without an id is a failure', [{}], [notOurs]],
  ['an answer for another user is a failure', [asked('done', { user_ids: ['ann'] })], [notOurs]],
  [
    'another request is a failure, and does not hide the one that is followed',
    [asked('scheduled'), asked('done', { request_id: 'r2' })],
    [
      `${view} 1000`,
      `${registered('scheduled')}; chatform could not read its state: the answer shows no request for this user. Apply again`,
    ],
  ],
  [
    'a refused list is a failure',
    [400108],
    [`lost: chatform could not use the data requests of the application: no. ${unused}`],
  ],
  [
    'a refused view, and a refused user, name the request',
    [asked('scheduled'), 400108, asked('done'), 400108],
    [
      `${view} 1000`,
      `${registered('scheduled')}; chatform could not read its state: no. Apply again`,
      look,
      `${registered('done')}; chatform could not read whether the user still exists: no. Apply again`,
    ],
  ],
])('%s', async ([, answers, expected]) => {
  expect(await outcomes(answers)).toEqual(expected);
});

test.for<readonly [string, Answer, string]>([
  ['processing', asked('processing'), 'apply again to wait for it'],
  ['done', bob, 'but the user still exists: ask the vendor'],
])('gives up after ten minutes of %s', async ([status, answer, why]) => {
  const patient = await outcomes([asked(status), ...Array.from({ length: 40 }, () => answer)]);
  const waits = patient.flatMap((outcome) => Number(/ after (\d+)$/u.exec(outcome)?.[1] ?? []) || []);
  expect(waits.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(11 * 60_000);
  expect(patient.at(-1)).toBe(`${registered(status)}; ${why}`);
});

test.for<readonly [string, string | number]>([
  ['an id with a comma, which no list can be asked for', 'a,b'],
  ['an id that the platform shows as a number', 7],
])('looks up %s', async ([, id]) => {
  expect(await outcomes([asked('done', { user_ids: [id] }), gone], String(id))).toEqual([
    `GET /users/{user_id} user_id=${id}`,
    'done: data request r1: done',
  ]);
});
