// A simulated platform that holds what state knows, and a run against it in virtual time.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApplyResult, Existing } from '../../applier/options.ts';
import { FaultSource, type Faults } from '../../emulator/faults.ts';
import { Limiter } from '../../emulator/limits/limiter.ts';
import { EmulatedPlatform as Emulator } from '../../emulator/platform.ts';
import { seededRandom } from '../../emulator/random.ts';
import { Service } from '../../emulator/service.ts';
import { Stats } from '../../emulator/stats.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { Platform, Random, StateBackend, StateSnapshot } from '../../model/ports.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { memoryBackend } from '../../state/memory.ts';
import { ArchiveSource } from '../archives/archive-source.ts';
import { planSpool } from '../output-files.ts';
import type { Ports } from '../ports.ts';
import type { Application } from '../session/application.ts';
import { requestTimeoutMs } from '../session/connect.ts';
import { emulatorRatePlan, emulatorWindow } from '../session/emulator-settings.ts';
import { runPlan } from '../session/run-plan.ts';
import { putSentMessages } from './sent-messages.ts';
import { setUpPlatform } from './set-up-platform.ts';
import { simulatedPlatform } from './simulated-platform.ts';
import { VirtualClock } from './virtual-clock.ts';

const token = 'rehearsal';

export interface SimulationOptions extends Pick<Ports, 'cwd' | 'env'> {
  readonly application: Application;
  readonly state: StateSnapshot;
  readonly plan: Plan;
  /** The wall clock at the beginning. */
  readonly startsAt: Date;
  readonly settings: SimulationSettings;
}

interface SimulationSettings {
  readonly latencyMs: number;
  readonly window: string;
  readonly seed: number;
  readonly faults: Faults | undefined;
}

export interface SimulatedRun {
  readonly existing: Existing;
  readonly keepGoing: boolean;
  readonly maxDurationMs?: number;
  readonly emit: (event: ApplyEvent) => void;
}

export class Simulation {
  readonly clock: VirtualClock;
  readonly limits: LimitsOf;
  /** Objects of state that could not be set up, each with the reason. */
  readonly missing: readonly string[];
  readonly #application: Application;
  readonly #random: Random;
  readonly #archives: ArchiveSource;
  readonly #emulator: Emulator;
  readonly #platform: Platform;
  readonly #backend: StateBackend;

  constructor({ application, state, plan, startsAt, settings, cwd, env }: SimulationOptions) {
    const clock = new VirtualClock(startsAt);
    const archives = new ArchiveSource(cwd);
    this.clock = clock;
    this.limits = limitsOf(application.rates);
    this.#application = application;
    this.#random = seededRandom(settings.seed);
    this.#archives = archives;
    const emulator = new Emulator({ token, seed: 'rehearsal' });
    this.#emulator = emulator;
    this.missing = setUpPlatform({
      emulator,
      token,
      nowMs: clock.elsewhere(),
      records: state.records(),
      steps: plan.steps,
      planInput: {
        policy: freePolicy,
        application: application.identity,
        settings: application.settings,
        limitsOf: this.limits,
        today: clock.date().toISOString().slice(0, 10),
        now: clock.date().toISOString(),
        collect: planSpool().collect,
      },
    });
    this.#platform = simulatedPlatform({
      service: serviceOf(emulator, application, settings),
      token,
      clock,
      latencyMs: () => settings.latencyMs,
      timeoutMs: requestTimeoutMs,
      sink: { write: async () => {} },
      // A rehearsal needs no secrets, but it does need the files.
      variables: (name) => env[`CHATFORM_VAR_${name}`] ?? 'rehearsal',
      readFile: (file) => readFile(resolve(cwd, file)),
      readMessages: (hole) => archives.messages(hole),
    });
    const owner = { user: '', host: '', pid: 0 };
    this.#backend = memoryBackend({ clock, owner, newId: () => 'rehearsal' }, state);
  }

  /** `after`: state at the end. */
  run(plan: Plan, options: SimulatedRun): Promise<{ readonly result: ApplyResult; readonly after: StateSnapshot }> {
    return this.clock.run(this.#run(plan, options));
  }

  async close(): Promise<void> {
    await this.#archives.close();
  }

  async #run(plan: Plan, { emit, ...options }: SimulatedRun): Promise<{ result: ApplyResult; after: StateSnapshot }> {
    const { clock, limits } = this;
    const lines = (hole: MessagesPlaceholder) => clock.outside(this.#archives.lines(hole));
    await putSentMessages(this.#emulator, plan.steps, lines);
    const writer = await this.#backend.open({ application: this.#application.identity, lockTimeoutMs: 0 });
    const result = await runPlan(
      plan,
      { platform: this.#platform, pacer: createPacer({ limitsOf: limits, clock }), state: writer, clock, emit },
      {
        random: this.#random,
        lines,
        limits,
        requestTimeoutMs,
        ...options,
      },
    );
    await writer.close();
    return { result, after: writer };
  }
}

function serviceOf(emulator: Emulator, { rates }: Application, { window, faults }: SimulationSettings): Service {
  const limits = {
    plan: emulatorRatePlan(rates.ratePlan),
    raised: rates.limits,
    userScope: emulator.readings.userScope,
  };
  return new Service({
    platform: emulator,
    stats: new Stats(),
    faults: new FaultSource(faults),
    limiter: new Limiter(limits, emulatorWindow(window)),
  });
}

/** For setting up: nothing is a danger on a platform that is empty. */
const freePolicy: Policy = {
  on_remove: {},
  removals: { max_share: 1, min_count: Number.MAX_SAFE_INTEGER },
  acknowledge: [],
  existing: 'refuse',
  external: {},
  personal_data: 'warn',
  departed: 'leave_alone',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  leave_channels_on_deactivation: false,
  read_each: 0,
  refresh: 'never',
};
