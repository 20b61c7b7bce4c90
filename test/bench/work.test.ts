// Tests that the work of each command grows with its estate and no faster.
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { dearAdditions, faster, lives, patienceMs } from './work.ts';

test(
  'commands do at most twice the work for twice the objects, and adding objects costs no more than they do',
  async () => {
    const works = await lives(program);
    expect(faster(works)).toEqual([]);
    expect(dearAdditions(works)).toEqual([]);
  },
  patienceMs,
);
