// Tests that readers close the file below them however they end. Node 26 ends a process whose file was left to the collector.
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpacked } from '../../src/core/manifest/files/gzip.ts';
import { sealBytes, unsealBytes } from '../../src/core/state/seal/sealed-stream.ts';
import { sealText, unsealText } from '../../src/core/state/seal/sealed-text.ts';
import { sealerOf } from '../core/state/support/sealers.ts';

const sealer = sealerOf('one');
const other = sealerOf('two');
const name = 'the file';
const lines = Buffer.from('{"user_id":"alice"}\n'.repeat(5_000));
const pointer = Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`);

const sealedText = Buffer.from([...sealText([lines.toString()], 'place', sealer)].join(''));

async function sealedBytes(): Promise<Buffer> {
  const frames: Uint8Array[] = [];
  for await (const frame of sealBytes(new SourceFile(lines).pieces(), 'place', sealer)) frames.push(frame);
  return Buffer.concat(frames);
}

/** Bytes in pieces that know whether their file is open. */
class SourceFile {
  isOpen = true;
  readonly #bytes: Buffer;
  readonly #failsAt: number;

  constructor(bytes: Buffer, failsAt = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#failsAt = failsAt;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < this.#bytes.length; at += 100) {
        if (at >= this.#failsAt) throw new Error('EIO');
        yield this.#bytes.subarray(at, at + 100);
      }
    } finally {
      this.isOpen = false;
    }
  }
}

const sealed = await sealedBytes();

type Reader = (pieces: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
const unpack: Reader = async (pieces) => (await unpacked(pieces)).chunks;
const readers: readonly (readonly [string, Reader, Buffer])[] = [
  ['a plain file', unpack, lines],
  ['a packed file', unpack, gzipSync(lines)],
  ['a packed file without its end', unpack, gzipSync(lines).subarray(0, 200)],
  ['a pointer of Git LFS', unpack, pointer],
  ['encrypted bytes', (pieces) => unsealBytes(pieces, 'place', sealer, name), sealed],
  ['encrypted bytes of another key', (pieces) => unsealBytes(pieces, 'place', other, name), sealed],
  [
    'encrypted bytes without their end',
    (pieces) => unsealBytes(pieces, 'place', sealer, name),
    sealed.subarray(0, -50),
  ],
  ['bytes that are not encrypted', (pieces) => unsealBytes(pieces, 'place', sealer, name), lines],
  ['encrypted text', (pieces) => unsealText(pieces, 'place', sealer, name), sealedText],
  ['encrypted text of another key', (pieces) => unsealText(pieces, 'place', other, name), sealedText],
  ['encrypted text of another place', (pieces) => unsealText(pieces, 'elsewhere', sealer, name), sealedText],
  ['text that is not encrypted', (pieces) => unsealText(pieces, 'place', sealer, name), lines],
];

/** Reads until the end or an error, or at most so many pieces. */
async function read(reader: Reader, file: SourceFile, most = Number.POSITIVE_INFINITY): Promise<void> {
  try {
    let count = 0;
    for await (const _piece of await reader(file.pieces())) {
      count += 1;
      if (count >= most) break;
    }
  } catch {
    // How the reader fails is the subject of other tests.
  }
  // A decompressor that is stopped closes its source a little later.
  await new Promise(setImmediate);
}

test.each(readers)('closes %s at its end, after the first piece, and after an error', async (_title, reader, bytes) => {
  for (const [most, failsAt] of [[], [1], [undefined, 0], [undefined, 100]]) {
    const file = new SourceFile(bytes, failsAt);
    await read(reader, file, most);
    expect({ most, failsAt, isOpen: file.isOpen }).toEqual({ most, failsAt, isOpen: false });
  }
});
