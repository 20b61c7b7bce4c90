// Tests that the digest of steps is that of their lines, in whatever pieces they are hashed and whatever is known of them.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StepsDigest } from '../../../src/planner/plan-file/hash.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('é', '\u007f', '\u0080', 'ÿ', '🙂', 'x'.repeat(9_000), 'ü'.repeat(9_000)),
);

test('ASCII is hashed as all other texts are, and may be called so or not', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 20 }), (steps) => {
      const digest = new StepsDigest();
      for (const [step, isKnown] of steps) digest.add(step, isKnown && Buffer.byteLength(step) === step.length);
      const lines = steps.map(([step]) => `${step}\n`).join('');
      expect(digest.end()).toBe(createHash('sha256').update(lines).digest('base64url'));
    }),
  );
});
