// The remaining part of a saved plan for apply and rehearse (semantics §6).
import { resolve } from 'node:path';
import type { Collect } from '../../lib/series.ts';
import { staysInside } from '../../manifest/checks/emulator-path.ts';
import { disk } from '../../manifest/files/access.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import type { Step } from '../../model/step.ts';
import { estimateDuration } from '../../planner/order/estimate.ts';
import { expiredSince } from '../../planner/safety/acknowledgements.ts';
import { limitsOf } from '../../platform/limits.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { withReadings } from '../context/known-readings.ts';
import { planSpool } from '../context/output-files.ts';
import type { ApplicationOptions, Ports } from '../context/ports.ts';
import { acknowledgementExpired } from '../context/refusals.ts';
import { findLiveConflicts, type LiveConflict } from './live-conditions.ts';
import { blockedObjects } from './needed-objects.ts';
import { readPlan } from './plan-file.ts';
import { todayOf } from './plan-manifests.ts';
import { checkPlanFits, planConflict, type RemainingWork, remainingWork, withoutObjects } from './remaining-work.ts';

interface SavedPlan {
  readonly file: string;
  readonly plan: Plan;
  /** Keeps the remaining steps. */
  readonly collect: Collect;
}

interface SavedPlanOptions extends ApplicationOptions {
  /** Whether to skip objects that changed since the plan was saved. */
  readonly skipConflicts?: boolean | undefined;
}

export class SavedPlanSource {
  readonly isSaved = true;
  readonly application: Application;
  readonly existing: Policy['existing'];
  readonly #saved: SavedPlan;
  readonly #isSkipping: boolean;
  readonly #ports: Ports;
  readonly #today: string;
  #changedElsewhere: readonly LiveConflict[] = [];
  /** Cached for the observed state, because finding the remaining work visits all steps. */
  #observed: { readonly state: StateSnapshot; readonly work: RemainingWork } | undefined;
  #hasNotified = false;

  /** Refused (6) when the plan has no application, or names an emulator outside the working folder. */
  static async open(file: string, options: SavedPlanOptions, ports: Ports): Promise<SavedPlanSource> {
    const { collect } = planSpool();
    const plan = await readPlan(file, ports, collect);
    if (plan.settings.base_url === '') throw madeWithoutApplication(file);
    const resolved = resolveApplication(options, ports, plan.settings);
    const application = await withReadings(resolved, [file], ports);
    if (options.baseUrl === undefined) await demandInside(application, file, ports);
    return new SavedPlanSource({ file, plan, collect }, application, options, ports);
  }

  private constructor(saved: SavedPlan, application: Application, options: SavedPlanOptions, ports: Ports) {
    this.application = application;
    this.existing = saved.plan.settings.existing;
    this.#saved = saved;
    this.#isSkipping = options.skipConflicts === true;
    this.#ports = ports;
    this.#today = todayOf(ports);
  }

  get savedSteps(): Iterable<Step> {
    return this.#saved.plan.steps;
  }

  async observe(state: StateSnapshot): Promise<void> {
    const { plan, collect } = this.#saved;
    checkPlanFits(plan, this.application.identity, state);
    const work = remainingWork(plan, state, collect);
    this.#observed = { state, work };
    const left = withoutObjects(work.steps, work.conflicts, collect);
    this.#changedElsewhere = await findLiveConflicts(plan, left, state, this.application, this.#ports);
  }

  /**
   * Refused when an acknowledgement has expired (5), and (6) when the plan does not fit the state, or objects changed
   * since it was made and are not to be skipped.
   */
  planFor(state: StateSnapshot): Plan {
    const { plan, collect } = this.#saved;
    checkPlanFits(plan, this.application.identity, state);
    const expired = expiredSince(plan.bookkeeping, state.get(acknowledgedAddress), this.#today);
    if (expired.length > 0) throw acknowledgementExpired(expired);
    const { steps, conflicts } = this.#workFor(state);
    const blocked = blockedObjects(steps, plan.needed, state);
    const changed = [...conflicts, ...[...blocked, ...this.#changedElsewhere].map(({ address }) => address)];
    if (changed.length > 0 && !this.#isSkipping) throw planConflict(conflicts, blocked, this.#changedElsewhere);
    const kept = withoutObjects(steps, changed, collect);
    if (changed.length > 0 && !this.#hasNotified) {
      const addresses = [...new Set(changed)];
      this.#ports.notify({ type: 'plan-left-out', addresses, steps: steps.length - kept.length });
      this.#hasNotified = true;
    }
    if (kept.length === plan.steps.length) return plan;
    return { ...plan, steps: kept, duration: estimateDuration(kept, limitsOf(this.application.rates)) };
  }

  /** The remaining work is the same for all states without records. */
  #workFor(state: StateSnapshot): RemainingWork {
    const { plan, collect } = this.#saved;
    const observed = this.#observed;
    const isSame = observed?.state === state || (observed?.state.size === 0 && state.size === 0);
    return isSame ? observed.work : remainingWork(plan, state, collect);
  }
}

/** A plan may come from an unmerged request. Like manifests, it must not write outside the working folder. */
async function demandInside({ target }: Application, file: string, { cwd }: Ports): Promise<void> {
  if (target.type !== 'emulator' || (await staysInside(resolve(cwd, target.file), cwd, disk))) return;
  throw new Refusal(
    'plan.emulator-elsewhere',
    exitCode.conflict,
    `${file} is for emulator:${target.file}, which is outside the working folder.`,
    'If you want that emulator, confirm it with --base-url.',
  );
}

function madeWithoutApplication(file: string): Refusal {
  return new Refusal(
    'plan.no-application',
    exitCode.conflict,
    `${file} was made without the variable that names its application.`,
    'Such a plan is for reading only. Set the variable and re-plan.',
  );
}
