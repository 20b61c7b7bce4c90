// Tests what a run knows about objects that it reopened: which steps close them, and which stay open.
import { expect, test } from 'vitest';
import { ReopenedObjects } from '../../src/applier/reopened-objects.ts';

test('an object is closed by its step, or stays open if the step fails', () => {
  const brackets = new ReopenedObjects();
  brackets.opened('user.b', 7);
  brackets.opened('user.a', 3);
  expect([...brackets.closers]).toEqual([7, 3]);
  brackets.ended(3, false);
  brackets.ended(5, true);
  expect([...brackets.closers]).toEqual([7]);
  expect(brackets.leftOpen).toEqual(['user.a', 'user.b']);
  brackets.ended(7, true);
  expect(brackets.leftOpen).toEqual(['user.a']);
});

test('after giving up nothing is closed, not even what a pending call opens', () => {
  const brackets = new ReopenedObjects();
  brackets.opened('user.a', 1);
  brackets.giveUp();
  brackets.opened('user.b', 2);
  expect(brackets.closers.size).toBe(0);
  expect(brackets.leftOpen).toEqual(['user.a', 'user.b']);
});
