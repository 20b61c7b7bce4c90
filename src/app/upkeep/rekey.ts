// Encrypts a state under another key, for the first time, or no more.
import { InternalError } from '../../lib/errors.ts';
import { usage } from '../../model/errors.ts';
import { countObjects } from '../../model/run-metadata.ts';
import { digestOfContents } from '../../state/copy.ts';
import { Sealer } from '../../state/seal/sealer.ts';
import { openState } from '../session/open-state.ts';
import { rekeySecrets } from '../session/state-secrets.ts';
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
  const secrets = await rekeySecrets(ports);
  if (isPlain !== (secrets.write === undefined)) {
    throw usage(
      isPlain ? 'CHATFORM_STATE_KEY is set, and --plain-state stores the state without a key.' : 'No new key is set.',
      isPlain
        ? 'Give the key so far in CHATFORM_STATE_KEY_OLD, and unset CHATFORM_STATE_KEY.'
        : 'Set CHATFORM_STATE_KEY to the new key, and CHATFORM_STATE_KEY_OLD to the key so far, if there is one. --plain-state stores the state without a key.',
    );
  }
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports, new Sealer(secrets));
  const writer = await backend.open({ application, lockTimeoutMs });
  const records = countObjects(writer.records());
  const ended = { outcome: 'done', ...(isPlain ? { detail: 'stored without a key' } : {}) };
  const contents = withEntry(writer, actOf('state rekey', ports), ended);
  const digest = digestOfContents(contents);
  await writer.replace(contents);
  // As the next run reads it: with the new key alone.
  const { write } = secrets;
  const alone = new Sealer({ write, read: write === undefined ? [] : [write], acceptsPlain: write === undefined });
  const after = await (await openState(options, ports, alone)).read(application);
  if (digestOfContents(after) !== digest) throw new InternalError(`${backend.name} does not hold what was rekeyed`);
  return { state: backend.name, records };
}
