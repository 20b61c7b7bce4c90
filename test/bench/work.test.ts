// Tests that the work of each command grows with its estate and no faster.
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { dearAdditions, faster, growingLookUps, lives, patienceMs } from './work.ts';

/** work.long.test.ts has all commands. */
const titles = [
  'plan of new objects',
  'plan --out new.plan',
  'apply new.plan',
  'plan without a change',
  'state list',
  'state show user.user-000000',
  'state log',
  'plan of as many new objects',
];

test(
  'commands do at most twice the work for twice the objects, look-ups do no more, and planning more objects costs no more than they do',
  async () => {
    const works = await lives(program, titles);
    expect([...works[0].keys()]).toEqual(titles);
    expect(faster(works)).toEqual([]);
    expect(growingLookUps(works)).toEqual([]);
    expect(dearAdditions(works)).toEqual([]);
  },
  patienceMs,
);
