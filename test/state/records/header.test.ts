// Tests that a state of an older version is upgraded, and that one of a newer version is refused.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/this-process.ts';
import type { StateEntry, StateRecord } from '../../../src/model/record.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { type StateFormats, stateFormats, stateFormatVersion, upgradeFrom } from '../../../src/state/records/header.ts';
import { application, backendOn, contentsOf, now, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';

const fixtures = join(import.meta.dirname, '../fixtures/');
const lineage = '0d1b1e6e-6f0c-4a0e-9d62-1c2f6a1f6a11';

/** The contents of the fixtures. */
const expected = {
  records: [
    {
      address: 'group_channel.room',
      attributes: { members: { alice: {}, bob: {} }, name: 'Room' },
      lifecycle: { protect: true },
    },
    { address: 'user.alice', attributes: { nickname: 'Alicia' } },
    { address: 'user.bob', attributes: { nickname: 'Bob' } },
    { address: 'user.old', attributes: { nickname: 'Old' }, retired: true },
  ],
  pending: ['user.carol#1'],
};

/** A made-up later version, in which a nickname is called name. */
const later: StateFormats = {
  current: 2,
  upgrades: {
    1: {
      record: renamed,
      entry: (entry): StateEntry => {
        if (entry.type === 'put') return { ...entry, record: renamed(entry.record) };
        if (entry.type === 'delete') return entry;
        const edits = entry.edits.map((edit) => ({
          ...edit,
          path: edit.path.map((part) => (part === 'nickname' ? 'title' : part)),
        }));
        return { ...entry, edits };
      },
    },
  },
};

function renamed(record: StateRecord): StateRecord {
  const { nickname, ...rest } = record.attributes;
  return nickname === undefined ? record : { ...record, attributes: { ...rest, title: nickname } };
}

const upgraded = { ...expected, records: (expected.records as unknown as StateRecord[]).map(renamed) };

/** A state in a bucket whose third holder was killed. */
const serial = 2;

/** A copy of the fixture, as versions of chatform see it. */
async function fixture(): Promise<(known?: StateFormats) => UpkeepBackend> {
  return (await bucket('bucket-1')).at;
}

/** The state in a folder of the fixtures as a bucket has it, and how many times it was rewritten. */
async function bucket(name: string, host = 'h') {
  const rewritten = { times: 0 };
  const context = {
    clock: nodeClock,
    owner: { user: 'ci', host, pid: 1 },
    newId: () => 'new',
    isAlive: () => false,
    rewritten: () => {
      rewritten.times += 1;
    },
  };
  const store = new SimulatedStore(nodeClock);
  const folder = join(fixtures, name);
  for (const key of await readdir(folder, { recursive: true })) {
    const path = join(folder, key);
    if ((await stat(path)).isFile()) store.tamper(key, await readFile(path));
  }
  const at = (known = stateFormats) => backendOn(store.connect(), { ...context, formats: known });
  /** Cuts the digest off each object, one at a time, and returns the keys for which nobody notices. */
  const unnoticedCuts = async (): Promise<readonly string[]> => {
    const unnoticed: string[] = [];
    for (const [key, whole] of store.contents()) {
      if (key.startsWith('snapshot/')) continue;
      store.tamper(key, whole.subarray(0, whole.lastIndexOf('\n', -2) + 1));
      const code = await at()
        .read(application)
        .then(
          () => undefined,
          (error) => error.code,
        );
      if (code !== 'state.corrupt') unnoticed.push(key);
      store.tamper(key, whole);
    }
    return unnoticed;
  };
  return { at, rewritten, unnoticedCuts };
}

/** Opens and writes, and is killed. */
async function writeAndDie(backend: UpkeepBackend, key: string): Promise<void> {
  await (await backend.open(now)).done(key, put(key));
}

describe('objects without digests', () => {
  test('are read from a state of 0.2, which the first holder rewrites once', async () => {
    const { at, rewritten, unnoticedCuts } = await bucket('bucket-1');
    expect(contentsOf(await at().read(application))).toEqual(expected);
    expect(rewritten.times).toBe(0);
    await writeAndDie(at(), 'new');
    expect(rewritten.times).toBe(1);
    const after = contentsOf(await at().read(application));
    expect(after).toEqual({
      ...expected,
      records: [...expected.records.slice(0, 3), recordOf('new'), expected.records[3]],
    });
    // A fence of the holder that was killed, which does not count.
    expect(await unnoticedCuts()).toEqual(['journal/3/0000000004']);
    await writeAndDie(at(), 'newer');
    expect(rewritten.times).toBe(1);
  });

  test('are damage in a state of 0.3.0, which nobody rewrites', async () => {
    const { at, rewritten, unnoticedCuts } = await bucket('bucket-0.3', 'host-a');
    const records = ['a', 'b', 'c'].map((key) => recordOf(key));
    expect(contentsOf(await at().read(application))).toEqual({ records, pending: ['open'] });
    // Without its digest, the head looks like one of 0.2. The holder before the last one may have been of 0.2.
    const unknown = ['journal/1/0000000001', 'journal/1/0000000002'];
    expect([...(await unnoticedCuts())].sort()).toEqual(['head/0000000002', ...unknown, 'journal/1/0000000003']);
    await writeAndDie(at(), 'd');
    expect(rewritten.times).toBe(0);
    expect(contentsOf(await at().read(application))).toEqual({
      records: [...records, recordOf('d')],
      pending: ['open'],
    });
  });
});

describe('state in a bucket', () => {
  test('is read in the first format as it was written', async () => {
    const at = await fixture();
    const snapshot = await at().read(application);
    expect(snapshot.header).toEqual({ format: 'chatform-state/1', lineage, application });
    expect(snapshot.serial).toBe(serial);
    expect(contentsOf(snapshot)).toEqual(expected);
  });

  test('is upgraded from an older format, by a reader in memory and by a writer in place', async () => {
    const at = await fixture();
    expect(contentsOf(await at(later).read(application))).toEqual(upgraded);
    expect(contentsOf(await at().read(application))).toEqual(expected);
    const writer = await at(later).open(now);
    expect(writer.header).toEqual({ format: 'chatform-state/2', lineage, application });
    expect(contentsOf(writer)).toEqual(upgraded);
    await writer.done('1', put('new', { title: 'New' }));
    // After each call, because a crash can leave a mixture of two formats.
    const between = await at(later).read(application);
    expect(contentsOf(between).records).toHaveLength(5);
    await writer.close();
    const after = await at(later).read(application);
    expect(contentsOf(after)).toEqual(contentsOf(between));
    expect(after.header?.format).toBe('chatform-state/2');
  });

  test('is refused in a newer format by readers and writers, and left untouched', async () => {
    const at = await fixture();
    await (await at(later).open(now)).compact();
    const before = contentsOf(await at(later).read(application));
    for (const use of ['read', 'open', 'holder'] as const) {
      const refusal = await refusalOf(use === 'open' ? at().open(now) : at()[use](application));
      expect(refusal).toMatchObject({ code: 'state.newer-format', exitCode: 1 });
      expect(refusal.message).toContain('chatform-state/2');
    }
    expect(contentsOf(await at(later).read(application))).toEqual(before);
  });
});

test.for([
  { format: 'chatform-state/1', version: 1 },
  { format: 'chatform-state/12', version: 12 },
  { format: 'chatform-state/0', version: undefined },
  { format: 'chatform-state/1.5', version: undefined },
  { format: 'other/1', version: undefined },
])('$format is version $version', ({ format, version }) => {
  expect(stateFormatVersion(format)).toBe(version);
});

test('upgrades are chained', () => {
  const mark = (text: string) => ({
    record: (record: StateRecord) => ({ ...record, attributes: { text: `${record.attributes.text ?? ''}${text}` } }),
    entry: (entry: StateEntry) => entry,
  });
  const all = upgradeFrom('chatform-state/1', { current: 4, upgrades: { 1: mark('a'), 2: mark('b'), 3: mark('c') } });
  expect(all.record({ address: 'user.x', attributes: {} }).attributes).toEqual({ text: 'abc' });
});
