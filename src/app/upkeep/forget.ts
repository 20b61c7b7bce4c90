// Takes objects out of state. On the platform nothing happens to them.
import type { Address } from '../../model/address.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import type { Target } from '../../planner/targets.ts';
import { demandMatched, readTarget } from '../manifests/targets.ts';
import { openState } from '../session/open-state.ts';
import { actOf } from '../trail/actor.ts';
import { enter } from '../trail/trail.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

/** Entries that are written together. */
const batchSize = 1_000;

/** Gives the number of forgotten objects. `confirm` is shown them, and throws unless somebody says yes. */
export async function forgetObjects(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: UpkeepPorts,
  confirm: (addresses: readonly Address[]) => Promise<void>,
): Promise<number> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports);
  const shown = addressesIn(await backend.read(application), read);
  await confirm(shown);
  const writer = await backend.open({ application, lockTimeoutMs: options.lockTimeoutMs ?? 0 });
  try {
    // Under the lock again; what was added in the meantime was not shown.
    const confirmed = new Set(shown);
    const there = addressesIn(writer, read).filter((address) => confirmed.has(address));
    const work = async (): Promise<number> => {
      for (let from = 0; from < there.length; from += batchSize) {
        const batch = there.slice(from, from + batchSize);
        await Promise.all(batch.map((address) => writer.done(`${address}#forget`, { type: 'delete', address })));
      }
      return there.length;
    };
    return await enter(writer, actOf('state forget', ports), work, (forgotten) => ({ forgotten }));
  } finally {
    await writer.close();
  }
}

function addressesIn(snapshot: StateSnapshot, targets: readonly Target[]): Address[] {
  const missed = new Set(targets);
  const found: Address[] = [];
  const known = { [Symbol.iterator]: () => objectRecords(snapshot.records()) };
  for (const { address } of known) {
    const meant = targets.filter(({ matches }) => matches(address));
    for (const target of meant) missed.delete(target);
    if (meant.length > 0) found.push(address);
  }
  const unmatched = [...missed].map(({ text }) => text);
  demandMatched(unmatched, 'ADDRESS', [known]);
  return found;
}
