// Tests that encrypted data can be read only in its place, with its key and as a whole, and reveals nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import type { ObjectStore } from '../../../../src/core/state/engine/store.ts';
import type { UpkeepBackend } from '../../../../src/core/state/engine/upkeep.ts';
import { sealBytes, unsealBytes } from '../../../../src/core/state/seal/sealed-stream.ts';
import { sealText, unsealWhole } from '../../../../src/core/state/seal/sealed-text.ts';
import { noPostgres, usePostgres } from '../../../support/postgres.ts';
import {
  application,
  backendOn,
  beginOf,
  contentsOf,
  now,
  Processes,
  put,
  putBy,
  readBy,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { SimulatedStore } from '../../../support/state/simulated-store.ts';
import { backendAt } from '../support/backend-at.ts';
import { Machine } from '../support/machine.ts';
import { sealerOf } from '../support/sealers.ts';

const sealer = sealerOf('one');
const canary = 'Zaphkielcanary';

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'read';
}

test('opens any bytes, but no bytes that were changed, truncated or moved', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, at, change) => {
      const sealed = sealer.seal(Buffer.from(plain), 'here');
      expect(sealer.unseal(sealed, 'here', 's')).toEqual(Buffer.from(plain));
      expect(codeOf(() => sealer.unseal(sealed, 'there', 's'))).toBe('state.corrupt');
      const edited = Buffer.from(sealed);
      const place = at % sealed.length;
      edited[place] = (edited[place] ?? 0) ^ change;
      expect(codeOf(() => sealer.unseal(edited, 'here', 's'))).not.toBe('read');
      expect(codeOf(() => sealer.unseal(sealed.subarray(0, place), 'here', 's'))).not.toBe('read');
    }),
  );
});

test('refuses another key, no key, and bytes that are not encrypted', () => {
  const sealed = sealer.seal(Buffer.from('text'), 'here');
  expect(codeOf(() => sealerOf('two').unseal(sealed, 'here', 's'))).toBe('state.key-wrong');
  expect(codeOf(() => sealerOf().unseal(sealed, 'here', 's'))).toBe('state.key-missing');
  expect(codeOf(() => sealer.unseal(Buffer.from('text'), 'here', 's'))).toBe('state.not-encrypted');
  expect(sealerOf().unseal(Buffer.from('text'), 'here', 's').toString()).toBe('text');
});

test('a forged cost cannot make a reader use gigabytes of memory', () => {
  const sealed = sealer.seal(Buffer.from('text'), 'here').toString('latin1');
  const costly = Buffer.from(sealed.replace('"N":16', '"N":1073741824'), 'latin1');
  expect(codeOf(() => sealer.unseal(costly, 'here', 's'))).toBe('state.corrupt');
});

test('a changed scrypt cost is damage or another key', () => {
  const sealed = sealer.seal(Buffer.from('text'), 'here').toString('latin1');
  const small = [0, 1, 2, 3, 4, 256].flatMap((N) => [0, 1, 2].flatMap((r) => [0, 1, 4, 5].map((p) => ({ N, r, p }))));
  for (const cost of [...small, { N: 65_536, r: 1, p: 1 }, { N: 131_072, r: 1, p: 1 }]) {
    const changed = sealed.replace('{"N":16,"r":1,"p":1}', JSON.stringify(cost));
    expect(changed).not.toBe(sealed);
    const told = codeOf(() => sealer.unseal(Buffer.from(changed, 'latin1'), 'here', 's'));
    expect(told, JSON.stringify(cost)).toMatch(/^state\.(?:corrupt|key-wrong)$/u);
  }
});

test('opens texts in pieces, but no frames of another text', () => {
  const long = 'ä'.repeat(200_000);
  const seal = () => [...sealText([long, 'b', long], 'plan', sealer)].join('');
  expect(unsealWhole(seal(), 'plan', sealer, 'f')).toBe(`${long}b${long}`);
  const [left, right] = [seal().split('\n'), seal().split('\n')];
  const mixed = [left[0], left[1], right[2], ''].join('\n');
  expect(codeOf(() => unsealWhole(mixed, 'plan', sealer, 'f'))).toBe('state.corrupt');
});

test('refuses a state in the place of another under the same key', async () => {
  const processes = new Processes();
  const [first, second] = [new SimulatedStore(processes.clock), new SimulatedStore(processes.clock)];
  const startOn = (store: SimulatedStore) => () => backendOn(store.connect(), { ...processes.start(), sealer });
  await putBy(startOn(first), 'a');
  await putBy(startOn(second), 'a');
  for (const [key, bytes] of second.contents()) {
    if (key.startsWith('head/')) continue;
    const before = first.contents().get(key);
    first.tamper(key, bytes);
    expect((await refusalOf(readBy(startOn(first)))).code).toBe('state.corrupt');
    first.tamper(key, before);
  }
  expect((await readBy(startOn(first))).records).toHaveLength(1);
});

