// What does state remember of one object?

import { stateOf } from '../../../app/session/open-state.ts';
import { Suggestions } from '../../../manifest/checks/suggest.ts';
import { parseAddress } from '../../../model/address.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { objectRecords } from '../../../model/run-metadata.ts';
import { safeJson } from '../../../view/text.ts';
import { usage } from '../../flags/command.ts';
import { identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const show: StateVerb = async (args, input, world) => {
  noMoreThan(args, 1, 'show ADDRESS');
  const address = parseAddress(args[0] ?? '');
  if (address === undefined) {
    const [given] = args;
    const what = given === undefined ? 'No address is given.' : `"${given}" is no address.`;
    throw usage(what, 'Write: chatform state show user.alice');
  }
  const snapshot = await (await stateOf(input, world)).read(await identityOf(input, world));
  const record = snapshot.get(address);
  if (record === undefined) {
    const known = [...objectRecords(snapshot.records())].map((one) => one.address);
    throw new Refusal(
      'state.unknown-address',
      exitCode.unexpected,
      `State knows no ${address}.${new Suggestions().sentence(address, known)}`,
      'chatform state list shows every address.',
    );
  }
  world.stdout.write(`${safeJson(record, 2)}\n`);
  return exitCode.done;
};
