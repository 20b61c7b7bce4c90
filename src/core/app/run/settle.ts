// Reads what the calls of an interrupted run did, before a new plan is made from state (semantics §5.1). Sends nothing else.
//
// Calls of that run may still be in flight. No read counts until the last of them is older than the settle time. A creation that
// arrives after it was read as absent, or a deletion that arrives after its object was read, would undo the new plan.

import { InternalError } from '../../../lib/errors.ts';
import { isList, isObject } from '../../../lib/json.ts';
import { yamlWord } from '../../../lib/tools/pasted-words.ts';
import { begunAgain } from '../../applier/doubt/begun-calls.ts';
import { entryInDoubt, searchFor } from '../../applier/doubt/kinds.ts';
import { classifySearchPage, restBeforeSearchMs } from '../../applier/doubt/search.ts';
import { isAuthentication, type Verdict } from '../../applier/verdict/classify.ts';
import { unmetExpectations } from '../../applier/verdict/expectation.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, compareAddresses, keyOf } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { LiveObject } from '../../model/live.ts';
import type { Clock, Pacer, PendingBegin, Platform, Random, StateWriter } from '../../model/ports.ts';
import { applyEntry, digestOfRecord, type StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { ListReader, Step } from '../../model/step.ts';
import { begunEffect, begunNames, begunParts } from '../../planner/live/begun-effects.ts';
import { shownValues } from '../../planner/live/stored-values.ts';
import { valueAt } from '../../planner/undo/merge.ts';
import { ListRefused } from '../../refresh/pages.ts';
import { readPart } from '../../refresh/parts.ts';
import { readLive } from '../../refresh/refresh.ts';
import { LiveReader } from '../../refresh/send.ts';
import type { ReadSubject } from '../../refresh/subjects.ts';
import { findKind, registry } from '../../resources/index.ts';

interface SettlePorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly state: StateWriter;
  readonly clock: Clock;
}

export interface SettleOptions {
  readonly random: Random;
  readonly readList: ListReader;
  /** All steps of a saved plan, which makes begun calls again unchanged. */
  readonly saved?: Iterable<Step> | undefined;
  /** The time after which a call has taken effect or never will. */
  readonly settleMs: number;
  /** Called with the time to wait, if calls may still be in flight. */
  readonly onWait?: (ms: number) => void;
  /** Whether --tokens-out is given. Otherwise creations that read back a token are left to the plan, which is then refused. */
  readonly hasSink: boolean;
  /** Whether the run works for an object to exist. Default: no. If it does, no request may wait that will delete the object. */
  readonly wants?: ((address: Address) => boolean) | undefined;
  readonly signal?: AbortSignal;
  readonly maxDurationMs?: number;
}

export interface Settled {
  /** The number of calls whose outcome is known now. */
  readonly settled: number;
  /**
   * Must be called with the new plan's steps. Removes the begins of creations that were found absent and are no longer
   * planned. The other begins stay in the journal, because a late request may still arrive.
   */
  forgetUnplanned(steps: Iterable<Step>): Promise<void>;
}

/** A request that has not arrived after this time never will. */
const lateMs = 10 * 60_000;
/** Reads of creations in flight. */
const slice = 64;