test('refuses an older snapshot of the same folder', async () => {
  const machine = new Machine();
  const start = () => machine.start({ sealer }).backend;
  await putBy(start, 'a');
  const old = machine.disk.contents()['/s/state.ndjson'] ?? '';
  await putBy(start, 'b');
  machine.disk.write('/s/state.ndjson', Buffer.from(old, 'latin1'));
  expect((await refusalOf(start().read(application))).message).toContain('was changed');
});

describe('no written byte contains a name', () => {
  async function use(backend: UpkeepBackend): Promise<void> {
    const writer = await backend.open(now);
    await writer.begin({ ...beginOf(`${canary}#1`), address: `user.${canary}` });
    await Promise.all([
      writer.done(`${canary}#2`, put(canary, { nickname: canary })),
      writer.done('3', { type: 'patch', address: `user.${canary}`, edits: [{ op: 'set', path: [canary], value: 1 }] }),
    ]);
    expect(contentsOf(writer).records).toEqual([recordOf(canary, { nickname: canary, [canary]: 1 })]);
  }

  const traces = [
    canary,
    Buffer.from(canary, 'utf16le').swap16().toString('latin1'),
    Buffer.from(canary).toString('base64').slice(0, 16),
  ];

  test('to a store', async () => {
    const processes = new Processes();
    const store = new SimulatedStore(processes.clock);
    const context = processes.start();
    const everything: string[] = [];
    const { create, replace, ...others } = store.connect();
    const note = (key: string, bytes: Uint8Array) => everything.push(key, Buffer.from(bytes).toString('latin1'));
    const listening: ObjectStore = {
      ...others,
      create: (key, bytes) => {
        note(key, bytes);
        return create(key, bytes);
      },
      replace: (key, bytes, tag) => {
        note(key, bytes);
        return replace(key, bytes, tag);
      },
    };
    await use(backendOn(listening, { ...context, sealer }));
    expect(everything.length).toBeGreaterThan(4);
    for (const text of everything) for (const trace of traces) expect(text.includes(trace)).toBe(false);
  });

  describe.runIf(noPostgres === undefined)('in PostgreSQL', () => {
    const server = usePostgres();
    test('to a database', async () => {
      await use(backendAt(`${server().url()}?state=canary`, { sealer }));
      const rows = await server().sql(
        `SELECT application, key, tag, encode(bytes, 'escape') AS bytes FROM chatform.objects`,
      );
      expect(rows.length).toBeGreaterThan(2);
      const text = JSON.stringify(rows);
      for (const trace of traces) expect(text.includes(trace)).toBe(false);
    });
  });
});

describe('an encrypted stream', () => {
  async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
  }

  async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const piece of pieces) parts.push(piece);
    return Buffer.concat(parts);
  }

  test('is read from pieces of any size, and a changed byte is found', async () => {
    const cases = fc.record({
      length: fc.integer({ min: 0, max: 700_000 }),
      at: fc.oneof(fc.nat(200), fc.nat()),
      piece: fc.integer({ min: 999, max: 99_999 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ length, at, piece }) => {
        const plain = Buffer.alloc(length, 'some text ');
        const sealed = await whole(sealBytes(inPieces(plain, piece), 'plan', sealer));
        expect((await whole(unsealBytes(inPieces(sealed, piece), 'plan', sealer, 'f'))).equals(plain)).toBe(true);
        const edited = Buffer.from(sealed);
        const place = at % sealed.length;
        edited[place] = (edited[place] ?? 0) ^ 1;
        await expect(whole(unsealBytes(inPieces(edited, piece), 'plan', sealer, 'f'))).rejects.toThrow();
      }),
      { numRuns: 40 },
    );
  });

  test('is read if it is empty, and each changed byte is found', async () => {
    const sealed = await whole(sealBytes(inPieces(Buffer.alloc(0), 999), 'plan', sealer));
    expect(await whole(unsealBytes(inPieces(sealed, 999), 'plan', sealer, 'f'))).toEqual(Buffer.alloc(0));
    for (let place = 0; place < sealed.length; place += 1) {
      const edited = Buffer.from(sealed);
      edited[place] = (edited[place] ?? 0) ^ 1;
      await expect(whole(unsealBytes(inPieces(edited, 999), 'plan', sealer, 'f')), `${place}`).rejects.toThrow();
    }
  });

  test('is passed through if it is not encrypted and no key is set', async () => {
    const plain = Buffer.from('chatform plan');
    expect((await whole(sealBytes(inPieces(plain, 5), 'plan', sealerOf()))).equals(plain)).toBe(true);
    expect((await whole(unsealBytes(inPieces(plain, 5), 'plan', sealerOf(), 'f'))).equals(plain)).toBe(true);
    const refusal = await refusalOf(whole(unsealBytes(inPieces(plain, 5), 'plan', sealer, 'The plan f')));
    expect(refusal).toMatchObject({ code: 'state.not-encrypted', exitCode: 5 });
  });
});
