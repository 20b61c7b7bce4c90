// Copies files, several at a time, so that a run can continue after being killed at any moment.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ports } from '../../core/app/context/ports.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { CopiedFiles } from '../../core/model/report.ts';
import { flush, writeWhole } from '../../lib/durable-files.ts';
import { type FileTree, FileTreeError } from '../../lib/file-tree.ts';
import { compareText, parsedObject } from '../../lib/json.ts';
import { readStreamLines } from '../../lib/line-reader.ts';
import { type FileCopies, type FileCopy, fileUrlsFile } from '../convert/file-copies.ts';
import { FetchFailure, fileFetcher, type Header } from './fetch.ts';
import type { CopyTarget, Placed } from './target.ts';
import type { WantedFile } from './wanted-files.ts';

/** The path of a page to which servers redirect people who are not signed in. */
const loginPage = /\b(?:log-?in|sign-?in|auth|sso)\b/iu;

interface CopyingInput {
  /** The folder of the conversion. */
  readonly out: string;
  readonly tree: FileTree;
  /** The name of the export. */
  readonly exportName: string;
  readonly wanted: ReadonlyMap<string, WantedFile>;
  readonly copies: FileCopies;
  /** URLs with tokens, by the URL without its token. */
  readonly urls: ReadonlyMap<string, string>;
  readonly target: CopyTarget;
  /** Ends with a slash. */
  readonly publicUrl: string;
  readonly hosts: ReadonlyMap<string, Header | undefined>;
  readonly maxBytes: number;
  readonly silenceMs: number | undefined;
  readonly onProgress: ((done: number, of: number) => void) | undefined;
  readonly signal: AbortSignal;
}

const journalFile = 'conversion/.file-urls.journal.ndjson';
const atOnce = 4;

