// Writes entries to a store: what comes in during one write goes into the next object, and each object is written once.
//
// Beside the flushes, in the background, many journal objects become one segment, and journal and snapshot become a new
// snapshot. Neither is waited for: a flush is one call, whatever else is under way.

import { GroupCommit } from '../commit.ts';
import { eachText, type Serialized, serializeEntry } from '../entries.ts';
import { JournalingWriter } from '../journaling-writer.ts';
import { encodeLines } from '../records/record-text.ts';
import { leaseLost } from '../refusals.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { StateContents } from '../upkeep.ts';
import type { StateChange } from '../view.ts';
import { pack } from './content.ts';
import { cannotWrite } from './failures.ts';
import { beginLines, removeSuperseded, sweep, writeSegment, writeSnapshot } from './fold.ts';
import { type Base, printHead } from './head.ts';
import type { HeadKeeper } from './keeper.ts';
import { headKey, journalKey } from './layout.ts';
import type { LoadedState } from './load.ts';
import { bindingOf, isNewest, type StatePlace } from './place.ts';

/** A segment replaces so many objects, or as many as have so many bytes. */
const segmentBatches = 256;
const segmentBytes = 2 << 20;
/** A smaller state is folded at the end of every run: it is one object or two. */
const smallBytes = 4 << 20;
/** More segments make opening slow. */
const manySegments = 64;
/** During a run, a journal smaller than this is not worth a snapshot. */
const foldedBytes = 32 << 20;

export class ObjectWriter extends JournalingWriter {
  override readonly serial: number;
  readonly #place: StatePlace;
  readonly #keeper: HeadKeeper;
  readonly #epoch: number;
  readonly #commit: GroupCommit<Serialized>;
  /** Journal objects of this holder that count. */
  #batches = 0;
  /** The lines of journal objects that are in no segment yet; the first ones may be of former holders. */
  #loose: Buffer[];
  #looseBytes: number;
  #flushed: Buffer = Buffer.alloc(0);
  #segments = 0;
  #snapshots = 0;
  #background: Promise<void> | undefined;

