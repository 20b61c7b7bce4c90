// chatform state pull
import { pullState, saveCopy } from '../../../app/upkeep/copies.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { counted, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const pull: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 1, 'pull FILE');
  const file = args[0] ?? input.text('out');
  const pulled = await pullState(upkeepFlags(input), portsOf(input, environment));
  if (file === undefined) for (const piece of pulled.text) environment.stdout.write(piece);
  else await saveCopy(pulled, file, environment.cwd);
  const kept = file === undefined ? '' : ` It holds names and metadata: only its owner may read ${file}.`;
  environment.stderr.write(
    `Copied ${counted(pulled.records, 'record')}, serial ${pulled.serial}, of ${pulled.application}.${kept}\n`,
  );
  return exitCode.done;
};
