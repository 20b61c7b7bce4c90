// Encrypts a state under another key, for the first time, or no more.
import { InternalError } from '../../lib/errors.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { countObjects } from '../../model/run-metadata.ts';
import { digestOfContents } from '../../state/copy.ts';
import { isKeyRefusal } from '../../state/seal/refusals.ts';
import type { Sealer } from '../../state/seal/sealer.ts';
import type { UpkeepWriter } from '../../state/upkeep.ts';
import { openState } from '../session/open-state.ts';
import { rekeySealers } from '../session/state-secrets.ts';
import { actOf } from '../trail/actor.ts';
import { withEntry } from './fill-state.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

export interface RekeyOptions extends UpkeepOptions {
  /** Without a new key: stored as plain text from now on. */
  readonly isPlain?: boolean | undefined;
}

export interface Rekeyed {
  /** The name of the state. */
  readonly state: string;
  readonly records: number;
}

/**
 * One atomic step: a process that is killed has rekeyed everything or nothing, and can be run again with the same two
 * keys. Refused (64) when the environment names no new key, or one although none is wanted.
 */
export async function rekeyState(options: RekeyOptions, ports: UpkeepPorts): Promise<Rekeyed> {
  const { isPlain = false, lockTimeoutMs = 0 } = options;
  const { next, soFar } = await rekeySealers(ports);
  if (isPlain === next.isSealing) {
    throw usage(
      isPlain ? 'CHATFORM_STATE_KEY is set, and --plain-state stores the state without a key.' : 'No new key is set.',
      isPlain
        ? 'Give the key so far in CHATFORM_STATE_KEY_OLD, and unset CHATFORM_STATE_KEY.'
        : 'Set CHATFORM_STATE_KEY to the new key, and CHATFORM_STATE_KEY_OLD to the key so far, if there is one. --plain-state stores the state without a key.',
    );
  }
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports, next);
  const writer = await openAsItIs(soFar, async (sealer) =>
    (await openState(options, ports, sealer)).open({ application, lockTimeoutMs }),
  );
  const records = countObjects(writer.records());
  const ended = { outcome: 'done', ...(isPlain ? { detail: 'stored without a key' } : {}) };
  const contents = withEntry(writer, actOf('state rekey', ports), ended);
  const digest = digestOfContents(contents);
  await writer.replace(contents, next);
  // As the next run reads it: with the new key alone.
  if (digestOfContents(await backend.read(application)) !== digest)
    throw new InternalError(`${backend.name} does not hold what was rekeyed`);
  return { state: backend.name, records };
}

/**
 * With the keys that the state has, of those that it may have. Were its lock taken under others, a process that is killed
 * before the new contents count would leave a state that neither reads alone.
 */
async function openAsItIs(
  soFar: readonly Sealer[],
  open: (sealer: Sealer) => Promise<UpkeepWriter>,
): Promise<UpkeepWriter> {
  const [sealer, ...others] = soFar;
  if (sealer === undefined) throw new InternalError('no keys to open the state with');
  try {
    return await open(sealer);
  } catch (error) {
    if (others.length > 0 && error instanceof Refusal && isKeyRefusal(error)) return openAsItIs(others, open);
    throw error;
  }
}
