// chatform state show
import { recordAt } from '../../../app/upkeep/records.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { safeJson } from '../../../view/text.ts';
import { portsOf } from '../../ports.ts';
import { noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const show: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 1, 'show ADDRESS');
  const record = await recordAt(args[0], upkeepFlags(input), portsOf(input, environment));
  environment.stdout.write(`${safeJson(record, 2)}\n`);
  return exitCode.done;
};
