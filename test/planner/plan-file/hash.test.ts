// Tests that the digest of steps is the digest of their lines, whatever pieces are hashed.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StepsDigest } from '../../../src/planner/plan-file/hash.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('é', '\u007f', '\u0080', 'ÿ', '🙂', 'x'.repeat(9_000), 'ü'.repeat(9_000)),
);

test('the digest of steps equals the digest of their lines', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (steps) => {
      const digest = new StepsDigest();
      for (const step of steps) digest.add(step);
      const lines = steps.map((step) => `${step}\n`).join('');
      expect(digest.end()).toBe(createHash('sha256').update(lines).digest('base64url'));
    }),
  );
});
