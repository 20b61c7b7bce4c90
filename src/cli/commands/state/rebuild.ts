// chatform state rebuild
import { rebuildState } from '../../../app/rebuild.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { rebuiltForPeople } from '../../output/rebuilt.ts';
import { portsOf } from '../../ports.ts';
import { type StateVerb, upkeepFlags } from './verb.ts';

export const rebuild: StateVerb = async (args, input, environment) => {
  const options = { ...upkeepFlags(input), paths: args, isForced: input.flag('force') };
  const rebuilt = await rebuildState(options, portsOf(input, environment));
  for (const text of rebuiltForPeople(rebuilt)) environment.stdout.write(text);
  return exitCode.done;
};
