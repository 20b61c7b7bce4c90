// How does a run reach the platform? Over HTTP, with a token; or to the emulator, started inside this process.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InternalError, Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Platform, TokenSink } from '../model/ports.ts';
import { attemptForPeople } from '../view/attempt.ts';
import type { Application } from './application.ts';
import { ArchiveSource } from './archive-source.ts';
import type { CommandInput } from './command.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

export interface Connection {
  readonly platform: Platform;
  /** Where the messages of a call come from. */
  readonly archives: ArchiveSource;
  close(): Promise<void>;
}

/** One attempt's longest duration; the lease on state must outlast it. */
export const requestTimeoutMs = 30_000;

export async function connect(
  input: CommandInput,
  world: World,
  application: Application,
  sink?: TokenSink,
): Promise<Connection> {
  const { openPlatform } = await import('../platform/client.ts');
  const reached = await reach(input, world, application);
  const archives = new ArchiveSource(world.cwd);
  const platform = await openPlatform({
    baseUrl: reached.url,
    token: reached.token,
    clock: world.clock,
    timeoutMs: requestTimeoutMs,
    version,
    variables: (name) => world.env[`CHATFORM_VAR_${name}`],
    readFile: (file) => readFile(resolve(world.cwd, file)),
    readMessages: (hole) => archives.messages(hole),
    ...(sink === undefined ? {} : { sink }),
    ...(input.flag('verbose')
      ? {
          trace: (attempt) => world.stderr.write(attemptForPeople(attempt)),
        }
      : {}),
  });
  return {
    platform,
    archives,
    close: async () => {
      await platform.close();
      await archives.close();
      await reached.close();
    },
  };
}

interface Reached {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

async function reach(input: CommandInput, world: World, { target, rates }: Application): Promise<Reached> {
  if (target.type === 'server') {
    return { url: target.url.href, token: await readToken(input, world), close: async () => {} };
  }
  if (target.type === 'unknown') throw new InternalError('an unknown application cannot be reached');
  const { startEmbedded } = await import('./embedded-emulator.ts');
  const { asEmulatorPlan } = await import('./emulator-options.ts');
  const emulator = await startEmbedded({
    dataFile: resolve(world.cwd, target.file),
    ratePlan: asEmulatorPlan(rates.ratePlan),
    raisedLimits: rates.limits,
  });
  return { url: emulator.url, token: emulator.token, close: () => emulator.close() };
}

/** From the file or the environment, never from a flag: flags are seen by every user of the machine. */
async function readToken(input: CommandInput, world: World): Promise<string> {
  const file = input.text('api-token-file');
  const token = (
    file === undefined ? world.env.CHATFORM_API_TOKEN : await readTokenFile(resolve(world.cwd, file))
  )?.trim();
  if (token !== undefined && token !== '') return token;
  throw new Refusal(
    'token.missing',
    exitCode.authentication,
    'There is no API token.',
    'Set CHATFORM_API_TOKEN, or give --api-token-file. The dashboard shows the token under Settings, General.',
  );
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Refusal(
      'token.unreadable',
      exitCode.authentication,
      `The API token file ${file} cannot be read.`,
      'Check the path of --api-token-file (CHATFORM_API_TOKEN_FILE) and its permissions.',
      { cause },
    );
  }
}
