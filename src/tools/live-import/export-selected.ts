// Takes over a part of a live application: adds the blocks of selected objects to manifests that may already exist, and records
// the objects in state. Nothing that is declared or in state changes.
//
// The command can be killed anywhere and run again. Files are written before state, so that a later plan never removes what is
// in state but not yet declared. What an interrupted run left declared and not in state is taken into state by the next one.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Application, resolveApplication } from '../../core/app/context/application.ts';
import { whileReading } from '../../core/app/context/connect.ts';
import { demandNamedState, openState, withDeclaredState } from '../../core/app/context/open-state.ts';
import { asUnwritable, keptPath, writeOutput } from '../../core/app/context/output-files.ts';
import { underOutputLock } from '../../core/app/context/output-lock.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { invalidManifests } from '../../core/app/context/refusals.ts';
import { putAmong, putRecords, withEntry } from '../../core/app/context/state-contents.ts';
import { temporarySpool } from '../../core/app/context/this-process.ts';
import { actOf, enter } from '../../core/app/context/trail.ts';
import { declaredApplication, withStateOfFolder } from '../../core/app/opening/folder-application.ts';
import { loadDeclared } from '../../core/app/opening/load-declared.ts';
import { readAsFound } from '../../core/app/plans/found-objects.ts';
import { listPrice } from '../../core/app/plans/list-price.ts';
import { settledState } from '../../core/app/run/under-lock.ts';
import { disk } from '../../core/manifest/files/access.ts';
import { discover } from '../../core/manifest/files/discover.ts';
import type { LoadedManifest } from '../../core/manifest/passes/loaded-manifest.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { type Address, addressOf, keyOf } from '../../core/model/address.ts';
import { objectRecords } from '../../core/model/addressed-series.ts';
import { hasErrors } from '../../core/model/diagnostic.ts';
import { usage } from '../../core/model/errors.ts';
import type { StateSnapshot } from '../../core/model/ports.ts';
import type { StateRecord } from '../../core/model/record.ts';
import type { Exported } from '../../core/model/report.ts';
import type { Resource } from '../../core/model/resource.ts';
import { recordAsApplied } from '../../core/planner/diff/applied-record.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import { refreshSubjects } from '../../core/refresh/subjects.ts';
import { findKind, registry } from '../../core/resources/index.ts';
import type { UpkeepWriter } from '../../core/state/engine/upkeep.ts';
import { safe } from '../../core/view/text/text.ts';
import type { Series } from '../../lib/series.ts';
import { Sorter } from '../../lib/sorter.ts';
import type { Spool } from '../../lib/spool.ts';
import { chatformCommand, onlyAddress } from '../../lib/tools/pasted-words.ts';
import { applicationBlock, applicationFile, applicationText, policyBlock } from './export/application-file.ts';
import { ExportedBlocks } from './export/blocks.ts';
import { leftOutFile, manyInYaml } from './export/files.ts';
import type { ExportApplicationOptions } from './export/options.ts';
import { begunOtherwise, ExportProgress } from './export/progress.ts';
import { notOffered } from './export/read-application.ts';
import { Additions, type KindBlocks, type ManifestFolder } from './selected/additions.ts';
import { demandEmptyPlan, demandReferences, externalIn } from './selected/checks.ts';
import type { Block } from './selected/placement.ts';
import { listedKinds, type SelectedObjects, type SelectionContext, selectObjects } from './selected/select-objects.ts';
import { Exclusions, readSelector, type Selector } from './selected/selectors.ts';

/** The options that only an export of everything has. */
const ofEverything = {
  messages: 'messages',
  reactions: 'reactions',
  threads: 'threads',
  since: 'since',
  overlapMs: 'overlap',
  hiddenStatus: 'hidden-status',
} as const satisfies Partial<Record<keyof ExportApplicationOptions, string>>;

/**
 * Refused (64) for options that only an export of everything has, and for a pattern that matches nothing; (65) when the manifests
 * of the folder are not valid, or would not be; (6) when a file was changed meanwhile; (7) while another export writes to the folder.
 */