/** Once this returns, the map lists every copied file. */
export async function copyWanted(
  input: CopyingInput,
  { clock, random, env }: Pick<Ports, 'clock' | 'random' | 'env'>,
): Promise<CopiedFiles> {
  const { out, tree, wanted, copies, urls, target, publicUrl, hosts, maxBytes, silenceMs, onProgress, signal } = input;
  const fetcher = fileFetcher({ hosts, env, clock, random, signal, silenceMs });
  /** Paths of the export. An edited list must not lead outside the export. */
  const paths = new Set(tree.files.map(({ path }) => path));
  const done = new Map<string, FileCopy>();
  const failed: { readonly from: string; readonly reason: string }[] = [];
  const unfetched = new Map<string, number>();
  /** Numbers of files by the other export that has them. */
  const elsewhere = new Map<string, number>();
  let [copied, bytes, present, looked] = [0, 0, 0, 0];
  const journal = await openJournal(join(out, journalFile));
  const keep = (from: string, { name, sha256, size }: Placed) =>
    void done.set(from, { from, to: publicUrl + name, sha256, size });
  /** Whether an earlier run already stored the same content. */
  const isPresent = async ({ from, sha256 }: WantedFile): Promise<boolean> => {
    const { to = '', sha256: listed, size } = copies.get(from) ?? {};
    const inMap =
      listed === undefined || size === undefined
        ? undefined
        : { name: to.split('/').at(-1) ?? '', sha256: listed, size };
    for (const placed of [inMap, journal.before.get(from)]) {
      const isSame = placed !== undefined && isNameOf(placed) && (sha256 ?? placed.sha256) === placed.sha256;
      if (!isSame || !(await target.has(placed, placed === inMap && to.startsWith(publicUrl)))) continue;
      keep(from, placed);
      return true;
    }
    return false;
  };
  const bytesOf = ({ from, path, size, sha256, name, type }: WantedFile, part: string) => {
    if (path !== undefined) {
      if (!paths.has(path)) throw new FileTreeError('missing', path, 'the export does not contain the file');
      return tree.stream(path).then((pieces) => writePart(part, pieces, { size: undefined, sha256, maxBytes }));
    }
    return fetcher.fetch(urls.get(from) ?? from, async (fetched) => {
      const isElsewhere = fetched.url.href !== new URL(urls.get(from) ?? from).href;
      const mayBePage = /\.html?$/iu.test(name) && !(isElsewhere && loginPage.test(fetched.url.pathname));
      if (fetched.type === 'text/html' && type !== 'text/html' && !mayBePage)
        throw new FetchFailure('the server sent a web page instead of the file, perhaps a login page');
      return writePart(part, fetched.body, { size, sha256: undefined, maxBytes });
    });
  };
  const copy = async (file: WantedFile): Promise<void> => {
    const part = join(target.parts, randomUUID());
    try {
      const { size, sha256 } = await bytesOf(file, part);
      const placed: Placed = { name: `${sha256}${endingOf(file.name)}`, sha256, size };
      await journal.note({ from: file.from, ...placed });
      await target.place(part, placed, file.type);
      copied += 1;
      bytes += size;
      keep(file.from, placed);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FetchFailure || error instanceof WrongBytes || error instanceof FileTreeError))
        throw error;
      const isElsewhere = file.path !== undefined && file.export !== undefined && file.export !== input.exportName;
      if (isElsewhere) addOne(elsewhere, file.export);
      else failed.push({ from: file.from, reason: error.message });
    } finally {
      await rm(part, { force: true });
    }
  };
  const take = async (file: WantedFile): Promise<void> => {
    const known = copies.get(file.from);
    const isByHand = known !== undefined && known.sha256 === undefined;
    if (isByHand || (await isPresent(file))) present += 1;
    else if (file.path === undefined && file.host !== undefined && !hosts.has(file.host)) addOne(unfetched, file.host);
    else await copy(file);
    if (signal.aborted) return;
    looked += 1;
    onProgress?.(looked, wanted.size);
  };
  try {
    const waiting = wanted.values();
    let failure: { readonly error: unknown } | undefined;
    const lane = async (): Promise<void> => {
      for (const file of waiting) {
        if (failure !== undefined || signal.aborted) return;
        await take(file).catch((error: unknown) => {
          failure ??= { error };
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    if (signal.aborted) throw interrupted();
    if (failure !== undefined) throw failure.error;
    // Lines of other files stay, including those written by hand.
    const rows = [...new Map([...copies, ...done]).values()];
    rows.sort((left, right) => compareText(left.from, right.from));
    if (rows.length > 0) await writeWhole(join(out, fileUrlsFile), linesOf(rows));
    await rm(join(out, journalFile), { force: true });
  } finally {
    await journal.close();
    await fetcher.close();
  }
  return {
    copied,
    bytes,
    present,
    failed: failed.sort((left, right) => compareText(left.from, right.from)),
    unfetched: Array.from(unfetched, ([host, files]) => ({ host, files })).sort((left, right) =>
      compareText(left.host, right.host),
    ),
    elsewhere: Array.from(elsewhere, ([name, files]) => ({ export: name, files })).sort((left, right) =>
      compareText(left.export, right.export),
    ),
    exit_code: failed.length > 0 ? exitCode.incomplete : exitCode.done,
  };
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
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

// Records which copies exist or may exist, so that a killed run can continue.

/** A copy that is stored or about to be stored. */
interface Noted extends Placed {
  /** As in conversion/files.ndjson. */
  readonly from: string;
}

interface CopyJournal {
  /** The records of an earlier run, by `from`. */
  readonly before: ReadonlyMap<string, Noted>;
  /** Call before storing the copy. Returns once the record survives a power failure. */
  note(copy: Noted): Promise<void>;
  close(): Promise<void>;
}

async function openJournal(file: string): Promise<CopyJournal> {
  const before = await readJournal(file);
  const handle = await open(file, 'a', 0o644);
  try {
    // A killed run may have left half a line at the end.
    if (before.size > 0 || (await handle.stat()).size > 0) await handle.write('\n');
  } catch (error) {
    await handle.close();
    throw error;
  }
  /** Appends run one after the other, so that lines stay whole. */
  let last = Promise.resolve();
  const note = (copy: Noted): Promise<void> => {
    last = last.then(async () => {
      await handle.write(`${JSON.stringify(copy)}\n`);
      await flush(handle);
    });
    return last;
  };
  return { before, note, close: () => handle.close() };
}

async function readJournal(file: string): Promise<ReadonlyMap<string, Noted>> {
  const notes = new Map<string, Noted>();
  try {
    for await (const lines of readStreamLines(createReadStream(file))) {
      for (const { text } of lines) {
        const note = noteIn(text);
        if (note !== undefined) notes.set(note.from, note);
      }
    }
  } catch {
    // Without a journal, files that the map lacks are copied again.
  }
  return notes;
}

function noteIn(text: string | undefined): Noted | undefined {
  const { from, name, sha256, size } = parsedObject(text ?? '') ?? {};
  const isWhole = typeof from === 'string' && typeof name === 'string' && typeof sha256 === 'string';
  return isWhole && typeof size === 'number' ? { from, name, sha256, size } : undefined;
}

// Writes the content of one file to disk in pieces, and checks it.

/** The content differs from the list of files. */
class WrongBytes extends Error {}

interface ExpectedFile {
  /** In bytes; undefined if the export does not state it. */
  readonly size: number | undefined;
  readonly sha256: string | undefined;
  readonly maxBytes: number;
}

/** Returns once the bytes survive a power failure. Throws a WrongBytes as soon as they cannot be the expected ones. */
async function writePart(
  part: string,
  pieces: AsyncIterable<Uint8Array>,
  { size, sha256, maxBytes }: ExpectedFile,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let written = 0;
  const handle = await open(part, 'w', 0o644);
  try {
    for await (const piece of pieces) {
      written += piece.length;
      if (written > maxBytes) throw new WrongBytes(`it is larger than ${maxBytes} bytes (--max-file-bytes)`);
      if (size !== undefined && written > size) throw new WrongBytes(`it is longer than the stated ${size} bytes`);
      hash.update(piece);
      await handle.write(piece);
    }
    await flush(handle);
  } finally {
    await handle.close();
  }
  if (size !== undefined && written !== size)
    throw new WrongBytes(`${written} bytes arrived, but the list states ${size}`);
  const digest = hash.digest('hex');
  if (sha256 !== undefined && digest !== sha256) throw new WrongBytes('its SHA-256 differs from the one in the list');
  return { size: written, sha256: digest };
}
