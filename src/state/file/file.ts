// The file backend: state in a folder, durable at every acknowledgement and whole after any crash.
//
// The holder of the lock appends to its own journal. An entry is acknowledged once it is flushed and the journal is still
// the newest one. A holder starts by writing its base: how far the journals before it count. Whatever an older holder
// appends later does not count, and was never acknowledged.
//
// Compaction is the same move. The holder of epoch 7 writes all records to `state.7.ndjson`, then creates journal 8,
// whose base is that snapshot alone. That one exclusive creation is the commit point: before it the new snapshot is
// garbage, after it the old files are. So no journal is ever applied to a snapshot that already holds it, and the
// snapshot needs no line that says so. Removing old files and giving the snapshot its plain name can wait for the next
// holder.
import { errorCode } from '../../lib/errors.ts';
import { Refusal } from '../../model/errors.ts';
import type { OpenState } from '../../model/ports.ts';
import { breakHeld, type LockRequest } from '../break-lock.ts';
import { GroupCommit } from '../commit.ts';
import { eachText, entryLine, type Flush, type Serialized, serializeEntry } from '../entries.ts';
import type { StateFormats } from '../format.ts';
import { checkApplication } from '../header.ts';
import { JournalingWriter } from '../journaling-writer.ts';
import { isDead, processIsAlive } from '../lease.ts';
import type { LockContext } from '../lock-wait.ts';
import { encodeLines } from '../records/record-text.ts';
import { leaseLost, readFailed, writeFailed } from '../refusals.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { LockHolder, NumberedSnapshot, StateContents, UpkeepBackend, UpkeepWriter } from '../upkeep.ts';
import type { StateChange, StateView } from '../view.ts';
import { nodeFiles, type StateFiles } from './file-system.ts';
import { foldedName, journalName, lockName, StateFolder } from './folder.ts';
import { baseLine, headerLine, type JournalBase } from './journal.ts';
import { type LoadedFolder, loadFolder } from './load.ts';
import { abandonJournal, acquireJournal, findNewest, type HeldJournal, publishJournal } from './lock.ts';
import { writeSnapshot } from './snapshot.ts';

export interface FileContext extends Omit<LockContext, 'isAlive'> {
  readonly isAlive?: (pid: number) => boolean;
  readonly files?: StateFiles;
  readonly formats?: StateFormats;
  /** Encrypts the files. Default: nothing is encrypted, and what is encrypted cannot be read. */
  readonly sealer?: Sealer | undefined;
}

/** `name` is for messages; `path` is the folder. */
export function fileBackend(name: string, path: string, context: FileContext): UpkeepBackend {
  const folder = new StateFolder(name, path, context.files ?? nodeFiles, context.sealer, context.formats);
  const lockContext = { isAlive: processIsAlive, ...context };
  const open = async (claim: LockRequest): Promise<UpkeepWriter> => {
    const held = await refusing(name, writeFailed, () => acquireJournal(folder, lockContext, claim));
    const loaded = await start(folder, held);
    const writer = new FileWriter(folder, held, loaded, lockContext);
    try {
      await refusing(name, writeFailed, () => folder.tidy(held.epoch, loaded.base, held.lock));
    } catch (error) {
      await writer.close();
      throw error;
    }
    return writer;
  };
  return {
    name,
    holdsMany: false,
    async read(application: string): Promise<NumberedSnapshot> {
      const { view } = await refusing(name, readFailed, () => loadFolder(folder));
      checkApplication(view.header, application, name);
      return view;
    },
    open: (options: OpenState) => open(options),
    async applications(): Promise<readonly string[]> {
      const { header } = await refusing(name, readFailed, () => findNewest(folder));
      return header === undefined ? [] : [header.application];
    },
    async holder(application: string): Promise<LockHolder | undefined> {
      const { epoch, header, lock } = await refusing(name, readFailed, () => findNewest(folder));
      checkApplication(header, application, name);
      if (lock === undefined) return undefined;
      const { clock, owner, isAlive } = lockContext;
      const endsInMs = Date.parse(lock.expires) - clock.date().getTime();
      return { epoch, lock, endsInMs, isDead: isDead(lock.owner, owner, isAlive) };
    },
    async breakLock(application, epoch, work) {
      const { epoch: newest, lock } = await refusing(name, readFailed, () => findNewest(folder));
      return breakHeld(lock === undefined ? undefined : newest, { application, epoch }, open, work);
    },
  };
}

/** Reads the folder and writes the base of the new journal. From then on, files that the base leaves out are garbage. */
async function start(folder: StateFolder, held: HeldJournal): Promise<LoadedFolder> {
  try {
    const loaded = await refusing(folder.name, readFailed, () => loadFolder(folder));
    await refusing(folder.name, writeFailed, async () => {
      // A killed holder may have left bytes unflushed. What the base counts must outlast a power failure.
      const last = loaded.base.counts.at(-1);
      if (last !== undefined) await folder.files.syncFile(folder.at(journalName(last.epoch)));
      await held.journal.write(Buffer.from(baseLine(loaded.base)));
      await held.journal.sync();
    });
    // After the base is written, not before: a process that takes over from now on finds this base.
    if (!(await folder.isNewest(held.epoch))) throw leaseLost(folder.name);
    return loaded;
  } catch (error) {
    // Files that vanish while they are opened were removed by a process that took over.
    const ours = await folder.isNewest(held.epoch).catch(() => true);
    // The folder is left as it was found. This error says more than a failure to clean up.
    await abandonJournal(folder, held).catch(() => undefined);
    throw ours ? error : leaseLost(folder.name);
  }
}

