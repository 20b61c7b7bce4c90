// How is a lost state made again? From the manifests and the platform, since keys are ours (semantics §4.6).
//
// Declared objects that are there become ours as they are, so that the next plan shows every difference. An archive
// counts as sent up to the first of its messages that is not there; of those behind it, apply looks for each call before
// it sends it. What nobody can know any more is said.
import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import { compareText } from '../lib/json.ts';
import type { Series } from '../lib/series.ts';
import type { Spool } from '../lib/spool.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import { type Address, addressOf, keyOf, kindOf } from '../model/address.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { ChannelFigures } from '../model/migration-report.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import { recordAsApplied } from '../planner/diff/as-applied.ts';
import { recordAsFound } from '../planner/live/existing-or-missing.ts';
import { keepOf } from '../planner/live/live-view.ts';
import { declaredAttributes, differing } from '../planner/live/observe.ts';
import type { Subject } from '../refresh/subjects.ts';
import { registry } from '../resources/index.ts';
import { archiveOf, archiveValue, firstLines } from '../resources/messages/archive.ts';
import { messages } from '../resources/messages/messages.ts';
import { mapOf, textOf } from '../resources/values.ts';
import { safe } from '../view/text.ts';
import { listOf, plural, printNumber } from '../view/words.ts';
import { demandEmptyState, putRecords } from './fill-state.ts';
import { demandValid, loadDeclared } from './load-declared.ts';
import { temporarySpool } from './output-files.ts';
import { read } from './refresh.ts';
import { type Application, resolveApplication } from './session/application.ts';
import { stateOf } from './session/open-state.ts';
import { settledState } from './session/under-lock.ts';
import { verifyArchives } from './verify.ts';

/** Records that stay in memory; more go to a temporary file until all is read. */
const inMemory = 10_000;

/** Refused (6) when something is in state, but with --force. Nothing is written before all has been read. */
export async function rebuildState(
  paths: readonly string[],
  input: CommandInput,
  world: Environment,
): Promise<ExitCode> {
  const manifest = await loadDeclared(paths, world, 'warn');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  const backend = await stateOf(input, world);
  const lockTimeoutMs = input.duration('lock-timeout') ?? 0;
  const advice =
    'Only a state that is lost is rebuilt. Take single objects with chatform adopt; --force goes on with a rebuild that was cut off, and believes the platform of everything that is declared.';
  const isForced = input.flag('force');
  // What a run had begun before state was lost is brought to its end first.
  const found = await settledState({ input, world, backend, application, lockTimeoutMs });
  if (!isForced) demandEmptyState(found, backend.name, advice);
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  const spool = temporarySpool(inMemory);
  try {
    if (!isForced) demandEmptyState(state, backend.name, advice);
    const objects = await findObjects(manifest, application, spool, input, world);
    const archives = await findArchives(manifest, objects.channels, application, spool, input, world);
    const count = await putRecords(chain(objects.records, archives.records), 'rebuild', state);
    tell({ ...objects, count, partial: archives.partial }, manifest, backend.name, world);
    return exitCode.done;
  } finally {
    spool.close();
    await state.close();
  }
}

interface FoundObjects {
  readonly records: Series<StateRecord>;
  /** Not on the platform. */
  readonly missing: number;
  /** There, and not as declared. */
  readonly differing: number;
  /** Channels that are there. */
  readonly channels: ReadonlySet<Address>;
}

interface DeclaredSubject extends Subject {
  readonly resource: Resource;
}

async function findObjects(
  { resources }: LoadedManifest,
  application: Application,
  spool: Spool,
  input: CommandInput,
  world: Environment,
): Promise<FoundObjects> {
  const records = spool.collect<StateRecord>();
  const channels = new Set<Address>();
  let [missing, others] = [0, 0];
  const subjects = function* (): Generator<DeclaredSubject> {
    for (const resource of resources) {
      const { address, attributes } = resource;
      yield { address, isKnown: false, wants: (name) => attributes[name] !== undefined, resource };
    }
  };
  await read(subjects, application, input, world, (kind, { resource }, live) => {
    const observation = live.exists ? keepOf(kind, undefined, resource, live) : undefined;
    if (observation === undefined) {
      missing += 1;
      return;
    }
    const record = recordAsFound(kind, resource, observation);
    records.push(record);
    if (differing(kind, declaredAttributes(kind, resource), record.attributes).length > 0) others += 1;
    if (kind.children?.messages !== undefined) channels.add(resource.address);
  });
  return { records: records.end(), missing, differing: others, channels };
}