export async function exportSelected(options: ExportApplicationOptions, ports: Ports): Promise<Exported> {
  for (const [name, flag] of Object.entries(ofEverything)) {
    const value = options[name as keyof typeof ofEverything];
    if (value === undefined || value === false) continue;
    throw usage(
      `--${flag} cannot be combined with --only.`,
      'Nothing was read or changed. --only exports objects without histories; export everything into an empty folder for those.',
    );
  }
  const selectors = (options.only ?? []).map((text) => readSelector(text, '--only', registry));
  const exclusions = new Exclusions(options.excluded ?? [], registry);
  const folder = keptPath(ports.cwd, options.out, 'An export');
  return underOutputLock('export', folder, '', async () => {
    const progress = await ExportProgress.of(folder, { only: true });
    if (progress === undefined) throw begunOtherwise(options.out);
    try {
      const place = await readFolder(folder, options.out, ports);
      const declared =
        place.manifest?.application ?? (options.baseUrl === undefined ? await declaredApplication(ports) : undefined);
      const application = resolveApplication(options, ports, declared);
      if (progress.isContinued) {
        const used = new Set(place.manifest?.files.map(({ file }) => resolve(ports.cwd, file)));
        await progress.begin((file) => used.has(resolve(folder, file)));
      }
      const ratePlan = options.ratePlan ?? declared?.rate_plan;
      const target = { options, selectors, exclusions, place, application, ratePlan, progress };
      return await (options.withoutState === true
        ? exportInto(target, undefined, ports)
        : exportWithState(target, ports));
    } catch (cause) {
      throw asUnwritable(cause, folder);
    } finally {
      progress.close();
    }
  });
}

/** Refused (65) when the manifests of the folder are not valid. */
async function readFolder(folder: string, out: string, ports: Ports): Promise<ManifestFolder> {
  const files = await discover([out], ports.cwd, disk, new Problems());
  const real = await disk.realPath(folder);
  if (files.length === 0) return { folder: real, out, files, manifest: undefined };
  // The platform already calls these hosts.
  const manifest = await loadDeclared([out], ports, { trustsHosts: true });
  if (hasErrors(manifest.diagnostics)) throw invalidManifests(manifest.diagnostics);
  return { folder: real, out, files, manifest };
}

interface SelectedExport {
  readonly options: ExportApplicationOptions;
  readonly selectors: readonly Selector[];
  readonly exclusions: Exclusions;
  readonly place: ManifestFolder;
  readonly application: Application;
  /** The rate plan of the manifests, for a new folder. */
  readonly ratePlan: string | undefined;
  readonly progress: ExportProgress;
}

async function exportWithState(target: SelectedExport, ports: Ports): Promise<Exported> {
  const { options, application, place } = target;
  const { lockTimeoutMs = 0 } = options;
  const paths = place.manifest === undefined ? [] : [options.out];
  const ofFolder = withDeclaredState(options, place.manifest?.statePlace, ports);
  const placed = await withStateOfFolder(ofFolder, ports);
  const backend = await openState({ ...placed, paths }, ports);
  // An interrupted run may have begun to create one of the objects, so its calls are settled first.
  const found = await settledState({ backend, application, lockTimeoutMs }, ports);
  demandNamedState(placed, ports, found);
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  try {
    return { ...(await exportInto(target, state, ports)), state: backend.name };
  } finally {
    await state.close();
  }
}

