// Tests what a run knows of the objects that it opened: which steps close them, and which of them stay open.
import { expect, test } from 'vitest';
import { ReopenedObjects } from '../../src/applier/reopened-objects.ts';

test('closed by its step, or left open when that fails', () => {
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

test('given up: nothing is closed any more, also what is opened by a call that was under way', () => {
  const brackets = new ReopenedObjects();
  brackets.opened('user.a', 1);
  brackets.giveUp();
  brackets.opened('user.b', 2);
  expect(brackets.closers.size).toBe(0);
  expect(brackets.leftOpen).toEqual(['user.a', 'user.b']);
});
