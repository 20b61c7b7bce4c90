// Moves a whole state: to a copy and back, to a new address of its application, or to a new key.

import { constants, createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openState } from '../core/app/context/open-state.ts';
import { saveOutput } from '../core/app/context/output-files.ts';
import type { Ports, UpkeepOptions } from '../core/app/context/ports.ts';
import { rebound, withEntry } from '../core/app/context/state-contents.ts';
import { rekeySealers, stateSealer } from '../core/app/context/state-key.ts';
import { actOf, continuesTrail, type FinishedRun, trailDigest } from '../core/app/context/trail.ts';
import { applicationMeant, withStateOfFolder } from '../core/app/opening/folder-application.ts';
import { stateMeant } from '../core/app/state.ts';
import { restored } from '../core/history/sent/recorded-calls.ts';
import { kindOf } from '../core/model/address.ts';
import { countObjects } from '../core/model/addressed-series.ts';
import { Refusal, usage } from '../core/model/errors.ts';
import { exitCode } from '../core/model/exit-code.ts';
import { withoutTrail } from '../core/model/run-metadata.ts';
import { applicationIdentity } from '../core/platform/base-url.ts';
import { messages } from '../core/resources/messages/messages.ts';
import type { UpkeepBackend, UpkeepWriter } from '../core/state/engine/upkeep.ts';
import { textChangeIn } from '../core/state/records/converted-text.ts';
import { copyText, digestOfContents, readCopy, type StateCopy } from '../core/state/records/copy.ts';
import { convertedCopy } from '../core/state/records/refusals.ts';
import type { NumberedSnapshot, StateContents } from '../core/state/records/view.ts';
import { isKeyRefusal } from '../core/state/seal/refusals.ts';
import { sealText, unsealText } from '../core/state/seal/sealed-text.ts';
import type { Sealer } from '../core/state/seal/sealer.ts';
import { isOtherThanFile } from '../lib/durable-files.ts';
import { InternalError } from '../lib/errors.ts';
import type { Count } from '../lib/json.ts';

/** The context that an encrypted copy is bound to. */
const copyPlace = 'copy';

/** How much of a damaged copy is searched for a cause. */
const explainedBytes = 16 << 20;

export interface Pulled {
  readonly application: string;
  readonly records: number;
  readonly serial: number;
  /** The lines of the copy. */
  readonly text: Iterable<string>;
}

/** Refused (1) for a state that was never written. */
export async function pullState(options: UpkeepOptions, ports: Ports): Promise<Pulled> {
  const { application, backend, read } = await stateMeant(options, ports);
  const snapshot = await read();
  const { header, serial } = snapshot;
  const records = countObjects(snapshot.records());
  if (header !== undefined)
    return {
      application,
      records,
      serial,
      text: sealText(copyText(snapshot, header), copyPlace, await stateSealer(ports)),
    };
  throw new Refusal(
    'state.empty',
    exitCode.notFound,
    `The state ${backend.name} of ${application} was never written.`,
    'There is nothing to copy. Check --state and the application.',
  );
}

/** Only the owner may read the file, because it contains names and metadata. */
export async function saveCopy({ text }: Pulled, file: string, cwd: string): Promise<void> {
  await saveOutput('state-copy', cwd, file, text);
}

/** History files note that their next lines may have been sent already: the platform may be newer than the copy. */
function asRestored<C extends Pick<StateContents, 'records'>>(contents: C): C {
  return {
    ...contents,
    *records() {
      for (const record of contents.records())
        yield kindOf(record.address) === messages.name
          ? { ...record, attributes: restored(record.attributes) }
          : record;
    },
  };
}

export interface PushStateOptions extends UpkeepOptions {
  readonly file: string;
  /** Whether the copy replaces any state. */
  readonly isForced?: boolean | undefined;
}

export interface PushedState {
  readonly state: string;
  readonly application: string;
  readonly records: Count;
  /** Whether the state already contained the copy, so that nothing was written. */
  readonly wasThere: boolean;
}

