// Runs the examination of a calibration against the emulator in virtual time.

import { decidedBehaviours } from '../../../src/core/model/behaviours.ts';
import type { Answer, Platform } from '../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { seededRandom } from '../../../src/emulator/random.ts';
import type { Service } from '../../../src/emulator/service.ts';
import { picture, type ScratchObject } from '../../../src/tools/calibration/calls.ts';
import {
  type Examination,
  type ExaminationPorts,
  examine,
  newNames,
  removeScratch,
} from '../../../src/tools/calibration/examination.ts';
import { declaredLimitsOf } from '../../../src/tools/calibration/limit-probes.ts';
import { Simulation } from '../../../src/tools/rehearsal/simulation/simulation.ts';
import { undocumented } from '../../support/vendor/documented.ts';

/** The parts of the requests of all examinations that the vendor does not document. */
export const sentUndocumented = new Set<string>();

export interface Patient {
  readonly simulation: Simulation;
  readonly ports: ExaminationPorts;
  /** The objects in the journal. */
  readonly journal: { made: readonly ScratchObject[] };
  examine(more?: Partial<ExaminationPorts>): Promise<Examination>;
}

export interface PatientOptions {
  readonly behaviours?: Partial<Behaviours>;
  readonly window?: string;
  readonly windowS?: number;
  readonly ratePlan?: string;
  /** The plan that the manifest declares. Default: that of the platform. */
  readonly declaredPlan?: string;
  /** Limits raised for routes, on the platform and in the manifest. */
  readonly raised?: Readonly<Record<string, number>>;
  readonly latencyMs?: number;
  readonly jitterMs?: () => number;
  readonly around?: (platform: Platform) => Platform;
  /** Called before each call arrives at the platform, to let other clients call before it. */
  readonly before?: (service: ArrivingService, nowMs: number) => void;
}

export type ArrivingService = Pick<Service, 'arrive'>;

export function patient({
  behaviours = {},
  window,
  windowS,
  ratePlan = '5k_mau',
  declaredPlan = ratePlan,
  raised = {},
  latencyMs = 40,
  jitterMs,
  around,
  before,
}: PatientOptions): Patient {
  const rates = { ratePlan, limits: raised, share: 1 };
  const simulation = new Simulation({
    rates,
    behaviours,
    startsAt: new Date('2026-01-01T00:00:00.321Z'),
    random: seededRandom(3),
    latencyMs: () => latencyMs,
    lines: async function* () {},
    variables: () => undefined,
    readFile: async () => picture,
    ...(window === undefined ? {} : { window }),
    ...(windowS === undefined ? {} : { windowS }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
  } as never);
  const process = simulation.process(
    { state: {} as never, ...(around === undefined ? {} : { around }) },
    (service) => ({
      arrive: (request, nowMs) => {
        for (const part of undocumented(request)) sentUndocumented.add(part);
        before?.(service, nowMs);
        return service.arrive(request, nowMs);
      },
      finish: (arrival, nowMs) => service.finish(arrival, nowMs),
    }),
  );
  const known = { planLimits: 'method', userScope: 'application' } as const;
  const limits = limitsOf({ ...rates, ratePlan: declaredPlan, known });
  const journal: Patient['journal'] = { made: [] };
  const ports: ExaminationPorts = {
    platform: process.platform,
    pacer: createPacer({ limitsOf: limits, clock: simulation.clock }),
    clock: simulation.clock,
    random: seededRandom(7),
    declaredLimits: declaredLimitsOf(limits),
    journal: {
      read: async () => journal.made,
      write: async (made) => {
        journal.made = made;
      },
    },
  };
  return {
    simulation,
    ports,
    journal,
    examine: (more) =>
      simulation.clock.run(examine(newNames(ports.random, simulation.clock.date()), { ...ports, ...more })),
  };
}

/** The decided behaviours by name. */
export function valuesOf(results: Examination['results']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(decidedBehaviours({ behaviours: results }));
}

/** A platform whose responses are changed in transit. */
export const answering =
  (change: (answer: Answer, request: ApiRequest) => Answer) =>
  (platform: Platform): Platform => ({
    send: async (request, sending) => change(await platform.send(request, sending), request),
  });

/** The ids of everything on the platform. */
export function namesOn({ simulation }: Patient): string[] {
  const { users, openChannels, groupChannels } = simulation.emulator.state;
  return [users, openChannels, groupChannels].flatMap((records) =>
    [...records.ascending()].map((one) => ('url' in one ? one.url : one.userId)),
  );
}

/** A platform after an examination was killed at a call, before or after its effect, and the next run has begun. */
export async function killedAt(call: number): Promise<Patient> {
  let [calls, isDead] = [0, true];
  const killed = new Error('killed');
  const around = (platform: Platform): Platform => ({
    send: async (request, sending) => {
      calls += 1;
      if (isDead && (calls > call || (calls === call && call % 2 === 0))) throw killed;
      const answer = await platform.send(request, sending);
      if (isDead && calls === call) throw killed;
      return answer;
    },
  });
  const subject = patient({ around });
  await subject.examine().then(
    () => {
      throw new Error(`the examination ended before call ${call}`);
    },
    (error: unknown) => {
      if (error !== killed) throw error;
    },
  );
  isDead = false;
  await subject.simulation.clock.run(removeScratch(subject.ports));
  return subject;
}
