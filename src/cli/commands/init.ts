// chatform init: creates the files of a new project.
import { resolve } from 'node:path';
import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { localPath } from '../../core/model/stores/local-path.ts';
import type { InitializeOptions } from '../../tools/init/init.ts';
import type { Pipeline } from '../../tools/init/workflows.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { applicationFlags, type CommandInput } from '../flags/command-input.ts';
import { jsonOptions, outputOptions, platformOptions, stateOption } from '../flags/options.ts';
import { type CommandEnvironment, isUnattended } from '../process/environment.ts';

export const init: CommandDefinition = {
  name: 'init',
  arguments: [
    { usage: '[dir]', description: 'folder to start in (default: the current folder); created if it does not exist' },
  ],
  summary: 'start a project: a manifest or an export, schemas, CI workflows and .gitignore',
  help: `Examples:
  chatform init                          here, on the built-in emulator, or ask for the application
  chatform init apps/support             a further application of this repository
  chatform init --base-url https://api-APP_ID.sendbird.com/v3 --rate-plan 5k_mau
  chatform init --base-url https://api-APP_ID.sendbird.com/v3 --export --state postgres://…
  chatform init --pipeline gitlab
  chatform init --agents                 with AGENTS.md and skills: what agents may call, and how they hand over

On a terminal, init asks for the application, its rate plan, a file with its token and the place of its state, unless flags
give them; in CI it never asks. With a token, which is read from CHATFORM_API_TOKEN or --api-token-file and never written, it
shows what the application contains. --export writes all of it as manifests in the folder estate, and its state. Without it,
the manifest begins empty. Without an address, the manifest has users and channels on the built-in emulator, which needs no
account, and tests for them.

The workflows plan pull requests, apply merges to the main branch after approval, and report drift every night. They run the chatform
version of your package.json and lock file. For a further application, init adds its folder to the workflows. Such folders
are beside each other: a folder below an application is refused, because its files would be read as those of the application.
It prints what you have to do by hand. Existing files are not changed, except that missing lines are added to .gitignore and to the
workflows. It is safe to run it again.`,
  exits: {
    '': {
      0: 'done',
      1: 'a file cannot be written or the application is unreachable',
      3: 'token refused',
      6: 'the state is not empty (--export)',
      7: 'state locked',
      8: 'interrupted',
      64: 'usage',
    },
  },
  options: [
    { flags: '--export', description: 'write what the application contains as manifests, with its state' },
    {
      flags: '--agents',
      description:
        'write a guide and skills for agents: AGENTS.md, or AGENTS.chatform.md beside yours, and .agents/skills',
    },
    {
      flags: '--pipeline <name>',
      description: 'the workflows to write',
      choices: ['github', 'gitlab', 'none'],
      default: 'github',
    },
    ...platformOptions.filter(({ flags }) => !flags.startsWith('--variables')),
    stateOption,
    ...jsonOptions,
    ...outputOptions,
  ],
  schemas: { '': 'results#initialised' },
  run: async (input, environment) => {
    const [{ initializeFolder, hasManifests }, { surveyApplication }, { portsOf }, views, { printResult }] =
      await Promise.all([
        import('../../tools/init/init.ts'),
        import('../../tools/init/survey.ts'),
        import('../output/ports.ts'),
        import('../output/init-result.ts'),
        import('../output/result.ts'),
      ]);
    const { stderr, cwd } = environment;
    const ports = portsOf(input, environment);
    const chosen = optionsOf(input, environment);
    const mayAsk = environment.canAsk && !isUnattended(environment) && !(await hasManifests(chosen.dir, ports));
    const options = mayAsk ? await (await import('./init-questions.ts')).askFor(chosen, environment) : chosen;
    if (options.exports === true && options.baseUrl === undefined)
      throw usage(
        '--export needs the address of the application.',
        'Pass --base-url https://api-APP_ID.sendbird.com/v3.',
      );
    let isExported = options.exports === true;
    if (options.baseUrl !== undefined) {
      // The emulator's data is relative to the folder, as in its manifests.
      const survey = await surveyApplication(options, { ...ports, cwd: resolve(cwd, options.dir) });
      for (const line of views.surveyForPeople(survey)) stderr.write(line);
      if (mayAsk && !isExported && (survey?.counts.length ?? 0) > 0) {
        const answer = await environment.ask('Write all of it as manifests, with its state? Only "yes" is accepted: ');
        isExported = answer.trim() === 'yes';
      }
    }
    const done = await initializeFolder({ ...options, exports: isExported }, ports);
    printResult<'initialised'>(
      input,
      environment,
      () => views.initializedDocument(done),
      () => views.initializedForPeople(done, options, cwd),
    );
    return exitCode.done;
  },
};

function optionsOf(input: CommandInput, { cwd }: CommandEnvironment): InitializeOptions {
  const { apiTokenFile, ...application } = applicationFlags(input);
  return {
    ...application,
    apiTokenFile: apiTokenFile === undefined ? undefined : resolve(cwd, apiTokenFile),
    dir: localPath(input.args[0] ?? '.', 'A project'),
    state: input.text('state'),
    pipeline: (input.text('pipeline') ?? 'github') as Pipeline,
    exports: input.flag('export'),
    agents: input.flag('agents'),
  };
}
