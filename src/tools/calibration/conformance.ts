// Proves on a test application that what is declared is what the platform then shows: applies the table of conformance in stages, reads
// each object as a refresh does, and removes everything. A killed run goes on where it was.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { applyChanges } from '../../core/app/apply.ts';
import type { Application } from '../../core/app/context/application.ts';
import { connectToRead } from '../../core/app/context/connect.ts';
import { ownFile, refuseLinks } from '../../core/app/context/own-file.ts';
import type { ApplicationOverrides, Ports } from '../../core/app/context/ports.ts';
import { destroyEstate } from '../../core/app/destroy.ts';
import { applicationToWrite } from '../../core/app/opening/folder-application.ts';
import { verifyMessages } from '../../core/app/verify.ts';
import { type Address, keyOf, kindOf } from '../../core/model/address.ts';
import type { ConformanceDocument, ConformanceRow } from '../../core/model/documents.ts';
import { Refusal } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import type { ChannelFigures } from '../../core/model/migration-report.ts';
import { isNotOffered, platformCode } from '../../core/model/platform-codes.ts';
import type { ApplyReport } from '../../core/model/report.ts';
import { routeName } from '../../core/model/request.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import { createPacer } from '../../core/platform/rate-limiter.ts';
import { registry } from '../../core/resources/index.ts';
import { digestText } from '../../lib/digest.ts';
import { writeWhole } from '../../lib/durable-files.ts';
import { isObject } from '../../lib/json.ts';
import { version } from '../../version.ts';
import { readSize } from './application-size.ts';
import { EstateNames, isShown, manifestName, writeStage } from './conformance-estate.ts';
import { type PlannedRead, readStage, type Shown } from './conformance-reads.ts';
import { channelsWithHistory, stageCount, stagedObjects } from './conformance-rows.ts';

export interface ConformanceOptions extends ApplicationOverrides {
  /** Whether the application may have more users than a test application. */
  readonly isAnySize?: boolean | undefined;
}

/** What a run is about to do, before its first change. */
export interface ConformanceIntent {
  readonly application: string;
  /** All scratch objects begin with it. */
  readonly nameSpace: string;
  readonly objects: number;
  readonly rows: number;
  /** The stages that an earlier run has finished. */
  readonly stagesDone: number;
}

/** What a run leaves in its folder after each stage. */
interface ProofRecord {
  readonly application: string;
  readonly space: string;
  readonly startedMs: number;
  readonly stage: number;
  readonly rows: readonly ConformanceRow[];
}

/** Messages are from just before the run, so that no retention hides them. */
const messagesBeforeMs = 15 * 60_000;

/** Besides the answers of `isNotOffered`: codes that say that the application's plan allows no more of a feature. */
const notInPlan: ReadonlySet<number> = new Set([platformCode.quotaUsedUp, platformCode.unavailable]);

const rowCount = stagedObjects.reduce((sum, { reads }) => sum + reads.length, 0) + channelsWithHistory.length;

/**
 * `approve` is called before the first change and refuses by throwing. Refused for an application with too many users (5), after an
 * interrupt (8), and as an apply is.
 */
export async function proveConformance(
  options: ConformanceOptions,
  ports: Ports,
  approve: (intent: ConformanceIntent) => Promise<void>,
): Promise<ConformanceDocument> {
  const application = await applicationToWrite(options, ports);
  const startedAt = ports.clock.now();
  const folder = ownFile(ports.cwd, 'conformance', digestText(application.identity).slice(-12));
  const progress = await progressIn(folder, application, ports);
  const run = new ConformanceRun(folder, application, options, ports, progress);
  await run.demandTestApplication(options.isAnySize === true);
  await approve({
    application: application.identity,
    nameSpace: progress.space,
    objects: stagedObjects.length,
    rows: rowCount,
    stagesDone: progress.stage,
  });
  const { rows, left } = await run.finish().catch((error: unknown) => {
    throw error instanceof Refusal ? unfinished(error.code, error.exitCode, error.message, error) : error;
  });
  const count = (outcome: ConformanceRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    format_version: '1.0',
    application: application.identity,
    date: new Date(progress.startedMs).toISOString(),
    chatform: version,
    counts: { held: count('held'), differs: count('differs'), not_in_plan: count('not_in_plan') },
    rows,
    left,
    duration_s: (ports.clock.now() - startedAt) / 1000,
  };
}

