// chatform state rebind
import { rebindState } from '../../../app/upkeep/rebind.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, demandYes, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const rebind: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 1, 'rebind APPLICATION');
  const options = { ...upkeepFlags(input), to: args[0], from: input.text('from') };
  const { state, from, to } = await rebindState(options, portsOf(input, environment), (rebinding) =>
    demandYes(
      `The state ${rebinding.state}, ${counted(rebinding.records, 'record')}, is of ${rebinding.from}.\nFrom now on it counts as the state of ${rebinding.to}. Do this only when that is the same platform application under another address: for another one, the next apply would change and remove the wrong objects.`,
      input,
      environment,
    ),
  );
  environment.stdout.write(`The state ${state} is of ${to} ${from === to ? 'already' : 'now'}.\n`);
  return exitCode.done;
};
