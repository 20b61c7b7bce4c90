// chatform state rekey
import { rekeyState } from '../../../app/upkeep/rekey.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const rekey: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 0, 'rekey');
  const isPlain = input.flag('plain-state');
  const { state, records } = await rekeyState({ ...upkeepFlags(input), isPlain }, portsOf(input, environment));
  const how = isPlain ? 'stored without a key now' : 'encrypted with the new key';
  environment.stdout.write(`The state ${state} is ${how}: ${counted(records, 'record')}.\n`);
  return exitCode.done;
};
