// Support: an apply and its undo in virtual time, each of which may be killed at any moment or have any call refused.
import { endingValues, keepBefore } from '../../../src/core/app/context/before-values.ts';
import { actOf, beginTrail, endTrail, nextNumber, readRuns } from '../../../src/core/app/context/trail.ts';
import type { OpenConnection } from '../../../src/core/app/plans/refresh.ts';
import { openUndo, type UndoSource } from '../../../src/core/app/undo/undo-source.ts';
import { type Address, kindOf, metadataKind } from '../../../src/core/model/address.ts';
import { printPath } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { defaultUndoPolicy } from '../../../src/core/model/policy.ts';
import type { Platform, StateSnapshot } from '../../../src/core/model/ports.ts';
import type { ApplyReport } from '../../../src/core/model/report.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { withoutTrail } from '../../../src/core/model/run-metadata.ts';
import { withValue } from '../../../src/core/planner/undo/merge.ts';
import { LiveReader } from '../../../src/core/refresh/send.ts';
import { isObject, type JsonObject, type JsonValue, valueAt } from '../../../src/lib/json.ts';
import { Simulation, token } from '../../../src/tools/rehearsal/simulation/simulation.ts';
import { paths, testPorts } from '../../core/app/support/ports.ts';
import { manifestOf } from '../../support/planning/manifest-of.ts';
import { openPolicy, planFor } from '../../support/planning/planning.ts';
import { objectDifferences } from '../../support/platform-differences.ts';
import { Chance } from './chance.ts';
import { images } from './estates.ts';
import { Life } from './life.ts';
import { memoryStorage } from './storage.ts';

/** What happens to a run: its process is killed at a moment, or the platform refuses one of its writes. Both are counted from 1. */
export type Trouble = { readonly killedAt: number } | { readonly refusedAt: number } | undefined;

export interface Undone {
  /** How the platform differs from the estate before the run, one sentence for each attribute and object. */
  readonly differences: readonly string[];
  /** What the undo lists as not restored. */
  readonly losses: string;
  /** The objects in state that are in use. */
  readonly managed: readonly Address[];
  /** What the plan of the run said would stay, and the platform has otherwise after that run. */
  readonly falselyStaying: readonly string[];
  /** The lists of deleted objects that named an object which is on the platform. */
  readonly falselyDeleted: readonly string[];
  /** Whether the trouble happened before the run, or the undo, was over. */
  readonly isTroubled: { readonly run: boolean; readonly undo: boolean };
}

const policy = { removals: { max_share: 1, free_count: 1000 }, reopen: { frozen: 'allow', deactivated: 'allow' } };

/** Undefined if there is nothing to undo. */
type PlanOf = (state: StateSnapshot, over: OpenConnection) => Plan | undefined | Promise<Plan | undefined>;

export class UndoWorld {
  readonly #before: readonly Resource[];
  readonly #after: readonly Resource[];
  readonly #source: UndoSource;

  static async open(before: readonly Resource[], after: readonly Resource[]): Promise<UndoWorld> {
    const application = { base_url: 'https://chat.example/v3', rate_plan: '100k_mau' };
    const manifest = { ...(JSON.parse(manifestOf(before, policy)) as JsonObject), application };
    const ports = await testPorts({ 'chat.yaml': JSON.stringify(manifest) });
    const env = {
      CHATFORM_ALLOWED_HOSTS: 'chat.example,bots.example.com,hooks.example.com',
      CHATFORM_VAR_CODE: 'secret',
    };
    const source = await openUndo({ paths, run: '2' }, { ...ports, env });
    // Virtual time does not wait until code is loaded.
    await import('../../../src/core/app/plans/refresh.ts');
    return new UndoWorld(before, after, source);
  }

  private constructor(before: readonly Resource[], after: readonly Resource[], source: UndoSource) {
    this.#before = before;
    this.#after = after;
    this.#source = source;
  }

