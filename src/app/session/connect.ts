// How does a run reach the platform? Over HTTP, with a token; or to the emulator, started inside this process.
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Environment } from '../../cli/environment.ts';
import type { CommandInput } from '../../cli/flags/command.ts';
import { viewOptions } from '../../cli/flags/view-options.ts';
import { InternalError } from '../../lib/errors.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Platform, TokenSink } from '../../model/ports.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { Reader } from '../../refresh/send.ts';
import { version } from '../../version.ts';
import { hiding } from '../../view/redact.ts';
import { attemptForPeople } from '../../view/terminal/progress.ts';
import { ArchiveSource } from '../archives/archive-source.ts';
import type { Application } from './application.ts';

export interface Connection {
  readonly platform: Platform;
  /** Where the messages of a call come from. */
  readonly archives: ArchiveSource;
  close(): Promise<void>;
}

/** For what only reads. */
export interface ReadingConnection extends Connection {
  /** Under the rate limits; refused (8) after an interrupt. */
  readonly reader: Reader;
}

/** One attempt's longest duration; the lease on state must outlast it. */
export const requestTimeoutMs = 30_000;

export interface Connecting {
  /** As tokenFor has read it; absent: to be read now. */
  readonly token?: string | undefined;
  readonly sink?: TokenSink | undefined;
  /** Aborting it cuts what is under way. */
  readonly signal?: AbortSignal;
}

export async function connect(
  input: CommandInput,
  world: Environment,
  application: Application,
  { token, sink, signal }: Connecting = {},
): Promise<Connection> {
  const { openPlatform } = await import('../../platform/client.ts');
  const reached = await reach(token ?? (await tokenFor(input, world, application)), world, application);
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
    ...(input.flag('redact') ? { wordsOf: hiding(viewOptions(input, world, world.stderr)) } : {}),
    ...(input.flag('verbose')
      ? {
          trace: (attempt) => world.stderr.write(attemptForPeople(attempt)),
        }
      : {}),
  });
  signal?.addEventListener('abort', () => void platform.abort());
  return {
    platform,
    archives,
    close: async () => {
      await (signal?.aborted === true ? platform.abort() : platform.close());
      await archives.close();
      await reached.close();
    },
  };
}

/**
 * For commands that only read: an interrupt cuts what is under way, since nothing is lost by that, and the command ends
 * as for any other reason. A second interrupt meets no listener of ours and ends the process.
 */
export async function connectToRead(
  input: CommandInput,
  world: Environment,
  application: Application,
): Promise<ReadingConnection> {
  const stop = new AbortController();
  // Every read that waits listens to it, and many do at once.
  setMaxListeners(0, stop.signal);
  const forget = world.onInterrupt(() => {
    world.stderr.write('\nStopping: what is being read is let go.\n');
    forget();
    stop.abort();
  });
  try {
    const connection = await connect(input, world, application, { signal: stop.signal });
    const { clock, random } = world;
    const pacer = createPacer({ limitsOf: limitsOf(application.rates), clock });
    return {
      ...connection,
      reader: new Reader({ platform: connection.platform, pacer, clock, random, signal: stop.signal }),
      close: () => connection.close().finally(forget),
    };
  } catch (error) {
    forget();
    throw error;
  }
}

interface Reached {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Read before a lock is taken, and once, since a file may be a pipe. Refused (3) when there is none. Undefined for the
 * embedded emulator, which gives out its own.
 */
export async function tokenFor(
  input: CommandInput,
  world: Environment,
  { target }: Application,
): Promise<string | undefined> {
  return target.type === 'server' ? readToken(input, world) : undefined;
}

async function reach(token: string | undefined, world: Environment, { target, rates }: Application): Promise<Reached> {
  if (target.type === 'server' && token !== undefined) return { url: target.url.href, token, close: async () => {} };
  if (target.type !== 'emulator') throw new InternalError('an unknown application cannot be reached');
  const { startEmbedded } = await import('./embedded-emulator.ts');
  const { asEmulatorPlan } = await import('../../cli/flags/emulator-options.ts');
  const emulator = await startEmbedded({
    dataFile: resolve(world.cwd, target.file),
    ratePlan: asEmulatorPlan(rates.ratePlan),
    raisedLimits: rates.limits,
  });
  return { url: emulator.url, token: emulator.token, close: () => emulator.close() };
}

/** From the file or the environment, never from a flag: flags are seen by every user of the machine. */
async function readToken(input: CommandInput, world: Environment): Promise<string> {
  const file = input.text('api-token-file');
  const token = (
    file === undefined ? world.env.CHATFORM_API_TOKEN : await readTokenFile(resolve(world.cwd, file))
  )?.trim();
  if (token === undefined || token === '') {
    throw new Refusal(
      'token.missing',
      exitCode.authentication,
      'There is no API token.',
      'Set CHATFORM_API_TOKEN, or give --api-token-file. The dashboard shows the token under Settings, General.',
    );
  }
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  const place = file === undefined ? 'CHATFORM_API_TOKEN' : 'the file of --api-token-file';
  throw new Refusal(
    'token.malformed',
    exitCode.authentication,
    `What stands in ${place} is no API token: it holds a space, a line break or a character that no header may hold.`,
    'A token is one word, and the file holds nothing else. The dashboard shows it under Settings, General.',
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
