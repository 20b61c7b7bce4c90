// How are objects taken out of state, without anything happening to them on the platform?

import { stateOf } from '../../../app/session/open-state.ts';
import { demandMatched, readTarget } from '../../../app/targets.ts';
import type { Address } from '../../../model/address.ts';
import { exitCode } from '../../../model/exit-code.ts';
import type { StateSnapshot } from '../../../model/ports.ts';
import { objectRecords } from '../../../model/run-metadata.ts';
import type { Target } from '../../../planner/targets.ts';
import { usage } from '../../flags/command.ts';
import { counted, demandYes, identityOf, type StateVerb } from './verb.ts';

const maxNamed = 20;
/** Entries that are written together. */
const batchSize = 1_000;

export const forget: StateVerb = async (args, input, world) => {
  if (args.length === 0) throw usage('No address is given.', "Write: chatform state forget user.alice 'user.old-*'");
  const targets = args.map((text) => readTarget(text, 'ADDRESS'));
  const application = await identityOf(input, world);
  const backend = await stateOf(input, world);
  const meant = addressesIn(await backend.read(application), targets);
  const named = meant.slice(0, maxNamed).map((address) => `  ${address}`);
  if (meant.length > maxNamed) named.push(`  and ${meant.length - maxNamed} more`);
  await demandYes(
    `${named.join('\n')}\n${counted(meant.length, 'object')} will be taken out of state. On the platform nothing changes. What is still declared is created by the next apply, which then meets the object that is there (policy: {existing: …}); what is declared no more is nobody's business from now on.`,
    input,
    world,
  );
  const writer = await backend.open({ application, lockTimeoutMs: input.duration('lock-timeout') ?? 0 });
  try {
    // Under the lock once more; what has come meanwhile was not shown.
    const shown = new Set(meant);
    const there = addressesIn(writer, targets).filter((address) => shown.has(address));
    for (let from = 0; from < there.length; from += batchSize) {
      const batch = there.slice(from, from + batchSize);
      await Promise.all(batch.map((address) => writer.done(`${address}#forget`, { type: 'delete', address })));
    }
    world.stdout.write(`Forgotten: ${counted(there.length, 'object')}.\n`);
  } finally {
    await writer.close();
  }
  return exitCode.done;
};

function addressesIn(snapshot: StateSnapshot, targets: readonly Target[]): Address[] {
  const missed = new Set(targets);
  const found: Address[] = [];
  const known = { [Symbol.iterator]: () => objectRecords(snapshot.records()) };
  for (const { address } of known) {
    const meant = targets.filter(({ matches }) => matches(address));
    for (const target of meant) missed.delete(target);
    if (meant.length > 0) found.push(address);
  }
  demandMatched(
    [...missed].map(({ text }) => text),
    'ADDRESS',
    [known],
  );
  return found;
}
