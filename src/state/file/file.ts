// How does state live in a folder, durable at every acknowledgement and whole after any crash?
//
// A holder of the lock appends to its own journal, and an entry is acknowledged when it is flushed and the journal is
// still the newest one. A holder begins by naming its base: how far the journals before it count. What an older holder
// appends after that counts for nobody, and was acknowledged to nobody.
//
// Compaction is the same move. The holder of epoch 7 writes all records to `state.7.ndjson`, then creates journal 8,
// whose base is that snapshot alone. That one exclusive creation is the moment at which it counts; before it, a new
// snapshot is rubbish, after it, the old files are. So no journal is ever applied to a snapshot that holds it, and the
// snapshot needs no line that says so. Cleaning up and giving the snapshot its plain name can be done at leisure, by
// whoever comes next.
import { Refusal } from '../../model/errors.ts';
import type { OpenState } from '../../model/ports.ts';
import { GroupCommit } from '../commit.ts';
import type { Formats } from '../format.ts';
import { JournalingWriter } from '../journaling-writer.ts';
import { isDead, processIsAlive } from '../lease.ts';
import { leaseLost, readFailed, writeFailed } from '../refusals.ts';
import type { Holder, NumberedSnapshot, StateContents, UpkeepBackend, UpkeepWriter } from '../upkeep.ts';
import type { StateChange, StateView } from '../view.ts';
import { errorCode, nodeFiles, type StateFiles } from './file-system.ts';
import { foldedName, journalName, StateFolder } from './folder.ts';
import { checkApplication } from './header.ts';
import { type Base, baseLine, entryLine, headerLine } from './journal.ts';
import { type Committed, type Serialized, serializeEntry, WrittenLines } from './journal-lines.ts';
import { type Loaded, load } from './load.ts';
import { abandon, acquire, type Claim, findNewest, type Held, type LockContext, publishJournal } from './lock.ts';
import { linesOf, writeSnapshot } from './snapshot.ts';

export interface FileContext extends Omit<LockContext, 'isAlive'> {
  readonly isAlive?: (pid: number) => boolean;
  readonly files?: StateFiles;
  readonly formats?: Formats;
}

/** `name` is for messages; `path` is the folder. */
export function fileBackend(name: string, path: string, context: FileContext): UpkeepBackend {
  const folder = new StateFolder(name, path, context.files ?? nodeFiles, context.formats);
  const lockContext = { isAlive: processIsAlive, ...context };
  const open = async (claim: Claim): Promise<UpkeepWriter> => {
    const held = await refusing(name, writeFailed, () => acquire(folder, lockContext, claim));
    const { loaded, lines } = await start(folder, held);
    const writer = new FileWriter(folder, held, loaded, lines, lockContext);
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
      const { picture } = await refusing(name, readFailed, () => load(folder));
      checkApplication(picture.header, application, name);
      return picture;
    },
    open: (options: OpenState) => open(options),
    async applications(): Promise<readonly string[]> {
      const { header } = await refusing(name, readFailed, () => findNewest(folder));
      return header === undefined ? [] : [header.application];
    },
    async holder(application: string): Promise<Holder | undefined> {
      const { epoch, header, lock } = await refusing(name, readFailed, () => findNewest(folder));
      checkApplication(header, application, name);
      if (lock === undefined) return undefined;
      const { clock, owner, isAlive } = lockContext;
      const endsInMs = Date.parse(lock.expires) - clock.date().getTime();
      return { epoch, lock, endsInMs, isDead: isDead(lock.owner, owner, isAlive) };
    },
    /** Whoever takes the next epoch has fenced the one before off; then it is given back at once. */
    async breakLock(application: string, epoch: number): Promise<boolean> {
      const { epoch: newest, lock } = await refusing(name, readFailed, () => findNewest(folder));
      if (newest !== epoch || lock === undefined) return false;
      await (await open({ application, lockTimeoutMs: 0, breaks: epoch })).close();
      return true;
    },
  };
}

/** Reads what there is and writes down that the new journal stands on it; from then on, what it leaves out is rubbish. */
async function start(
  folder: StateFolder,
  held: Held,
): Promise<{ readonly loaded: Loaded; readonly lines: WrittenLines }> {
  try {
    const loaded = await refusing(folder.name, readFailed, () => load(folder));
    await refusing(folder.name, writeFailed, async () => {
      // A holder that was killed may have left a flush undone; what is counted from now on must outlast a power failure.
      const last = loaded.base.counts.at(-1);
      if (last !== undefined) await folder.files.syncFile(folder.at(journalName(last.epoch)));
      await held.journal.write(Buffer.from(baseLine(loaded.base)));
      await held.journal.sync();
    });
    // After the base is written, not before it: whoever takes over from here on finds it, and counts nothing else.
    if (!(await folder.isNewest(held.epoch))) throw leaseLost(folder.name);
    return { loaded, lines: await refusing(folder.name, readFailed, () => linesOfJournal(folder, held.epoch)) };
  } catch (error) {
    // Files that go away while they are opened are the work of whoever took over.
    const ours = await folder.isNewest(held.epoch).catch(() => true);
    // Whatever was wrong, the folder is left as it was found. The error at hand says more than one of leaving.
    await abandon(folder, held).catch(() => undefined);
    throw ours ? error : leaseLost(folder.name);
  }
}

/** On Windows others could not remove a file that is open, and it is done without. */
async function linesOfJournal(folder: StateFolder, epoch: number): Promise<WrittenLines> {
  return WrittenLines.behind(
    process.platform === 'win32' ? undefined : await folder.files.openToRead(folder.at(journalName(epoch))),
  );
}

