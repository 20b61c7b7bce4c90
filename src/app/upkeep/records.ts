// Looks up what state remembers.
import { Suggestions } from '../../manifest/checks/suggest.ts';
import { type Address, parseAddress } from '../../model/address.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateRecord } from '../../model/record.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import { demandMatched, readTarget } from '../manifests/targets.ts';
import { openState } from '../session/open-state.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

/**
 * The addresses in state that the targets mean, or all. Going through them is refused (64) at the end when a target means
 * nothing, since an empty list would look like an answer.
 */
export async function listAddresses(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: UpkeepPorts,
): Promise<Iterable<Address>> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const snapshot = await (await openState(options, ports)).read(await applicationMeant(options, ports));
  const known = { [Symbol.iterator]: () => objectRecords(snapshot.records()) };
  const matching = function* (): Generator<Address> {
    const missed = new Set(read);
    for (const { address } of known) {
      const meant = read.filter(({ matches }) => matches(address));
      for (const target of meant) missed.delete(target);
      if (read.length === 0 || meant.length > 0) yield address;
    }
    const unmatched = [...missed].map(({ text }) => text);
    demandMatched(unmatched, 'ADDRESS', [known]);
  };
  return { [Symbol.iterator]: matching };
}

/** Refused for a text that is no address (64), and for an address that state does not know (1). */
export async function recordAt(
  text: string | undefined,
  options: UpkeepOptions,
  ports: UpkeepPorts,
): Promise<StateRecord> {
  const address = parseAddress(text ?? '');
  if (address === undefined) {
    const what = text === undefined ? 'No address is given.' : `"${text}" is no address.`;
    throw usage(what, 'Write: chatform state show user.alice');
  }
  const snapshot = await (await openState(options, ports)).read(await applicationMeant(options, ports));
  const record = snapshot.get(address);
  if (record !== undefined) return record;
  const known = Array.from(objectRecords(snapshot.records()), (one) => one.address);
  throw new Refusal(
    'state.unknown-address',
    exitCode.unexpected,
    `State knows no ${address}.${new Suggestions().sentence(address, known)}`,
    'chatform state list shows every address.',
  );
}
