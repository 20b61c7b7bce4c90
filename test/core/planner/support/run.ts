// Support: runs steps in any order that their needs allow, with failures and early stops, as the applier does.

import { idsOf } from '../../../../src/core/kinds/definition/values.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import { idListOf, listedIds, stepWithout } from '../../../../src/core/model/calls/id-lists.ts';
import { platformCode } from '../../../../src/core/model/platform-codes.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { stateAfter } from '../../../support/planning/planning.ts';
import type { StrictPlatform } from '../../../support/planning/strict-platform.ts';

export interface RunOptions {
  /** Numbers in [0, 1) that decide the order and the failing steps. */
  readonly random: () => number;
  /** The share of steps that fail without an effect. */
  readonly failing?: number;
  /** The run stops after this number of steps. */
  readonly limit?: number;
}

export interface Run {
  readonly state: Map<Address, StateRecord>;
  readonly ended: readonly string[];
  readonly unreached: readonly string[];
}

type End = 'done' | 'failed' | 'skipped';

/** Throws when the platform refuses a step, which a plan must never cause. */
export function run(
  steps: readonly Step[],
  state: ReadonlyMap<Address, StateRecord>,
  platform: StrictPlatform,
  { random, failing = 0, limit = Number.POSITIVE_INFINITY }: RunOptions,
): Run {
  const ends = new Map<string, End>();
  let current = new Map(state);
  const waiting = new Map(steps.map((step) => [step.id, step]));
  while (waiting.size > 0 && ends.size < limit) {
    const ready = [...waiting.values()].filter(({ needs, after = [] }) =>
      [...needs, ...after].every((id) => ends.has(id)),
    );
    const step = ready[Math.floor(random() * ready.length)];
    if (step === undefined) break;
    waiting.delete(step.id);
    if (step.needs.some((id) => ends.get(id) !== 'done')) ends.set(step.id, 'skipped');
    else if (random() < failing) ends.set(step.id, 'failed');
    else {
      const request = requestOf(step, platform);
      if (request !== undefined) platform.call(request);
      const known = idsOf(current.get(step.address)?.attributes ?? {}, 'ip_whitelist');
      current = stateAfter(current, [step]);
      if (!current.has(step.address)) for (const address of known) platform.forgotten.add(address);
      ends.set(step.id, 'done');
    }
  }
  return { state: current, ended: [...ends.keys()], unreached: [...waiting.keys()] };
}

/**
 * Returns the steps still to send, as the applier does: an answer in `doneOn` means that a call had already taken effect, and a list
 * that is refused is sent again id by id. Undefined when nothing is left.
 */
function requestOf(step: Step, platform: StrictPlatform): ApiRequest | undefined {
  const { action, request, doneOn } = step;
  if (request === undefined) return undefined;
  const list = idListOf(request);
  const { channel_url: url = '', bot_userid: bot } = request.params ?? {};
  const { state } = platform.emulator;
  const members = state.members(url);
  if (action === 'leave' && bot !== undefined && doneOn.includes(platformCode.notFound)) {
    return members.has(bot) ? request : undefined;
  }
  const isDone = (id: string) =>
    (list?.doneOn.includes(platformCode.notFound) === true && state.users.get(id) === undefined) ||
    (list?.doneOn.includes(platformCode.taken) === true && members.has(id));
  const done = new Set(listedIds(list, request).filter(isDone));
  if (list?.in !== 'body' || done.size === 0) return request;
  return stepWithout(step, list, done)?.request;
}
