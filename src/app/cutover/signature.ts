// Signs a certificate, and checks its signature, with a command of the user: ssh-keygen, cosign, gpg or openssl.
//
// The command runs unchanged in a shell. The certificate is its standard input, and an environment variable has the path of
// the signature.
import { exec } from 'node:child_process';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from '../context/ports.ts';

/** Resolves to the signature. Refused (1) when the command fails or prints nothing. */
export async function sign(command: string, certificate: string, ports: Pick<Ports, 'cwd' | 'env'>): Promise<Buffer> {
  const { isDone, stdout, said } = await run(command, certificate, ports, {});
  if (isDone && stdout.length > 0) return stdout;
  throw new Refusal(
    'cutover.sign-failed',
    exitCode.unexpected,
    `The command in --sign-command ${isDone ? 'printed no signature' : `failed${said}`}.`,
    'Nothing was written. It must read the certificate from standard input and print the signature to standard output.',
  );
}

/** Refused (6) when the command does not succeed. `signature` is a path. */
export async function demandSigned(
  command: string,
  certificate: string,
  signature: string,
  ports: Pick<Ports, 'cwd' | 'env'>,
): Promise<void> {
  const { isDone, said } = await run(command, certificate, ports, { SIGNATURE: signature });
  if (isDone) return;
  throw new Refusal(
    'cutover.bad-signature',
    exitCode.conflict,
    `${signature} is not a signature of the certificate: the command in --verify-command failed${said}.`,
    'It must read the certificate from standard input, and the path of the signature from $SIGNATURE.',
  );
}

/** `said` is the last line of stderr, as the end of a sentence. */
function run(
  command: string,
  input: string,
  { cwd, env }: Pick<Ports, 'cwd' | 'env'>,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly isDone: boolean; readonly stdout: Buffer; readonly said: string }> {
  // The signer must not see chatform's variables, least of all the API token.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_'));
  return new Promise((resolve) => {
    const options = { cwd, env: { ...Object.fromEntries(inherited), ...more }, encoding: 'buffer' } as const;
    const child = exec(command, { ...options, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      const text = typeof error?.code === 'string' ? error.message : stderr.toString('utf8');
      const said = text.trim().split('\n').at(-1) ?? '';
      resolve({ isDone: error === null, stdout, said: said === '' ? '' : `: ${said}` });
    });
    // A command that does not read its input may end before all of it is written.
    child.stdin?.on('error', () => {}).end(input);
  });
}
