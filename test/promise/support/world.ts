// Support: a platform, a state and processes that run against them, all in one virtual time.

import {
  dividedPlan,
  type GateAnswer,
  type GateQuestion,
  StagedRun,
  type Staging,
} from '../../../src/core/app/run/stages.ts';
import type { HistoryFileLine } from '../../../src/core/history/lines/line.ts';
import { linesOfRange, messagesOfLines, plannedLines } from '../../../src/core/history/lines/range.ts';
import type { Address } from '../../../src/core/model/address.ts';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { ApplyEvent } from '../../../src/core/model/event.ts';
import { exitCode } from '../../../src/core/model/exit-code.ts';
import type { LimitsOf } from '../../../src/core/model/limits.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Policy } from '../../../src/core/model/policy.ts';
import type { StateSnapshot } from '../../../src/core/model/ports.ts';
import type { StateRecord } from '../../../src/core/model/record.ts';
import type { ApplyReport } from '../../../src/core/model/report.ts';
import type { Removal, Resource } from '../../../src/core/model/resource.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { FaultSource } from '../../../src/emulator/faults.ts';
import type { EmulatedPlatform as Emulator } from '../../../src/emulator/platform.ts';
import type { Arrival } from '../../../src/emulator/service.ts';
import type { Stats } from '../../../src/emulator/stats.ts';
import type { Effect } from '../../../src/emulator/stored/effects.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { SimulatedPlatformOptions } from '../../../src/tools/rehearsal/simulation/simulated-platform.ts';
import { Simulation } from '../../../src/tools/rehearsal/simulation/simulation.ts';
import type { VirtualClock } from '../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { openPolicy, planFor } from '../../support/planning/planning.ts';
import { undocumented } from '../../support/vendor/documented.ts';
import { Chance } from './chance.ts';
import { images } from './estates.ts';
import { Life } from './life.ts';
import type { Scenario, Stage } from './scenario.ts';
import { diskStorage, type MakeStorage, memoryStorage, type Storage } from './storage.ts';

const ratePlan = '25k_mau';
const maxJitterMs = 3;
const creates = new Set([
  ...registry.filter(({ onlyKey }) => onlyKey === undefined).map(({ section }) => `POST /${section}`),
  'POST /migration/{channel_url}',
]);
/** Longer than any latency that a run does not wait for. */
const settleMs = 60_000;

/** History files of exports are corrected; all others only grow. */
const corrected = { edited: 'update', deleted: 'delete', late: 'insert' } as const;

export type RunEnd =
  | { readonly type: 'report'; readonly report: ApplyReport }
  | { readonly type: 'killed' }
  | { readonly type: 'refused'; readonly code: string }
  /** The current objects cannot become the estate. No scenario should require that. */
  | { readonly type: 'impossible'; readonly why: string };

export function isDone(end: RunEnd): boolean {
  return end.type === 'report' && end.report.outcome === 'done';
}

export interface RunOptions {
  readonly life?: Life;
  readonly signal?: AbortSignal;
  readonly maxDurationMs?: number;
  readonly lockTimeoutMs?: number;
  /** The remaining steps of a saved plan, in place of a plan of the estate. */
  readonly saved?: (state: StateSnapshot) => Plan;
  /** All of its steps. */
  readonly savedSteps?: Iterable<Step>;
  /** An apply in stages, and what answers for its gates. */
  readonly staged?: { readonly staging: Staging; ask(question: GateQuestion, life: Life): Promise<GateAnswer> };
}

/** The on_remove of a stage, or the default of the scenario. */
export function removalsOf({ deletes, erases }: Scenario, stage?: Stage): Policy['on_remove'] {
  if (stage?.onRemove !== undefined) return stage.onRemove;
  const user = erases === true ? 'erase' : 'delete';
  return deletes ? { user, open_channel: 'delete', group_channel: 'delete' } : {};
}

/** Whether the platform has nothing of the object afterwards. */
export function isForGood(removal: Removal | undefined): boolean {
  return removal === 'delete' || removal === 'erase';
}

export class World {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly emulator: Emulator;
  readonly faults: FaultSource;
  readonly stats: Stats;
  readonly storage: Storage;
  readonly limits: LimitsOf;
  /** All tokens that the sink received. */
  readonly tokens = new Set<string>();
  /** A log of events, printed with a failure. */
  readonly story: string[] = [];
  /** The files of the applied estate. */
  historyFiles: ReadonlyMap<string, string> = new Map();
  trustDedup = false;
  /** The on_remove of removed objects, by kind. */
  onRemove: Policy['on_remove'];
  /** The platform refuses messages with this text. */
  refuseText: string | undefined;
  /** Violations that must never happen. */
  readonly faultsFound: string[] = [];
  readonly #simulation: Simulation;
  readonly #creations = new Map<string, number>();

  runs = 0;
  #underWay = 0;
  #createsUnderWay = 0;

  readonly #maxSyncMs: number;
  /** Whether clocks jump or machines are suspended, so that no run knows how long a call has been in flight. */
  readonly #isUntimed: boolean;
  readonly #hasFaults: boolean;

