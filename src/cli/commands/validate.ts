// chatform validate: is every manifest right? Without a token, a state or a network, unless --online asks for more.

import { isObject, type JsonValue } from '../../lib/json.ts';
import type { LoadedManifest } from '../../manifest/load.ts';
import { kindOf } from '../../model/address.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Environment } from '../environment.ts';
import type { CommandDefinition, CommandInput } from '../flags/command.ts';
import {
  applicationOptions,
  colourOption,
  pathArgument,
  plainOption,
  tokenOption,
  verboseOption,
} from '../flags/options.ts';

export const validate: CommandDefinition = {
  name: 'validate',
  arguments: [pathArgument],
  summary: 'check manifests, offline unless told otherwise',
  help: `Examples:
  chatform validate                      the manifests in this folder
  chatform validate teams/ --format github
  chatform validate --online             also ask the application: token, rate plan, switches; reads only

Reads every file, reports all problems at once, and needs neither a token nor a network.
A missing CHATFORM_VAR_ variable is a warning here, so that forks without secrets can validate.

Exit codes: 0 valid, 65 not; with --online also 1 unreachable, 3 token refused, 6 untrusted host.`,
  options: [
    {
      flags: '--format <format>',
      description: 'how problems are shown',
      choices: ['human', 'json', 'sarif', 'github'],
      default: 'human',
    },
    { flags: '--online', description: 'ask the application, by reads, whether it is ready for this' },
    ...applicationOptions,
    tokenOption,
    colourOption,
    plainOption,
    verboseOption,
  ],
  run: async (input, world) => {
    const { loadDeclared } = await import('../../app/load-declared.ts');
    const { diagnosticFormats } = await import('../../view/index.ts');
    const { viewOptions } = await import('../flags/view-options.ts');
    const { plural } = await import('../../view/words.ts');
    const manifest = await loadDeclared(input.args, world, 'warn');
    const format = input.text('format') ?? 'human';
    const print = await diagnosticFormats[format as keyof typeof diagnosticFormats]();
    const isOnline = input.flag('online') && !hasErrors(manifest.diagnostics);
    const diagnostics = isOnline
      ? [...manifest.diagnostics, ...(await askApplication(manifest, input, world))]
      : manifest.diagnostics;
    for (const line of print(diagnostics, viewOptions(input, world, world.stdout))) world.stdout.write(line);
    if (hasErrors(manifest.diagnostics)) return exitCode.invalid;
    if (format === 'human') {
      world.stdout.write(
        `Valid: ${plural(manifest.resources.length, 'object')} in ${plural(manifest.files.length, 'file')}.\n`,
      );
    }
    return exitCode.done;
  },
};

async function askApplication(
  manifest: LoadedManifest,
  input: CommandInput,
  world: Environment,
): Promise<Diagnostic[]> {
  const [{ checkOnline }, { resolveApplication }, { connect }, { limitsOf }] = await Promise.all([
    import('../../app/validate-online.ts'),
    import('../../app/session/application.ts'),
    import('../../app/session/connect.ts'),
    import('../../platform/limits.ts'),
  ]);
  const application = resolveApplication(input, world, manifest.application);
  const connection = await connect(input, world, application);
  try {
    return await checkOnline({
      platform: connection.platform,
      clock: world.clock,
      limits: limitsOf(application.rates),
      application: application.identity,
      ratePlan: application.rates.ratePlan,
      ...whatIsDeclared(manifest),
    });
  } finally {
    await connection.close();
  }
}

function whatIsDeclared({ resources }: LoadedManifest): { declaresInvitations: boolean; declaresMessages: boolean } {
  let declaresInvitations = false;
  let declaresMessages = false;
  for (const resource of resources) {
    const kind = kindOf(resource.address);
    if (kind === 'messages') declaresMessages = true;
    // Of a million users none needs to be read for it.
    const { members } = kind === 'group_channel' ? resource.attributes : {};
    if (isObject(members)) declaresInvitations ||= Object.values(members).some(isInvited);
    if (declaresInvitations && declaresMessages) break;
  }
  return { declaresInvitations, declaresMessages };
}

function isInvited(membership: JsonValue): boolean {
  return isObject(membership) && String(membership.invitation_status ?? '').startsWith('invited');
}
