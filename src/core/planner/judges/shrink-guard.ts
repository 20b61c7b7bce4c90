// Refuses manifests that declare much less than at the last apply, because a part of the files may be missing (semantics §4.3).
//
// The comparison would plan to remove what is missing, and that plan is only shown. The totals of each kind decide, so that resources may move between files. The message names the files. Removals that are acknowledged or
// listed under `removed` are intended, and their exact number is checked later.

import { isObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, kindOf } from '../../model/address.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { RemovedEntry, Resource } from '../../model/resource.ts';
import type { FileCounts } from '../../model/run-metadata.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { ShrunkFile } from '../../model/statements/problems.ts';
import { pairsOfKind } from '../diff/object-draft.ts';
import type { Finding } from '../draft/finding.ts';
import { faultsAt, isInTime } from './acknowledgements.ts';

export interface LoadedInput {
  readonly files: readonly FileCounts[];
  /** Sections that are declared as empty: `users: {}`. */
  readonly empty: readonly { readonly section: string; readonly source: SourcePosition }[];
}

export interface ShrinkInput {
  readonly kinds: readonly KindDefinition[];
  readonly loaded: LoadedInput;
  /** The state record of the last load. */
  readonly before: StateRecord;
  readonly removed: readonly RemovedEntry[];
  /** All objects in state. */
  readonly records: Series<StateRecord>;
  /** What --exclude names, which the plan does not remove. `resources` are sorted by address. */
  readonly excluded?: { readonly resources: Series<Resource>; has(address: Address): boolean };
  readonly policy: Policy;
  readonly today: string;
}

export const shrunkCode = 'safety.input-shrank';

/** Returns one refusal for each kind of which too little was loaded. */
export function refuseShrunkInput(input: ShrinkInput): Finding[] {
  const then = readCounts(input.before);
  const now = new Map(input.loaded.files.map(({ file, counts }) => [file, counts]));
  return input.kinds.flatMap((kind) => {
    const shrunk = shrinkage(kind, then, now, input);
    return shrunk === undefined || isMeant(kind, shrunk, input) ? [] : [refusal(kind, shrunk, then, now, input)];
  });
}

type Counts = Readonly<Record<string, number>>;
type Files = ReadonlyMap<string, Counts>;

interface Shrinkage {
  readonly before: number;
  readonly after: number;
}

/** Returns the shrinkage if it exceeds the budget, is the whole kind, or is as large as a missing file. */
function shrinkage(kind: KindDefinition, then: Files, now: Files, input: ShrinkInput): Shrinkage | undefined {
  const after = total(kind, now);
  const missing = total(kind, then) - after;
  if (missing <= 0) return undefined;
  const lost = missing - excludedCount(kind, input);
  if (lost <= 0) return undefined;
  const before = after + lost;
  const { max_share: share, free_count: minimum } = input.policy.removals;
  const isBeyondBudget = lost > minimum && lost > share * before;
  const hasLostFile = [...then].some(([file, counts]) => !now.has(file) && isWhole(counts[kind.name], missing));
  return isBeyondBudget || after === 0 || hasLostFile ? { before, after } : undefined;
}

/** The objects that were declared, are no longer, and stay because --exclude names them. An earlier run has removed retired ones. */
function excludedCount(kind: KindDefinition, { excluded, records }: ShrinkInput): number {
  if (excluded === undefined) return 0;
  let count = 0;
  for (const { address, resource, record } of pairsOfKind(kind.name, excluded.resources, records)) {
    if (resource === undefined && record?.retired !== true && excluded.has(address)) count += 1;
  }
  return count;
}

function isWhole(memberCount: number | undefined, lost: number): boolean {
  return memberCount !== undefined && memberCount > 0 && lost >= memberCount;
}

/** Objects that are already disabled have no effect to acknowledge, so they need not be included in the number. */
function isMeant(kind: KindDefinition, { before, after }: Shrinkage, input: ShrinkInput): boolean {
  const effects = effectsOf(kind);
  let said = input.removed.filter(({ address }) => kindOf(address) === kind.name).length;
  for (const block of input.policy.acknowledge) {
    if (effects.has(block.effect) && isInTime(block, input.today)) said += block.count;
  }
  if (said === 0) return false;
  for (const { address, attributes } of input.records) {
    if (kindOf(address) === kind.name && attributes[kind.disabledState.attribute] === true) said += 1;
  }
  return said >= before - after;
}

function refusal(
  kind: KindDefinition,
  { before, after }: Shrinkage,
  then: Files,
  now: Files,
  { loaded: { empty }, policy, today }: ShrinkInput,
): Finding {
  const emptied = empty.filter(({ section }) => section === kind.section).map(({ source }) => source);
  const removal = policy.on_remove[kind.name] ?? kind.removals[0] ?? 'forget';
  const acknowledge = { effect: `${kind.name}.${removal}`, count: before - after };
  const effects = effectsOf(kind);
  const blocks = policy.acknowledge.filter((block) => effects.has(block.effect));
  const files = shrunkFiles(kind, then, now, emptied);
  const namedFiles = files.slice(0, maxFilesNamed);
  return {
    severity: 'error',
    problem: {
      code: shrunkCode,
      section: kind.section,
      before,
      after,
      files: namedFiles,
      more: files.length - namedFiles.length,
      effect: acknowledge.effect,
      total: acknowledge.count,
      faults: faultsAt(blocks, today),
    },
    acknowledge,
    ...(emptied[0] === undefined ? {} : { source: emptied[0] }),
  };
}

function effectsOf({ name, removals }: KindDefinition): ReadonlySet<string> {
  return new Set(removals.map((removal) => `${name}.${removal}`));
}

const maxFilesNamed = 5;

/** The files that declare fewer objects of the kind than at the last apply. */
function shrunkFiles(kind: KindDefinition, then: Files, now: Files, emptied: readonly SourcePosition[]): ShrunkFile[] {
  return [...then].flatMap(([file, countsThen]) => {
    const counts = now.get(file);
    const before = countsThen[kind.name] ?? 0;
    const objects = counts?.[kind.name] ?? 0;
    if (objects >= before) return [];
    if (counts === undefined) return [{ file, before }];
    const emptySection = emptied.find((source) => source.file === file);
    const isEmpty = Object.keys(counts).length === 0;
    return [{ file, before, now: { objects, isEmpty, ...(emptySection === undefined ? {} : { emptySection }) } }];
  });
}

function total(kind: KindDefinition, files: Files): number {
  let sum = 0;
  for (const counts of files.values()) sum += counts[kind.name] ?? 0;
  return sum;
}

function readCounts({ attributes: { files } }: StateRecord): Files {
  const counts = Object.entries(isObject(files) ? files : {}).filter(([, byKind]) => isObject(byKind));
  return new Map(counts.map(([file, byKind]) => [file, byKind as Counts]));
}
