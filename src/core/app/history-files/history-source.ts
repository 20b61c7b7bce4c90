// Reads the messages of a call from its history file. A plan contains only their range, which is checked when it is sent.
import { resolve } from 'node:path';
import type { JsonObject } from '../../../lib/json.ts';
import { openedFile } from '../../../lib/path-streams.ts';
import type { HistoryFileLine } from '../../history/lines/line.ts';
import { linesOfRange, messagesOfLines, type PlannedLines, plannedLines } from '../../history/lines/range.ts';
import { unpacked } from '../../manifest/files/gzip.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

/** Compressed history files kept open at once. Each is read forward, as its channel proceeds. */
const maxOpen = 16;

export class HistoryFileSource {
  readonly #pathOf: (file: string) => string;
  readonly #packed = new Map<string, PackedFile>();

  /** `placeOf` gives the place of the content of an absolute path, for history files that are not where they are declared. */
  constructor(cwd: string, placeOf = (path: string) => path) {
    this.#pathOf = (file) => placeOf(resolve(cwd, file));
  }

  /** Refused (6) when the file changed since the plan. */
  async lines(source: JsonObject): Promise<readonly HistoryFileLine[]> {
    const planned = plannedLines(source);
    let text: string;
    try {
      text =
        planned.gzip === true ? await this.#unpacked(planned) : await readRange(this.#pathOf(planned.file), planned);
    } catch (cause) {
      throw changed(`The history file ${this.#pathOf(planned.file)} can no longer be read.`, cause);
    }
    const lines = linesOfRange(text, planned);
    if (lines === undefined)
      throw changed(`The history file ${this.#pathOf(planned.file)} has changed since the plan.`);
    return lines;
  }

  async messages(source: JsonObject): Promise<readonly JsonObject[]> {
    return messagesOfLines(await this.lines(source), plannedLines(source));
  }

  async close(): Promise<void> {
    for (const file of this.#packed.values()) await file.close();
    this.#packed.clear();
  }

  /** Reads from the start again if the range is before the previous one. */
  async #unpacked({ file, offset, bytes }: PlannedLines): Promise<string> {
    const path = this.#pathOf(file);
    // Removed from the pool while in use, because two channels may share a file.
    const openFile = this.#packed.get(path);
    this.#packed.delete(path);
    const isBefore = openFile !== undefined && openFile.position <= offset;
    if (!isBefore) await openFile?.close();
    const opened = isBefore ? openFile : await PackedFile.open(path);
    const text = await opened.read(offset, bytes);
    const oldest = this.#packed.size < maxOpen ? undefined : this.#packed.keys().next().value;
    const replaced = this.#packed.get(path);
    this.#packed.set(path, opened);
    await replaced?.close();
    if (oldest !== undefined && oldest !== path) {
      const closing = this.#packed.get(oldest);
      this.#packed.delete(oldest);
      await closing?.close();
    }
    return text;
  }
}

async function readRange(path: string, { offset, bytes }: PlannedLines): Promise<string> {
  const handle = await openedFile(path);
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, offset);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

class PackedFile {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  /** The offset of the first byte that can still be read. */
  position = 0;

  private constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  static async open(path: string): Promise<PackedFile> {
    const { chunks } = await unpacked((await openedFile(path)).createReadStream());
    return new PackedFile(chunks[Symbol.asyncIterator]());
  }

  async read(offset: number, bytes: number): Promise<string> {
    while (this.position + this.#rest.length < offset + bytes) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      const skipped = Math.min(this.#rest.length, Math.max(0, offset - this.position));
      this.#rest = Buffer.concat([this.#rest.subarray(skipped), next.value]);
      this.position += skipped;
    }
    const from = offset - this.position;
    const text = this.#rest.toString('utf8', from, from + bytes);
    this.#rest = this.#rest.subarray(from);
    this.position = offset;
    return text;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function changed(message: string, cause?: unknown): Refusal {
  const advice = 'Restore the file, run the command in the folder of the plan, or make a new plan.';
  return new Refusal('apply.file-changed', exitCode.conflict, message, advice, { cause });
}
