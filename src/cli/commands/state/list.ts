// Which objects are in state?

import { stateOf } from '../../../app/session/open-state.ts';
import { demandMatched, readTarget } from '../../../app/targets.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { objectRecords } from '../../../model/run-metadata.ts';
import { safeJson } from '../../../view/text.ts';
import { identityOf, type StateVerb } from './verb.ts';

/** A pattern that means nothing is an error: an empty list would look like an answer. */
export const list: StateVerb = async (args, input, world) => {
  const targets = args.map((text) => readTarget(text, 'ADDRESS'));
  const snapshot = await (await stateOf(input, world)).read(await identityOf(input, world));
  const missed = new Set(targets);
  const known = { [Symbol.iterator]: () => objectRecords(snapshot.records()) };
  for (const { address } of known) {
    const meant = targets.filter(({ matches }) => matches(address));
    for (const target of meant) missed.delete(target);
    if (targets.length > 0 && meant.length === 0) continue;
    world.stdout.write(`${safeJson(address).slice(1, -1)}\n`);
  }
  const unmatched = [...missed].map(({ text }) => text);
  demandMatched(unmatched, 'ADDRESS', [known]);
  return exitCode.done;
};
