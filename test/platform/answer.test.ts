// Tests the message about an answer that is not from the platform.
import { expect, test } from 'vitest';
import { answerOf } from '../../src/platform/answer.ts';

test.for(['', '<html>Bad Request</html>', '[]', '{"error": true}'])(
  '400 with %j: says what it means and what to check',
  (text) => {
    expect(answerOf({ status: 400, headers: {}, text })).toMatchObject({
      type: 'refused',
      status: 400,
      message: expect.stringMatching(/^the answer 400 has no error object .* check the base URL/u),
    });
  },
);
