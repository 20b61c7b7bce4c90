// Divides the steps of a plan into stages, for --stage (semantics §16).
//
// The unit is the object: all steps of one object are in one stage, and a channel and its messages count as one object. A stage contains
// everything that its steps wait for, so each stage can be applied before the next one begins. A percentage is a boundary: the
// channels up to a `channel_url`. What remains of a plan after an interruption is divided by the same boundary, although the
// percentage of what remains would be another number of channels.

import { compareText } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, addressOf, keyOf, kindOf } from '../model/address.ts';
import type { PlannedStage } from '../model/stages/stages.ts';
import type { Step } from '../model/step.ts';

/** One --stage. */
export type StageSelection =
  | { readonly type: 'objects'; readonly text: string; readonly isKind?: true; matches(address: Address): boolean }
  /** From 1 to 99. */
  | { readonly type: 'share'; readonly text: string; readonly percent: number };

/** By selection, the `channel_url` of the last channel of a share; null for other selections and for a plan without channels. */
export type StageBounds = readonly (string | null)[];

type StagedStep = Pick<Step, 'address' | 'needs' | 'after'>;

export interface StagedPlan {
  /** By step in the order of the plan, its stage from 0. The last stage is the rest. */
  readonly stageOf: Uint16Array;
  readonly stages: readonly PlannedStage[];
  /** The stage of the steps of an object. Undefined if the plan has none. */
  stageOfSteps(address: Address): number | undefined;
  /** The stage of the steps of an object, or of the channel that it belongs to; the first if the plan has none. */
  stageOfObject(address: Address): number;
}

/** Objects of a stage that a plan names. */
const maxNamed = 10;

/** Kinds whose objects of one key are a channel and what belongs to it. */
const channelKinds = ['group_channel', 'open_channel', 'messages'] as const;
const inChannels: ReadonlySet<string> = new Set(channelKinds);

/** The bounds of the selections in a whole plan. Channels are counted in the order of their `channel_url`. */
export function boundsOf(steps: Iterable<StagedStep>, selections: readonly StageSelection[]): StageBounds {
  if (selections.every(({ type }) => type !== 'share')) return selections.map(() => null);
  const urls = new Set<string>();
  for (const { address } of steps) if (inChannels.has(kindOf(address))) urls.add(keyOf(address));
  const sorted = [...urls].sort(compareText);
  return selections.map((selection) =>
    selection.type === 'share' ? (sorted[Math.ceil((sorted.length * selection.percent) / 100) - 1] ?? null) : null,
  );
}

export function stagesOf(
  steps: Series<StagedStep>,
  selections: readonly StageSelection[],
  bounds: StageBounds,
): StagedPlan {
  const lastStage = selections.length;
  const selected = new Map<Address, number>();
  for (const { address } of steps) {
    if (!selected.has(address)) selected.set(address, firstOf(address, selections, bounds));
  }
  const stage = completed(steps, new Map(selected), lastStage);
  const stageOf = new Uint16Array(steps.length);
  const counts = Array.from({ length: lastStage + 1 }, () => {
    return { objects: 0, steps: 0, pulledIn: 0, named: [] as Address[] };
  });
  let place = 0;
  for (const { address } of steps) {
    const of = stage.get(address) ?? lastStage;
    stageOf[place] = of;
    place += 1;
    (counts[of] as (typeof counts)[number]).steps += 1;
  }
  for (const [address, of] of stage) {
    const count = counts[of] as (typeof counts)[number];
    count.objects += 1;
    if (count.named.length < maxNamed) count.named.push(address);
    if (selected.get(address) !== of) count.pulledIn += 1;
  }
  return {
    stageOf,
    stages: counts.map(({ objects, steps: amount, pulledIn, named }, at): PlannedStage => {
      const select = selections[at]?.text;
      const until = bounds[at];
      return {
        ...(select === undefined ? {} : { select }),
        objects,
        steps: amount,
        ...(pulledIn === 0 ? {} : { pulled_in: pulledIn }),
        ...(typeof until === 'string' ? { until } : {}),
        ...(named.length === 0 ? {} : { named }),
      };
    }),
    stageOfSteps: (address) => stage.get(address),
    stageOfObject: (address) =>
      stage.get([address, ...partsOf(address)].find((part) => stage.has(part)) ?? address) ?? 0,
  };
}

/** A channel and its messages, whichever of them is given. Empty for other objects. */
function partsOf(address: Address): readonly Address[] {
  return inChannels.has(kindOf(address)) ? channelKinds.map((kind) => addressOf(kind, keyOf(address))) : [];
}

/** The first selection that has the object, or the rest. */
function firstOf(address: Address, selections: readonly StageSelection[], bounds: StageBounds): number {
  const place = selections.findIndex((selection, at) => {
    if (selection.type === 'objects') return selection.matches(address);
    const until = bounds[at];
    return typeof until === 'string' && inChannels.has(kindOf(address)) && compareText(keyOf(address), until) <= 0;
  });
  return place === -1 ? selections.length : place;
}

/** Moves objects to earlier stages until no step waits for a later one. Each pass follows the waits by one object. */
function completed(
  steps: Series<StagedStep>,
  stage: Map<Address, number>,
  lastStage: number,
): ReadonlyMap<Address, number> {
  let hasMoved = true;
  const move = (address: Address, to: number): void => {
    if ((stage.get(address) ?? -1) <= to) return;
    stage.set(address, to);
    hasMoved = true;
    for (const part of partsOf(address)) move(part, to);
  };
  for (const [address, of] of stage) if (of < lastStage) for (const part of partsOf(address)) move(part, of);
  while (hasMoved) {
    hasMoved = false;
    for (const { address, needs, after = [] } of steps) {
      const of = stage.get(address) ?? lastStage;
      if (of === lastStage) continue;
      for (const names of [needs, after]) {
        for (const id of names) move(id.slice(0, id.lastIndexOf('#')) as Address, of);
      }
    }
  }
  return stage;
}
