// chatform mcp: serves read-only tools to agents over the Model Context Protocol, on standard input and output.
import { realpath } from 'node:fs/promises';
import { parse } from 'node:path';
import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions, platformOptions, stateOption, verboseOption } from '../flags/options.ts';

export const mcp: CommandDefinition = {
  name: 'mcp',
  summary: 'serve read-only tools to agents over the Model Context Protocol',
  help: `Examples:
  chatform mcp                           on standard input and output, for the folder it starts in
  chatform mcp --state s3://acme-chat/state --tool-timeout 30s

Needs the package @modelcontextprotocol/server beside chatform. The tools are validate, plan, explain, explain_access,
rehearse, drift, test, convert (a sample of tables) and verify. plan also saves the plan and returns its hash. No tool
applies, destroys, changes state or takes a token: a person runs chatform apply FILE --approved-hash HASH. Paths must be
inside the folder in which the server starts, also through links. The flags of the server choose the application, the state and the token;
tools cannot change them.

A result is the document of the same command with --format json, at most --max-bytes long (default: 65536).`,
  exits: {
    '': {
      0: 'the client closed the connection or it was interrupted',
      64: 'the package is not installed, or it was started in the root folder',
    },
  },
  options: [
    {
      flags: '--tool-timeout <duration>',
      description: 'longest time of one tool call (default: 1m for validate and explain, 5m for the others)',
    },
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    verboseOption,
  ],
  schemas: { '': 'https://modelcontextprotocol.io' },
  run: async (input, environment) => {
    const [{ answerCalls, isToolThreadData }, { parentPort, workerData }] = await Promise.all([
      import('../mcp/tool-thread.ts'),
      import('node:worker_threads'),
    ]);
    const inFolder = { ...environment, cwd: await realpath(environment.cwd) };
    if (parse(inFolder.cwd).root === inFolder.cwd)
      throw usage(
        `chatform mcp was started in ${inFolder.cwd}, and its tools would read every folder of this machine.`,
        'Start it in the repository with the manifests: chatform mcp -C /path/to/repository',
      );
    if (parentPort !== null && isToolThreadData(workerData)) await answerCalls(input, inFolder, parentPort, workerData);
    else {
      const { serve } = await import('../mcp/server.ts');
      await serve(input, inFolder, process.argv[1] ?? '');
    }
    return exitCode.done;
  },
};