/** Rejects with a Refusal (`state.unsettled`) while the outcome of a call is unknown, because a new run could overtake it. */
export async function settle(ports: SettlePorts, options: SettleOptions): Promise<Settled> {
  const { state } = ports;
  const { pending } = state;
  const again = begunAgain(pending, options.saved ?? []);
  const messages: PendingBegin[] = [];
  const creations: PendingBegin[] = [];
  const edits: PendingBegin[] = [];
  const unread: PendingBegin[] = [];
  const awaited: PendingBegin[] = [];
  for (const begin of pending) {
    const { planned, step } = begin;
    if (isRecorded(begin, state)) await state.undone(step);
    else if (planned.search?.isAwaited === true) awaited.push(begin);
    else if (planned.search !== undefined) {
      if (!again.has(step) && (await doubtOf(begin, ports, options)) !== undefined) messages.push(begin);
    } else if (!planned.begin) (findKind(begin.address)?.live === undefined ? unread : edits).push(begin);
    else if (planned.resolve !== undefined && (options.hasSink || planned.sink === undefined)) creations.push(begin);
  }
  const begins = [...messages, ...creations, ...edits, ...unread, ...awaited];
  if (begins.length === 0) return { settled: 0, forgetUnplanned: async () => {} };
  const reads = new SettlingReads(ports, options, begins.length);
  try {
    await reads.wait(begins);
    const unended = await reads.awaited(awaited);
    // Run sequentially, because an entry may depend on the previous one.
    for (const begin of messages) {
      const entry = await doubtOf(begin, ports, options);
      if (entry !== undefined) await state.done(begin.step, entry);
    }
    const absent = await reads.creations(creations, again);
    await reads.edits(edits, again);
    // No refresh reads a history file. Its marks are planned again, and setting one twice changes nothing.
    for (const { step } of unread) if (!again.has(step)) await state.undone(step);
    return {
      settled: begins.length - unended,
      forgetUnplanned: async (steps) => {
        if (absent.size === 0) return;
        const planned = new Set<string>();
        for (const { address, begin } of steps) if (begin) planned.add(address);
        for (const { step, address } of absent) if (!planned.has(address)) await state.undone(step);
      },
    };
  } finally {
    reads.end();
  }
}

/** Whether state already contains the result of the call. Then another step resolved it, but the run died before it ended this begin. */
function isRecorded({ address, planned }: PendingBegin, state: StateWriter): boolean {
  if (planned.search === undefined) return false;
  const record = state.get(address);
  return record !== undefined && digestOfRecord(applyEntry(record, planned.entry)) === digestOfRecord(record);
}

function doubtOf(
  begin: PendingBegin,
  { state }: Pick<SettlePorts, 'state'>,
  { readList }: SettleOptions,
): Promise<StateEntry | undefined> {
  return entryInDoubt(begin, state.get(begin.address), { kindOf: findKind, readList });
}

/** An object with begun calls, for a refresh. */
interface BegunObject extends ReadSubject {
  readonly begins: readonly PendingBegin[];
}

class SettlingReads {
  readonly #ports: SettlePorts;
  readonly #options: SettleOptions;
  readonly #count: number;
  readonly #startedMs: number;
  readonly #end = new AbortController();
  readonly #late = new AbortController();

  constructor(ports: SettlePorts, options: SettleOptions, count: number) {
    this.#ports = ports;
    this.#options = options;
    this.#count = count;
    this.#startedMs = ports.clock.now();
    const { maxDurationMs } = options;
    if (maxDurationMs !== undefined)
      void ports.clock.sleep(maxDurationMs, this.#end.signal).then(() => {
        if (!this.#end.signal.aborted) this.#late.abort();
      });
  }

  end(): void {
    this.#end.abort();
  }

