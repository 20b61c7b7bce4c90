// Tests that planted faults show in the counts of work.
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { program } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dearAdditions, faster, growingLookUps, lives, lookUps, patienceMs } from './work.ts';

/** A copy of the installed program in which each of the texts is replaced by a fault. */
async function withFault(...faults: readonly (readonly [sound: string, faulty: string])[]): Promise<string> {
  const [from, to] = [inject('installed'), await temporaryFolder()];
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  for (const name of ['node_modules', 'schema', 'examples', 'src']) await symlink(join(from, name), join(to, name));
  const planted: string[] = [];
  for (const file of await readdir(join(to, 'dist'), { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(join(to, 'dist', file), 'utf8');
    const inFile = faults.filter(([sound]) => text.includes(sound));
    if (inFile.length === 0) continue;
    await writeFile(
      join(to, 'dist', file),
      inFile.reduce((faulty, [sound, replacement]) => faulty.replace(sound, replacement), text),
    );
    planted.push(...inFile.map(([sound]) => sound));
  }
  expect(planted.sort()).toEqual(faults.map(([sound]) => sound).sort());
  return join(to, 'dist/cli/main.js');
}

test(
  'every command does at most twice the work for twice the objects',
  async () => {
    const works = await lives(program);
    expect(faster(works)).toEqual([]);
    expect(growingLookUps(works)).toEqual([]);
    expect(dearAdditions(works)).toEqual([]);
  },
  patienceMs,
);

test(
  'a look-up that reads all records before the one that it seeks does more than twice the work',
  async () => {
    const faulty = await withFault([
      'seek(address) {',
      'seek(address) { for (const record of this) if (record.address >= address) break;',
    ]);
    const titles = ['plan --out new.plan', 'apply new.plan', 'adopt to another state', 'adopt nothing more'];
    const found = faster(await lives(faulty, titles));
    expect(found).toContainEqual(expect.stringMatching(/^adopt nothing more: parsed/u));
  },
  patienceMs,
);

test(
  'a look-up that reads the value next to its place makes additions cost more than they do, and look-ups grow',
  async () => {
    const faulty = await withFault(
      ['return "addressAt" in series ? series.addressAt(index) :', 'return'],
      ['address <= last.next)) return last;', 'address === last.address)) return last;'],
    );
    const plans = ['plan of new objects', 'plan without a change', 'plan of as many new objects'];
    const works = await lives(faulty, ['plan --out new.plan', 'apply new.plan', ...plans, ...lookUps]);
    expect(dearAdditions(works)).not.toEqual([]);
    expect(growingLookUps(works)).not.toEqual([]);
  },
  patienceMs,
);

test(
  'a look-up that searches a list visits more than twice as much',
  async () => {
    const faulty = await withFault([
      'taken.add(record.address)',
      // Several times, because the limiter, too, visits the calls that it remembers for each further one.
      '(taken.list ??= []).push(record.address); for (const _ of "12345678") taken.list.includes(""); taken.add(record.address)',
    ]);
    const titles = ['plan --out new.plan', 'apply new.plan', 'adopt to another state'];
    const found = faster(await lives(faulty, titles));
    expect(found).toEqual([expect.stringMatching(/^adopt to another state: visited/u)]);
  },
  patienceMs,
);
