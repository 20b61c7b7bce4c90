// The flags of a command that the commands in its advice need, too.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Option } from '../../core/model/library/option.ts';
import { applicationOptions, estateOptions } from '../../core/model/library/shared-options.ts';
import { pathArgument, shellWord } from '../../lib/tools/pasted-words.ts';
import type { CommandInput } from '../flags/command-input.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** ` --state s3://bucket`, to be put after a command. Those in environment variables need not be repeated. */
export function repeatedFlags(
  input: CommandInput,
  env: CommandEnvironment['env'],
  state: string | undefined = input.text('state'),
): string {
  const tables: readonly Option[] = Object.values({ ...applicationOptions, state: estateOptions.state });
  return tables
    .flatMap(({ flag = '' }) => {
      const value = flag === 'state' ? state : input.text(flag);
      const isInEnvironment = env[`CHATFORM_${flag.toUpperCase().replaceAll('-', '_')}`] === value;
      return value === undefined || isInEnvironment ? [] : [` --${flag} ${shellWord(withoutPassword(value))}`];
    })
    .join('');
}

function withoutPassword(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || url.password === '') return value;
  url.password = '';
  return url.href;
}

/** ` envs/staging`: the arguments that name manifests. Empty for a saved plan, and for the number of a run. */
export async function repeatedPaths({ args }: CommandInput, cwd: string): Promise<string> {
  const isManifest = async (path: string): Promise<boolean> =>
    /\.ya?ml$/u.test(path) || (await stat(resolve(cwd, path)).catch(() => undefined))?.isDirectory() === true;
  const areManifests = await Promise.all(args.map(isManifest));
  return areManifests.every(Boolean) ? args.map((path) => ` ${shellWord(pathArgument(path))}`).join('') : '';
}