class FileWriter extends JournalingWriter {
  override readonly serial: number;
  readonly #folder: StateFolder;
  readonly #held: HeldJournal;
  readonly #loaded: LoadedFolder;
  readonly #context: LockContext;
  readonly #commit: GroupCommit<Serialized>;
  /** The last flush, and the one that counts but is not in the view yet. */
  #flushed: Flush | undefined;
  #committed: Flush | undefined;
  #entries = 0;
  #bytes = 0;

  constructor(folder: StateFolder, held: HeldJournal, loaded: LoadedFolder, context: LockContext) {
    super(held.header, loaded.view);
    this.serial = held.epoch - 1 + (loaded.base.ahead ?? 0);
    this.#folder = folder;
    this.#held = held;
    this.#loaded = loaded;
    this.#context = context;
    this.#commit = new GroupCommit({
      flush: (entries) => this.#flush(entries),
      confirm: () => this.#confirm(),
      committed: (entries) => {
        this.#entries += entries.length;
        this.#committed = this.#flushed;
      },
      refusal: (cause) => (cause instanceof Refusal ? cause : writeFailed(folder.name, cause)),
    });
  }

  override leaseLeft(): number {
    return this.#held.lease.left();
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(serializeEntry(entry));
  }

  protected override get view(): StateView {
    this.#applyCommitted();
    return super.view;
  }

  /** Called when somebody looks, or else while the disk is busy with the next flush. */
  #applyCommitted(): void {
    const committed = this.#committed;
    this.#committed = undefined;
    if (committed !== undefined) eachText(committed, (entry, text) => super.view.apply(entry, text));
  }

  async #flush(entries: readonly Serialized[]): Promise<void> {
    let lines = '';
    for (const { line } of entries) lines += line;
    const bytes = Buffer.from(lines);
    await this.#held.journal.write(bytes);
    const synced = this.#held.journal.sync();
    this.#applyCommitted();
    await synced;
    this.#flushed = { entries, bytes };
    this.#bytes += bytes.length;
  }

  /**
   * After the flush, not before: a process that takes over creates its journal first and measures ours then, so whatever
   * was flushed while ours was the newest is in that measure.
   */
  async #confirm(): Promise<void> {
    if (await this.#folder.isNewest(this.#held.epoch)) return;
    this.#held.lease.end();
    throw leaseLost(this.#folder.name);
  }

  /** The caller learns when the contents could not be put in place. */
  protected override async end(instead?: StateContents, sealer?: Sealer): Promise<void> {
    const { journal, lease, lock } = this.#held;
    await this.#commit.close();
    try {
      if (instead !== undefined)
        await refusing(this.#folder.name, writeFailed, () => this.#replaceAll(instead, sealer));
      else if (!this.#commit.failed && this.#isWorthCompacting())
        await this.#fold(this.#folder, this.#held.lock, this.contents());
    } catch (error) {
      // Such as a full disk: every entry is safe in the journals, and the next holder tries again.
      if (errorCode(error) === undefined) throw error;
    } finally {
      await lease.release();
      await journal.close();
      // A lock that cannot be removed expires.
      await this.#folder.files.remove(this.#folder.at(lock)).catch(() => undefined);
    }
  }

  /** A small state always, so that the snapshot in a working copy is current; a big one when a good part has changed. */
  #isWorthCompacting(): boolean {
    const { base, entries, snapshotBytes } = this.#loaded;
    if (entries + this.#entries === 0) return false;
    const journalBytes = base.counts.reduce((sum, count) => sum + count.bytes, this.#bytes);
    return snapshotBytes < smallBytes || journalBytes * 8 >= snapshotBytes || base.counts.length >= 8;
  }

  /** With other keys, the next journal names a lock that does not exist: ours is encrypted with the keys so far. */
  async #replaceAll(contents: StateContents, sealer: Sealer | undefined): Promise<void> {
    const { epoch, lock } = this.#held;
    const isOurs =
      sealer === undefined
        ? await this.#fold(this.#folder, lock, contents)
        : await this.#fold(this.#folder.under(sealer), lockName(epoch + 1, this.#context.newId()), contents);
    if (!isOurs) throw leaseLost(this.#folder.name);
  }

  /**
   * `lock`: what the next journal names. False when another process has taken over: its base is our journal, which is as
   * good unless the contents were to be replaced.
   */
  async #fold(folder: StateFolder, lock: string, contents: StateContents): Promise<boolean> {
    const { header, serial, records, lines, pending } = contents;
    const { epoch } = this.#held;
    const snapshot = await folder.files.create(folder.at(foldedName(epoch)));
    let digest: string;
    try {
      digest = await writeSnapshot(snapshot, header, lines?.() ?? encodeLines(records()));
    } finally {
      await snapshot.close();
    }
    await folder.sync();
    const ahead = Math.max(this.#loaded.base.ahead ?? 0, serial - epoch);
    const base: JournalBase = { covers: epoch, counts: [], ...(ahead === 0 ? {} : { ahead }), snapshot: digest };
    const begins = pending.map((begin) => entryLine({ type: 'begin', ...begin }));
    const text = [headerLine(header, epoch + 1, lock, this.#context.owner), baseLine(base), ...begins].join('');
    const next = await publishJournal(folder, epoch + 1, this.#context.newId(), text);
    if (next === undefined) return false;
    await next.close();
    await folder.tidy(epoch + 1, base, lock);
    return true;
  }
}

const smallBytes = 16 << 20;

/** Turns errors of the system into refusals; other errors stay as they are. */
async function refusing<T>(
  state: string,
  refusal: (state: string, cause: unknown) => Refusal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw errorCode(cause) === undefined ? cause : refusal(state, cause);
  }
}
