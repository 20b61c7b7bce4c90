// Takes existing objects into state, without a write to the platform.
//
// Each record gets the declared attributes with their live values, so the next plan shows every difference. Everything is
// read before anything is written: one address that cannot be adopted refuses the whole command.

import { NameTable } from '../../lib/typed-arrays.ts';
import { firstOf, listOf } from '../../lib/words.ts';
import { countOf, historyFileOf } from '../history/lines/history-file.ts';
import { mapOf, textOf } from '../kinds/definition/values.ts';
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, isRunMetadata, keyOf, kindOf, parseAddress } from '../model/address.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import type { Adopted, AdoptedObject } from '../model/report.ts';
import type { Resource } from '../model/resource.ts';
import { TargetIndex, type TargetPattern } from '../planner/targets.ts';
import { messages } from '../resources/messages/messages.ts';
import { whileReading } from './context/connect.ts';
import { demandNamedState } from './context/open-state.ts';
import type { LockOptions, Ports } from './context/ports.ts';
import { putRecords } from './context/state-contents.ts';
import { temporarySpool } from './context/this-process.ts';
import { actOf, enter } from './context/trail.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from './opening/declared-estate.ts';
import { readAsFound } from './plans/found-objects.ts';
import { demandMatched, readTarget } from './plans/targets.ts';
import { settledState } from './run/under-lock.ts';
import { findHistoryFiles } from './verification/found-history-files.ts';

export interface AdoptObjectsOptions extends DeclaredEstateOptions, LockOptions {
  /** Declared objects: addresses, or patterns. */
  readonly addresses: readonly string[];
}

/** Refused without any change when an address matches nothing (66), is in state or is not on the platform (6). */
export async function adoptObjects(options: AdoptObjectsOptions, ports: Ports): Promise<Adopted> {
  const { lockTimeoutMs = 0 } = options;
  const targets = options.addresses.map((text) => readTarget(text, 'ADDRESS'));
  const { manifest, application, backend, placed } = await openDeclaredEstate(options, ports);
  // An interrupted run may have begun to change one of the objects, so its calls are settled first. Addresses that cannot be
  // adopted are refused before the lock is taken.
  const before = await settledState({ backend, application, lockTimeoutMs }, ports);
  demandNamedState(placed, ports, before);
  demandAdoptable(targets, manifest, before);
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  const spool = temporarySpool();
  try {
    demandAdoptable(targets, manifest, state);
    const index = new TargetIndex(targets);
    const isWanted = (resource: Resource): boolean =>
      index.matching(resource.address).length > 0 && isNew(resource, state);
    const resources = () => filtered(manifest.resources, (resource) => !isHistoryFile(resource) && isWanted(resource));
    const historyFiles = () =>
      filtered(manifest.resources, (resource) => isHistoryFile(resource) && isWanted(resource));
    // The result is read after the spool of this function is closed.
    const objects = temporarySpool().collect<AdoptedObject>();
    const collected = spool.collect<StateRecord>();
    const taken = new NameTable();
    const isTaken = (address: Address): boolean => taken.find(address) !== undefined;
    const missing: Address[] = [];
    const unread: Address[] = [];
    const take = (record: StateRecord, { differs, not_compared }: Omit<AdoptedObject, 'address'>): void => {
      collected.push(record);
      taken.add(record.address);
      objects.push({ address: record.address, differs, not_compared });
    };
    await readAsFound(
      { resources: { [Symbol.iterator]: resources }, isKnown: true },
      manifest,
      application,
      ports,
      ({ address }, readResult) => {
        if (readResult === 'absent') missing.push(address);
        else if (readResult === 'unread') unread.push(address);
        else take(readResult.record, readResult);
      },
    );
    const isThere = (channel: Address): boolean => isTaken(channel) || state.get(channel) !== undefined;
    const historyFilesFound = await findHistoryFiles(
      () => filtered(historyFiles(), (historyFile) => isThere(channelOf(historyFile))),
      (work) => whileReading(application, ports, (connection) => work({ application, ...connection })),
      spool,
      ports,
      (address) => state.get(address),
    );
    const partial = new Set(historyFilesFound.partial.map(({ channel_url: channel }) => channel));
    for (const record of historyFilesFound.records)
      take(record, { differs: partial.has(keyOf(record.address)) ? ['history'] : [], not_compared: [] });
    for (const { address } of historyFiles()) if (!isTaken(address)) missing.push(address);
    demandThere(targets, missing);
    demandRead(targets, unread);
    const records = collected.end();
    if (records.length > 0) {
      const work = () => putRecords(records, 'adopt', state);
      await enter(state, actOf('adopt', ports), work, (adopted) => ({ adopted, missing: missing.length }));
    }
    return { objects: objects.end(), missing, unread };
  } finally {
    spool.close();
    await state.close();
  }
}