  /**
   * Waits until calls of the interrupted run have taken effect or never will. Meanwhile a read shows whether the token is
   * accepted, because a wait for a token that is not would be in vain. Its answer counts for nothing else.
   */
  async wait(begins: readonly PendingBegin[]): Promise<void> {
    const { platform, pacer, clock } = this.#ports;
    const { settleMs, onWait, signal, maxDurationMs = Number.POSITIVE_INFINITY } = this.#options;
    const ms = restBeforeSearchMs(begins, settleMs, clock);
    if (ms > maxDurationMs) throw this.#unsettled(exitCode.outOfTime, 'chatform could check after the time limit only');
    if (ms <= 0) return;
    onWait?.(ms);
    const [request] = begins.flatMap(({ address }) => {
      const kind = findKind(address);
      return kind === undefined || kind.isChild === true ? [] : [kind.view(keyOf(address))];
    });
    const refused = new AbortController();
    let why: string | undefined;
    const ask = async (): Promise<void> => {
      if (request === undefined || pacer.take(request) > 0) return;
      const takenAt = clock.now();
      const answer = await platform.send(request);
      pacer.learn(request, answer, takenAt);
      if (answer.type !== 'refused' || !isAuthentication(answer)) return;
      why = answer.message;
      refused.abort();
    };
    // The reads that follow the wait show any other failure.
    ask().catch(() => undefined);
    await clock.sleep(ms, signal === undefined ? refused.signal : AbortSignal.any([signal, refused.signal]));
    if (refused.signal.aborted) throw this.#tokenRefused(why);
    if (signal?.aborted === true) throw this.#unsettled(exitCode.interrupted, 'interrupted');
  }

