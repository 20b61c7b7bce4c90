// How does a copied state get to a place, without undoing what was done there since?
import { resolve } from 'node:path';
import { stateOf } from '../../../app/session/open-state.ts';
import { InternalError } from '../../../lib/errors.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { digestOfContents, readCopy, type StateCopy } from '../../../state/copy.ts';
import { nodeFiles } from '../../../state/file/file-system.ts';
import type { NumberedSnapshot, UpkeepBackend } from '../../../state/upkeep.ts';
import type { Environment } from '../../environment.ts';
import { type CommandInput, usage } from '../../flags/command.ts';
import { counted, identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const push: StateVerb = async (args, input, world) => {
  noMoreThan(args, 1, 'push FILE');
  const [file] = args;
  if (file === undefined) throw usage('No file is given.', 'Write: chatform state push FILE');
  const copy = await read(resolve(world.cwd, file), file);
  const isForced = input.flag('force');
  const { application } = copy.header;
  if (!isForced) await demandSameApplication(application, input, world);
  const backend = await stateOf(input, world);
  const there = await applicationThere(backend, application);
  if (!isForced && there !== application) throw refused(`holds the state of ${there}, the copy is of ${application}`);
  const before = await backend.read(there);
  if (isSame(copy, before)) {
    world.stdout.write(`The state ${backend.name} holds this copy already.\n`);
    return exitCode.done;
  }
  if (!isForced) demandFitting(copy, before);
  const writer = await backend.open({ application: there, lockTimeoutMs: input.duration('lock-timeout') ?? 0 });
  try {
    // Once more: somebody may have been faster than the lock.
    if (!isForced) demandFitting(copy, writer);
    await writer.replace(copy);
  } finally {
    await writer.close();
  }
  const after = await backend.read(application);
  if (digestOfContents(after) !== copy.digest) throw new InternalError(`${backend.name} does not hold what was pushed`);
  world.stdout.write(`Pushed ${counted(copy.size, 'record')} of ${application} to ${backend.name}, digest verified.\n`);
  return exitCode.done;
};

async function read(path: string, name: string): Promise<StateCopy> {
  const file = await nodeFiles.openToRead(path).catch(() => undefined);
  if (file === undefined) throw usage(`${name} cannot be read.`, 'Give the file that chatform state pull has written.');
  try {
    return await readCopy(file, name);
  } finally {
    await file.close();
  }
}

/** Of the manifests or of --base-url, when there is one; a copy can also be put back where there are none. */
async function demandSameApplication(application: string, input: CommandInput, world: Environment): Promise<void> {
  const meant = await identityOf(input, world).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'application.missing') return application;
    throw error;
  });
  if (meant !== application) throw refused(`is to be of ${meant}, the copy is of ${application}`);
}

async function applicationThere(backend: UpkeepBackend, application: string): Promise<string> {
  const [first] = backend.holdsMany ? [] : await backend.applications();
  return first ?? application;
}

function isSame({ header, digest }: StateCopy, there: NumberedSnapshot): boolean {
  const found = there.header;
  return (
    found?.lineage === header.lineage && found.application === header.application && digestOfContents(there) === digest
  );
}

function demandFitting({ header, serial }: StateCopy, there: NumberedSnapshot): void {
  // Never written, or opened and left: nothing can be lost.
  if (there.header === undefined || (there.size === 0 && there.pending.length === 0)) return;
  if (there.header.lineage !== header.lineage) {
    throw refused(`is another one than the copy is of: lineage ${there.header.lineage}, not ${header.lineage}`);
  }
  if (there.serial > serial) {
    throw refused(
      `is ahead: it was worked on since the copy was made (serial ${there.serial}, the copy has ${serial})`,
    );
  }
}

function refused(why: string): Refusal {
  return new Refusal(
    'state.push-refused',
    exitCode.conflict,
    `The copy does not fit: the state there ${why}.`,
    'Nothing was changed. Keep what is there with chatform state pull; --force puts the copy in its place all the same.',
  );
}