  /** Applies the second estate after the first and undoes that, and once more after trouble. `refresh`: undo reads the platform first. */
  async play(inRun: Trouble, inUndo: Trouble, refresh: boolean): Promise<Undone> {
    const { random } = new Chance(1);
    const simulation = new Simulation({
      rates: { ratePlan: '100k_mau', limits: {}, share: 1 },
      startsAt: new Date('2026-06-01T00:00:00Z'),
      random,
      faults: { rules: [] },
      latencyMs: () => 20,
      jitterMs: () => 0,
      variables: () => 'secret',
      readFile: async (file) => images.get(file) ?? new Uint8Array(),
      readList: async () => [],
      listToSend: async () => [],
    });
    const played = new Played(simulation, this.#source, refresh);
    return simulation.clock.run(played.play(this.#before, this.#after, inRun, inUndo));
  }
}

class Played {
  readonly #simulation: Simulation;
  readonly #source: UndoSource;
  readonly #refresh: boolean;
  readonly #storage;

  constructor(simulation: Simulation, source: UndoSource, refresh: boolean) {
    this.#simulation = simulation;
    this.#source = source;
    this.#refresh = refresh;
    this.#storage = memoryStorage(simulation.clock);
  }

  async play(
    before: readonly Resource[],
    after: readonly Resource[],
    inRun: Trouble,
    inUndo: Trouble,
  ): Promise<Undone> {
    const applying = (wanted: readonly Resource[]) => (state: StateSnapshot) =>
      planFor(wanted, new Map([...withoutTrail(state.records())].map((record) => [record.address, record])), {
        policy: openPolicy,
        limitsOf: this.#simulation.limits,
      }).plan;
    const losses: string[] = [];
    const falselyDeleted: string[] = [];
    const undoing = async (state: StateSnapshot, over: OpenConnection): Promise<Plan | undefined> => {
      // A run that was killed before it left an entry has changed nothing.
      if (!readRuns(state).some(({ number }) => number === 2)) return undefined;
      const { plan } = (await this.#source.look(state, this.#refresh, over)).judged(state);
      for (const { code, detail } of plan.warnings) if (code === 'undo.not-restored') losses.push(detail);
      return plan;
    };
    if (await this.#run(applying(before), undefined)) throw new Error('the first estate cannot be applied');
    let changes: Plan['changes'] = [];
    const run = await this.#run((state) => {
      const plan = applying(after)(state);
      changes = plan.changes;
      return plan;
    }, inRun);
    const falselyStaying = run ? [] : await this.#falselyStaying(changes, before, after);
    const undo = await this.#run(undoing, inUndo, 2);
    if (undo) await this.#run(undoing, undefined, 2);
    const differences = await objectDifferences((path, query) => this.#read(path, query), before);
    const state = await this.#storage.backend(new Life()).read('test');
    const existing = differences.filter((sentence) => sentence.includes('exists and is not known'));
    for (const detail of losses.filter((text) => text.includes('deleted these')))
      falselyDeleted.push(...existing.filter((sentence) => detail.includes(`${sentence.split(' ')[0]}`)));
    return {
      differences,
      losses: losses.join('\n'),
      managed: Array.from(state.records()).flatMap(({ address, retired }) =>
        retired === true || kindOf(address) === metadataKind ? [] : [address],
      ),
      falselyDeleted,
      falselyStaying,
      isTroubled: { run, undo },
    };
  }

  /** Values that are no longer managed, of which the plan said that they stay. */
  async #falselyStaying(
    changes: Plan['changes'],
    before: readonly Resource[],
    after: readonly Resource[],
  ): Promise<string[]> {
    const falsely: string[] = [];
    for (const { address, attributes, note_codes: codes = [] } of changes) {
      const [was, is] = [before, after].map((estate) => estate.find((one) => one.address === address));
      if (was === undefined || is === undefined) continue;
      const staying = codes.flatMap((note) => (note.code === 'attribute_released' ? [note.attribute] : []));
      const released = attributes.flatMap(({ path }) => (staying.includes(printPath(path)) ? [path] : []));
      const expected = released.reduce(
        (value, path) => withValue(value, path, valueAt(was.attributes, path)),
        is.attributes,
      );
      const sentences = await objectDifferences(
        (place, query) => this.#read(place, query),
        [{ ...is, attributes: expected }],
      );
      const names = new Set(released.map(([name = '']) => `${address} ${name}`));
      falsely.push(...sentences.filter((sentence) => names.has(sentence.split(' ', 2).join(' '))));
    }
    return falsely;
  }

  /** Returns whether the trouble happened. */
  async #run(planOf: PlanOf, trouble: Trouble, undoes?: number): Promise<boolean> {
    const life = new Life(trouble !== undefined && 'killedAt' in trouble ? trouble.killedAt : undefined);
    const work = this.#process(life, planOf, trouble, undoes);
    const outcome = await Promise.race([work, life.death.then(() => 'killed' as const)]);
    if (outcome === 'killed') this.#storage.bury(life);
    return outcome !== 'done';
  }

  async #process(life: Life, planOf: PlanOf, trouble: Trouble, undoes?: number): Promise<ApplyReport['outcome']> {
    const { clock } = this.#simulation;
    const opened = await this.#storage.backend(life).open({ application: 'test', lockTimeoutMs: 0 });
    const state = endingValues(life.state(opened, clock, () => 2));
    try {
      const refusedAt = trouble !== undefined && 'refusedAt' in trouble ? trouble.refusedAt : undefined;
      const process = this.#simulation.process({
        state,
        clock: life.clock(clock),
        around: (platform) => life.platform(refusing(platform, refusedAt), clock),
      });
      const recovery = await this.#simulation.recover(process, { settleMs: 60_000 });
      const { platform, pacer } = process;
      const { random } = new Chance(1);
      const reader = new LiveReader({ platform, pacer, clock: process.clock, random });
      const plan = await planOf(state, { reader, date: () => process.clock.date() });
      if (plan === undefined || plan.steps.length === 0) return 'done';
      const run = nextNumber(state);
      const act = actOf(undoes === undefined ? 'apply' : 'undo', { env: {}, clock });
      const begun = { ...act, plan: plan.hash, keeps: run, ...(undoes === undefined ? {} : { undoes }) };
      const before = await keepBefore(state, plan, { run, at: begun.started_at, clock }, defaultUndoPolicy);
      await recovery.forgetUnplanned(plan.steps);
      const { report } = await this.#simulation.carryOut(plan, process, {
        afterMs: 60_000,
        prepare: () => Promise.all([before.write(), beginTrail(state, begun)]),
      });
      await endTrail(state, begun, { outcome: report.outcome, counts: { ...report.steps } });
      return report.outcome;
    } finally {
      await state.close();
    }
  }

  async #read(path: string, query: Readonly<Record<string, string>>): Promise<JsonObject> {
    const { status, body } = this.#simulation.emulator.handle(
      {
        method: 'GET',
        path: `/v3${path}`,
        query: new URLSearchParams(query).toString(),
        headers: { 'api-token': token },
        body: { type: 'none' },
      },
      0,
    );
    if (status === 200 && isObject(body as JsonValue)) return body as JsonObject;
    throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
  }
}

/** Refuses the write with this number, which then has no effect. */
function refusing(platform: Platform, refusedAt: number | undefined): Platform {
  let writes = 0;
  return {
    send: async (request, options) => {
      if (request.method !== 'GET') writes += 1;
      if (request.method === 'GET' || writes !== refusedAt) return platform.send(request, options);
      return { type: 'refused', status: 403, code: 400_108, message: 'not now' };
    },
  };
}
