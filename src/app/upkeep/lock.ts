// Looks at the lock of a state, and breaks it when its holder will not come back.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateWriter } from '../../model/ports.ts';
import { describeHolder } from '../../state/lease.ts';
import type { LockHolder, UpkeepBackend } from '../../state/upkeep.ts';
import { openState } from '../session/open-state.ts';
import { actOf } from '../trail/actor.ts';
import { recordAct } from '../trail/trail.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

export interface StateLock {
  /** The name of the state. */
  readonly state: string;
  readonly application: string;
  /** Absent when the lock is free. */
  readonly holder?: LockHolder;
}

export async function findLock(options: UpkeepOptions, ports: UpkeepPorts): Promise<StateLock> {
  return lookAt(await openState(options, ports), await applicationMeant(options, ports));
}

/**
 * Gives the lock as it was found: nothing is broken when it is free. `confirm` is shown a held one, and throws unless
 * somebody says yes. Refused (7) when the lock changed hands in between.
 */
export async function breakLock(
  options: UpkeepOptions,
  ports: UpkeepPorts,
  confirm: (lock: StateLock) => Promise<void>,
): Promise<StateLock> {
  const backend = await openState(options, ports);
  const lock = await lookAt(backend, await applicationMeant(options, ports));
  if (lock.holder === undefined) return lock;
  await confirm(lock);
  const { application, holder } = lock;
  const ended = { outcome: 'done', detail: `broke the lock of ${describeHolder(holder.lock)}` };
  const enter = (state: StateWriter) => recordAct(state, actOf('state unlock', ports), ended);
  if (await backend.breakLock(application, holder.epoch, enter)) return lock;
  throw new Refusal(
    'state.lock-changed',
    exitCode.locked,
    'The lock changed hands, or was given back, before it could be broken.',
    'Nothing was changed. chatform state lock shows who holds it now.',
  );
}

async function lookAt(backend: UpkeepBackend, application: string): Promise<StateLock> {
  const holder = await backend.holder(application);
  return { state: backend.name, application, ...(holder === undefined ? {} : { holder }) };
}
