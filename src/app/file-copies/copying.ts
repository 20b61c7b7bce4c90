// Copies files, several at a time, so that a run can continue after being killed at any moment.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileCopies, type FileCopy, fileUrlsFile } from '../../convert/file-copies.ts';
import { type FileTree, FileTreeError } from '../../lib/file-tree.ts';
import { compareText } from '../../lib/json.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { CopiedFiles } from '../../model/report.ts';
import type { Ports } from '../context/ports.ts';
import { FetchFailure, FileFetcher, type Header } from './fetch.ts';
import { Journal } from './journal.ts';
import { WrongBytes, writePart } from './part.ts';
import type { CopyTarget, Placed } from './target.ts';
import type { WantedFile } from './wanted-files.ts';

interface CopyingInput {
  /** The folder of the conversion. */
  readonly out: string;
  readonly tree: FileTree;
  readonly wanted: ReadonlyMap<string, WantedFile>;
  readonly copies: FileCopies;
  /** URLs with tokens, by the URL without its token. */
  readonly urls: ReadonlyMap<string, string>;
  readonly target: CopyTarget;
  /** Ends with a slash. */
  readonly baseUrl: string;
  readonly hosts: ReadonlyMap<string, Header | undefined>;
  readonly maxBytes: number;
  readonly silenceMs: number | undefined;
  readonly onProgress: ((done: number, of: number) => void) | undefined;
  readonly signal: AbortSignal;
}

const journalFile = 'conversion/.file-urls.journal.ndjson';
const atOnce = 4;

export class Copying {
  readonly #input: CopyingInput;
  readonly #fetcher: FileFetcher;
  /** Paths of the export. An edited list must not lead outside the export. */
  readonly #paths: ReadonlySet<string>;
  readonly #done = new Map<string, FileCopy>();
  readonly #failed: { readonly from: string; readonly reason: string }[] = [];
  readonly #unfetched = new Map<string, number>();
  #copied = 0;
  #bytes = 0;
  #present = 0;

  constructor(input: CopyingInput, { clock, random }: Pick<Ports, 'clock' | 'random'>) {
    const { hosts, signal, silenceMs } = input;
    this.#input = input;
    this.#paths = new Set(input.tree.files.map(({ path }) => path));
    this.#fetcher = new FileFetcher({ hosts, clock, random, signal, silenceMs });
  }