function* filtered(resources: Iterable<Resource>, isWanted: (resource: Resource) => boolean): Generator<Resource> {
  for (const resource of resources) if (isWanted(resource)) yield resource;
}

function isHistoryFile({ address }: Resource): boolean {
  return kindOf(address) === messages.name;
}

function channelOf({ address, attributes }: Resource): Address {
  return addressOf(textOf(attributes, 'channel') ?? '', keyOf(address));
}

/** Refuses a plain address that is not declared (64) or already in state (6). A pattern selects only the objects that can be adopted. */
function demandAdoptable(targets: readonly TargetPattern[], manifest: LoadedManifest, state: StateSnapshot): void {
  const unmatched = new Set(targets);
  const index = new TargetIndex(targets);
  const alreadyInState: Address[] = [];
  for (const resource of manifest.resources) {
    const { address } = resource;
    const meant = index.matching(address);
    if (meant.length === 0) continue;
    for (const target of meant) unmatched.delete(target);
    if (meant.some(({ text }) => text === address) && !isNew(resource, state)) alreadyInState.push(address);
  }
  refuseUndeclared([...unmatched], manifest, state);
  if (alreadyInState.length > 0) {
    throw new Refusal(
      'adopt.known',
      exitCode.conflict,
      `${listed(alreadyInState)} ${alreadyInState.length === 1 ? 'is' : 'are'} already in state.`,
      'Nothing was changed. Run chatform plan to see pending changes, or chatform plan --refresh to include differences on the platform.',
    );
  }
}

/** Whether the object is not in state, or is a history file that has grown. */
function isNew(resource: Resource, state: StateSnapshot): boolean {
  const record = state.get(resource.address);
  return record === undefined || isGrown(resource, record);
}

/** Whether the history file has more lines than state knows. Its channel may show some of them, which are then a conflict. */
function isGrown(resource: Resource, { attributes }: StateRecord): boolean {
  return isHistoryFile(resource) && historyFileOf(resource.attributes).messages > countOf(mapOf(attributes, 'history'));
}

function refuseUndeclared(unmatched: readonly TargetPattern[], manifest: LoadedManifest, state: StateSnapshot): void {
  const isInState = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && !isRunMetadata(address) && state.get(address) !== undefined;
  };
  const undeclared = unmatched.map(({ text }) => text).filter(isInState);
  if (undeclared.length > 0) {
    throw usage(
      `${listed(undeclared)} ${undeclared.length === 1 ? 'is' : 'are'} in state but no longer declared.`,
      'Nothing was changed. Run chatform plan to see what an apply would do with them.',
    );
  }
  const texts = unmatched.map(({ text }) => text);
  demandMatched(texts, 'ADDRESS', [manifest.resources]);
}

/** Refuses plain addresses that are not on the platform. */
function demandThere(targets: readonly TargetPattern[], missing: readonly Address[]): void {
  const missingNamed = plainlyNamed(targets, missing);
  if (missingNamed.length === 0) return;
  throw new Refusal(
    'adopt.missing',
    exitCode.conflict,
    `${listed(missingNamed)} ${missingNamed.length === 1 ? 'is' : 'are'} not on the platform.`,
    'Nothing was changed. Check the key and the application. To create what is missing, run chatform apply.',
  );
}

/** Refuses plain addresses that the platform does not offer to read. */
function demandRead(targets: readonly TargetPattern[], unread: readonly Address[]): void {
  const unreadNamed = plainlyNamed(targets, unread);
  if (unreadNamed.length === 0) return;
  throw new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `The platform does not offer to read ${listed(unreadNamed)}.`,
    'Nothing was changed. Ask the administrator of the application which features its plan includes.',
  );
}

function plainlyNamed(targets: readonly TargetPattern[], addresses: readonly Address[]): readonly Address[] {
  const texts = new Set<string>(targets.map(({ text }) => text));
  return addresses.filter((address) => texts.has(address));
}

const maxNamed = 10;

function listed(addresses: readonly string[]): string {
  return addresses.length > maxNamed ? firstOf(addresses, maxNamed) : listOf(addresses);
}
