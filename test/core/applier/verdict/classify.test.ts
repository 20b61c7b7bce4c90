// Tests the meaning of each answer for each sort of step (semantics §5), as one table for each question.
import { describe, expect, test } from 'vitest';
import {
  classifyRequest,
  classifyResolve,
  type Situation,
  type Verdict,
} from '../../../../src/core/applier/verdict/classify.ts';
import type { Answer } from '../../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { refused } from '../support/fake-platform.ts';
import { create, update } from '../support/steps.ts';

const fresh: Situation = { mayHaveEffect: false, keyIsTaken: false, existing: 'refuse' };
const ours: Situation = { ...fresh, mayHaveEffect: true };
const thoseThatExist: Situation = { ...fresh, part: 'existing' };
const oneOf: Situation = { ...fresh, part: 'one' };
const adoptEqual: Situation = { ...fresh, existing: 'adopt_equal' };
const adopt: Situation = { ...fresh, existing: 'adopt' };

const { resolve: _read, ...blindCreate } = create('a');
const steps = {
  create: create('a'),
  'blind create': blindCreate,
  update: update('a'),
  'delete done on 400201': update('a', 1, { doneOn: [400201] }),
  'create done on 400202': create('a', { doneOn: [400202] }),
  'ban that was sent before': update('a', 1, { doneAgainOn: [400202] }),
  'create that expects its key': create('a', { expect: [{ path: ['key'], is: 'a' }] }),
  'create that meets another': create('a', { expect: [{ path: ['key'], is: 'other' }] }),
  'cancel operators': update('a', 1, { request: listed('DELETE', '/open_channels/{channel_url}/operators') }),
  invite: update('a', 1, { request: listed('POST', '/group_channels/{channel_url}/invite') }),
  'create with members': create('a', { request: listed('POST', '/group_channels') }),
  'edit of a user': update('a', 1, {
    request: { method: 'PUT', route: '/users/{user_id}', params: { user_id: 'Alice' }, body: { nickname: 'A' } },
  }),
} satisfies Record<string, Step>;

/** A call with a list of users. */
function listed(method: ApiRequest['method'], route: string): ApiRequest {
  return {
    method,
    route,
    params: { channel_url: 'a' },
    body: { user_ids: ['x', 'y'] },
    query: { operator_ids: 'x,y' },
  };
}

/** A verdict in one line. */
function told(verdict: Verdict): string {
  switch (verdict.type) {
    case 'done':
      return verdict.note === undefined ? 'done' : `done: ${verdict.note}`;
    case 'failed':
      return verdict.kind === undefined ? `failed ${verdict.reason.code}` : `failed: ${verdict.kind}`;
    case 'wait':
      return `wait ${verdict.retryAfterS}`;
    case 'retry':
      return `retry ${verdict.next}${verdict.inDoubt ? ' in doubt' : ''}`;
    case 'call':
      return `call ${verdict.next}`;
    case 'unknown':
    case 'adopt':
    case 'lookup':
    case 'split':
    case 'page':
    case 'send':
      return verdict.type;
  }
}

const ok: Answer = { type: 'ok', body: { key: 'a', name: 'a' } };
const different: Answer = { type: 'ok', body: { key: 'a', name: 'b' } };
const limited: Answer = { type: 'limited', retryAfterS: 3 };
const limitedSomehow: Answer = { type: 'limited', retryAfterS: undefined };
const unsent: Answer = { type: 'unsent', message: 'connection refused' };
const lost: Answer = { type: 'unknown', status: 502, message: 'bad gateway' };
const unclear: Answer = { type: 'unknown', status: 200, message: 'the answer 200 is an error object', isUnclear: true };
const unusable: Answer = { type: 'unknown', status: 200, message: 'too large', isUnusable: true };

