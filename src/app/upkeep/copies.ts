// Copies a whole state into one file, and puts a copy in the place of a state without undoing what was done there since.
import { resolve } from 'node:path';
import { InternalError } from '../../lib/errors.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { countObjects, withoutTrail } from '../../model/run-metadata.ts';
import { copyText, digestOfContents, readCopy, type StateCopy } from '../../state/copy.ts';
import { nodeFiles } from '../../state/file/file-system.ts';
import { sealText, unsealFile } from '../../state/seal/sealed-text.ts';
import type { Sealer } from '../../state/seal/sealer.ts';
import type { NumberedSnapshot, StateContents, UpkeepBackend } from '../../state/upkeep.ts';
import { writeOutput } from '../output-files.ts';
import { openState } from '../session/open-state.ts';
import { stateSealer } from '../session/state-secrets.ts';
import { actOf } from '../trail/actor.ts';
import { continuesTrail, type Ended, trailDigest } from '../trail/trail.ts';
import { withEntry } from './fill-state.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

/** What an encrypted copy is bound to. */
const copyPlace = 'copy';

export interface Pulled {
  readonly application: string;
  readonly records: number;
  readonly serial: number;
  /** The lines of the copy. */
  readonly text: Iterable<string>;
}

/** Refused (1) for a state that was never written. */
export async function pullState(options: UpkeepOptions, ports: UpkeepPorts): Promise<Pulled> {
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports);
  const snapshot = await backend.read(application);
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
    exitCode.unexpected,
    `The state ${backend.name} of ${application} was never written.`,
    'There is nothing to copy. Check --state and the application.',
  );
}

/** Only its owner may read the file: it holds names and metadata. */
export async function saveCopy({ text }: Pulled, file: string, cwd: string): Promise<void> {
  await writeOutput(resolve(cwd, file), text, 0o600);
}

export interface PushStateOptions extends UpkeepOptions {
  readonly file: string;
  /** Puts the copy in the place of any state. */
  readonly isForced?: boolean | undefined;
}

export interface Pushed {
  /** The name of the state. */
  readonly state: string;
  readonly application: string;
  readonly records: number;
  /** The state held the copy already: nothing was written. */
  readonly wasThere: boolean;
}

/** Refused (6), unless forced, when the state there is of another application or lineage, or ahead of the copy. */
export async function pushState(options: PushStateOptions, ports: UpkeepPorts): Promise<Pushed> {
  const { file, isForced = false } = options;
  const copy = await read(resolve(ports.cwd, file), file, await stateSealer(ports));
  const { application } = copy.header;
  if (!isForced) await demandSameApplication(application, options, ports);
  const backend = await openState(options, ports);
  const there = await applicationThere(backend, application);
  if (!isForced && there !== application) throw refused(`holds the state of ${there}, the copy is of ${application}`);
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
    contents = withEntry(copy, actOf('state push', ports), { outcome: 'done', counts, ...lostTrail(copy, writer) });
    await writer.replace(contents);
  } finally {
    await writer.close();
  }
  const after = await backend.read(application);
  if (digestOfContents(after) !== digestOfContents(contents))
    throw new InternalError(`${backend.name} does not hold what was pushed`);
  return { ...pushed, wasThere: false };
}

async function read(path: string, name: string, sealer: Sealer): Promise<StateCopy> {
  const file = await nodeFiles.openToRead(path).catch(() => undefined);
  if (file === undefined) throw usage(`${name} cannot be read.`, 'Give the file that chatform state pull has written.');
  try {
    return await readCopy(await unsealFile(file, copyPlace, sealer, `The copy ${name}`), name);
  } finally {
    await file.close();
  }
}

/** A copy can also be put back where neither manifests nor an option name an application. */
async function demandSameApplication(application: string, options: UpkeepOptions, ports: UpkeepPorts): Promise<void> {
  const meant = await applicationMeant(options, ports).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'application.missing') return application;
    throw error;
  });
  if (meant !== application) throw refused(`is to be of ${meant}, the copy is of ${application}`);
}

async function applicationThere(backend: UpkeepBackend, application: string): Promise<string> {
  const [first] = backend.holdsMany ? [] : await backend.applications();
  return first ?? application;
}

/** The trail may have gone on: that a copy was pushed is entered, and is no reason to push it again. */
function holdsSame(copy: StateCopy, there: NumberedSnapshot): boolean {
  const { header } = there;
  if (header?.lineage !== copy.header.lineage || header.application !== copy.header.application) return false;
  const trail = trailDigest(copy);
  if (trail !== undefined && !continuesTrail(there, trail)) return false;
  const [wanted, found] = [copy, there].map((state) =>
    digestOfContents({ pending: state.pending, records: () => withoutTrail(state.records()) }),
  );
  return wanted === found;
}

/** A trail that the copy does not continue is gone with the state that it replaces. */
function lostTrail(copy: StateCopy, there: NumberedSnapshot): Pick<Ended, 'detail'> {
  const digest = trailDigest(there);
  if (digest === undefined || continuesTrail(copy, digest)) return {};
  return { detail: `in place of a state whose trail ended with ${digest}` };
}

function demandFitting({ header, serial }: StateCopy, there: NumberedSnapshot): void {
  // Never written, or opened and left: nothing can be lost.
  if (there.header === undefined || (there.size === 0 && there.pending.length === 0)) return;
  if (there.header.lineage !== header.lineage) {
    throw refused(`is another one than the copy is of: lineage ${there.header.lineage}, not ${header.lineage}`);
  }
  if (there.serial > serial) {
    throw refused(`is ahead: runs changed it since the copy was made (serial ${there.serial}, the copy has ${serial})`);
  }
}

function refused(why: string): Refusal {
  return new Refusal(
    'state.push-refused',
    exitCode.conflict,
    `The copy does not fit: the state there ${why}.`,
    'Nothing was changed. Keep what is there with chatform state pull; --force replaces it all the same.',
  );
}
