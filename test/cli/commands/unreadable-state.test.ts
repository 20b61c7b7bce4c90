// Tests that the commands advised by refusals of an unreadable state work when they are followed.
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { type CliEnd, expectEnd } from '../../support/run-cli.ts';
import { fastTest, longTest } from '../../support/suite.ts';

const [key, otherKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

const done = (end: CliEnd) => expect(end, end.stderr).toMatchObject({ exit: 0 });

/** An applied estate with a copy of its state, and its command line. */
async function applied(env: Readonly<Record<string, string>> = {}) {
  const at = await place(desk);
  const run = (args: string, other = env) => at.with({ env: other }).run(args.split(' '));
  done(await run('apply --auto-approve'));
  done(await run('state pull --out copy.ndjson'));
  return { cwd: at.cwd, run };
}

async function damage(cwd: string): Promise<void> {
  const file = join(cwd, '.chatform/state/state.ndjson');
  const bytes = await readFile(file);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

const moveAway = (cwd: string) => rename(join(cwd, '.chatform/state'), join(cwd, 'damaged'));

describe('a damaged state', () => {
  fastTest('can be moved away and replaced by its copy', async () => {
    const { cwd, run } = await applied();
    await damage(cwd);
    const refused = await expectEnd(run('plan'), 1);
    expect(refused.stderr.replace(/\s+/gu, ' ')).toContain(
      'move the folder .chatform/state away. Then chatform state push puts the last copy',
    );
    await moveAway(cwd);
    done(await run('state push copy.ndjson'));
    expect((await run('plan')).stdout).toContain('Nothing to do since the last apply.');
  });

  fastTest('can be moved away and rebuilt', async () => {
    const { cwd, run } = await applied();
    await damage(cwd);
    await moveAway(cwd);
    done(await run('state rebuild'));
    expect((await run('plan')).stdout).toContain('Nothing to do since the last apply.');
  });
});

// Deriving keys takes seconds.
describe('a state whose key is lost', () => {
  longTest('can be moved away and rebuilt under another key, unlike its copy', async () => {
    const { cwd, run } = await applied({ CHATFORM_STATE_KEY: key });
    const env = { CHATFORM_STATE_KEY: otherKey };
    const copy = await expectEnd(run('state push copy.ndjson', env), 3);
    expect(copy.stderr.replace(/\s+/gu, ' ')).toMatch(
      /^error\[state.key-wrong\]: The copy copy.ndjson.* make it again/u,
    );
    const refused = await expectEnd(run('plan', env), 3);
    expect(refused.stderr.replace(/\s+/gu, ' ')).toContain('Without that key nobody can read it: move the folder');
    await moveAway(cwd);
    done(await run('state rebuild', env));
    expect((await run('plan', env)).stdout).toContain('Nothing to do since the last apply.');
  });
});