class FileWriter extends JournalingWriter implements UpkeepWriter {
  readonly serial: number;
  readonly #folder: StateFolder;
  readonly #held: Held;
  readonly #loaded: Loaded;
  readonly #context: LockContext;
  readonly #commit: GroupCommit<Serialized>;
  readonly #lines: WrittenLines;
  /** What counts and is not in the picture yet. */
  #landed: readonly Committed[] = [];
  /** What is written, and counts when it is confirmed. */
  #written: readonly Committed[] = [];
  #entries = 0;
  #bytes = 0;
  #closing: Promise<void> | undefined;

  constructor(folder: StateFolder, held: Held, loaded: Loaded, lines: WrittenLines, context: LockContext) {
    super(held.header, loaded.picture);
    this.serial = held.epoch - 1 + (loaded.base.ahead ?? 0);
    this.#folder = folder;
    this.#held = held;
    this.#loaded = loaded;
    this.#lines = lines;
    this.#context = context;
    this.#commit = new GroupCommit({
      flush: (entries) => this.#flush(entries),
      confirm: () => this.#confirm(),
      landed: (entries) => {
        this.#entries += entries.length;
        this.#landed = this.#written;
      },
      refusal: (cause) => (cause instanceof Refusal ? cause : writeFailed(folder.name, cause)),
    });
  }

  override leaseLeft(): number {
    return this.#held.lease.left();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  replace(contents: StateContents): Promise<void> {
    this.#closing ??= this.#close(contents);
    return this.#closing;
  }

  rebind(application: string): Promise<void> {
    return this.replace({ ...this.#contents(), header: { ...this.header, application } });
  }

  compact(): Promise<void> {
    return this.replace(this.#contents());
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(serializeEntry(entry));
  }

  protected override get picture(): StateView {
    this.#catchUp();
    return super.picture;
  }

  /** What landed comes into the picture when somebody looks, or while the disk is busy with the next flush. */
  #catchUp(): void {
    const landed = this.#landed;
    this.#landed = [];
    for (const { entry, text } of landed) super.picture.apply(entry, text);
  }

  async #flush(entries: readonly Serialized[]): Promise<void> {
    const bytes = this.#lines.bytesOf(entries);
    await this.#held.journal.write(bytes);
    const synced = this.#held.journal.sync();
    this.#catchUp();
    this.#written = this.#lines.add(entries, bytes);
    await synced;
    this.#bytes += bytes.length;
  }

  /**
   * After the flush, not before it: whoever takes over creates its journal first and measures ours then, so what was
   * flushed while ours was the newest is in that measure.
   */
  async #confirm(): Promise<void> {
    if (await this.#folder.isNewest(this.#held.epoch)) return;
    this.#held.lease.end();
    throw leaseLost(this.#folder.name);
  }

  #contents(): StateContents {
    return {
      header: this.header,
      serial: this.serial,
      records: () => this.records(),
      lines: () => this.records().lines(),
      pending: this.pending,
    };
  }

  /** `instead`: contents that somebody asked for, and who is to be told when they could not be written. */
  async #close(instead?: StateContents): Promise<void> {
    const { journal, lease, lock } = this.#held;
    await this.#commit.close();
    try {
      if (instead !== undefined) await refusing(this.#folder.name, writeFailed, () => this.#fold(instead, true));
      else if (!this.#commit.failed && this.#isWorthCompacting()) await this.#fold(this.#contents(), false);
    } catch (error) {
      // A full disk: every entry is safe in the journals, and the next holder tries again.
      if (errorCode(error) === undefined) throw error;
    } finally {
      await lease.release();
      await journal.close();
      await this.#lines.end();
      // A lock that cannot be removed runs out by itself.
      await this.#folder.files.remove(this.#folder.at(lock)).catch(() => undefined);
    }
  }

  /** Small states always, so that the snapshot in a working copy is up to date; a big one when a good part has changed. */
  #isWorthCompacting(): boolean {
    const { base, entries, snapshotBytes } = this.#loaded;
    if (entries + this.#entries === 0) return false;
    const journalBytes = base.counts.reduce((sum, count) => sum + count.bytes, this.#bytes);
    return snapshotBytes < smallBytes || journalBytes * 8 >= snapshotBytes || base.counts.length >= 8;
  }

  async #fold({ header, serial, records, lines, pending }: StateContents, isReplacement: boolean): Promise<void> {
    const { epoch, lock } = this.#held;
    const folder = this.#folder;
    const snapshot = await folder.files.create(folder.at(foldedName(epoch)));
    let digest: string;
    try {
      digest = await writeSnapshot(snapshot, header, lines?.() ?? linesOf(records()));
    } finally {
      await snapshot.close();
    }
    await folder.sync();
    const ahead = Math.max(this.#loaded.base.ahead ?? 0, serial - epoch);
    const base: Base = { covers: epoch, counts: [], ...(ahead === 0 ? {} : { ahead }), snapshot: digest };
    const begins = pending.map((begin) => entryLine({ type: 'begin', ...begin }));
    const text = [headerLine(header, epoch + 1, lock, this.#context.owner), baseLine(base), ...begins].join('');
    const next = await publishJournal(folder, epoch + 1, this.#context.newId(), text);
    // Taken over meanwhile: the new holder stands on our journal, which is as good, unless it was to be replaced.
    if (next === undefined && isReplacement) throw leaseLost(folder.name);
    if (next === undefined) return;
    await next.close();
    await folder.tidy(epoch + 1, base, lock);
  }
}

const smallBytes = 16 << 20;

/** Failures of the system become refusals; all else is passed on. */
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
