// Tests the cache of history files between runs: it is used for unchanged files, and never in doubt.
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CacheSealing, HistoryFileCache } from '../../../../src/core/app/history-files/history-cache.ts';
import type { HistoryFile } from '../../../../src/core/history/lines/history-file.ts';
import { disk, type FileAccess } from '../../../../src/core/manifest/files/access.ts';
import type {
  HistoryFileReading,
  KnownHistoryFiles,
} from '../../../../src/core/manifest/history-files/history-files.ts';
import { loadManifests } from '../../../../src/core/manifest/load.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { sealText, unsealWhole } from '../../../../src/core/state/seal/sealed-text.ts';
import { Sealer } from '../../../../src/core/state/seal/sealer.ts';
import { digestText } from '../../../../src/lib/digest.ts';
import { historyFileOfLines, historyFileText } from '../../../support/history-files.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const now = () => 1_700_000_000_000;
const reading: HistoryFileReading = {
  path: '',
  version: '1 2 3',
  changedAt: now() - 60_000,
  linesOfBlock: 100,
  threads: false,
  messageLength: 5000,
};
/** As large as for a hundred thousand lines, so that it gets a file. */
const large: HistoryFile = {
  ...historyFileOfLines('a.ndjson', []),
  senders: ['alice', 'ü'],
  digest: 'A'.repeat(1_100_000),
};

/** The path of the entry of a history file. */
const nameOf = (path: string) => `${digestText(path)}.json`;

function kept(folder: string, ...behaviours: readonly HistoryFileReading[]): void {
  const cache = new HistoryFileCache(folder, now);
  for (const one of behaviours) cache.keep(one, large);
  cache.end();
}

function recalled(folder: string, one: HistoryFileReading): HistoryFile | undefined {
  const cache = new HistoryFileCache(folder, now);
  const historyFile = cache.recall(one);
  cache.end();
  return historyFile;
}

fastTest('returns an entry in the next run only for the same version of the file', async () => {
  const [folder, path] = [join(await temporaryFolder(), 'cache'), '/a'];
  kept(folder, { ...reading, path });
  expect(recalled(folder, { ...reading, path })).toEqual(large);
  for (const other of [
    { path: '/b' },
    { path, version: '1 2 4' },
    { path, linesOfBlock: 200 },
    { path, messageLength: 8000 },
  ]) {
    expect(recalled(folder, { ...reading, ...other })).toBe(undefined);
  }
  expect(readdirSync(folder).sort()).toEqual(['.gitignore', nameOf(path)]);
  expect(statSync(join(folder, nameOf(path))).mode & 0o777).toBe(0o600);
});

fastTest('encrypts an entry with the key of state, and returns it only with that key', async () => {
  const folder = join(await temporaryFolder({ 'a.ndjson': '', 'b.ndjson': '' }), 'cache');
  const here = (name: string) => ({ ...reading, path: join(folder, '..', name) });
  const sealingWith = (secret: string): CacheSealing => {
    const sealer = new Sealer(secret, { N: 16, r: 1, p: 1 });
    return {
      seal: (text) => [...sealText([text], 'history', sealer)].join(''),
      unseal: (text) => unsealWhole(text, 'history', sealer, 'the cache'),
    };
  };
  const keep = (name: string) => {
    const cache = new HistoryFileCache(folder, now, sealingWith('one'));
    cache.keep(here(name), large);
    cache.end();
  };
  keep('a.ndjson');
  expect(readFileSync(join(folder, nameOf(here('a.ndjson').path)), 'utf8')).not.toContain('alice');
  const recall = (secret: string) => new HistoryFileCache(folder, now, sealingWith(secret)).recall(here('a.ndjson'));
  expect(recall('one')).toEqual(large);
  expect(recall('two')).toBe(undefined);
  expect(recalled(folder, here('a.ndjson'))).toBe(undefined);
  // Another entry is written. This one stays until its history file is gone.
  keep('b.ndjson');
  expect(recall('one')).toEqual(large);
  rmSync(here('a.ndjson').path);
  keep('b.ndjson');
  expect(recall('one')).toBe(undefined);
});

fastTest('neither reads nor replaces a device or a pipe where an entry should be', async () => {
  const [folder, path] = [join(await temporaryFolder(), 'cache'), '/a'];
  kept(folder, { ...reading, path: '/b' });
  const entry = join(folder, nameOf(path));
  for (const make of [() => symlinkSync('/dev/zero', entry), () => void execFileSync('mkfifo', [entry])]) {
    make();
    const before = lstatSync(entry);
    expect(recalled(folder, { ...reading, path })).toBe(undefined);
    kept(folder, { ...reading, path });
    expect(lstatSync(entry)).toMatchObject({ ino: before.ino, mode: before.mode });
    rmSync(entry);
  }
});

fastTest('does not cache a file that was changed a moment ago, which may change again unseen', async () => {
  const folder = join(await temporaryFolder(), 'cache');
  kept(folder, { ...reading, changedAt: now() - 1_000 });
  expect(() => readdirSync(folder)).toThrow('ENOENT');
});

