// Support: keys of ssh and signatures with them, for tests of signed files.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that need ssh-keygen (openssh-client) are skipped without it. */
export const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

export interface Key {
  readonly file: string;
  /** Type and key, as in a line of signers. */
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** A new key without a passphrase in the folder. */
export function newKey(folder: string, name: string, type: readonly string[] = ['-t', 'ed25519']): Key {
  const file = join(folder, name);
  sshKeygen(['-q', ...type, '-N', '', '-C', name, '-f', file]);
  const [kind = '', key = ''] = readFileSync(`${file}.pub`, 'utf8').split(' ');
  const [, fingerprint = ''] = sshKeygen(['-l', '-f', `${file}.pub`]).split(' ');
  return { file, publicKey: `${kind} ${key}`, fingerprint };
}

/** Signs a file into the file beside it. */
export function signFile(file: string, key: Key, namespace = 'chatform-plan'): void {
  const signature = sshKeygen(['-q', '-Y', 'sign', '-n', namespace, '-f', key.file], readFileSync(file));
  writeFileSync(`${file}.sig`, signature);
}

function sshKeygen(args: readonly string[], input: string | Uint8Array = ''): string {
  const { status, stdout, stderr } = spawnSync('ssh-keygen', args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`ssh-keygen ${args.join(' ')}: ${stderr}`);
  return stdout;
}
