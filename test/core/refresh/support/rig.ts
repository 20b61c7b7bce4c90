// Support: the emulator's platform without HTTP and time, a state in memory, and a refresh between them.

import { StoredObservations } from '../../../../src/core/app/plans/observations.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import { compareAddresses, kindOf } from '../../../../src/core/model/address.ts';
import type { Policy } from '../../../../src/core/model/policy.ts';
import type { Answer, Platform } from '../../../../src/core/model/ports.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import { type ApiRequest, routeName } from '../../../../src/core/model/request.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import type { JudgedPlan } from '../../../../src/core/planner/judges/judge.ts';
import { shownValues } from '../../../../src/core/planner/live/stored-values.ts';
import type { PlanInput } from '../../../../src/core/planner/plan-input.ts';
import { readLive } from '../../../../src/core/refresh/refresh.ts';
import { LiveReader } from '../../../../src/core/refresh/send.ts';
import { refreshSubjects } from '../../../../src/core/refresh/subjects.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { Behaviours } from '../../../../src/emulator/api/behaviours.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { Series } from '../../../../src/lib/series.ts';
import { kindNamed, openPolicy, planFor, stateAfter } from '../../../support/planning/planning.ts';
import { nowMs, StrictPlatform } from '../../../support/planning/strict-platform.ts';

export const unhurried = { take: () => 0, learn: () => {} };
export const timeless = { now: () => 0, date: () => new Date(nowMs), sleep: async () => {} };

export class Rig extends StrictPlatform implements Platform {
  state = new Map<Address, StateRecord>();
  /** By route, the requests sent by `send`. */
  readonly sent: ApiRequest[] = [];
  readonly #policy: Policy;

  constructor(policy: Partial<Policy> = {}, behaviours: Partial<Behaviours> = {}) {
    super(behaviours);
    this.#policy = { ...openPolicy, ...policy };
  }

  async send(request: ApiRequest): Promise<Answer> {
    this.sent.push(request);
    return this.answer(request);
  }

  /** Another client's call, which must succeed. */
  edit(method: ApiRequest['method'], path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): void {
    const answer = this.answer({
      method,
      route: path,
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { query }),
    });
    if (answer.type !== 'ok') throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  }

  async look(desired: readonly Resource[]): Promise<NonNullable<PlanInput['live']>> {
    const reader = new LiveReader({ platform: this, pacer: unhurried, clock: timeless, random: () => 0 });
    const observations = new StoredObservations();
    const hidden: Address[] = [];
    const sorted = [...desired].sort((left, right) => compareAddresses(left.address, right.address));
    const records = [...this.state.values()].sort((left, right) => compareAddresses(left.address, right.address));
    for await (const { subject, live } of readLive(refreshSubjects(sorted, records), registry, reader)) {
      const kind = kindNamed(live.address.slice(0, live.address.indexOf('.')));
      observations.take(kind, subject, live);
      if (live.isHidden === true) hidden.push(live.address);
    }
    return { observations, refreshed: observations.refreshed(reader.requests), hidden };
  }

  async refresh(desired: readonly Resource[]): Promise<JudgedPlan> {
    return planFor(desired, this.state, { policy: this.#policy, live: await this.look(desired) });
  }

  plan(desired: readonly Resource[]): JudgedPlan {
    return planFor(desired, this.state, { policy: this.#policy });
  }

  /** Runs one step after the other. A refusal is an error unless the step says what it means. */
  run(steps: Series<Step>): void {
    for (const step of steps) {
      const { request, doneOn } = step;
      let { entry } = step;
      if (request !== undefined) {
        const answer = this.answer(request);
        if (answer.type !== 'ok' && !(answer.type === 'refused' && doneOn.includes(answer.code))) {
          throw new Error(`${step.id} ${routeName(request)} ${JSON.stringify(request)}: ${JSON.stringify(answer)}`);
        }
        if (answer.type === 'ok')
          entry = shownValues(kindNamed(kindOf(step.address)), step, request, answer.body).entry;
      }
      this.state = stateAfter(this.state, [{ ...step, entry }]);
    }
  }

  /** Applies a plan with a refresh, and returns the plan of another one afterwards. */
  async settle(desired: readonly Resource[]): Promise<JudgedPlan['plan']> {
    this.run(demandPossible(await this.refresh(desired)).plan.steps);
    return (await this.refresh(desired)).plan;
  }

  /** Plans without reading the platform. */
  apply(desired: readonly Resource[]): void {
    this.run(demandPossible(this.plan(desired)).plan.steps);
  }
}

function demandPossible(planned: JudgedPlan): JudgedPlan {
  const [problem] = planned.problems;
  if (problem !== undefined) throw new Error(`${problem.address}: ${problem.detail}`);
  return planned;
}