  /**
   * Returns how many calls the platform still works on, or does not show. Their begins stay, and the step that is planned again
   * follows them.
   */
  async awaited(begins: readonly PendingBegin[]): Promise<number> {
    const { state } = this.#ports;
    let unended = 0;
    for (const { address, planned, step } of begins) {
      const outcome = await this.#ofAwaited({ ...planned, id: step, needs: [] });
      if (outcome.type === 'done') await state.done(step, planned.entry);
      else if (outcome.type === 'send') await state.undone(step);
      else if (this.#options.wants?.(address) !== true) unended += 1;
      else if (outcome.type === 'page') throw willBeDeleted(address, outcome.awaits?.request_id);
      else throw this.#unsettled(exitCode.incomplete, 'reason' in outcome ? outcome.reason.message : undefined);
    }
    return unended;
  }

  async #ofAwaited(step: Step): Promise<Verdict> {
    const search = await searchFor(step, false, { kindOf: findKind, readList: this.#options.readList });
    let request = step.search?.read;
    if (search === undefined || request === undefined) throw new InternalError(`${step.id} cannot be looked for`);
    for (;;) {
      const page: ApiRequest = request;
      const answer = await this.#read((reader) => reader.send(page));
      const verdict = classifySearchPage(step, answer, search, { maySendUnseen: false, isFresh: false });
      if (verdict.type !== 'page' || verdict.awaits !== undefined) return verdict;
      request = verdict.request;
    }
  }

  /** Returns the begins of objects that do not exist. One that meets another object is left to the plan. `again` as in `edits`. */
  async creations(begins: readonly PendingBegin[], again: ReadonlySet<string>): Promise<ReadonlySet<PendingBegin>> {
    const { state, clock } = this.#ports;
    const absent = new Set<PendingBegin>();
    const now = clock.date().getTime();
    for (let from = 0; from < begins.length; from += slice) {
      await Promise.all(
        begins.slice(from, from + slice).map(async (begin) => {
          const creationOutcome = await this.#creation(begin.planned);
          if (typeof creationOutcome === 'object') await state.done(begin.step, creationOutcome);
          // A part of an object that exists is added anew.
          else if (creationOutcome === 'lacking') await state.undone(begin.step);
          else if (creationOutcome === 'hidden' && !again.has(begin.step)) await this.#markUnknown(begin);
          else if (creationOutcome === 'absent') {
            absent.add(begin);
            if (now - Date.parse(begin.at) > lateMs) await state.undone(begin.step);
          }
        }),
      );
    }
    return absent;
  }

  /** A part of an object that the platform refuses to show is unknown, so that a plan that declares it sends it again. */
  async #markUnknown({ address, planned, step }: PendingBegin): Promise<void> {
    const { state } = this.#ports;
    const kind = findKind(address);
    if (kind === undefined) return;
    const effect = begunEffect(kind, planned, state.get(address), { address, exists: true, attributes: {}, facts: {} });
    if (effect.type === 'none') await state.undone(step);
    else await state.done(step, effect.entry);
  }

  async #creation(step: Step): Promise<StateEntry | 'absent' | 'lacking' | 'hidden' | 'other'> {
    const { resolve, sink } = step;
    const kind = findKind(step.address);
    if (resolve === undefined || kind === undefined) return 'other';
    const sending = sink === undefined ? undefined : { sink };
    const said = await this.#read((reader) => reader.send(resolve.request, sending)).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'refresh.other-spelling') return undefined;
      throw error;
    });
    if (said === undefined) return 'other';
    if (said.type === 'refused') {
      if (resolve.absentOn.includes(said.code)) return 'absent';
      return step.entry.type === 'patch' ? 'hidden' : 'other';
    }
    if (unmetExpectations(said.body, resolve.expect, true).length > 0)
      return step.entry.type === 'patch' ? 'lacking' : 'other';
    return shownValues(kind, step, resolve.request, said.body).entry;
  }

  /** `again` are the calls that a saved plan makes again if they did not take effect. */
  async edits(begins: readonly PendingBegin[], again: ReadonlySet<string>): Promise<void> {
    const { state } = this.#ports;
    for (const { subject, live: object, kind } of await this.#objects(begins)) {
      const live = await this.#withEntryParts(subject, object, kind);
      for (const { step, planned } of subject.begins) {
        const record = state.get(subject.address);
        const effect = begunEffect(kind, planned, record, live);
        if (effect.type === 'done') await state.done(step, effect.entry);
        else if (effect.type === 'none') await state.undone(step);
        else if (!again.has(step)) await state.done(step, effect.entry);
        else if (!effect.isUnknown) await state.undone(step);
      }
    }
  }

  /** Adds the parts of entries that the object's own answer omits. What the platform refuses to show stays out. */
  async #withEntryParts({ begins, address }: BegunObject, live: LiveObject, kind: KindDefinition): Promise<LiveObject> {
    const record = this.#ports.state.get(address);
    let { attributes } = live;
    for (const path of begins.flatMap(({ planned }) => begunParts(planned))) {
      const read = kind.live?.entryPart?.(path);
      const [name = '', id = ''] = path;
      if (read === undefined || valueAt(attributes, [name, id]) === undefined) continue;
      const items = await this.#read((reader) => readPart(read.part, keyOf(address), reader)).catch(
        (error: unknown) => {
          if (error instanceof ListRefused) return undefined;
          throw error;
        },
      );
      if (!isList(items)) continue;
      const value = read.valueIn(keyOf(address), items.filter(isObject), valueAt(record?.attributes ?? {}, path));
      if (value === undefined) continue;
      const edits = [{ op: 'set', path, value } as const];
      attributes = applyEntry({ address, attributes }, { type: 'patch', address, edits })?.attributes ?? attributes;
    }
    return { ...live, attributes };
  }

  async #objects(begins: readonly PendingBegin[]) {
    const liveObjects: { readonly kind: KindDefinition; readonly subject: BegunObject; readonly live: LiveObject }[] =
      [];
    const take = (subject: BegunObject, live: LiveObject): void => {
      const kind = findKind(subject.address);
      if (kind !== undefined) liveObjects.push({ kind, subject, live });
    };
    const byAddress = new Map<Address, PendingBegin[]>();
    for (const begin of begins) byAddress.set(begin.address, [...(byAddress.get(begin.address) ?? []), begin]);
    const objects = [...byAddress].sort(([left], [right]) => compareAddresses(left, right));
    const subjects = objects.map(([address, beginsOfObject]): BegunObject => {
      const names = new Set(beginsOfObject.flatMap(({ planned }) => begunNames(planned)));
      return { address, isKnown: true, wants: (name) => names.has(name), begins: beginsOfObject };
    });
    try {
      for (const { subject, live } of await this.#live(subjects)) take(subject, live);
    } catch (error) {
      if (!(error instanceof ListRefused)) throw error;
      liveObjects.length = 0;
      for (const subject of subjects) take(subject, await this.#whatIsShown(subject));
    }
    return liveObjects;
  }

  /** Reads one object part by part. What the platform refuses to show is left out. */
  async #whatIsShown(subject: BegunObject): Promise<LiveObject> {
    const names = new Set(subject.begins.flatMap(({ planned }) => begunNames(planned)));
    let combined: LiveObject = { address: subject.address, exists: true, attributes: {}, facts: {} };
    for (const wanted of ['', ...names]) {
      try {
        const [one] = await this.#live([{ ...subject, wants: (name) => name === wanted }]);
        if (one === undefined) continue;
        const { exists, attributes } = one.live;
        combined = { ...combined, exists, attributes: { ...combined.attributes, ...attributes } };
      } catch (error) {
        if (!(error instanceof ListRefused)) throw error;
      }
    }
    return combined;
  }

  #live(subjects: readonly BegunObject[]) {
    return this.#read(async (reader) => {
      const liveObjects: { readonly subject: BegunObject; readonly live: LiveObject }[] = [];
      for await (const one of readLive(subjects, registry, reader)) liveObjects.push(one);
      return liveObjects;
    });
  }

  async #read<T>(work: (reader: LiveReader) => Promise<T>): Promise<T> {
    const { platform, pacer, clock } = this.#ports;
    const { random, signal, maxDurationMs } = this.#options;
    const ending = signal === undefined ? this.#late.signal : AbortSignal.any([signal, this.#late.signal]);
    const timeLeft = () => (maxDurationMs ?? Number.POSITIVE_INFINITY) - (clock.now() - this.#startedMs);
    try {
      return await work(new LiveReader({ platform, pacer, clock, random, timeLeft, signal: ending }));
    } catch (error) {
      throw this.#asUnsettled(error);
    }
  }

  #asUnsettled(error: unknown): unknown {
    if (!(error instanceof Refusal) || error instanceof ListRefused || error.code === 'refresh.other-spelling')
      return error;
    if (error.exitCode === exitCode.authentication)
      return this.#tokenRefused(error.message.split(': ').slice(1).join(': '));
    const isLate = this.#late.signal.aborted || error.exitCode === exitCode.outOfTime;
    const isInterrupted = error.exitCode === exitCode.interrupted;
    const exit = isLate ? exitCode.outOfTime : isInterrupted ? exitCode.interrupted : exitCode.incomplete;
    return this.#unsettled(exit, error.message);
  }

  #tokenRefused(why: string | undefined): Refusal {
    return new Refusal(
      'token.refused',
      exitCode.authentication,
      `The platform refuses the API token${said(why)}. The outcome of ${callsOf(this.#count)} is still unknown.`,
      'Nothing was sent. Check CHATFORM_API_TOKEN (or --api-token-file) and that it belongs to this application, then run the command again: it first checks these calls.',
    );
  }

  #unsettled(exit: ExitCode, why: string | undefined): Refusal {
    return new Refusal(
      'state.unsettled',
      exit,
      `The outcome of ${callsOf(this.#count)} is still unknown${said(why)}.`,
      'Nothing was sent. Run the command again: it first checks these calls.',
    );
  }
}

function willBeDeleted(address: Address, request = ''): Refusal {
  return new Refusal(
    'state.erasure-waits',
    exitCode.refused,
    `Data request ${request} of the platform will delete ${address}, but this run needs the object.`,
    `Nothing was sent. Cancel the request at the vendor and run the command again, or restore the entry {address: ${yamlWord(address)}, on_remove: erase} under removed.`,
  );
}

function callsOf(count: number): string {
  return `${count} interrupted ${count === 1 ? 'call' : 'calls'}`;
}

/** Returns a part of a sentence. A text of the platform may end with a full stop. */
function said(why: string | undefined): string {
  return why === undefined ? '' : `: ${why.replace(/\.$/u, '')}`;
}
