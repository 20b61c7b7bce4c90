// chatform state push
import { pushState } from '../../../app/upkeep/copies.ts';
import { usage } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const push: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 1, 'push FILE');
  const [file] = args;
  if (file === undefined) throw usage('No file is given.', 'Write: chatform state push FILE');
  const options = { ...upkeepFlags(input), file, isForced: input.flag('force') };
  const { state, application, records, wasThere } = await pushState(options, portsOf(input, environment));
  environment.stdout.write(
    wasThere
      ? `The state ${state} holds this copy already.\n`
      : `Pushed ${counted(records, 'record')} of ${application} to ${state}, digest verified.\n`,
  );
  return exitCode.done;
};
