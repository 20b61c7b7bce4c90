// A simulated platform and a state, over which tests apply plans one after the other, in virtual time.
import { resolve } from 'node:path';
import { recover } from '../../applier/recover/recover.ts';
import { FaultSource, type Faults } from '../../emulator/faults.ts';
import { Limiter } from '../../emulator/limits/limiter.ts';
import { EmulatedPlatform as Emulator } from '../../emulator/platform.ts';
import { seededRandom } from '../../emulator/random.ts';
import { Service } from '../../emulator/service.ts';
import { Stats } from '../../emulator/stats.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { FileAccess } from '../../manifest/files.ts';
import type { LoadedManifest } from '../../manifest/load.ts';
import { kindOf } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { Platform, StateSnapshot } from '../../model/ports.ts';
import type { ApplyReport } from '../../model/report.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import { readingOf } from '../../planner/order/effect-reading.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { readLive } from '../../refresh/refresh.ts';
import { Reader } from '../../refresh/send.ts';
import { refreshSubjects } from '../../refresh/subjects.ts';
import { registry } from '../../resources/index.ts';
import { type MemoryBackend, memoryBackend } from '../../state/memory.ts';
import { ArchiveSource } from '../archives/archive-source.ts';
import { StoredObservations } from '../live/observations.ts';
import type { Live } from '../live/refresh.ts';
import { setUpExternalUsers } from '../rehearsal/set-up-platform.ts';
import { simulatedPlatform } from '../rehearsal/simulated-platform.ts';
import { VirtualClock } from '../rehearsal/virtual-clock.ts';
import type { Application } from '../session/application.ts';
import { requestTimeoutMs } from '../session/connect.ts';
import { emulatorRatePlan, emulatorWindow } from '../session/emulator-settings.ts';
import { runPlan } from '../session/run-plan.ts';
import { defaultSettleMs } from '../session/settling.ts';

const token = 'test';
const latencyMs = 100;

export interface AppliedPlan {
  /** Absent when the run was refused before or while it ran. */
  readonly report?: ApplyReport;
  readonly refusal?: Refusal;
}

export class SimulatedEstate {
  readonly clock: VirtualClock;
  readonly #application: Application;
  readonly #faults = new FaultSource();
  readonly #emulator = new Emulator({ token, seed: 'test' });
  readonly #backend: MemoryBackend;
  readonly #archives: ArchiveSource;
  readonly #platform: Platform;
  #calls = 0;
  #killAt: number | undefined;

