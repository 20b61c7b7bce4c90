// Tests that a state of an older version is upgraded, and that one of a newer version is refused.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { StateEntry, StateRecord } from '../../../src/model/record.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { type StateFormats, stateFormats, stateFormatVersion, upgradeFrom } from '../../../src/state/records/header.ts';
import { application, backendOn, contentsOf, now, put, refusalOf } from '../../support/state/fixtures.ts';
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
  const context = {
    clock: nodeClock,
    owner: { user: 'ci', host: 'h', pid: 1 },
    newId: () => 'new',
    isAlive: () => false,
  };
  const store = new SimulatedStore(nodeClock);
  const bucket = join(fixtures, 'bucket-1');
  for (const key of await readdir(bucket, { recursive: true })) {
    const path = join(bucket, key);
    if ((await stat(path)).isFile()) store.tamper(key, await readFile(path));
  }
  return (known = stateFormats) => backendOn(store.connect(), { ...context, formats: known });
}

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