/** Refused (6), unless forced, when the destination has another application or lineage, or is newer than the copy. */
export async function pushState(options: PushStateOptions, ports: Ports): Promise<PushedState> {
  const { file, isForced = false } = options;
  const copy = await read(resolve(ports.cwd, file), file, await stateSealer(ports));
  const { application } = copy.header;
  if (!isForced) await demandSameApplication(application, options, ports);
  const placed = await withStateOfFolder(options, ports);
  const backend = await openState({ ...placed, replacesRemains: true }, ports);
  const there = await applicationThere(backend, application);
  if (!isForced && there !== application)
    throw refused(`contains the state of ${there}, but the copy is of ${application}`);
  const before = await backend.read(there);
  const pushed = { state: backend.name, application, records: countObjects(copy.records()) };
  if (holdsSame(copy, before)) return { ...pushed, wasThere: true };
  if (!isForced) demandFitting(copy, before);
  const counts = { pushed: pushed.records };
  let contents: StateContents;
  const writer = await backend.open({ application: there, lockTimeoutMs: options.lockTimeoutMs ?? 0 });
  try {
    // Again: another run may have taken the lock in between.
    if (!isForced) demandFitting(copy, writer);
    const ended = { outcome: 'done', counts, ...lostTrail(copy, writer) };
    contents = asRestored(withEntry(copy, actOf('state push', ports), ended));
    await writer.replace(contents);
  } finally {
    await writer.close();
  }
  const after = await backend.read(application);
  if (digestOfContents(after) !== digestOfContents(contents))
    throw new InternalError(`${backend.name} does not contain what was pushed`);
  return { ...pushed, wasThere: false };
}

async function read(path: string, name: string, sealer: Sealer): Promise<StateCopy> {
  const isReadable = await access(path, constants.R_OK).then(
    () => !isOtherThanFile(path),
    () => false,
  );
  if (!isReadable) throw usage(`${name} cannot be read.`, 'Pass a file that chatform state pull wrote.');
  try {
    return await readCopy(unsealText(createReadStream(path), copyPlace, sealer, `The copy ${name}`), name);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.code.startsWith('state.')) throw error;
    const change = textChangeIn(await startOf(path));
    throw change === undefined ? error : convertedCopy(name, change);
  }
}

async function startOf(path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of createReadStream(path, { end: explainedBytes })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A copy can also be restored where neither manifests nor an option name an application. */
async function demandSameApplication(application: string, options: UpkeepOptions, ports: Ports): Promise<void> {
  const { application: meant } = await applicationMeant(options, ports).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'application.missing') return { application };
    throw error;
  });
  if (meant !== application) throw refused(`must belong to ${meant}, but the copy is of ${application}`);
}

async function applicationThere(backend: UpkeepBackend, application: string): Promise<string> {
  const [first] = backend.holdsMany ? [] : await backend.applications();
  return first ?? application;
}

/** The destination's trail may be longer: each push adds an entry, which must not make the copy count as different. */
function holdsSame(copy: StateCopy, there: NumberedSnapshot): boolean {
  const { header } = there;
  if (header?.lineage !== copy.header.lineage || header.application !== copy.header.application) return false;
  const trail = trailDigest(copy);
  if (trail !== undefined && !continuesTrail(there, trail)) return false;
  const bare = (state: NumberedSnapshot) => ({
    pending: state.pending,
    records: () => withoutTrail(state.records()),
  });
  const digest = digestOfContents(bare(there));
  return [bare(copy), asRestored(bare(copy))].some((contents) => digestOfContents(contents) === digest);
}

/** Records the digest of a trail that is lost because the copy does not continue it. */
function lostTrail(copy: StateCopy, there: NumberedSnapshot): Pick<FinishedRun, 'detail'> {
  const digest = trailDigest(there);
  if (digest === undefined || continuesTrail(copy, digest)) return {};
  return { detail: `in place of a state whose trail ended with ${digest}` };
}

function demandFitting({ header, serial }: StateCopy, there: NumberedSnapshot): void {
  // The state was never written, or opened without a write, so nothing can be lost.
  if (there.header === undefined || (there.size === 0 && there.pending.length === 0)) return;
  if (there.header.lineage !== header.lineage) {
    throw refused(`has another lineage than the copy: ${there.header.lineage}, not ${header.lineage}`);
  }
  if (there.serial > serial) {
    throw refused(`is newer than the copy: runs changed it since (serial ${there.serial}, the copy has ${serial})`);
  }
}

function refused(why: string): Refusal {
  return new Refusal(
    'state.push-refused',
    exitCode.conflict,
    `The copy does not match: the state at the destination ${why}.`,
    'Nothing was changed. Save the destination with chatform state pull first; --force then replaces it.',
  );
}

export interface RebindStateOptions extends UpkeepOptions {
  /** A base URL, or an identity as messages print it. Default: the application of the manifests. */
  readonly to?: string | undefined;
  /** Selects the state if a database contains several. */
  readonly from?: string | undefined;
}

export interface Rebinding {
  readonly state: string;
  readonly from: string;
  /** Equal to `from` if there was nothing to do. */
  readonly to: string;
  readonly records: Count;
}

