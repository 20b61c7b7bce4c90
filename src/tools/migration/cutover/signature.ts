// Signs a certificate, and checks its signature, with a command of the user: ssh-keygen, cosign, gpg or openssl.
//
// The command runs unchanged in a shell. The certificate is its standard input, and an environment variable has the path of
// the signature.

import { type ProcessSurroundings, runCommandLine, withoutOwnVariables } from '../../../app/context/child-processes.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';

/** Resolves to the signature. Refused (1) when the command fails or prints nothing. */
export async function sign(command: string, certificate: string, ports: ProcessSurroundings): Promise<Buffer> {
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
  ports: ProcessSurroundings,
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
async function run(
  command: string,
  input: string,
  { cwd, env }: ProcessSurroundings,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly isDone: boolean; readonly stdout: Buffer; readonly said: string }> {
  const surroundings = { cwd, env: { ...withoutOwnVariables(env), ...more } };
  const { failure, stdout, stderr } = await runCommandLine(command, surroundings, { input });
  const text = typeof failure?.code === 'string' ? failure.message : stderr;
  const said = text.trim().split('\n').at(-1) ?? '';
  return { isDone: failure === undefined, stdout, said: said === '' ? '' : `: ${said}` };
}