/** Without a state, only manifests are written. */
async function exportInto(target: SelectedExport, state: UpkeepWriter | undefined, ports: Ports): Promise<Exported> {
  const { place, application, progress } = target;
  const spool = temporarySpool();
  const additions = new Additions(place, progress, ports);
  try {
    const blocks = new ExportedBlocks(registry);
    for (const { address, attributes } of place.manifest?.resources ?? []) {
      const kind = findKind(address);
      if (kind !== undefined) blocks.know(kind, keyOf(address), attributes);
    }
    const { selected, requests } = await readSelected(target, blocks, state, spool, ports);
    const { equal, notes } = await foundAsDeclared(target, selected, state, spool, ports);
    const added = blocksOf(selected, blocks, spool);
    blocks.notes.push(...notes, ...notesOn(selected));
    const first = firstFiles(target, blocks);
    const count = added.reduce((sum, { blocks: ofKind }) => sum + ofKind.length, 0);
    const manifest = count === 0 ? place.manifest : await additions.prepare(added, first);
    const records = manifest === undefined ? [] : await recordsOf(manifest, blocks, equal, spool);
    if (state !== undefined && manifest !== undefined)
      demandEmptyPlan(manifest, application, state, records, spool, ports);
    const files = count === 0 ? [] : await additions.write();
    let adopted = 0;
    for (const _record of equal) adopted += 1;
    if (state !== undefined) await takeIntoState(records, count + adopted, state, ports);
    await progress.end();
    await addLeftOut(place.folder, blocks.notes);
    return {
      files,
      counts: registry.map(({ name, title, section }) => ({ title, section, count: blocks.count(name) })),
      messages: 0,
      leftOut: blocks.notes,
      hosts: [...blocks.hosts].sort(),
      requests,
      continued: progress.isContinued,
      selected: { adopted, managed: selected.managed },
    };
  } catch (cause) {
    if (!additions.isBegun) {
      await additions.discard();
      await progress.end();
    }
    throw cause;
  } finally {
    spool.close();
  }
}

/** Lists the selected objects, after the price was told. */
async function readSelected(
  { options, selectors, exclusions, place, application }: SelectedExport,
  known: ExportedBlocks,
  state: UpkeepWriter | undefined,
  spool: Spool,
  ports: Ports,
): Promise<{ readonly selected: SelectedObjects; readonly requests: number }> {
  const isExternal = externalIn(place.manifest);
  const context: SelectionContext = {
    kinds: registry,
    selectors,
    exclusions,
    withUsers: options.with === 'users',
    readEach: options.readEach === true,
    collect: spool.collect,
    isExternal: ({ section }, key) => isExternal(section, key),
    standingOf: ({ name }, key) => {
      const isDeclared = known.isDeclared(name, key);
      // Without a state, the manifests are all that is known.
      if (state === undefined) return isDeclared ? 'managed' : 'unmanaged';
      const isInState = state.get(addressOf(name, key)) !== undefined;
      if (isInState) return isDeclared ? 'managed' : 'removed';
      return isDeclared ? 'declared' : 'unmanaged';
    },
  };
  const kinds = listedKinds(context);
  const managed = refreshSubjects(place.manifest?.resources ?? [], objectRecords(state?.records() ?? []));
  const price = listPrice(kinds, managed, limitsOf(application.rates));
  if (kinds.length > 0) ports.notify({ type: 'unmanaged-price', ...price });
  return whileReading(application, ports, async ({ reader }) => {
    const selected = await selectObjects(context, reader, ports);
    reader.demandUninterrupted();
    return { selected, requests: reader.requests };
  });
}

/** Selected objects that are declared but not in state: the records of those that equal their declaration, and notes on the others. */
async function foundAsDeclared(
  { place: { manifest }, application }: SelectedExport,
  { declared }: SelectedObjects,
  state: StateSnapshot | undefined,
  spool: Spool,
  ports: Ports,
): Promise<{ readonly equal: Iterable<StateRecord>; readonly notes: readonly string[] }> {
  const equal = new Sorter<StateRecord>(spool.collect, ({ address }) => address);
  const notes: string[] = [];
  if (manifest === undefined || state === undefined || declared[Symbol.iterator]().next().done === true)
    return { equal: equal.end(), notes };
  const resources = { [Symbol.iterator]: () => resourcesAmong(manifest.resources, declared) };
  await readAsFound({ resources, isKnown: true }, manifest, application, ports, (resource, found) => {
    const { address } = resource;
    if (found === 'unread')
      notes.push(`${address}: left out. It is declared but not in state, and the platform does not offer to read it.`);
    if (typeof found === 'string') return;
    if (found.differs.length === 0) equal.push(recordAsApplied(found.kind, resource));
    else
      notes.push(
        `${address}: left out. It is declared but not in state, and differs from its declaration in ${found.differs.join(', ')}. ${chatformCommand('adopt', onlyAddress(address))} takes it into state as it is.`,
      );
  });
  return { equal: equal.end(), notes };
}