/** `confirm` shows the change and throws unless the user agrees. */
export async function rebindState(
  options: RebindStateOptions,
  ports: Ports,
  confirm: (rebinding: Rebinding) => Promise<void>,
): Promise<Rebinding> {
  const to = options.to === undefined ? (await applicationMeant(options, ports)).application : identityIn(options.to);
  const backend = await openState(await withStateOfFolder(options, ports), ports);
  const from = await sourceOf(backend, options.from, to);
  const records = countObjects((await backend.read(from)).records());
  const rebinding = { state: backend.name, from, to, records };
  if (from === to) return rebinding;
  await confirm(rebinding);
  const writer = await backend.open({ application: from, lockTimeoutMs: options.lockTimeoutMs ?? 0 });
  await writer.replace(rebound(writer, to, ports));
  return rebinding;
}

function identityIn(text: string): string {
  return applicationIdentity(/^emulator:|:\/\//u.test(text) ? text : `https://${text}`);
}

async function sourceOf(backend: UpkeepBackend, named: string | undefined, to: string): Promise<string> {
  const there = await backend.applications();
  const [only, ...others] =
    named === undefined ? there : there.filter((from) => from === named || from === identityIn(named));
  if (only === undefined) {
    throw new Refusal(
      'state.unknown-application',
      exitCode.notFound,
      named === undefined ? `The state ${backend.name} was never written.` : `There is no state of ${named}.`,
      there.length === 0 ? 'Nothing was changed. Check --state.' : `There are states of ${there.join(', ')}.`,
    );
  }
  if (others.length > 0) {
    throw usage(`There are several states in ${backend.name}.`, `Choose one with --from: ${there.join(', ')}.`);
  }
  if (only !== to && there.includes(to)) {
    throw new Refusal(
      'state.exists',
      exitCode.conflict,
      `A state of ${to} already exists in ${backend.name}.`,
      'Nothing was changed. Two states cannot be merged. Save one with chatform state pull, then remove its objects with chatform state forget.',
    );
  }
  return only;
}

export interface RekeyOptions extends UpkeepOptions {
  /** Whether to store the state unencrypted. */
  readonly isPlain?: boolean | undefined;
}

export interface Rekeyed {
  readonly state: string;
  readonly records: Count;
}

/**
 * Atomic: a process that is killed has rekeyed everything or nothing, and can be run again with the same two keys. Refused
 * (64) when the environment has no new key, or has one although `isPlain` is set.
 */
export async function rekeyState(options: RekeyOptions, ports: Ports): Promise<Rekeyed> {
  const { isPlain = false, lockTimeoutMs = 0 } = options;
  const { next, present } = await rekeySealers(ports);
  if (isPlain === next.isSealing) {
    throw usage(
      isPlain ? 'CHATFORM_STATE_KEY is set, but --unencrypted stores the state unencrypted.' : 'No new key is set.',
      isPlain
        ? 'Put the current key in CHATFORM_STATE_KEY_OLD and unset CHATFORM_STATE_KEY.'
        : 'Set CHATFORM_STATE_KEY to the new key and CHATFORM_STATE_KEY_OLD to the current key, if there is one. To store the state unencrypted, use --unencrypted.',
    );
  }
  const { application, placed } = await applicationMeant(options, ports);
  const backend = await openState(placed, ports, next);
  const writer = await openAsItIs(present, async (sealer) =>
    (await openState(placed, ports, sealer)).open({ application, lockTimeoutMs }),
  );
  const records = countObjects(writer.records());
  const ended = { outcome: 'done', ...(isPlain ? { detail: 'stored without a key' } : {}) };
  const contents = withEntry(writer, actOf('state rekey', ports), ended);
  const digest = digestOfContents(contents);
  await writer.replace(contents, next);
  // Read back as the next run does, with only the new key.
  if (digestOfContents(await backend.read(application)) !== digest)
    throw new InternalError(`${backend.name} does not contain what was rekeyed`);
  return { state: backend.name, records };
}

/**
 * Finds the key that the state is encrypted with. If the lock were written with another key, a process killed before the new
 * contents count would leave a state that neither key can read.
 */
async function openAsItIs(
  present: readonly Sealer[],
  open: (sealer: Sealer) => Promise<UpkeepWriter>,
): Promise<UpkeepWriter> {
  const [sealer, ...others] = present;
  if (sealer === undefined) throw new InternalError('no keys to open the state with');
  try {
    return await open(sealer);
  } catch (error) {
    if (others.length > 0 && error instanceof Refusal && isKeyRefusal(error)) return openAsItIs(others, open);
    throw error;
  }
}
