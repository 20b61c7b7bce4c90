// A simulated application with its state, for rehearsals and `chatform test`. Plans are applied one after the other.

import type { Application } from '../../../core/app/context/application.ts';
import { emulatorAs } from '../../../core/app/context/embedded-emulator.ts';
import { temporarySpool } from '../../../core/app/context/this-process.ts';
import { HistoryFileSource } from '../../../core/app/history-files/history-source.ts';
import { StoredObservations } from '../../../core/app/plans/observations.ts';
import type { Live } from '../../../core/app/plans/refresh.ts';
import { type HistoryFileLine, identityOfLine } from '../../../core/history/lines/line.ts';
import type { PlannedLines } from '../../../core/history/lines/range.ts';
import { type Target, targetOf } from '../../../core/history/sending/message-search.ts';
import { textOf } from '../../../core/kinds/definition/values.ts';
import type { LoadedManifest } from '../../../core/manifest/passes/loaded-manifest.ts';
import { objectRecords } from '../../../core/model/addressed-series.ts';
import { Refusal } from '../../../core/model/errors.ts';
import type { ApplyEvent } from '../../../core/model/event.ts';
import type { Plan } from '../../../core/model/plan.ts';
import type { Policy } from '../../../core/model/policy.ts';
import type { Platform, StateSnapshot } from '../../../core/model/ports.ts';
import type { ApplyReport } from '../../../core/model/report.ts';
import type { Step } from '../../../core/model/step.ts';
import { readLive } from '../../../core/refresh/refresh.ts';
import { LiveReader } from '../../../core/refresh/send.ts';
import { refreshSubjects } from '../../../core/refresh/subjects.ts';
import { findKind, registry } from '../../../core/resources/index.ts';
import { type MemoryBackend, memoryBackend } from '../../../core/state/stores/memory.ts';
import type { Faults } from '../../../emulator/faults.ts';
import type { EmulatedPlatform as Emulator } from '../../../emulator/platform.ts';
import { seededRandom } from '../../../emulator/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { setUpExternalUsers, setUpPlatform } from './set-up-platform.ts';
import { Simulation, token } from './simulation.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface SimulatedEstateOptions {
  readonly application: Application;
  readonly startsAt: Date;
  /** Relative paths of history files start here. */
  readonly cwd: string;
  /** The place of the content of a history file, by its absolute path. Default: the path. */
  readonly placeOf?: (path: string) => string;
  readonly variables: (name: string) => string;
  readonly readFile: (file: string) => Promise<Uint8Array>;
  /** The initial contents of the state. Default: none. */
  readonly state?: StateSnapshot;
  readonly seed?: number;
  /** The delay of every response in milliseconds. Default: 100. */
  readonly latencyMs?: number;
  /** Default: that of the application's behaviours. */
  readonly window?: string;
  readonly faults?: Faults | undefined;
}

export interface ApplyToEstate {
  readonly existing: Policy['existing'];
  readonly keepGoing?: boolean;
  readonly maxDurationMs?: number;
  readonly emit?: (event: ApplyEvent) => void;
  readonly signal?: AbortSignal;
  /** The process dies while this call is in flight, and none of its later writes count. */
  readonly killAt?: number | undefined;
}

export interface AppliedPlan {
  /** Absent when the run was refused or killed. */
  readonly report?: ApplyReport;
  readonly refusal?: Refusal;
  /** The final state, not a copy, which would be as large as the platform. */
  readonly after: StateSnapshot;
}

export class SimulatedEstate {
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  readonly #application: Application;
  readonly #backend: MemoryBackend;
  readonly #historyFiles: HistoryFileSource;

  constructor(options: SimulatedEstateOptions) {
    const { application, cwd, placeOf, state, seed = 1, latencyMs = 100, ...others } = options;
    const { behaviours } = application;
    this.#application = application;
    this.#historyFiles = new HistoryFileSource(cwd, placeOf);
    this.simulation = new Simulation({
      ...(behaviours === undefined ? {} : emulatorAs(behaviours)),
      ...others,
      rates: application.rates,
      random: seededRandom(seed),
      latencyMs: () => latencyMs,
      readList: (source) => this.#lines(source),
      listToSend: (source) => this.#historyFiles.messages(source),
    });
    this.clock = this.simulation.clock;
    const owner = { user: '', host: '', pid: 0 };
    this.#backend = memoryBackend({ clock: this.clock, owner, newId: () => 'simulated' }, state);
  }

  #lines(source: JsonObject): ReturnType<HistoryFileSource['lines']> {
    return this.clock.outside(this.#historyFiles.lines(source));
  }

  state(): Promise<StateSnapshot> {
    return this.#backend.read(this.#application.identity);
  }

