// How is a whole state taken along as one file?
import { resolve } from 'node:path';
import { writeOutput } from '../../../app/output-files.ts';
import { stateOf } from '../../../app/session/open-state.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { copyText } from '../../../state/copy.ts';
import { counted, identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const pull: StateVerb = async (args, input, world) => {
  noMoreThan(args, 1, 'pull FILE');
  const file = args[0] ?? input.text('out');
  const application = await identityOf(input, world);
  const backend = await stateOf(input, world);
  const snapshot = await backend.read(application);
  const { header, size, serial } = snapshot;
  if (header === undefined) {
    throw new Refusal(
      'state.empty',
      exitCode.unexpected,
      `The state ${backend.name} of ${application} was never written.`,
      'There is nothing to copy. Check --state and the application.',
    );
  }
  const text = copyText(snapshot, header);
  if (file === undefined) for (const piece of text) world.stdout.write(piece);
  else await writeOutput(resolve(world.cwd, file), text, 0o600);
  const kept = file === undefined ? '' : ` It holds names and metadata: ${file} is for its owner alone.`;
  world.stderr.write(`Copied ${counted(size, 'record')}, serial ${serial}, of ${application}.${kept}\n`);
  return exitCode.done;
};
