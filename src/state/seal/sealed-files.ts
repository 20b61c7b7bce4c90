// A file system that encrypts what is written to it: each write is a frame, and reading is by the place in the plain text.
import { basename } from 'node:path';
import { lastWhere } from '../../lib/search.ts';
import type { GrowingFile, SourceFile, StateFiles } from '../file/file-system.ts';
import { newline } from '../lines.ts';
import { type Container, damaged, frameOverhead, headBytes, type Sealer, sealFrame, unsealFrame } from './sealer.ts';

/** Of the plain bytes in a frame. */
const frameBytes = 1 << 20;

/** `name` is for messages. */
export function sealedFiles(files: StateFiles, sealer: Sealer, name: string): StateFiles {
  return {
    makeFolder: (path) => files.makeFolder(path),
    list: (path) => files.list(path),
    syncFile: (path) => files.syncFile(path),
    link: (from, to) => files.link(from, to),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    syncFolder: (path) => files.syncFolder(path),
    async create(path) {
      const file = await files.create(path);
      const begun = sealer.begin();
      return begun === undefined ? file : new SealedGrowing(file, begun.container, begun.head, placeOf(path));
    },
    async openToRead(path) {
      const file = await files.openToRead(path);
      if (file === undefined) return undefined;
      try {
        const head = Buffer.alloc(headBytes);
        const length = file.readNow(head, 0, headBytes, 0);
        const hasLine = head.subarray(0, length).includes(newline);
        // After a power failure a file may have its name and not its bytes. It says nothing yet, whatever it was to say.
        if (length < headBytes && !hasLine) return { ...emptyFile, close: () => file.close() };
        const container = sealer.open(head.subarray(0, length), `${name}, file ${basename(path)},`);
        return container === undefined ? file : await SealedSource.open(file, container, placeOf(path), name);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}

/** A file is created under a temporary name, and a snapshot loses its number. */
function placeOf(path: string): string {
  const file = basename(path);
  if (/^state\b/u.test(file)) return 'snapshot';
  const [, kind, rest = ''] = /^(journal|lock)\.([^.]+)/u.exec(file) ?? [];
  return kind === undefined ? file : `${kind}.${rest}`;
}

const emptyFile: SourceFile = {
  size: () => Promise.resolve(0),
  read: () => Promise.resolve(0),
  readNow: () => 0,
  close: () => Promise.resolve(),
};

class SealedGrowing implements GrowingFile {
  readonly #file: GrowingFile;
  readonly #container: Container;
  readonly #place: string;
  #head: Buffer | undefined;
  #frames = 0;

  constructor(file: GrowingFile, container: Container, head: Buffer, place: string) {
    this.#file = file;
    this.#container = container;
    this.#head = head;
    this.#place = place;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; from += frameBytes) {
      const frame = sealFrame(this.#container, this.#place, this.#frames, bytes.subarray(from, from + frameBytes));
      this.#frames += 1;
      const head = this.#head;
      this.#head = undefined;
      await this.#file.write(head === undefined ? frame : Buffer.concat([head, frame]));
    }
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

class SealedSource implements SourceFile {
  readonly isSealed = true;
  readonly #file: SourceFile;
  readonly #container: Container;
  readonly #place: string;
  readonly #name: string;
  /** By frame: where it begins, in the file and in the plain text. */
  readonly #offsets: number[] = [];
  readonly #starts: number[] = [];
  #end = 0;
  #plainEnd = 0;
  #latest: { readonly frame: number; readonly bytes: Buffer } | undefined;

  private constructor(file: SourceFile, container: Container, place: string, name: string) {
    this.#file = file;
    this.#container = container;
    this.#place = place;
    this.#name = name;
  }

  /** What a holder adds later is not seen. */
  static async open(file: SourceFile, container: Container, place: string, name: string): Promise<SealedSource> {
    const source = new SealedSource(file, container, place, name);
    source.#index(await file.size());
    return source;
  }

  async size(): Promise<number> {
    return this.#plainEnd;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return this.readNow(buffer, offset, length, position);
  }

  readNow(buffer: Uint8Array, offset: number, length: number, position: number): number {
    if (position >= this.#plainEnd) return 0;
    const frame = lastWhere(this.#starts.length, (index) => (this.#starts[index] ?? 0) <= position);
    const bytes = this.#bytes(frame);
    const from = position - (this.#starts[frame] ?? 0);
    const part = bytes.subarray(from, from + length);
    buffer.set(part, offset);
    return part.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #index(size: number): void {
    const length = Buffer.alloc(4);
    this.#end = this.#container.length;
    while (this.#end + frameOverhead <= size) {
      this.#file.readNow(length, 0, length.length, this.#end);
      const plain = length.readUInt32BE();
      // The last frame may have been cut while it was written.
      if (this.#end + plain + frameOverhead > size) break;
      this.#offsets.push(this.#end);
      this.#starts.push(this.#plainEnd);
      this.#end += plain + frameOverhead;
      this.#plainEnd += plain;
    }
    this.#dropTorn();
  }

  /** After a power failure the last frame may have its length and not its bytes. It was never acknowledged. */
  #dropTorn(): void {
    const last = this.#offsets.length - 1;
    if (last < 0 || this.#unseal(last) !== undefined) return;
    this.#end = this.#offsets.pop() ?? 0;
    this.#plainEnd = this.#starts.pop() ?? 0;
  }

  #bytes(frame: number): Buffer {
    if (this.#latest?.frame === frame) return this.#latest.bytes;
    const bytes = this.#unseal(frame);
    if (bytes === undefined) throw damaged(this.#name);
    this.#latest = { frame, bytes };
    return bytes;
  }

  #unseal(frame: number): Buffer | undefined {
    const start = this.#offsets[frame] ?? 0;
    const bytes = Buffer.allocUnsafe((this.#offsets[frame + 1] ?? this.#end) - start);
    for (let at = 0; at < bytes.length; ) {
      const got = this.#file.readNow(bytes, at, bytes.length - at, start + at);
      if (got === 0) return undefined;
      at += got;
    }
    return unsealFrame(this.#container, this.#place, frame, bytes);
  }
}