  /** Puts the objects of state that the plan needs onto the platform. Returns those that failed, with reasons. */
  async setUp(state: StateSnapshot, plan: Plan): Promise<readonly string[]> {
    const { clock, simulation } = this;
    const now = clock.date().toISOString();
    const missing = setUpPlatform({
      ...this.#before(state, plan),
      planInput: {
        policy: freePolicy,
        application: this.#application.identity,
        settings: this.#application.settings,
        limitsOf: simulation.limits,
        now,
        collect: temporarySpool().collect,
      },
    });
    await putSentMessages(simulation.emulator, plan.steps, (source) => this.#lines(source));
    return missing;
  }

  /** Creates undeclared users that the plan names, because others manage them. */
  async setUpExternalUsers(plan: Plan): Promise<void> {
    setUpExternalUsers(this.#before(await this.state(), plan));
  }

  #before(state: StateSnapshot, { steps }: Plan) {
    const { emulator } = this.simulation;
    return { emulator, token, nowMs: this.clock.elsewhere(), records: state.records(), steps };
  }

  /** Applies the plan in one simulated process. */
  apply(plan: Plan, options: ApplyToEstate): Promise<AppliedPlan> {
    return this.clock.run(this.#apply(plan, options));
  }

  async #apply(plan: Plan, { killAt, emit = () => {}, ...options }: ApplyToEstate): Promise<AppliedPlan> {
    const after = await this.#open();
    let calls = 0;
    const dying = (platform: Platform): Platform => ({
      send: (request, sending) => {
        calls += 1;
        if (calls === killAt) this.#backend.crash();
        return platform.send(request, sending);
      },
    });
    try {
      const process = this.simulation.process({ state: after, emit, around: dying });
      const { report, refusal } = await this.simulation.carryOut(plan, process, options);
      if (refusal !== undefined) throw refusal;
      return { report, after };
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error, after };
      throw error;
    } finally {
      await after.close().catch(() => {});
    }
  }

  /** Settles the calls of a killed run before anything is planned. */
  recover(): Promise<void> {
    return this.clock.run(this.#recover());
  }

  async #recover(): Promise<void> {
    const state = await this.#open();
    await this.simulation.recover(this.simulation.process({ state }));
    await state.close();
  }

  #open() {
    return this.#backend.open({ application: this.#application.identity, lockTimeoutMs: 0 });
  }

  /** A call by another client. Undefined if the platform accepts it, otherwise its response. */
  callAsOther(method: string, path: string, body: JsonObject | undefined): string | undefined {
    const answer = this.simulation.emulator.handle(
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
  refresh(manifest: LoadedManifest): Promise<Live> {
    return this.clock.run(this.#refresh(manifest));
  }

  async #refresh(manifest: LoadedManifest): Promise<Live> {
    const state = await this.#open();
    try {
      const { platform, pacer, clock } = this.simulation.process({ state });
      const reader = new LiveReader({ platform, pacer, clock, random: seededRandom(1) });
      const observations = new StoredObservations();
      const subjects = refreshSubjects(manifest.resources, objectRecords(state.records()));
      for await (const { subject, live } of readLive(subjects, registry, reader)) {
        const kind = findKind(subject.address);
        if (kind !== undefined) observations.take(kind, subject, live);
      }
      return { observations, refreshed: observations.refreshed(reader.requests) };
    } finally {
      await state.close();
    }
  }

  /** Releases the platform, which is as large as a plan. What state and clock refer to would keep it. */
  async close(): Promise<void> {
    this.simulation.emulator.state.restore([]);
    await this.#historyFiles.close();
  }
}

/** The policy for setting up an empty platform, where nothing is dangerous. */
const freePolicy: Policy = {
  on_remove: {},
  removals: { max_share: 1, free_count: Number.MAX_SAFE_INTEGER },
  acknowledge: [],
  existing: 'refuse',
  external: {},
  personal_data: 'warn',
  departed: 'leave_alone',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  leave_channels_on_deactivation: false,
  read_each: 0,
  refresh: 'none',
};

// Puts the messages that a plan edits or answers onto the simulated platform. State has only their fingerprints, so they get a
// placeholder text.

/** Higher than any id that the emulator assigns. */
const firstId = 1_000_000_000;
const before = '(as it was sent)';

/**
 * Puts the message of each edited line and the first message of each thread, with the others of its time, sender and type: an edit pairs all of these with the
 * lines of the history file, and finds its message only if none of them is missing.
 */
async function putSentMessages(
  emulator: Emulator,
  steps: Iterable<Step>,
  lines: (source: PlannedLines) => Promise<readonly HistoryFileLine[]>,
): Promise<void> {
  let id = firstId;
  /** Groups of several messages that are there, each of which may have several edits. */
  const there = new Set<string>();
  for (const { request, search, action } of steps) {
    const target = targetOf(search);
    const url = request?.params?.channel_url;
    if (target === undefined || url === undefined) continue;
    const isAnswered = target.reply?.hasOldThread === true;
    if (action !== 'update' && !isAnswered) continue;
    const group = `${url}\n${target.identity}`;
    if (there.has(group)) continue;
    const sent = sentLines(await lines(target.lines), target);
    if (sent.length > 1 || isAnswered) there.add(group);
    const messages = sent.map((line) => ({ ...messageOf(line), id: id++ }));
    emulator.state.apply({ type: 'messages.put', url, messages });
  }
}

/** The lines with the identity of the target that were sent. */
function sentLines(
  lines: readonly HistoryFileLine[],
  { identity, lines: { only }, late, unsure }: Target,
): HistoryFileLine[] {
  const isSent = (place: number): boolean =>
    only?.includes(place) === true || (late?.includes(place) !== true && unsure?.includes(place) !== true);
  return lines.filter((line, place) => isSent(place) && identityOfLine(line) === identity);
}

function messageOf(line: HistoryFileLine) {
  const { message_type: type, timestamp: createdAt } = line;
  const url = textOf(line, 'url');
  return {
    type,
    userId: textOf(line, 'user_id') ?? null,
    text: type === 'FILE' ? '' : before,
    data: before,
    customType: '',
    createdAt,
    updatedAt: 0,
    dedupId: '',
    mentionType: 'users',
    mentioned: [],
    metaArray: [],
    file: type === 'FILE' && url !== undefined ? { url, name: '', type: '', size: 0, data: before } : null,
    silent: false,
    removed: false,
    // Which message it answers matters to no edit.
    ...(line.parent === undefined ? {} : { parent: 1 }),
  } as const;
}
