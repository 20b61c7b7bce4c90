// Rebuilds a lost state from the manifests and the platform, which is possible because users choose the keys (semantics §4.6).
//
// Declared objects are recorded with their live values, so the next plan shows every difference. The result lists the
// information that is lost.

import type { Application } from '../../core/app/context/application.ts';
import { whileReading } from '../../core/app/context/connect.ts';
import { demandNamedState } from '../../core/app/context/open-state.ts';
import type { LockOptions, Ports } from '../../core/app/context/ports.ts';
import { demandEmptyState, putRecords } from '../../core/app/context/state-contents.ts';
import { temporarySpool } from '../../core/app/context/this-process.ts';
import { actOf, enter } from '../../core/app/context/trail.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from '../../core/app/opening/declared-estate.ts';
import { readAsFound } from '../../core/app/plans/found-objects.ts';
import { settledState } from '../../core/app/run/under-lock.ts';
import { findHistoryFiles } from '../../core/app/verification/found-history-files.ts';
import { textOf } from '../../core/kinds/definition/values.ts';
import type { LoadedManifest } from '../../core/manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../core/model/address.ts';
import type { ChannelFigures } from '../../core/model/migration-report.ts';
import type { NotCompared } from '../../core/model/people/comparison.ts';
import type { StateRecord } from '../../core/model/record.ts';
import type { Resource } from '../../core/model/resource.ts';
import type { UnreadCounts } from '../../core/refresh/each-reads.ts';
import { messages } from '../../core/resources/messages/messages.ts';
import type { Count } from '../../lib/json.ts';
import { JoinedSeries, type Series } from '../../lib/series.ts';
import type { Spool } from '../../lib/spool.ts';

const advice =
  'Rebuild only a lost state. To take single objects into state, use chatform adopt. --force continues an interrupted rebuild and takes every declared object as it is on the platform.';

export interface RebuildStateOptions extends DeclaredEstateOptions, LockOptions {
  /** Whether to write even if the state is not empty. */
  readonly isForced?: boolean | undefined;
}

export interface Rebuilt {
  /** The name of the state. */
  readonly state: string;
  /** Records that were written. */
  readonly records: Count;
  /** Declared objects that are not on the platform. */
  readonly missing: Count;
  /** Objects on the platform that differ from their declaration. */
  readonly differing: Count;
  /** History files that are only partly on the platform, or whose channel cannot be read. */
  readonly partial: readonly ChannelFigures[];
  /** Declared values that were not compared as a whole. The state has those that no read showed as declared. */
  readonly not_compared: readonly NotCompared[];
  /** Kinds, whose objects are not in the state, and attributes, which count as declared, that the platform does not offer to read. */
  readonly lacked: UnreadCounts;
}

/** Refused (6) when something is in state, unless forced. Nothing is written before everything has been read. */
export async function rebuildState(options: RebuildStateOptions, ports: Ports): Promise<Rebuilt> {
  const { lockTimeoutMs = 0, isForced = false } = options;
  const { manifest, application, backend, placed } = await openDeclaredEstate(options, ports);
  // Calls that an interrupted run began are settled first.
  const found = await settledState({ backend, application, lockTimeoutMs }, ports);
  demandNamedState(placed, ports, found);
  if (!isForced) demandEmptyState(found, backend.name, advice);
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  const spool = temporarySpool();
  try {
    if (!isForced) demandEmptyState(state, backend.name, advice);
    const objects = await findObjects(manifest, application, spool, ports);
    const among = () => historyFilesIn(manifest.resources, objects.channels);
    const historyFiles = await findHistoryFiles(
      among,
      (work) => whileReading(application, ports, (connection) => work({ application, ...connection })),
      spool,
      ports,
    );
    const { missing, differing } = objects;
    const found = new JoinedSeries([objects.records, historyFiles.records]);
    const work = () => putRecords(found, 'rebuild', state);
    const counted = (recorded: number) => ({ recorded, missing });
    const records = await enter(state, actOf('state rebuild', ports), work, counted);
    return {
      state: backend.name,
      records,
      missing,
      differing,
      partial: historyFiles.partial,
      not_compared: objects.not_compared,
      lacked: objects.lacked,
    };
  } finally {
    spool.close();
    await state.close();
  }
}

interface FoundObjects extends Pick<Rebuilt, 'missing' | 'differing' | 'not_compared' | 'lacked'> {
  readonly records: Series<StateRecord>;
  /** Channels on the platform. */
  readonly channels: ReadonlySet<Address>;
}

async function findObjects(
  manifest: LoadedManifest,
  application: Application,
  spool: Spool,
  ports: Ports,
): Promise<FoundObjects> {
  const records = spool.collect<StateRecord>();
  const channels = new Set<Address>();
  let [missing, differing] = [0, 0];
  const { resources } = manifest;
  const { lacked, not_compared } = await readAsFound(
    { resources, isKnown: false },
    manifest,
    application,
    ports,
    ({ address }, found) => {
      if (found === 'absent') missing += 1;
      if (typeof found === 'string') return;
      records.push(found.record);
      if (found.differs.length > 0) differing += 1;
      if (found.kind.children?.messages !== undefined) channels.add(address);
    },
  );
  return { records: records.end(), missing, differing, channels, not_compared, lacked };
}

/** History files of channels on the platform. */
function* historyFilesIn(resources: Iterable<Resource>, channels: ReadonlySet<Address>): Generator<Resource> {
  for (const resource of resources) {
    const channel = textOf(resource.attributes, 'channel') ?? '';
    const isHistoryFile = kindOf(resource.address) === messages.name;
    if (isHistoryFile && channels.has(addressOf(channel, keyOf(resource.address)))) yield resource;
  }
}
