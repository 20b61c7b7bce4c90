// Writes entries to a store: those that arrive during one write form the next object, and each object is written once.
//
// In the background, many journal objects become one segment, and journal and snapshot become a new snapshot. A flush waits
// for neither: it is one call.
import type { StateHeader } from '../../model/ports.ts';
import { type Serialized, serializeEntry } from '../records/entries.ts';
import { encodeLines } from '../records/record-text.ts';
import { type StateChange, type StateContents, ViewWriter } from '../records/view.ts';
import type { Sealer } from '../seal/sealer.ts';
import { GroupCommit } from './commit.ts';
import { beginLines, removeSuperseded, sweep, writeSegment, writeSnapshot } from './fold.ts';
import type { ObjectsInUse } from './head.ts';
import type { HeadKeeper } from './head-keeper.ts';
import { bindingOf, isNewest, packHead, packLines, type StatePlace } from './heads.ts';
import { headKey, journalKey } from './layout.ts';
import type { LoadedState } from './load.ts';
import { cannotWrite, leaseLost, rewound } from './refusals.ts';
import type { UpkeepWriter } from './upkeep.ts';

/** A segment replaces this many objects, or this many bytes. */
const segmentBatches = 256;
const segmentBytes = 2 << 20;
/** A smaller state becomes a snapshot at the end of every run. */
const smallBytes = 4 << 20;
/** The same for a store whose files people read. They compare that one file. */
const smallShownBytes = 16 << 20;
/** More segments make opening slow. */
const manySegments = 64;
/** During a run, a journal smaller than this is not worth a snapshot. */
const foldedBytes = 32 << 20;