const requestCases: [keyof typeof steps, Answer, Situation, string][] = [
  ['create', ok, fresh, 'done'],
  ['create that expects its key', ok, fresh, 'done'],
  ['create that meets another', ok, fresh, 'failed: differs'],
  ['cancel operators', refused(400111), fresh, 'split'],
  ['cancel operators', refused(400111), oneOf, 'failed 400111'],
  ['cancel operators', refused(400201), fresh, 'failed 400201'],
  ['invite', refused(400202), fresh, 'split'],
  ['invite', refused(400701), fresh, 'split'],
  ['invite', refused(400201), fresh, 'lookup'],
  ['invite', refused(400201), thoseThatExist, 'split'],
  ['invite', refused(400201), oneOf, 'failed 400201'],
  ['create with members', refused(400111), fresh, 'lookup'],
  ['create with members', refused(400111), thoseThatExist, 'failed 400111'],
  ['edit of a user', { type: 'ok', body: { user_id: 'Alice' } }, fresh, 'done'],
  ['edit of a user', { type: 'ok', body: { user_id: 'alice' } }, fresh, 'failed: differs'],
  ['edit of a user', unclear, fresh, 'retry request in doubt'],
  ['edit of a user', unclear, { ...fresh, hasRead: true }, 'retry resolve in doubt'],
  ['create', unclear, fresh, 'retry resolve in doubt'],
  ['create', limited, fresh, 'wait 3'],
  ['create', limitedSomehow, fresh, 'wait 1'],
  ['create', unsent, fresh, 'retry request'],
  ['create', lost, fresh, 'retry resolve in doubt'],
  ['blind create', lost, fresh, 'unknown'],
  ['update', lost, fresh, 'retry request in doubt'],
  ['update', unsent, fresh, 'retry request'],
  ['create', unusable, fresh, 'retry resolve in doubt'],
  ['update', unusable, fresh, 'unknown'],
  ['create', refused(400202), fresh, 'failed: existing'],
  ['create', refused(400202), ours, 'call resolve'],
  ['create', refused(400202), adoptEqual, 'call resolve'],
  ['create', refused(400202), adopt, 'call resolve'],
  ['create done on 400202', refused(400202), fresh, 'done: done_on 400202'],
  ['blind create', refused(400202), ours, 'failed 400202'],
  ['create', refused(400105), ours, 'failed 400105'],
  ['update', refused(400201), fresh, 'failed 400201'],
  ['delete done on 400201', refused(400201), fresh, 'done: done_on 400201'],
  ['ban that was sent before', refused(400202), ours, 'done: done_on 400202'],
  ['ban that was sent before', refused(400202), fresh, 'failed 400202'],
  ['ban that was sent before', refused(400202), adopt, 'failed 400202'],
  ['ban that was sent before', refused(400201), ours, 'failed 400201'],
  ['update', refused(400401), fresh, 'failed: authentication'],
  ['update', refused(0, 'no', 401), fresh, 'failed: authentication'],
  ['update', refused(403100, 'no', 403), fresh, 'failed: authentication'],
  ['update', refused(0, 'no', 403), fresh, 'failed: authentication'],
  ['update', refused(400307, 'no', 403), fresh, 'failed 400307'],
  ['update', refused(400108, 'no', 401), fresh, 'failed 400108'],
  ['update', refused(900061, 'no', 403), fresh, 'failed 900061'],
];

const resolveCases: [keyof typeof steps, Answer, Situation, string][] = [
  ['create', ok, ours, 'done: resolved by reading'],
  ['create', ok, { ...adoptEqual, keyIsTaken: true }, 'done: adopted'],
  ['create', different, ours, 'failed: differs'],
  ['create', different, { ...adoptEqual, keyIsTaken: true }, 'failed: differs'],
  ['create', different, { ...adopt, keyIsTaken: true }, 'adopt'],
  ['create', refused(400201), ours, 'call request'],
  ['create', refused(400201), { ...ours, keyIsTaken: true }, 'retry request'],
  ['create', refused(400108), ours, 'unknown'],
  ['create', refused(400108), { ...adopt, keyIsTaken: true }, 'failed 400108'],
  ['create', refused(400401), ours, 'failed: authentication'],
  ['create', limited, ours, 'wait 3'],
  ['create', unsent, ours, 'retry resolve'],
  ['create', lost, ours, 'retry resolve'],
  ['create', unusable, ours, 'unknown'],
];

describe('the answer to a request', () => {
  test.for(requestCases)('%s', ([step, answer, situation, expected]) => {
    expect(told(classifyRequest(steps[step], answer, situation))).toBe(expected);
  });
});

describe('the answer to a read that resolves a call', () => {
  test.for(resolveCases)('%s', ([step, answer, situation, expected]) => {
    expect(told(classifyResolve(steps[step], answer, situation))).toBe(expected);
  });

  test('names the differing attributes', () => {
    const verdict = classifyResolve(steps.create, different, ours);
    expect(verdict).toMatchObject({ type: 'failed', reason: { status: 0, code: 0 } });
    expect(JSON.stringify(verdict)).toContain('name is \\"b\\" instead of \\"a\\"');
  });
});

test('names an object that exists under another key as a whole, with the command that takes it into state', () => {
  const url = `room of ${'x'.repeat(90)}`;
  const step = { ...create('a'), address: 'group_channel.a', expect: [{ path: ['channel_url'], is: 'a' }] } as const;
  const verdict = classifyRequest(step, { type: 'ok', body: { channel_url: url } }, fresh);
  const message = verdict.type === 'failed' ? verdict.reason.message : '';
  expect(message).toContain(`channel_url is "${url}" instead of "a"`);
  expect(message).toContain(`chatform adopt 'group_channel.${url}'`);
});

test('names the command that takes an existing object into state', () => {
  const verdict = classifyRequest(steps.create, refused(400202), fresh);
  const message = verdict.type === 'failed' ? verdict.reason.message : '';
  expect(message).toContain(`chatform adopt ${steps.create.address}`);
});
