// The key of state: a passphrase from the environment, or the output of a command, for example of a KMS client.

import { plural } from '../../../lib/words.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { Sealer } from '../../state/seal/sealer.ts';
import type { Ports } from './ports.ts';

type SecretPorts = Pick<Ports, 'env' | 'cwd'>;

/** Shorter ones can be guessed, however slow each guess is. */
const shortestKey = 12;
const commandLimits = { timeoutMs: 60_000, maxBytes: 1_048_576 };
const tooMuch = 'it did not end within a minute, or printed more than a megabyte';
/** Secrets are read once per process: deriving a key is slow, and a command may prompt the user. */
const sealers = new WeakMap<SecretPorts['env'], Promise<Sealer>>();

/**
 * Encrypts with CHATFORM_STATE_KEY, or with the output of CHATFORM_STATE_KEY_COMMAND; without them it encrypts nothing.
 * Refused when a key is too short (64) or the command fails (3).
 */
export function stateSealer(ports: SecretPorts): Promise<Sealer> {
  const cachedSealer = sealers.get(ports.env);
  if (cachedSealer !== undefined) return cachedSealer;
  const sealer = secretIn(ports, '').then((secret) => new Sealer(secret));
  sealers.set(ports.env, sealer);
  return sealer;
}

export interface RekeySealers {
  /** Only the new key, or none. */
  readonly next: Sealer;
  /** The keys that the state may be encrypted with, the likeliest first: the whole state is under one. */
  readonly present: readonly Sealer[];
}

/** The keys of `state rekey`. CHATFORM_STATE_KEY_OLD, or its command, is the current key. */
export async function rekeySealers(ports: SecretPorts): Promise<RekeySealers> {
  const next = new Sealer(await secretIn(ports, ''));
  return { next, present: [new Sealer(await secretIn(ports, '_OLD')), next] };
}

async function secretIn({ env, cwd }: SecretPorts, suffix: '' | '_OLD'): Promise<string | undefined> {
  const name = `CHATFORM_STATE_KEY${suffix}`;
  const commandName = `CHATFORM_STATE_KEY_COMMAND${suffix}`;
  const command = env[commandName];
  const passphrase = env[name];
  if (passphrase !== undefined && command !== undefined)
    throw usage(`Both ${name} and ${commandName} are set.`, 'Unset one of them.');
  if (passphrase === undefined && command === undefined) return undefined;
  if (command?.trim() === '')
    throw usage(
      `${commandName} is empty: it probably comes from a variable that is not set.`,
      'Nothing was done. Set it to the command that prints the key, or unset it if the state is not encrypted.',
    );
  const secret = passphrase ?? (await outputOf(command ?? '', commandName, cwd, env));
  if (secret.length >= shortestKey) return secret;
  throw usage(
    `The key in ${passphrase === undefined ? `the output of ${commandName}` : name} has ${plural(secret.length, 'character')}.`,
    `A key needs at least ${shortestKey} characters. Generate one with: openssl rand -base64 32`,
  );
}

/** Never shows the output of the command: it may be the key. */
async function outputOf(command: string, name: string, cwd: string, env: SecretPorts['env']): Promise<string> {
  const { runCommandLine } = await import('./child-processes.ts');
  const { failure, stdout, stderr } = await runCommandLine(command, { cwd, env }, commandLimits);
  if (failure === undefined) return stdout.toString('utf8').trimEnd();
  const isCut = failure.killed === true || failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
  const said = isCut ? tooMuch : (stderr.trim().split('\n').at(-1) ?? '');
  throw new Refusal(
    'state.key-failed',
    exitCode.refused,
    `The command in ${name} failed${said === '' ? '' : `: ${said}`}.`,
    'Nothing was changed. The command runs in a shell in the working folder and must print the key to standard output.',
    { cause: failure },
  );
}
