// How would an apply go? The same plan, the same applier, pacer and judgement, against a simulated platform, in virtual time.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { applyPlan } from '../applier/apply.ts';
import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import { asEmulatorPlan, asWindow, readFaults } from '../cli/flags/emulator-options.ts';
import { openEventFile } from '../cli/output/event-file.ts';
import { type RunReport, reporting } from '../cli/output/run-report.ts';
import { FaultSource } from '../emulator/faults.ts';
import { Limiter } from '../emulator/limits/limiter.ts';
import { EmulatedPlatform as Emulator } from '../emulator/platform.ts';
import { seededRandom } from '../emulator/random.ts';
import { Service } from '../emulator/service.ts';
import { Stats } from '../emulator/stats.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { ExitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { limitsOf } from '../platform/limits.ts';
import { createPacer } from '../platform/rate-limiter.ts';
import { memoryBackend } from '../state/memory.ts';
import { ArchiveSource } from './archives/archive-source.ts';
import { type PlanSource, planSourceOf } from './plan-source.ts';
import { planSpool } from './plan-spool.ts';
import { recordRunMetadata } from './record-run-metadata.ts';
import { countKinds, Schedule } from './rehearsal/schedule.ts';
import { setUpPlatform } from './rehearsal/set-up-platform.ts';
import { simulatedPlatform } from './rehearsal/simulated-platform.ts';
import { type Rehearsed, rehearsalAsJson, rehearsalForPeople } from './rehearsal/summary.ts';
import { VirtualClock } from './rehearsal/virtual-clock.ts';
import { requestTimeoutMs } from './session/connect.ts';
import { stateOf } from './session/open-state.ts';
import { settlingOf } from './session/settling.ts';
import { takeOver } from './take-over.ts';

const token = 'rehearsal';

export function runRehearse(input: CommandInput, world: Environment): Promise<ExitCode> {
  const work = async (report: RunReport): Promise<ExitCode> => {
    const rehearsed = await rehearsalOf(input, world);
    await report.write(rehearsed.report);
    const isJson = input.text('format') === 'json';
    for (const text of isJson ? [rehearsalAsJson(rehearsed)] : rehearsalForPeople(rehearsed)) world.stdout.write(text);
    return rehearsed.report.exit_code;
  };
  return reporting(input, world, work, false);
}

/** Refused as an apply would be, before its first step; how a run ends is in its report. */
export async function rehearsalOf(input: CommandInput, world: Environment): Promise<Rehearsed> {
  const intent = await planSourceOf(input, world, 'warn');
  const state = await (await stateOf(input, world)).read(intent.application.identity);
  const { after, ...played } = await play(intent, intent.against(state), state, input, world);
  // The simulated platform is gone by now: it takes as much memory as a plan.
  const nextSteps = intent.against(after).steps.length;
  return { ...played, nextSteps, kinds: countKinds(after.records()) };
}

interface Played extends Omit<Rehearsed, 'nextSteps' | 'kinds'> {
  /** What state holds at the end. */
  readonly after: StateSnapshot;
}

async function play(
  intent: PlanSource,
  plan: Plan,
  state: StateSnapshot,
  input: CommandInput,
  world: Environment,
): Promise<Played> {
  const { application, existing } = intent;
  const clock = new VirtualClock(world.clock.date());
  const random = seededRandom(input.count('seed') ?? 1);
  const latencyMs = input.count('latency') ?? 100;
  const faults = input.text('faults');
  const limits = limitsOf(application.rates);
  const emulator = new Emulator({ token, seed: 'rehearsal' });
  const missing = setUpPlatform({
    emulator,
    token,
    nowMs: clock.elsewhere(),
    records: state.records(),
    steps: plan.steps,
    planInput: {
      policy: freePolicy,
      application: application.identity,
      settings: application.settings,
      limitsOf: limits,
      today: clock.date().toISOString().slice(0, 10),
      collect: planSpool().collect,
    },
  });
  const service = new Service({
    platform: emulator,
    stats: new Stats(),
    faults: new FaultSource(faults === undefined ? undefined : await readFaults(resolve(world.cwd, faults))),
    limiter: new Limiter(
      {
        plan: asEmulatorPlan(application.rates.ratePlan),
        raised: application.rates.limits,
        userScope: emulator.readings.userScope,
      },
      asWindow(input.text('window') ?? 'sliding'),
    ),
  });
  const archives = new ArchiveSource(world.cwd);
  const platform = simulatedPlatform({
    service,
    token,
    clock,
    latencyMs: () => latencyMs,
    timeoutMs: requestTimeoutMs,
    sink: { write: async () => {} },
    // A rehearsal needs no secrets, but it does need the files.
    variables: (name) => world.env[`CHATFORM_VAR_${name}`] ?? 'rehearsal',
    readFile: (file) => readFile(resolve(world.cwd, file)),
    readMessages: (hole) => archives.messages(hole),
  });
  const maxDurationMs = input.duration('max-duration');
  const backend = memoryBackend({ clock, owner: { user: '', host: '', pid: 0 }, newId: () => 'rehearsal' }, state);
  const schedule = new Schedule();
  const events = await openEventFile(input.text('events'), { ...world, clock });
  const emit = (event: ApplyEvent): void => {
    schedule.take(event, clock.now());
    events.take(event);
  };
  try {
    const { report, after } = await clock.run(
      (async (): Promise<Pick<Played, 'report' | 'after'>> => {
        const writer = await backend.open({ application: application.identity, lockTimeoutMs: 0 });
        await recordRunMetadata(plan, writer);
        const result = await applyPlan(
          plan,
          { platform, pacer: createPacer({ limitsOf: limits, clock }), state: writer, clock, emit },
          {
            random,
            existing,
            adopt: takeOver,
            settling: settlingOf({
              lines: (hole) => clock.outside(archives.lines(hole)),
              trustDedup: plan.settings.trust_dedup === true,
            }),
            limits,
            requestTimeoutMs,
            keepGoing: input.flag('keep-going'),
            ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
          },
        );
        await writer.close();
        if (result.refusal !== undefined) throw result.refusal;
        // Where it lies: a copy of all records would be as large as the platform.
        return { report: result.report, after: writer };
      })(),
    );
    const { lanes } = schedule;
    // A stop that came when nothing was left to do has stopped nothing.
    const stopped = report.outcome === 'done' ? undefined : schedule.stopped;
    return { report, missing, stopped, lanes, after };
  } finally {
    await events.close();
    await archives.close();
  }
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
};