export class StateJournalWriter extends ViewWriter implements UpkeepWriter {
  readonly #place: StatePlace;
  readonly #keeper: HeadKeeper;
  readonly #epoch: number;
  readonly #noLongerHeld: (() => void) | undefined;
  readonly #commit: GroupCommit<Serialized>;
  /** The number of acknowledged journal objects of this holder. */
  #batches = 0;
  /** The lines of journal objects that are in no segment yet. The first ones may be of former holders. */
  #loose: Buffer[];
  #looseBytes: number;
  #flushed: Buffer = Buffer.alloc(0);
  #segments = 0;
  #snapshots = 0;
  #background: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(place: StatePlace, keeper: HeadKeeper, { view, loose }: LoadedState) {
    const { base } = keeper;
    const { epoch, header } = keeper.head;
    super(view, header, epoch - 1 + base.ahead);
    this.#place = place;
    this.#keeper = keeper;
    this.#noLongerHeld = place.context.held?.();
    this.#epoch = epoch;
    this.#loose = [...loose];
    this.#looseBytes = sizeOf(loose);
    this.#commit = new GroupCommit({
      flush: (entries) => this.#flush(entries),
      confirm: () => this.#confirm(),
      committed: (entries) => this.#committed(entries),
      refusal: (cause) => cannotWrite(place.name, cause, place.context.patienceMs),
    });
    this.#inBackground(() => sweep(place, base, epoch));
  }

  leaseLeft(): number {
    return this.#keeper.lease.left();
  }

  close(): Promise<void> {
    this.#ending ??= this.#end(() => this.#tidyAndRelease());
    return this.#ending;
  }

  replace(contents: StateContents, sealer = this.#place.context.sealer): Promise<void> {
    this.#ending ??= this.#end(() => this.#putInPlace(contents, sealer));
    return this.#ending;
  }

  /** Returns the contents at this moment. Later entries do not change them. */
  #contents(): StateContents {
    const { header, serial, pending } = this;
    const records = this.records();
    return { header, serial, pending, records: () => records, lines: () => records.lines() };
  }

  protected append(entry: StateChange): Promise<void> {
    return this.#commit.append(serializeEntry(entry));
  }

  async #flush(entries: readonly Serialized[]): Promise<void> {
    const { name, store } = this.#place;
    const bytes = Buffer.concat(entries.map(({ line }) => line));
    const key = journalKey(this.#epoch, this.#batches + 1);
    const packed = packLines(this.#place, bindingOf(this.header, key), [bytes]);
    for (;;) {
      const isFirst = this.#isFolded();
      const before = isFirst ? undefined : journalKey(this.#epoch, this.#batches);
      if ((await store.create(key, packed, before)) !== undefined) break;
      const isTaken = isFirst || (await store.get(key)) !== undefined;
      // The previous object was folded meanwhile.
      if (!isTaken && !isFirst && this.#isFolded()) continue;
      const isLost = isTaken || !(await this.#keeper.isNewest());
      this.#keeper.lease.end();
      // A fence has the next number, or else acknowledged objects are gone.
      throw isLost ? leaseLost(name) : rewound(name);
    }
    this.#flushed = bytes;
  }

  /** Whether no journal object of this holder counts, because all are in a segment or a snapshot, or there was none. */
  #isFolded(): boolean {
    return this.#batches < (this.#keeper.base.open?.from ?? 1);
  }

  /**
   * While the lease lasts, the fence of a later holder would still exist, and the write would have failed. Later, the fence
   * may have been removed, and the write may have come too late. In a folder, fences are removed with their journals, so only
   * this check counts.
   */
  async #confirm(): Promise<void> {
    if (this.leaseLeft() > 0 && this.#place.store.showSnapshot === undefined) return;
    if (await this.#keeper.isNewest()) return;
    this.#keeper.lease.end();
    throw leaseLost(this.#place.name);
  }

  #committed(entries: readonly Serialized[]): void {
    const bytes = this.#flushed;
    for (const { entry, text } of entries) this.view.apply(entry, text);
    this.#batches += 1;
    this.#keeper.written = this.#batches;
    this.#loose.push(bytes);
    this.#looseBytes += bytes.length;
    if (this.#loose.length < segmentBatches && this.#looseBytes < segmentBytes) return;
    const { segmentBytes: written, snapshot } = this.#keeper.base;
    const isWorthFolding = written + this.#looseBytes >= Math.max(foldedBytes, snapshot?.bytes ?? 0);
    this.#inBackground(() => this.#compactJournal(isWorthFolding));
  }

  /** Runs one work at a time. A failure is left to the next work, and in the end to the next holder. */
  #inBackground(work: () => Promise<void>): void {
    if (this.#ending !== undefined) return;
    this.#background ??= work()
      .catch(() => undefined)
      .then(() => {
        this.#background = undefined;
      });
  }

  /** Replaces the journal objects so far by a segment, or, with `isWorthFolding`, these, the segments and the snapshot by a snapshot. */
  async #compactJournal(isWorthFolding: boolean): Promise<void> {
    const { base } = this.#keeper;
    const count = this.#loose.length;
    const written = this.#batches;
    const after = isWorthFolding
      ? await this.#folded(this.#place, this.#contents(), base, written)
      : await this.#withSegment(this.#place, this.header, base, this.#loose.slice(0, count), written);
    await this.#keeper.update((head) => ({ ...head, base: after }));
    this.#looseBytes -= sizeOf(this.#loose.splice(0, count));
    await removeSuperseded(this.#place, this.#epoch, base, after, written);
  }

  async #withSegment(
    place: StatePlace,
    header: StateContents['header'],
    base: ObjectsInUse,
    lines: readonly Buffer[],
    written: number,
  ): Promise<ObjectsInUse> {
    this.#segments += 1;
    const bytes = await writeSegment(place, header, this.#epoch, this.#segments, lines);
    return {
      ...base,
      segments: withOne(base.segments, this.#epoch, this.#segments),
      segmentBytes: base.segmentBytes + bytes,
      tails: [],
      open: { epoch: this.#epoch, from: written + 1 },
    };
  }

  async #folded(
    place: StatePlace,
    contents: StateContents,
    base: ObjectsInUse,
    written: number,
  ): Promise<ObjectsInUse> {
    const { header, records, lines, pending } = contents;
    this.#snapshots += 1;
    const begins = beginLines(pending);
    const id = `${this.#epoch}.${this.#snapshots}`;
    const snapshot = await writeSnapshot(place, header, id, lines?.() ?? encodeLines(records()));
    const folded: ObjectsInUse = { ...base, snapshot, segments: [], segmentBytes: 0, tails: [] };
    if (begins.length === 0) return { ...folded, open: { epoch: this.#epoch, from: written + 1 } };
    return this.#withSegment(place, header, folded, begins, written);
  }

  /** Accepts no more entries, writes the waiting ones, and releases the lock. */
  async #end(work: () => Promise<void>): Promise<void> {
    await this.#commit.close();
    await this.#background;
    try {
      await work();
    } finally {
      await this.#keeper.lease.release();
      await this.#place.store.close();
      this.#noLongerHeld?.();
    }
  }

  async #tidyAndRelease(): Promise<void> {
    const { base } = this.#keeper;
    const written = this.#batches;
    try {
      // After a failure it is unknown whether the last object was written. The next holder finds out.
      if (this.#commit.failed) await this.#keeper.release((head) => head);
      else {
        const after = await this.#tidied(base, written);
        const final = this.#released(after);
        await this.#keeper.release((head) => ({ ...head, base: final }));
        await removeSuperseded(this.#place, this.#epoch, base, final, written);
      }
    } catch {
      // Every entry is safe in the journal. A lock that cannot be released expires.
    }
  }

  /** Returns the base for readers: a small state as a snapshot, a large one with one more segment. */
  async #tidied(base: ObjectsInUse, written: number): Promise<ObjectsInUse> {
    if (this.#loose.length === 0 && base.segments.length === 0) return base;
    const journalBytes = base.segmentBytes + this.#looseBytes;
    const snapshotBytes = base.snapshot?.bytes ?? 0;
    const segments = base.segments.reduce((sum, { count }) => sum + count, 0);
    const small = this.#place.store.showSnapshot === undefined ? smallBytes : smallShownBytes;
    const isWorthFolding = snapshotBytes < small || journalBytes * 4 >= snapshotBytes || segments >= manySegments;
    if (isWorthFolding && (this.#loose.length > 0 || this.pending.length === 0))
      return this.#folded(this.#place, this.#contents(), base, written);
    return this.#loose.length > 0 ? this.#withSegment(this.#place, this.header, base, this.#loose, written) : base;
  }

  async #putInPlace(contents: StateContents, sealer: Sealer): Promise<void> {
    const { name, store, context } = this.#place;
    const place = { name, store, context: { ...context, sealer } };
    const { base } = this.#keeper;
    const written = this.#batches;
    try {
      const folded = await this.#folded(place, contents, base, written);
      const after = { ...this.#released(folded), ahead: Math.max(base.ahead, contents.serial - this.#epoch) };
      const there = await this.#writeNextHead(place, contents.header, after);
      await this.#removeReplaced(there, base, after, written).catch(() => undefined);
    } catch (cause) {
      await this.#keeper.release((head) => head).catch(() => undefined);
      throw cannotWrite(name, cause, context.patienceMs);
    }
  }

  /** Writes the next head, without a holder. The contents count from this one exclusive creation on. */
  async #writeNextHead(place: StatePlace, header: StateHeader, base: ObjectsInUse): Promise<StatePlace> {
    const { name } = place;
    const epoch = this.#epoch + 1;
    const isMoved = header.application !== this.header.application;
    const there = { ...place, store: (isMoved ? place.store.movedTo?.(header.application) : undefined) ?? place.store };
    const tag = await there.store.create(headKey(epoch), packHead(there, { header, epoch, base, tested: name }));
    if (tag !== undefined && (this.leaseLeft() > 0 || (await isNewest(there, epoch)))) return there;
    this.#keeper.lease.end();
    throw leaseLost(name);
  }

  async #removeReplaced(place: StatePlace, base: ObjectsInUse, after: ObjectsInUse, written: number): Promise<void> {
    await removeSuperseded(place, this.#epoch + 1, base, after, written);
    await place.store.remove([headKey(this.#epoch)]);
  }

  /** Fences stop late writes. In a folder no write is late. */
  #released({ open: _open, fences, ...rest }: ObjectsInUse): ObjectsInUse {
    return { ...rest, fences: this.#place.store.showSnapshot === undefined ? fences : [] };
  }
}

function withOne(segments: ObjectsInUse['segments'], epoch: number, count: number): ObjectsInUse['segments'] {
  const known = segments.find((other) => other.epoch === epoch);
  // Without one this is the first segment after a snapshot. Begins in earlier segments may have ended, and must not return.
  const from = known === undefined ? count : (known.from ?? 1);
  return [...segments.filter((other) => other.epoch !== epoch), { epoch, from, count }];
}

function sizeOf(lines: readonly Uint8Array[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
