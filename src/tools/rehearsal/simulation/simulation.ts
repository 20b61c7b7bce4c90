// A simulated platform in virtual time, and processes that settle and execute plans on it. Shared by rehearsals, `chatform
// test` and the tests of the promise.
import { emulatorLimits, emulatorRatePlan, emulatorWindow } from '../../../core/app/context/embedded-emulator.ts';
import { type RunPlanOptions, runPlan } from '../../../core/app/run/run-plan.ts';
import { type Settled, type SettleOptions, settle } from '../../../core/app/run/settle.ts';
import type { DoubtSources } from '../../../core/applier/doubt/kinds.ts';
import { defaultSettleMs } from '../../../core/applier/doubt/search.ts';
import type { ApplyResult } from '../../../core/applier/options.ts';
import type { ApplyPorts } from '../../../core/applier/step/options.ts';
import type { LimitsOf, RateSettings } from '../../../core/model/limits.ts';
import type { Plan } from '../../../core/model/plan.ts';
import { type Platform, type Random, requestTimeoutMs, type TokenSink } from '../../../core/model/ports.ts';
import { limitsOf } from '../../../core/platform/limits.ts';
import { createPacer } from '../../../core/platform/rate-limiter.ts';
import { FaultSource, type Faults } from '../../../emulator/faults.ts';
import { Limiter } from '../../../emulator/limits/limiter.ts';
import { type EmulatedPlatformOptions, EmulatedPlatform as Emulator } from '../../../emulator/platform.ts';
import { Service } from '../../../emulator/service.ts';
import { Stats } from '../../../emulator/stats.ts';
import { type SimulatedPlatformOptions, simulatedPlatform } from './simulated-platform.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The only token that the simulated platform accepts. */
export const token = 'simulated';

export interface SimulationOptions
  extends Pick<SimulatedPlatformOptions, 'latencyMs' | 'jitterMs' | 'variables' | 'readFile' | 'listToSend'>,
    Pick<EmulatedPlatformOptions, 'behaviours' | 'onEffects' | 'onBug'>,
    Pick<DoubtSources, 'readList'> {
  readonly rates: RateSettings;
  /** The initial wall-clock time. */
  readonly startsAt: Date;
  readonly random: Random;
  /** How the platform counts requests. Default: `sliding`. */
  readonly window?: string;
  /** The length of that window. Default: one second. */
  readonly windowS?: number;
  readonly faults?: Faults | undefined;
}

type SimulatedService = SimulatedPlatformOptions['service'];

/** The platform and the ports of a simulated process. */
export interface SimulatedProcess extends Pick<ApplyPorts, 'state'>, Partial<Pick<ApplyPorts, 'clock' | 'emit'>> {
  readonly sink?: TokenSink;
  /** The network between the process and the platform. */
  readonly around?: (platform: Platform) => Platform;
}

type RecoverSettings = Partial<Pick<SettleOptions, 'settleMs' | 'saved'>>;
type CarryOutOptions = Pick<
  RunPlanOptions,
  'existing' | 'keepGoing' | 'maxDurationMs' | 'signal' | 'afterMs' | 'prepare' | 'stages'
>;

export class Simulation {
  readonly clock: VirtualClock;
  readonly emulator: Emulator;
  readonly faults: FaultSource;
  readonly stats = new Stats();
  readonly limits: LimitsOf;
  readonly #options: SimulationOptions;
  readonly #service: Service;

  constructor(options: SimulationOptions) {
    const { rates, startsAt, window = 'sliding', windowS = 1, behaviours, onEffects, onBug } = options;
    this.#options = options;
    this.clock = new VirtualClock(startsAt);
    this.faults = new FaultSource(options.faults);
    this.limits = limitsOf(rates);
    this.emulator = new Emulator({
      token,
      seed: 'simulation',
      ...(behaviours === undefined ? {} : { behaviours }),
      raisedLimits: emulatorLimits(rates),
      ...(onEffects === undefined ? {} : { onEffects }),
      ...(onBug === undefined ? {} : { onBug }),
    });
    const { userScope, planLimits } = this.emulator.behaviours;
    const limits = { plan: emulatorRatePlan(rates.ratePlan), raised: rates.limits, userScope, planLimits };
    const limiter = new Limiter(limits, emulatorWindow(window), windowS * 1000);
    this.#service = new Service({ platform: this.emulator, stats: this.stats, faults: this.faults, limiter });
  }

  /** The ports of a process: a connection to the platform and its own pacer. `watch` receives each arriving request. */
  process(
    { state, clock = this.clock, emit = () => {}, sink = noSink, around = (platform) => platform }: SimulatedProcess,
    watch: (service: SimulatedService) => SimulatedService = (service) => service,
  ): ApplyPorts {
    const platform = simulatedPlatform({
      ...this.#options,
      service: watch(this.#service),
      sink,
      token,
      clock: this.clock,
      timeoutMs: requestTimeoutMs,
    });
    return { platform: around(platform), pacer: createPacer({ limitsOf: this.limits, clock }), state, clock, emit };
  }

  /** Settles the calls of an earlier process. */
  recover(process: ApplyPorts, { settleMs = defaultSettleMs, saved }: RecoverSettings = {}): Promise<Settled> {
    const { random, readList } = this.#options;
    return settle(process, { random, readList, saved, hasSink: true, settleMs });
  }

  carryOut(plan: Plan, process: ApplyPorts, options: CarryOutOptions = {}): Promise<ApplyResult> {
    const { random, readList } = this.#options;
    return runPlan(plan, process, { random, readList, limits: this.limits, ...options });
  }
}

const noSink: TokenSink = { write: async () => {} };