fastTest('removes entries of deleted history files when it writes a new one', async () => {
  const root = await temporaryFolder({ there: '', other: '' });
  const folder = join(root, 'cache');
  const [there, gone, other] = ['there', 'gone', 'other'].map((name) => ({ ...reading, path: join(root, name) }));
  if (there === undefined || gone === undefined || other === undefined) throw new Error('three');
  kept(folder, there, gone);
  kept(folder, other, { ...there, version: 'newer' });
  expect(recalled(folder, other)).toEqual(large);
  expect(recalled(folder, { ...there, version: 'newer' })).toEqual(large);
  expect(recalled(folder, there)).toBe(undefined);
  expect(recalled(folder, gone)).toBe(undefined);
  expect(readdirSync(folder).sort()).toEqual(['.gitignore', nameOf(there.path), nameOf(other.path)].sort());
});

test('returns the right history file or nothing from an entry that is cut or damaged anywhere', async () => {
  const folder = join(await temporaryFolder(), 'cache');
  kept(folder, { ...reading, path: '/a' });
  const file = join(folder, nameOf('/a'));
  const whole = readFileSync(file);
  const place = fc.oneof(
    fc.nat({ max: whole.length - 1 }),
    fc.integer({ min: whole.length - 300, max: whole.length - 1 }),
  );
  fc.assert(
    fc.property(place, fc.boolean(), fc.integer({ min: 1, max: 255 }), (at, isCut, bits) => {
      const damaged = Buffer.from(isCut ? whole.subarray(0, at) : whole);
      if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ bits;
      writeFileSync(file, damaged);
      expect([undefined, JSON.stringify(large)]).toContain(
        ((found) => found && JSON.stringify(found))(recalled(folder, { ...reading, path: '/a' })),
      );
    }),
    { numRuns: inSuite(20, 60) },
  );
});

fastTest('works without a cache if its folder cannot be written', async () => {
  const root = await temporaryFolder({ cache: 'a file' });
  kept(join(root, 'cache'), reading);
  expect(await readFile(join(root, 'cache'), 'utf8')).toBe('a file');
});

/** Stores everything at once. */
class Memory implements KnownHistoryFiles {
  readonly #all = new Map<string, HistoryFile>();

  recall(one: HistoryFileReading): HistoryFile | undefined {
    return this.#all.get(JSON.stringify([one.path, one.version, one.linesOfBlock]));
  }

  keep(one: HistoryFileReading, historyFile: HistoryFile): void {
    this.#all.set(JSON.stringify([one.path, one.version, one.linesOfBlock]), historyFile);
  }
}

const line = (message: string, place: number) => ({
  message_type: 'MESG',
  user_id: 'alice',
  message,
  timestamp: 1_600_000_000_000 + place,
});

async function estate(history: string) {
  const manifest = (users: string) =>
    `version: 1\nusers: { ${users}: { nickname: A, profile_url: '' } }\nopen_channels: { lobby: { messages: { file: a.ndjson } } }\n`;
  const folder = await temporaryFolder({ 'm.yaml': manifest('alice'), 'a.ndjson': history });
  const read: string[] = [];
  const files: FileAccess = {
    ...disk,
    readChunks: (path) => {
      read.push(path);
      return disk.readChunks(path);
    },
  };
  const knownHistoryFiles = new Memory();
  const load = async () => {
    read.length = 0;
    const { resources, diagnostics } = await loadManifests(['.'], {
      kinds: registry,
      cwd: folder,
      variables: () => undefined,
      files,
      knownHistoryFiles,
    });
    return { all: [...resources], codes: diagnostics.map(({ code }) => code), isRead: read.length > 0 };
  };
  return { folder, load, rename: (user: string) => writeFile(join(folder, 'm.yaml'), manifest(user)) };
}

fastTest('reads only changed history files again, even if size and time are the same', async () => {
  const { folder, load } = await estate(historyFileText([line('one', 1)]));
  const first = await load();
  expect(first).toMatchObject({ codes: [], isRead: true });
  expect(await load()).toEqual({ ...first, isRead: false });
  const file = join(folder, 'a.ndjson');
  const { atime, mtime } = await stat(file);
  await writeFile(file, historyFileText([line('two', 1)]));
  await utimes(file, atime, mtime);
  const changed = await load();
  expect(changed.isRead).toBe(true);
  expect(changed.all).not.toEqual(first.all);
});

fastTest('reads a history file with warnings again, so that the warnings name its lines', async () => {
  const { load } = await estate(historyFileText([line('one', 1), line('one', 1)]));
  for (const _run of [1, 2]) expect(await load()).toMatchObject({ codes: ['manifest.history-repeated'], isRead: true });
});

fastTest('reads a history file again whose sender is no longer declared, and names the line', async () => {
  const { load, rename } = await estate(historyFileText([line('one', 1)]));
  await load();
  await rename('bob');
  expect(await load()).toMatchObject({ codes: ['manifest.undeclared-user'], isRead: true });
});
