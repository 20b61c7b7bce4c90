// chatform state list
import { listAddresses } from '../../../app/upkeep/records.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { safeJson } from '../../../view/text.ts';
import { portsOf } from '../../ports.ts';
import { type StateVerb, upkeepFlags } from './verb.ts';

export const list: StateVerb = async (args, input, environment) => {
  const addresses = await listAddresses(args, upkeepFlags(input), portsOf(input, environment));
  for (const address of addresses) environment.stdout.write(`${safeJson(address).slice(1, -1)}\n`);
  return exitCode.done;
};
