// Shows diagnostics to people, on stderr, so that JSON on stdout stays alone.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Environment } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';

export async function showRemarks(
  diagnostics: readonly Diagnostic[],
  input: CommandInput,
  environment: Environment,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { noticeForPeople } = await import('./notices.ts');
  const { stderr } = environment;
  const options = viewOptions(input, environment, stderr);
  for (const line of noticeForPeople({ type: 'remarks', diagnostics }, options)) stderr.write(line);
}
