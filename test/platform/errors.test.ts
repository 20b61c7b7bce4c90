// Is every code that a person may meet explained, in sentences that say what to do?
import { expect, test } from 'vitest';
import { explainCode } from '../../src/platform/errors.ts';

const documented = [
  400100, 400101, 400102, 400103, 400104, 400105, 400106, 400107, 400108, 400109, 400110, 400111, 400112, 400113,
  400114, 400151, 400201, 400202, 400203, 400300, 400301, 400302, 400304, 400305, 400306, 400307, 400401, 400402,
  400403, 400404, 400700, 400701, 400702, 400750, 400751, 400920, 400930, 403100, 500901, 500910,
];

test.for(documented)('%i', (code) => {
  const explanation = explainCode(code);
  expect(explanation?.name).toMatch(/^[A-Za-z.]+$/u);
  expect(explanation?.advice).toMatch(/^[A-Z].*\.$/u);
});

test('a code that is not documented has no explanation', () => {
  expect(explainCode(0)).toBeUndefined();
  expect(explainCode(123456)).toBeUndefined();
});