  /** Once this returns, the map lists every copied file. */
  async run(): Promise<CopiedFiles> {
    const { out, wanted, signal } = this.#input;
    const journal = await Journal.open(join(out, journalFile));
    try {
      const waiting = wanted.values();
      let failure: { readonly error: unknown } | undefined;
      const lane = async (): Promise<void> => {
        for (const file of waiting) {
          if (failure !== undefined || signal.aborted) return;
          await this.#take(file, journal).catch((error: unknown) => {
            failure ??= { error };
          });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      if (signal.aborted) throw interrupted();
      if (failure !== undefined) throw failure.error;
      await this.#writeMap();
      await journal.remove();
    } finally {
      await journal.close();
      await this.#fetcher.close();
    }
    return {
      copied: this.#copied,
      bytes: this.#bytes,
      present: this.#present,
      failed: this.#failed.sort((left, right) => compareText(left.from, right.from)),
      unfetched: [...this.#unfetched]
        .map(([host, files]) => ({ host, files }))
        .sort((left, right) => compareText(left.host, right.host)),
      exit_code: this.#failed.length > 0 ? exitCode.incomplete : exitCode.done,
    };
  }

  async #take(file: WantedFile, journal: Journal): Promise<void> {
    const { copies, wanted, hosts, onProgress } = this.#input;
    const known = copies.get(file.from);
    const isByHand = known !== undefined && known.sha256 === undefined;
    if (isByHand || (await this.#isPresent(file, journal))) this.#present += 1;
    else if (file.path === undefined && file.host !== undefined && !hosts.has(file.host))
      this.#unfetched.set(file.host, (this.#unfetched.get(file.host) ?? 0) + 1);
    else await this.#copy(file, journal);
    const unfetched = [...this.#unfetched.values()].reduce((sum, count) => sum + count, 0);
    onProgress?.(this.#copied + this.#present + this.#failed.length + unfetched, wanted.size);
  }

  /** Whether an earlier run already stored the same content. */
  async #isPresent({ from, sha256 }: WantedFile, journal: Journal): Promise<boolean> {
    const { copies, baseUrl, target } = this.#input;
    const { to = '', sha256: listed, size } = copies.get(from) ?? {};
    const inMap =
      listed === undefined || size === undefined
        ? undefined
        : { name: to.split('/').at(-1) ?? '', sha256: listed, size };
    for (const placed of [inMap, journal.before.get(from)]) {
      const isSame = placed !== undefined && isNameOf(placed) && (sha256 ?? placed.sha256) === placed.sha256;
      if (!isSame || !(await target.has(placed, placed === inMap && to.startsWith(baseUrl)))) continue;
      this.#keep(from, placed);
      return true;
    }
    return false;
  }

  async #copy(file: WantedFile, journal: Journal): Promise<void> {
    const { target, signal } = this.#input;
    const part = join(target.parts, randomUUID());
    try {
      const { size, sha256 } = await this.#bytesOf(file, part);
      const placed: Placed = { name: `${sha256}${endingOf(file.name)}`, sha256, size };
      await journal.note({ from: file.from, ...placed });
      await target.place(part, placed, file.type);
      this.#copied += 1;
      this.#bytes += size;
      this.#keep(file.from, placed);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FetchFailure || error instanceof WrongBytes || error instanceof FileTreeError))
        throw error;
      this.#failed.push({ from: file.from, reason: error.message });
    } finally {
      await rm(part, { force: true });
    }
  }

  #bytesOf({ from, path, size, sha256, name, type }: WantedFile, part: string) {
    const { tree, urls, maxBytes } = this.#input;
    if (path !== undefined) {
      if (!this.#paths.has(path)) throw new FileTreeError('missing', path, 'the file is no longer in the export');
      return tree.stream(path).then((pieces) => writePart(part, pieces, { size: undefined, sha256, maxBytes }));
    }
    return this.#fetcher.fetch(urls.get(from) ?? from, async (fetched) => {
      if (fetched.type === 'text/html' && type !== 'text/html' && !/\.html?$/iu.test(name))
        throw new FetchFailure('the server sent a web page instead of the file, perhaps a login page');
      return writePart(part, fetched.body, { size, sha256: undefined, maxBytes });
    });
  }

  #keep(from: string, { name, sha256, size }: Placed): void {
    this.#done.set(from, { from, to: this.#input.baseUrl + name, sha256, size });
  }

  /** Lines of other files stay, including those written by hand. */
  async #writeMap(): Promise<void> {
    const { out, copies } = this.#input;
    const rows = [...new Map([...copies, ...this.#done]).values()];
    if (rows.length === 0) return;
    rows.sort((left, right) => compareText(left.from, right.from));
    await writeWhole(join(out, fileUrlsFile), linesOf(rows));
  }
}

function* linesOf(rows: readonly FileCopy[]): Generator<string> {
  for (const { from, to, sha256, size } of rows) yield `${JSON.stringify({ from, to, sha256, size })}\n`;
}

/** The file extension, which tells servers and browsers the type of the file. */
function endingOf(name: string): string {
  return /\.[a-z0-9]{1,8}$/iu.exec(name)?.[0].toLowerCase() ?? '';
}

/** Returns false for an edited line or record whose name would lead outside the folder. */
function isNameOf({ name, sha256 }: Placed): boolean {
  return /^[0-9a-f]{64}$/u.test(sha256) && name.startsWith(sha256) && /^[0-9a-f]{64}(?:\.[a-z0-9]{1,8})?$/u.test(name);
}

function interrupted(): Refusal {
  return new Refusal(
    'files.interrupted',
    exitCode.interrupted,
    'The command was interrupted before every file was copied.',
    'Run it again. It continues where it stopped. The map of URLs was not changed.',
  );
}