async function progressIn(folder: string, { identity }: Application, { clock, random }: Ports): Promise<ProofRecord> {
  const text = await readFile(join(folder, 'run.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) {
    const digits = Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join('');
    const startedMs = clock.date().getTime();
    return { application: identity, space: `chatform-calibrate-${digits}`, startedMs, stage: 0, rows: [] };
  }
  const known: unknown = JSON.parse(text);
  if (isObject(known) && known.application === identity) return known as unknown as ProofRecord;
  throw new Refusal(
    'conformance.journal',
    exitCode.conflict,
    `${folder} is not a record of chatform conformance for ${identity}.`,
    'Remove objects that begin with chatform-calibrate- in the dashboard, then delete the folder.',
  );
}

function figuresInWords(figures: ChannelFigures | undefined): string {
  if (figures === undefined) return 'the channel was not verified';
  const { declared, missing, doubled, moved, altered, note = '' } = figures;
  return `${declared} messages: ${missing} missing, ${doubled} doubled, ${moved} moved, ${altered} altered. ${note}`.trim();
}

/** The failures of a stage by object. */
type Failures = ReadonlyMap<Address, ApplyReport['failures'][number]>;

class ConformanceRun {
  readonly #folder: string;
  readonly #application: Application;
  readonly #names: EstateNames;
  readonly #flags: ApplicationOverrides & {
    readonly paths: readonly string[];
    readonly state: string;
    readonly tokensOut: string;
  };
  /** Those of the scratch folder, which says nothing of its own. */
  readonly #ports: Ports;
  #progress: ProofRecord;

  constructor(
    folder: string,
    application: Application,
    options: ApplicationOverrides,
    ports: Ports,
    progress: ProofRecord,
  ) {
    const { CHATFORM_ALLOWED_HOSTS: hosts = '' } = ports.env;
    const { apiTokenFile } = options;
    this.#folder = folder;
    this.#application = application;
    this.#names = new EstateNames(progress.space, progress.startedMs - messagesBeforeMs);
    this.#progress = progress;
    this.#flags = {
      ...options,
      baseUrl: application.settings.base_url,
      ...(apiTokenFile === undefined ? {} : { apiTokenFile: resolve(ports.cwd, apiTokenFile) }),
      paths: [manifestName],
      state: 'file:state',
      // The run needs no token of its bot, and removes the folder in the end.
      tokensOut: 'tokens.ndjson',
    };
    this.#ports = {
      ...ports,
      cwd: folder,
      variablesFile: undefined,
      // The callback of the scratch bot is never called, because nobody writes to it.
      env: { ...ports.env, CHATFORM_ALLOWED_HOSTS: [hosts, 'example.com'].filter((host) => host !== '').join(',') },
      notify: (notice) => {
        if (notice.type === 'run-stopping' || notice.type === 'read-stopping') ports.notify(notice);
      },
    };
  }

  async demandTestApplication(isAnySize: boolean): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { platform, close } = await connectToRead(this.#application, this.#ports);
    const { clock, random } = this.#ports;
    const pacer = createPacer({ limitsOf: limitsOf(this.#application.rates), clock });
    await readSize({ platform, pacer, clock, random }, isAnySize).finally(close);
  }

  /** Runs the remaining stages and removes everything. */
  async finish(): Promise<{ readonly rows: readonly ConformanceRow[]; readonly left: readonly Address[] }> {
    const { rate_plan, limits, rate_share } = this.#application.settings;
    for (let { stage } = this.#progress; stage < stageCount; stage += 1) {
      await this.#save({});
      await writeStage(this.#folder, this.#names, stage, { rate_plan, limits: { ...limits }, rate_share });
      const { report } = await applyChanges({ ...this.#flags, keepGoing: true }, this.#ports);
      this.#demandUninterrupted(report);
      const failures: Failures = new Map(report.failures.map((failure) => [failure.address, failure]));
      const rows = [
        ...(await this.#readRows(stage, failures)),
        ...(stage === 0 ? await this.#historyFileRows(failures) : []),
      ];
      await this.#save({ stage: stage + 1, rows: [...this.#progress.rows, ...rows] });
    }
    return { rows: this.#progress.rows, left: await this.#remove() };
  }

  async #readRows(stage: number, failures: Failures): Promise<readonly ConformanceRow[]> {
    const reads = stagedObjects.flatMap((object) =>
      object.reads
        .filter((read) => read.stage === stage)
        .map((read) => ({ ...read, value: this.#names.filled(read.value), address: this.#names.address(object) })),
    );
    const shown = await readStage(reads, this.#application, this.#ports);
    return reads.map((read) => this.#judged(read, shown.get(read), failures.get(read.address)));
  }

  #judged(
    { claim, attribute, value, address }: PlannedRead,
    shown: Shown | undefined,
    failure: ApplyReport['failures'][number] | undefined,
  ): ConformanceRow {
    const row = { claim, address: this.#names.tableNames(address) };
    const kind = registry.find(({ name }) => name === kindOf(address));
    const call = kind === undefined ? '' : routeName(kind.view(keyOf(address)));
    if (shown !== undefined && 'refusal' in shown)
      return { ...row, outcome: 'not_in_plan', call, answer: this.#names.tableNames(shown.refusal) };
    if (isShown(value, shown?.value)) return { ...row, outcome: 'held' };
    if (failure !== undefined) return this.#failed(row, failure);
    const what = attribute === undefined ? 'the object exists' : attribute;
    const answer = `${what}: ${JSON.stringify(shown?.value) ?? 'not shown'}, expected ${JSON.stringify(value)}`;
    return { ...row, outcome: 'differs', call, answer: this.#names.tableNames(answer) };
  }

  #failed(
    row: Pick<ConformanceRow, 'claim' | 'address'>,
    { call = '', status, code, message }: ApplyReport['failures'][number],
  ): ConformanceRow {
    const answer = this.#names.tableNames(`${status} ${code} ${message}`);
    const isNotInPlan = notInPlan.has(code) || isNotOffered({ status, code });
    return { ...row, outcome: isNotInPlan ? 'not_in_plan' : 'differs', call, answer };
  }

  async #historyFileRows(failures: Failures): Promise<readonly ConformanceRow[]> {
    const { channels } = await verifyMessages({ ...this.#flags, isWhole: true }, this.#ports);
    return channelsWithHistory.map(({ claim, ...object }): ConformanceRow => {
      const key = this.#names.key(object);
      const figures = channels.find(({ channel_url }) => channel_url === key);
      const row = { claim, address: this.#names.tableNames(`messages.${key}`) };
      if (figures?.outcome === 'matched') return { ...row, outcome: 'held' };
      const failure = [...failures].find(([address]) => keyOf(address) === key)?.[1];
      if (failure !== undefined) return this.#failed(row, failure);
      const outcome = figures?.outcome === 'unreadable' ? 'not_in_plan' : 'differs';
      return { ...row, outcome, call: 'GET messages', answer: figuresInWords(figures) };
    });
  }

  async #remove(): Promise<readonly Address[]> {
    const { identity } = this.#application;
    const { report } = await destroyEstate({ ...this.#flags, confirm: identity, keepGoing: true }, this.#ports);
    this.#demandUninterrupted(report);
    const left = report.failures.map(({ address }) => this.#names.tableNames(address) as Address);
    if (report.exit_code === exitCode.done) await rm(this.#folder, { recursive: true, force: true });
    return left;
  }

  #demandUninterrupted({ exit_code: exit }: ApplyReport): void {
    if (exit === exitCode.done || exit === exitCode.incomplete) return;
    throw unfinished('conformance.unfinished', exit, 'The proof ended before all declarations were tried.');
  }

  async #save(more: Partial<ProofRecord>): Promise<void> {
    this.#progress = { ...this.#progress, ...more };
    await mkdir(this.#folder, { recursive: true });
    refuseLinks(this.#folder, join(this.#folder, 'run.json'), 'file');
    await writeWhole(join(this.#folder, 'run.json'), `${JSON.stringify(this.#progress)}\n`);
  }
}

/** An apply and a read speak of their own work only. */
function unfinished(code: string, exit: ExitCode, message: string, cause?: unknown): Refusal {
  const advice =
    'Objects that it made are still on the platform. Run the same command again in this folder: it continues, and removes them at the end.';
  return new Refusal(code, exit, message, advice, { cause });
}