interface FoundArchives {
  readonly records: Series<StateRecord>;
  /** Archives of which something is there, and not all; or of which that cannot be read. */
  readonly partial: readonly ChannelFigures[];
}

async function findArchives(
  { resources }: LoadedManifest,
  channels: ReadonlySet<Address>,
  application: Application,
  spool: Spool,
  input: CommandInput,
  world: Environment,
): Promise<FoundArchives> {
  let count = 0;
  for (const _archive of archivesIn(resources, channels)) count += 1;
  const records = spool.collect<StateRecord>();
  if (count === 0) return { records: records.end(), partial: [] };
  world.stderr.write(`Comparing ${plural(count, 'message archive')} with what is there.\n`);
  const partial: ChannelFigures[] = [];
  await verifyArchives(
    archivesIn(resources, channels),
    application,
    true,
    input,
    world,
    (resource, { figures, reach }) => {
      const { declared } = figures;
      const { whole, some } = reach ?? { whole: 0, some: declared };
      if (some === 0) return;
      records.push(recordAsSent(resource, whole, some));
      if (whole < declared) partial.push(figures);
    },
  );
  return {
    records: records.end(),
    partial: partial.sort((left, right) => compareText(left.channel_url, right.channel_url)),
  };
}

/** Those of channels that are there. */
function* archivesIn(resources: Iterable<Resource>, channels: ReadonlySet<Address>): Generator<Resource> {
  for (const resource of resources) {
    const channel = textOf(resource.attributes, 'channel') ?? '';
    const isArchive = kindOf(resource.address) === messages.kind;
    if (isArchive && channels.has(addressOf(channel, keyOf(resource.address)))) yield resource;
  }
}

/** `whole` lines of it are there, and of those up to `some` nobody knows which. */
function recordAsSent(resource: Resource, whole: number, some: number): StateRecord {
  const archive = archiveOf(resource.attributes);
  if (whole === archive.messages) return recordAsApplied(messages, resource);
  // Who has read it is marked again, behind what is still to come.
  const { mark_as_read: _again, ...attributes } = resource.attributes;
  const sent = archiveValue(firstLines(archive, whole));
  const record = recordAsApplied(messages, { ...resource, attributes: { ...attributes, archive: sent } });
  if (some <= whole) return record;
  const remembered = { ...mapOf(record.attributes, 'archive'), unsure_to: some };
  return { ...record, attributes: { ...record.attributes, archive: remembered } };
}

function* chain<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

function tell(
  {
    count,
    missing,
    differing: others,
    partial,
  }: Omit<FoundObjects, 'records' | 'channels'> & {
    readonly count: number;
    readonly partial: readonly ChannelFigures[];
  },
  manifest: LoadedManifest,
  place: string,
  world: Environment,
): void {
  const told = [`The state ${safe(place)} knows ${plural(count, 'object')} again.`];
  if (missing > 0) {
    told.push(
      `${plural(missing, 'declared object')} ${missing === 1 ? 'is' : 'are'} not there; apply creates what is missing.`,
    );
  }
  if (others > 0) told.push(`The next plan shows what is to change of ${plural(others, 'object')}.`);
  world.stdout.write(`${told.join(' ')}\n`);
  for (const { channel_url: key, declared, missing: absent, moved, note } of partial) {
    const there = note ?? `${printNumber(declared - absent - moved)} of ${plural(declared, 'message')} are there`;
    world.stdout.write(
      `! messages.${safe(key)}  ${safe(there)}. Apply looks for the others before it sends them, and sends only what is not there.\n`,
    );
  }
  world.stdout.write('Not known any more:\n');
  for (const line of unknowable(manifest)) world.stdout.write(`  - ${line}\n`);
}

function* unknowable({ resources }: LoadedManifest): Generator<string> {
  yield 'objects that were declared once and are not now: they stay as they are, and are not ours';
  yield 'members, operators and metadata whose lines were removed before: nothing takes them away';
  const counts = new Map<string, number>();
  const byName = new Map(registry.map((kind) => [kind.kind, kind]));
  for (const { address, attributes } of resources) {
    const definitions = byName.get(kindOf(address))?.attributes ?? {};
    for (const name of Object.keys(attributes)) {
      if (definitions[name]?.shownBy === 'nothing') counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = Array.from(counts, ([name, count]) => `${name} (${printNumber(count)})`);
  if (names.length > 0) {
    yield `what no read shows, which counts as it is declared: ${listOf(names)}; raise a revision to set it anew`;
  }
}
