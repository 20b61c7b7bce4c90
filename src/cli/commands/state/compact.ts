// chatform state compact
import { compactState } from '../../../app/upkeep/compact.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const compact: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 0, 'compact');
  const { state, records } = await compactState(upkeepFlags(input), portsOf(input, environment));
  environment.stdout.write(`The state ${state} is compact: ${counted(records, 'record')}.\n`);
  return exitCode.done;
};