  constructor(place: StatePlace, keeper: HeadKeeper, { view, loose }: LoadedState) {
    super(keeper.head.header, view);
    const { base } = keeper;
    const { epoch } = keeper.head;
    this.#place = place;
    this.#keeper = keeper;
    this.#epoch = epoch;
    this.serial = epoch - 1 + base.ahead;
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

  override leaseLeft(): number {
    return this.#keeper.lease.left();
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(serializeEntry(entry));
  }

  async #flush(entries: readonly Serialized[]): Promise<void> {
    const { name, store, context } = this.#place;
    let lines = '';
    for (const { line } of entries) lines += line;
    const bytes = Buffer.from(lines);
    const key = journalKey(this.#epoch, this.#batches + 1);
    const packed = pack(bytes, bindingOf(this.header, key), context.sealer);
    if ((await store.create(key, packed)) === undefined) {
      // Under our next number there is a fence.
      this.#keeper.lease.end();
      throw leaseLost(name);
    }
    this.#flushed = bytes;
  }

  /**
   * While the lease lasts, the fence of a later holder would still be there, and the write would have failed. Afterwards
   * the fence may have been removed, and the write may have come too late.
   */
  async #confirm(): Promise<void> {
    if (this.leaseLeft() > 0 || (await this.#keeper.isNewest())) return;
    throw leaseLost(this.#place.name);
  }

  #committed(entries: readonly Serialized[]): void {
    const bytes = this.#flushed;
    eachText({ entries, bytes }, (entry, text) => this.view.apply(entry, text));
    this.#batches += 1;
    this.#loose.push(bytes);
    this.#looseBytes += bytes.length;
    if (this.#loose.length < segmentBatches && this.#looseBytes < segmentBytes) return;
    const { segmentBytes: written, snapshot } = this.#keeper.base;
    const isWorthFolding = written + this.#looseBytes >= Math.max(foldedBytes, snapshot?.bytes ?? 0);
    this.#inBackground(() => (isWorthFolding ? this.#foldNow() : this.#addSegment()));
  }

  /** One at a time; a failure is left to the next one, and in the end to the next holder. */
  #inBackground(work: () => Promise<void>): void {
    if (this.isEnding) return;
    this.#background ??= work()
      .catch(() => undefined)
      .then(() => {
        this.#background = undefined;
      });
  }

  /** Replaces the journal objects so far by one. */
  async #addSegment(): Promise<void> {
    const { base } = this.#keeper;
    const count = this.#loose.length;
    const written = this.#batches;
    const after = await this.#withSegment(this.#place, this.header, base, this.#loose.slice(0, count), written);
    await this.#keeper.update((head) => ({ ...head, base: after }));
    this.#forgetLoose(count);
    await removeSuperseded(this.#place, this.#epoch, base, after, written);
  }

  async #withSegment(
    place: StatePlace,
    header: StateContents['header'],
    base: Base,
    lines: readonly Buffer[],
    written: number,
  ): Promise<Base> {
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

  /** Replaces snapshot, segments and journal objects so far by a snapshot. */
  async #foldNow(): Promise<void> {
    const { base } = this.#keeper;
    const count = this.#loose.length;
    const written = this.#batches;
    const after = await this.#folded(this.#place, this.contents(), base, written);
    await this.#keeper.update((head) => ({ ...head, base: after }));
    this.#forgetLoose(count);
    await removeSuperseded(this.#place, this.#epoch, base, after, written);
  }

  async #folded(place: StatePlace, contents: StateContents, base: Base, written: number): Promise<Base> {
    const { header, records, lines, pending } = contents;
    this.#snapshots += 1;
    const begins = beginLines(pending);
    const id = `${this.#epoch}.${this.#snapshots}`;
    const snapshot = await writeSnapshot(place, header, id, lines?.() ?? encodeLines(records()));
    const folded: Base = { ...base, snapshot, segments: [], segmentBytes: 0, tails: [] };
    if (begins.length === 0) return { ...folded, open: { epoch: this.#epoch, from: written + 1 } };
    return this.#withSegment(place, header, folded, begins, written);
  }

  #forgetLoose(count: number): void {
    this.#looseBytes -= sizeOf(this.#loose.splice(0, count));
  }

  protected override async end(instead?: StateContents, sealer = this.#place.context.sealer): Promise<void> {
    await this.#commit.close();
    await this.#background;
    try {
      await (instead === undefined ? this.#tidyAndRelease() : this.#putInPlace(instead, sealer));
    } finally {
      await this.#keeper.lease.release();
      await this.#place.store.close();
    }
  }

  async #tidyAndRelease(): Promise<void> {
    const { base } = this.#keeper;
    const written = this.#batches;
    try {
      // After a failure the last object may be written or not: the next holder finds out.
      if (this.#commit.failed) await this.#keeper.release((head) => head);
      else {
        const after = await this.#tidied(base, written);
        await this.#keeper.release((head) => ({ ...head, base: released(after) }));
        await removeSuperseded(this.#place, this.#epoch, base, after, written);
      }
    } catch {
      // Every entry is safe in the journal. A lock that cannot be released expires.
    }
  }

  /** The base that a reader is left with: a small state as a snapshot, a big one with a segment more. */
  async #tidied(base: Base, written: number): Promise<Base> {
    if (this.#loose.length === 0 && base.segments.length === 0) return base;
    const journalBytes = base.segmentBytes + this.#looseBytes;
    const snapshotBytes = base.snapshot?.bytes ?? 0;
    const segments = base.segments.reduce((sum, { count }) => sum + count, 0);
    const isWorthFolding = snapshotBytes < smallBytes || journalBytes * 4 >= snapshotBytes || segments >= manySegments;
    if (isWorthFolding && (this.#loose.length > 0 || this.pending.length === 0))
      return this.#folded(this.#place, this.contents(), base, written);
    return this.#loose.length > 0 ? this.#withSegment(this.#place, this.header, base, this.#loose, written) : base;
  }

  async #putInPlace(contents: StateContents, sealer: Sealer): Promise<void> {
    const { name, context } = this.#place;
    const place = { ...this.#place, context: { ...context, sealer } };
    const { base } = this.#keeper;
    const written = this.#batches;
    try {
      const folded = await this.#folded(place, contents, base, written);
      const after = { ...released(folded), ahead: Math.max(base.ahead, contents.serial - this.#epoch) };
      await this.#writeNextHead(place, contents.header, after);
      await removeSuperseded(this.#place, this.#epoch + 1, base, after, written).catch(() => undefined);
    } catch (cause) {
      throw cannotWrite(name, cause, context.patienceMs);
    }
  }

  /** The next head, which is of nobody: that one exclusive creation is the moment from which the contents count. */
  async #writeNextHead(place: StatePlace, header: StateContents['header'], base: Base): Promise<void> {
    const { name, store, context } = place;
    const epoch = this.#epoch + 1;
    const key = headKey(epoch);
    const head = { header, epoch, base, tested: name };
    const tag = await store.create(key, pack(printHead(head), key, context.sealer));
    const isOurs = tag !== undefined && (this.leaseLeft() > 0 || (await isNewest(place, epoch)));
    if (isOurs) return;
    this.#keeper.lease.end();
    throw leaseLost(name);
  }
}

function released({ open: _open, ...rest }: Base): Base {
  return rest;
}

function withOne(segments: Base['segments'], epoch: number, count: number): Base['segments'] {
  return [...segments.filter((other) => other.epoch !== epoch), { epoch, count }];
}

function sizeOf(lines: readonly Uint8Array[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
