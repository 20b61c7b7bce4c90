// Tests that a failure of some ids shows the status and code of the platform's own answer.
import { expect, test } from 'vitest';
import { failureOfParts, partsAfterLookup } from '../../../../src/core/applier/step/parts.ts';
import { update } from '../support/steps.ts';

test.for([
  { status: 422, code: 400111 },
  { status: 400, code: 400201 },
  { status: 403, code: 400307 },
])('a user who does not exist is reported with $status and $code, as the platform answered', ({ status, code }) => {
  const route = '/group_channels/{channel_url}/invite';
  const body = { user_ids: ['ann', 'ext1'] };
  const step = update('a', 1, { request: { method: 'POST', route, params: { channel_url: 'a' }, body } });
  const parts = partsAfterLookup(step, (id) => id === 'ann', { status, code, message: 'refused' });
  expect(parts && failureOfParts(parts)).toEqual({
    status,
    code,
    message: 'ext1 does not exist on the platform',
    missing_ids: ['ext1'],
  });
});