  /**
   * `maxSyncMs` is the maximum duration of a flush of the journal, uniformly distributed from 0. `storage` replaces the one of
   * the scenario.
   */
  constructor(scenario: Scenario, maxSyncMs = scenario.maxSyncMs ?? 2, storage?: MakeStorage) {
    this.#maxSyncMs = maxSyncMs;
    this.#isUntimed = scenario.stages.some(({ disturbances }) =>
      disturbances.some(({ type }) => type === 'clock' || type === 'takeover'),
    );
    this.#hasFaults = scenario.faults.length > 0;
    this.onRemove = removalsOf(scenario);
    this.chance = new Chance(scenario.seed + 1);
    const [least, most] = scenario.latencyMs;
    this.#simulation = new Simulation({
      rates: { ratePlan, limits: {}, share: 1 },
      startsAt: new Date('2026-06-01T00:00:00Z'),
      random: this.chance.random,
      window: scenario.window,
      faults: { seed: scenario.seed, rules: scenario.faults },
      behaviours: scenario.behaviours,
      onEffects: (effects) => this.#count(effects),
      onBug: (error) => this.faultsFound.push(`the emulator has a bug: ${String(error)}`),
      latencyMs: () => least + (most - least) * this.chance.random(),
      jitterMs: () => maxJitterMs * this.chance.random(),
      variables: () => 'secret',
      readFile: async (file) => images.get(file) ?? new Uint8Array(),
      readList: async (source) => this.#lines(source),
      listToSend: async (source) =>
        messagesOfLines(this.#lines(source), plannedLines(source)).map((one) => this.#spoiled(one)),
    });
    const { clock, emulator, faults, stats, limits } = this.#simulation;
    this.clock = clock;
    this.emulator = emulator;
    this.faults = faults;
    this.stats = stats;
    this.limits = limits;
    const { random } = this.chance;
    const losesPower = () => (random() < 0.3 ? random : undefined);
    const own = () =>
      scenario.storage === 'memory' ? memoryStorage(this.clock) : diskStorage(this.clock, { losesPower });
    this.storage = storage?.(this.clock) ?? own();
  }

  /** `isToBeSaved` adds what an apply of the saved plan compares. */
  planFor(
    desired: readonly Resource[],
    records: Iterable<StateRecord>,
    isToBeSaved = false,
  ): { readonly plan: Plan; readonly why?: string } {
    const state = new Map<Address, StateRecord>();
    for (const record of records) state.set(record.address, record);
    const { plan, problems } = planFor(desired, state, {
      policy: { ...openPolicy, on_remove: this.onRemove, messages: corrected },
      limitsOf: this.limits,
      isToBeSaved,
    });
    const [problem] = problems;
    const trusting = { ...plan, settings: { ...plan.settings, trust_dedup: this.trustDedup } };
    return problem === undefined ? { plan: trusting } : { plan, why: `${problem.address}: ${problem.detail}` };
  }

  /** Runs one process from taking the lock to its end. */
  async run(desired: readonly Resource[], options: RunOptions = {}): Promise<RunEnd> {
    const number = ++this.runs;
    const life = options.life ?? new Life();
    const tell = (what: string) => this.story.push(`${Math.round(this.clock.now())} ms, run ${number}: ${what}`);
    const end = await Promise.race([
      this.#process(desired, life, options, tell),
      life.death.then((): RunEnd => ({ type: 'killed' })),
    ]);
    tell(end.type === 'report' ? `${end.report.outcome} ${JSON.stringify(end.report.steps)}` : JSON.stringify(end));
    return end;
  }

  /** Runs one process that is killed at this moment, unless it ends before. */
  async runUntil(atMoment: number, desired: readonly Resource[], options: RunOptions = {}): Promise<RunEnd> {
    const life = new Life(atMoment);
    const end = await this.run(desired, { ...options, life });
    if (end.type === 'killed') this.storage.bury(life);
    return end;
  }

  /** Repeats the run until it is done, at most this many times. */
  async runUntilDone(most: number, desired: readonly Resource[]): Promise<RunEnd> {
    let end: RunEnd = { type: 'killed' };
    for (let count = 0; count < most && !isDone(end); count++) end = await this.run(desired);
    return end;
  }

  /** What a new process reads. */
  state(): Promise<StateSnapshot> {
    return this.storage.backend(new Life()).read('test');
  }

  async #process(
    desired: readonly Resource[],
    life: Life,
    options: RunOptions,
    tell: (what: string) => void,
  ): Promise<RunEnd> {
    try {
      const state = await this.storage
        .backend(life)
        .open({ application: 'test', lockTimeoutMs: options.lockTimeoutMs ?? 0 });
      tell(`begins with ${state.pending.length} pending`);
      const sink = life.sink({
        write: async ({ value }) => {
          this.tokens.add(value);
        },
      });
      const mortal = life.state(state, this.clock, () => this.#maxSyncMs * this.chance.random());
      const process = this.#simulation.process(
        {
          state: mortal,
          clock: life.clock(this.clock),
          emit: (event) => this.#see(event, tell),
          sink,
          around: (platform) => life.platform(platform, this.clock),
        },
        (service) => this.#watched(service),
      );
      const { saved, savedSteps, signal, maxDurationMs, staged } = options;
      const work = async (): Promise<RunEnd> => {
        const recovery = await this.#simulation.recover(process, { settleMs, saved: savedSteps });
        const { plan, why } =
          saved === undefined ? this.planFor(desired, state.records()) : { plan: saved(state), why: undefined };
        if (why !== undefined) return { type: 'impossible', why };
        tell(`has settled ${recovery.settled} calls, has ${plan.steps.length} steps`);
        await recovery.forgetUnplanned(plan.steps);
        const stages =
          staged === undefined || plan.steps.length === 0
            ? undefined
            : new StagedRun(dividedPlan(plan, state, staged.staging), staged.staging, {
                ...process,
                run: this.runs,
                keepGoing: false,
                ask: (question) => staged.ask(question, life),
              });
        const { report, refusal } = await this.#simulation.carryOut(plan, process, {
          afterMs: settleMs,
          ...(signal === undefined ? {} : { signal }),
          ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
          ...(stages === undefined ? {} : { stages, prepare: () => stages.write() }),
        });
        if (refusal !== undefined) throw refusal;
        return { type: 'report', report: (await stages?.ended(report)) ?? report };
      };
      return await work().finally(() => mortal.close());
    } catch (error) {
      if (error instanceof Refusal) return { type: 'refused', code: error.code };
      throw error;
    }
  }

  #spoiled(message: JsonObject): JsonObject {
    const isRefused = this.refuseText !== undefined && message.message === this.refuseText;
    return isRefused ? { ...message, custom_type: 'x'.repeat(200) } : message;
  }

  #lines(source: JsonObject): readonly HistoryFileLine[] {
    const planned = plannedLines(source);
    const { file, offset, bytes } = planned;
    const text = Buffer.from(this.historyFiles.get(file) ?? '').toString('utf8', offset, offset + bytes);
    const lines = linesOfRange(text, planned);
    if (lines === undefined) throw new Refusal('apply.file-changed', exitCode.conflict, file, 'has changed');
    return lines;
  }

  /**
   * Counts calls in flight that must not arrive late. Creates and messages may, because they are searched before they are
   * sent again.
   */
  #watched(service: SimulatedPlatformOptions['service']): SimulatedPlatformOptions['service'] {
    const count = ({ route, request, refusal }: Arrival, by: 1 | -1): void => {
      if (refusal !== undefined || request.method === 'GET') return;
      if (creates.has(route)) this.#createsUnderWay += by;
      else this.#underWay += by;
    };
    return {
      arrive: (request, nowMs) => {
        this.faultsFound.push(...undocumented(request).map((part) => `the vendor does not document ${part}`));
        const arrival = service.arrive(request, nowMs);
        count(arrival, 1);
        return arrival;
      },
      finish: (arrival, nowMs) => {
        count(arrival, -1);
        return service.finish(arrival, nowMs);
      },
    };
  }

  /**
   * Lets the calls of a dead run take effect before the next run begins, where no run can wait for them by the clock. Without
   * versions of objects on the platform, a late call looks like an edit by another client.
   */
  async quiet(): Promise<void> {
    if (!this.#isUntimed) return;
    do await this.clock.sleep(2 * maxJitterMs);
    while (this.#underWay > 0);
  }

  /**
   * Waits until no create is in flight. If a later run created the object and another one deleted it, a late create of a dead
   * run would create it again without any record (semantics §13.1).
   */
  async everythingArrived(): Promise<void> {
    if (!this.#isUntimed) return;
    while (this.#createsUnderWay > 0) await this.clock.sleep(maxJitterMs);
  }

  /**
   * A good plan never meets a refusal, and what the network does ends as unknown. Only faults at each of its attempts make a
   * step fail, be it of the call or of a read that it waits for, and then a later run completes it.
   */
  #see(event: ApplyEvent, tell: (what: string) => void): void {
    if (event.type !== 'step.ended' || event.failure === undefined) return;
    tell(`${event.step} ${event.action} ${event.outcome}: ${event.failure.code} ${event.failure.message}`);
    const hasGivenUp = this.#hasFaults && event.failure.message.includes('gave up after 8 attempts');
    if (event.outcome === 'failed' && !hasGivenUp) {
      this.faultsFound.push(`${event.step} (${event.action}) failed: ${event.failure.message}`);
    }
  }

  #count(effects: readonly Effect[]): void {
    const more = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const effect of effects) {
      if (effect.type === 'user.put' && this.emulator.state.users.get(effect.user.userId) === undefined) {
        more(this.#creations, effect.user.userId);
      } else if (effect.type === 'channel.put' && this.emulator.state.channel(effect.channel.url) === undefined) {
        more(this.#creations, effect.channel.url);
      }
    }
  }

  /** Objects that came into being more often than the estates say. */
  createdTooOften(wanted: (key: string) => number): string[] {
    return [...this.#creations]
      .filter(([key, count]) => count > wanted(key))
      .map(([key, count]) => `${key} was created ${count} times, declared anew ${wanted(key)} times`);
  }
}
