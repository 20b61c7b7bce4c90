// Support: writes zip archives, including malformed ones.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string;
  /** The unpacked size in the directory, if it is wrong. */
  readonly claimedBytes?: number;
  /** The checksum in the archive, if it is wrong. */
  readonly checksum?: number;
  /** Without the flag that says that the name is in UTF-8. */
  readonly isUnflagged?: boolean;
  /** Flagged as encrypted with a password. */
  readonly isEncrypted?: boolean;
  /** Entries that share their bytes, as in a zip bomb. */
  readonly sharesFirst?: boolean;
}

export function zipOf(files: Readonly<Record<string, string>> | readonly ZipEntry[]): Buffer {
  const entries: readonly ZipEntry[] = Array.isArray(files)
    ? files
    : Object.entries(files as Readonly<Record<string, string>>).map(([name, content]) => ({ name, content }));
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes, checksum, isUnflagged, isEncrypted, sharesFirst } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((isUnflagged === true ? 0 : 0x800) | (isEncrypted === true ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum ?? crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, Buffer.from(name), packed]);
    const isShared = sharesFirst === true && directory.length > 0;
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(isShared ? 0 : offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, tail, Buffer.from(name)]),
    );
    if (isShared) continue;
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