  constructor(
    application: Application,
    startsAt: Date,
    { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
  ) {
    this.clock = new VirtualClock(startsAt);
    this.#application = application;
    this.#archives = new ArchiveSource(cwd);
    const owner = { user: '', host: '', pid: 0 };
    this.#backend = memoryBackend({ clock: this.clock, owner, newId: () => 'test' });
    const { rates } = application;
    const limits = {
      plan: emulatorRatePlan(rates.ratePlan),
      raised: rates.limits,
      userScope: this.#emulator.readings.userScope,
    };
    const platform = simulatedPlatform({
      service: new Service({
        platform: this.#emulator,
        stats: new Stats(),
        faults: this.#faults,
        limiter: new Limiter(limits, emulatorWindow('sliding')),
      }),
      token,
      clock: this.clock,
      latencyMs: () => latencyMs,
      timeoutMs: requestTimeoutMs,
      sink: { write: async () => {} },
      // A test needs no secrets, but it does need the files.
      variables: () => 'test',
      readFile: async (file) => Buffer.from(await files.readFile(resolve(cwd, file))),
      readMessages: (hole) => this.#archives.messages(hole),
    });
    this.#platform = {
      send: async (request, sending) => {
        this.#calls += 1;
        // The process dies with this call on its way: nothing that it writes from here on counts.
        if (this.#calls === this.#killAt) this.#backend.crash();
        return platform.send(request, sending);
      },
    };
  }

  state(): Promise<StateSnapshot> {
    return this.#backend.read(this.#application.identity);
  }

  /** Users whom the plan names and nobody declares are there: others manage them. */
  async apply(
    plan: Plan,
    { existing, killAt }: { readonly existing: Policy['existing']; readonly killAt?: number },
  ): Promise<AppliedPlan> {
    const state = await this.state();
    setUpExternalUsers({
      emulator: this.#emulator,
      token,
      nowMs: this.clock.elsewhere(),
      records: state.records(),
      steps: plan.steps,
    });
    this.#calls = 0;
    this.#killAt = killAt;
    try {
      return await this.clock.run(this.#run(plan, existing));
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error };
      throw error;
    } finally {
      this.#killAt = undefined;
    }
  }

  async #run(plan: Plan, existing: Policy['existing']): Promise<AppliedPlan> {
    const { clock } = this;
    const limits = limitsOf(this.#application.rates);
    const random = seededRandom(1);
    const state = await this.#backend.open({ application: this.#application.identity, lockTimeoutMs: 0 });
    try {
      const pacer = createPacer({ limitsOf: limits, clock });
      const ports = { platform: this.#platform, pacer, state, clock };
      const result = await runPlan(
        plan,
        { ...ports, emit: () => {} },
        {
          random,
          lines: (hole) => clock.outside(this.#archives.lines(hole)),
          limits,
          requestTimeoutMs,
          existing,
          keepGoing: false,
        },
      );
      if (result.refusal === undefined) return { report: result.report };
      if (!(result.refusal instanceof Refusal)) throw result.refusal;
      return { refusal: result.refusal };
    } finally {
      await state.close().catch(() => {});
    }
  }

  /** Finds out what became of the calls of a killed run, before anything is planned. */
  async recover(): Promise<void> {
    await this.clock.run(this.#recover());
  }

  async #recover(): Promise<void> {
    const limits = limitsOf(this.#application.rates);
    const state = await this.#backend.open({ application: this.#application.identity, lockTimeoutMs: 0 });
    const pacer = createPacer({ limitsOf: limits, clock: this.clock });
    const reading = (step: Parameters<typeof readingOf>[1]) => {
      const kind = registry.find((one) => one.kind === kindOf(step.address));
      return kind === undefined ? undefined : readingOf(kind, step);
    };
    const ports = { platform: this.#platform, pacer, state, clock: this.clock };
    const random = seededRandom(1);
    await recover(ports, { random, limits, requestTimeoutMs, reading, hasSink: true, settleMs: defaultSettleMs });
    await state.close();
  }

  /** From now on. */
  setFaults(faults: Faults): void {
    this.#faults.replace(faults);
  }

  /** A call of somebody else. Undefined when the platform accepts it, else its answer. */
  callAsOther(method: string, path: string, body: JsonObject | undefined): string | undefined {
    const answer = this.#emulator.handle(
      {
        method,
        path: `/v3${path}`,
        query: '',
        headers: { 'api-token': token },
        body: body === undefined ? { type: 'none' } : { type: 'json', value: body },
      },
      this.clock.elsewhere(),
    );
    return answer.status === 200 ? undefined : JSON.stringify(answer.body);
  }

  /** Reads the live objects of state and of the manifests. */
  async refresh(manifest: LoadedManifest): Promise<Live> {
    const state = await this.state();
    const pacer = createPacer({ limitsOf: limitsOf(this.#application.rates), clock: this.clock });
    const reader = new Reader({ platform: this.#platform, pacer, clock: this.clock, random: seededRandom(1) });
    const observations = new StoredObservations();
    let objects = 0;
    const read = async (): Promise<void> => {
      const subjects = refreshSubjects(manifest.resources, objectRecords(state.records()));
      for await (const { subject, live } of readLive(subjects, registry, reader)) {
        const kind = registry.find((one) => one.kind === kindOf(subject.address));
        objects += 1;
        if (kind !== undefined) observations.take(kind, subject, live);
      }
    };
    await this.clock.run(read());
    return { observations, refreshed: { objects, requests: reader.requests } };
  }

  async close(): Promise<void> {
    await this.#archives.close();
  }
}