/** Both are sorted by address. */
function* resourcesAmong(resources: Iterable<Resource>, addresses: Iterable<Address>): Generator<Resource> {
  const rest = addresses[Symbol.iterator]();
  let next = rest.next();
  for (const resource of resources) {
    while (next.done !== true && next.value < resource.address) next = rest.next();
    if (next.done !== true && next.value === resource.address) yield resource;
  }
}

interface AddedBlocks extends KindBlocks {
  readonly blocks: Series<Block>;
}

/** Each object is made into a block once, after those that it may refer to. */
function blocksOf(
  { inventories, lacking }: SelectedObjects,
  blocks: ExportedBlocks,
  spool: Spool,
): readonly AddedBlocks[] {
  for (const what of lacking) blocks.note(what, '', notOffered);
  return inventories.map((inventory): AddedBlocks => {
    const { kind } = inventory;
    const made = spool.collect<Block>();
    for (const listed of inventory) {
      const block = blocks.blockOf(kind, listed);
      if (block !== undefined) made.push([listed.key, block]);
    }
    return { kind, blocks: made.end() };
  });
}

function notesOn({ removed }: SelectedObjects): string[] {
  return Array.from(
    removed,
    (address) =>
      `${address}: left out. It is in state but not declared any more, so the next apply removes it. To keep it, run ${chatformCommand('state forget', onlyAddress(address))} and export again.`,
  );
}

/** The file of a new folder, with the application and the ids that selected objects name. Otherwise nothing may be missing. */
function firstFiles(
  { options, application, ratePlan, place }: SelectedExport,
  blocks: ExportedBlocks,
): ReadonlyMap<string, string> {
  if (place.manifest !== undefined) {
    demandReferences(blocks.missing(externalIn(place.manifest)), options.with !== undefined);
    return new Map();
  }
  const parts = { application: applicationBlock(application, ratePlan), policy: policyBlock(blocks), sources: [] };
  return new Map([[applicationFile, applicationText(parts, registry)]]);
}

/** The records of the blocks and of the objects that equal their declaration, sorted by address. */
async function recordsOf(
  { resources }: LoadedManifest,
  blocks: ExportedBlocks,
  equal: Iterable<StateRecord>,
  spool: Spool,
): Promise<Iterable<StateRecord>> {
  const records = new Sorter<StateRecord>(spool.collect, ({ address }) => address);
  for (const record of equal) records.push(record);
  for (const resource of resources) {
    const kind = findKind(resource.address);
    if (kind !== undefined && blocks.isExported(kind.name, keyOf(resource.address)))
      records.push(recordAsApplied(kind, resource));
  }
  // Objects are loaded in order, so their records are read without merging runs.
  return records.series();
}

/** Many records replace the whole state, because its writer keeps new entries in memory. */
async function takeIntoState(
  records: Iterable<StateRecord>,
  count: number,
  state: UpkeepWriter,
  ports: Ports,
): Promise<void> {
  const begun = actOf('export', ports);
  if (count <= manyInYaml) {
    await enter(
      state,
      begun,
      () => putRecords(records, 'export', state),
      (exported) => ({ exported }),
    );
    return;
  }
  const { records: before, ...contents } = withEntry(state, begun, { outcome: 'done', counts: { exported: count } });
  await state.replace({ ...contents, records: () => putAmong(before(), records) });
}

/** Adds to what earlier exports into the folder have left out. */
async function addLeftOut(folder: string, notes: readonly string[]): Promise<void> {
  if (notes.length === 0) return;
  const path = join(folder, leftOutFile);
  const earlier = await readFile(path, 'utf8').catch(() => '');
  const lines = new Set([...earlier.split('\n'), ...notes.map(safe)].filter((line) => line !== ''));
  await writeOutput(
    path,
    Array.from(lines, (line) => `${line}\n`),
  );
}
