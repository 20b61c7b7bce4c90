// Tests that the work of each command grows with its estate and no faster.
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { dearAdditions, faster, lives, notSingular, patienceMs } from './work.ts';

test(
  'commands do at most twice the work for twice the objects, those about one thing no more at all, and planning more objects costs no more than they do',
  async () => {
    // work.long.test.ts has the commands after it.
    const works = await lives(program, 'plan of as many new objects');
    expect(faster(works)).toEqual([]);
    expect(notSingular(works)).toEqual([]);
    expect(dearAdditions(works)).toEqual([]);
  },
  patienceMs,
);
