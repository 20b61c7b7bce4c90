// Runs a command, once nothing stands in the way of the files that it writes.
import type { CommandExit } from '../../core/model/exit-code.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import type { CommandDefinition } from './command.ts';
import type { CommandInput } from './command-input.ts';
import { longName } from './flag-names.ts';
import type { OutputFile } from './outputs.ts';

export async function runCommand(
  definition: CommandDefinition,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<CommandExit> {
  await demandReplaceableOutputs(outputsOf(definition, input), environment.cwd);
  return definition.run(input, environment);
}

/** All files that the flags of a command name for it to write. */
export function outputsOf({ options }: CommandDefinition, input: CommandInput): readonly OutputFile[] {
  return options.flatMap(({ flags, writes }) => {
    if (writes === undefined) return [];
    const name = longName(flags);
    return [input.text(name) ?? [], input.list(name)].flat().flatMap((value) => writes(value) ?? []);
  });
}

/** Refused (64) if one of the files is of another kind. */
export async function demandReplaceableOutputs(outputs: readonly OutputFile[], cwd: string): Promise<void> {
  if (outputs.length === 0) return;
  const { demandReplaceable } = await import('../../core/app/context/output-files.ts');
  for (const { file, kind } of outputs) await demandReplaceable(kind, cwd, file);
}
