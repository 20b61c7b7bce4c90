// Finds the run to undo, and what it changed.
import { type Address, addressOf, keyOf } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import type { TouchedObject } from '../../planner/undo/restoration.ts';
import { findKind } from '../../resources/index.ts';
import { messages } from '../../resources/messages/messages.ts';
import { type KeptRun, keptRuns, type ValuesBefore } from '../context/before-values.ts';
import { readRuns, type TrailEntry } from '../context/trail.ts';

export interface RunToUndo {
  readonly entry: TrailEntry;
  readonly kept: KeptRun;
  /** An undo of the same run that did not finish, which this undo continues. */
  readonly continues?: TrailEntry;
  /** Sorted by address. */
  readonly touched: readonly TouchedObject[];
}

/**
 * `named` is a number in the trail. Default: the last run, or the run of an unfinished undo. Refused (66) for a number
 * without a run, for a run whose before-values are not in state, and before a later run that kept none.
 */
export function runToUndo(state: StateSnapshot, runNumber: string | undefined): RunToUndo {
  const runs = readRuns(state).filter(({ plan }) => plan !== undefined);
  const keptByRun = new Map(keptRuns(state).map((entry) => [entry.run, entry]));
  const last = runs.findLast(({ outcome, counts }) => outcome !== 'refused' || counts !== undefined);
  const continues = last?.undoes !== undefined && last.outcome !== 'done' ? last : undefined;
  const number = runNumber ?? String(continues?.undoes ?? last?.number ?? '');
  const entry = runs.find((candidate) => String(candidate.number) === number);
  if (entry === undefined) throw unknownRun(runNumber, runs);
  const values = keptByRun.get(entry.keeps ?? 0);
  if (values === undefined) throw notKept(entry, [...keptByRun.keys()], runs);
  // A run that was killed while it wrote its end is in the trail twice, with the same values.
  const later = runs.filter((candidate) => candidate.number > entry.number && candidate.keeps !== entry.keeps);
  const gap = later.find(({ keeps = 0, counts }) => !keptByRun.has(keeps) && counts?.succeeded !== 0);
  if (gap !== undefined) throw gapAfter(entry, gap);
  const after = later.flatMap(({ keeps = 0 }) => keptByRun.get(keeps)?.objects ?? []);
  const unfinished = later
    .slice(later.findLastIndex(({ undoes, outcome }) => undoes !== entry.number || outcome === 'done') + 1)
    .flatMap(({ keeps = 0 }) => keptByRun.get(keeps)?.objects ?? []);
  const touched = touchedBy(values, after, unfinished, state);
  return { entry, kept: values, ...(runNumber === undefined && continues !== undefined ? { continues } : {}), touched };
}

function touchedBy(
  { objects }: KeptRun,
  later: readonly ReadonlyMap<Address, ValuesBefore>[],
  unfinished: readonly ReadonlyMap<Address, ValuesBefore>[],
  state: StateSnapshot,
): TouchedObject[] {
  const firstIn = (runs: readonly ReadonlyMap<Address, ValuesBefore>[], address: Address) =>
    runs.find((run) => run.has(address))?.get(address);
  const addresses = new Set([objects, ...unfinished].flatMap((run) => [...run.keys()]));
  return [...addresses].sort().flatMap((address): TouchedObject[] => {
    const [kind, now, valuesBefore] = [findKind(address), state.get(address), objects.get(address)];
    if (kind === undefined) return [];
    const beforeUndo = recordOf(address, firstIn(unfinished, address)?.record);
    if (valuesBefore === undefined) {
      // The undo may have reopened other objects, too.
      if (kind.isChild === true || beforeUndo === undefined || now === undefined) return [];
      return [{ kind, address, before: now, after: now, now, existed: false, ends: undefined, beforeUndo }];
    }
    const { record, existed = false, ends, ended } = valuesBefore;
    const next = firstIn(later, address);
    const after = next === undefined ? now : recordOf(address, next.record);
    return [{ kind, address, before: recordOf(address, record), after, now, existed, ends, ended, beforeUndo }];
  });
}

function recordOf(address: Address, record: ValuesBefore['record']): StateRecord | undefined {
  return record === undefined ? undefined : { address, ...record };
}

/** The history file of a channel, which is removed with the channel. */
export function historyFileOf(address: Address): Address {
  return addressOf(messages.name, keyOf(address));
}

function unknown(message: string, advice: string): Refusal {
  return new Refusal('undo.unknown-run', exitCode.notFound, message, advice);
}

function unknownRun(runNumber: string | undefined, runs: readonly TrailEntry[]): Refusal {
  if (runNumber === undefined)
    return unknown('State contains no run that can be undone.', 'chatform state log lists every run.');
  const numbers = runs.slice(-10).map(({ number }) => number);
  return unknown(
    `${runNumber} is not the number of a run.`,
    numbers.length === 0
      ? 'State contains no run. Check --state.'
      : `chatform state log lists every run. The last ones are ${numbers.join(', ')}.`,
  );
}

function notKept({ number }: TrailEntry, keptNumbers: readonly number[], runs: readonly TrailEntry[]): Refusal {
  const others = runs.filter(({ keeps = 0 }) => keptNumbers.includes(keeps)).map((entry) => entry.number);
  const otherRuns =
    others.length === 0 ? 'State keeps them for no run' : `State keeps them for the runs ${others.join(', ')}`;
  return new Refusal(
    'undo.not-kept',
    exitCode.notFound,
    `State does not contain the values from before run ${number}.`,
    `policy.undo sets how many runs are kept, for how long and up to what size. ${otherRuns}. Nothing was changed. Revert the manifests and apply them instead.`,
  );
}

function gapAfter({ number }: TrailEntry, gap: TrailEntry): Refusal {
  return new Refusal(
    'undo.gap',
    exitCode.notFound,
    `Run ${gap.number} came after run ${number}, and the values from before it were not kept.`,
    'What changed since then is unknown. Nothing was changed. Revert the manifests and apply them instead.',
  );
}
