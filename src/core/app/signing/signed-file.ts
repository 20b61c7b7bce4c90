// A signed file, and its signature in a file beside it. A command of the user signs: ssh-keygen, cosign, gpg or openssl.
//
// The command runs unchanged in a shell. The bytes of the file are its standard input, and to check a signature an environment
// variable has the path of the signature.
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { digestText } from '../../../lib/digest.ts';
import { shellWord } from '../../../lib/tools/pasted-words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ProcessSurroundings } from '../context/child-processes.ts';
import type { FileKind } from '../context/file-kinds.ts';
import { demandReplaceable, outputPath, unwritable, writeOutput } from '../context/output-files.ts';
import type { Ports } from '../context/ports.ts';

export interface SignedFile {
  readonly kind: FileKind;
  /** As in `the certificate`. */
  readonly name: string;
  /** The namespace of its signatures by ssh, so that a signature of another kind of file is none. */
  readonly namespace: string;
  /** The code of a refusal when the command that signs fails. */
  readonly signFailed: string;
  /** The code of a refusal for a signature of something else. */
  readonly badSignature: string;
}

export const signedCertificate: SignedFile = {
  kind: 'certificate',
  name: 'certificate',
  namespace: 'chatform',
  signFailed: 'cutover.sign-failed',
  badSignature: 'cutover.bad-signature',
};

export const signedPlan: SignedFile = {
  kind: 'plan',
  name: 'plan',
  namespace: 'chatform-plan',
  signFailed: 'plan.sign-failed',
  badSignature: 'plan.bad-signature',
};

/** The file with the signature of a file. */
export function signatureOf(file: string): string {
  return `${file}.sig`;
}

/** The command by which a signer with a key of ssh signs a file. */
export function signingCommand({ namespace }: SignedFile, file: string): string {
  return `ssh-keygen -Y sign -n ${namespace} -f KEY ${shellWord(file)}`;
}

/** The command by which one of several signers signs a file, and which keeps the signatures of the others. */
export function appendingCommand({ namespace }: SignedFile, file: string): string {
  return `ssh-keygen -Y sign -n ${namespace} -f KEY < ${shellWord(file)} >> ${shellWord(signatureOf(file))}`;
}

/** Resolves to the signature. Refused (1) when the command fails or prints nothing. */
export async function sign(
  { name, signFailed }: SignedFile,
  command: string,
  content: string | Uint8Array,
  ports: ProcessSurroundings,
): Promise<Buffer> {
  const { isDone, stdout, said } = await run(command, content, ports, {});
  if (isDone && stdout.length > 0) return stdout;
  throw new Refusal(
    signFailed,
    exitCode.unexpected,
    `The command in --sign-command ${isDone ? 'printed no signature' : `failed${said}`}.`,
    `Nothing was written. It must read the ${name} from standard input and print the signature to standard output.`,
  );
}

/**
 * Writes the file with its signature, or without one, and then removes that of an earlier file. Both are private to their owner.
 * Refused (1) when one cannot be written, and (64) when the file would replace one of another kind.
 */
export async function saveSigned(
  { kind }: SignedFile,
  cwd: string,
  file: string,
  content: Uint8Array,
  signature: Uint8Array | undefined,
): Promise<void> {
  const [path, beside] = [await demandReplaceable(kind, cwd, file), await outputPath(cwd, signatureOf(file))];
  await rm(beside, { force: true }).catch((cause: unknown) => {
    throw unwritable(beside, cause);
  });
  await writeOutput(path, piece(content), 0o600);
  // Some signers write binary signatures.
  if (signature !== undefined) await writeOutput(beside, piece(signature), 0o600);
}

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Refused (6) when the command does not accept the signature. `signature` is a path. */
export async function demandAccepted(
  { name, badSignature }: SignedFile,
  command: string,
  content: string | Uint8Array,
  signature: string,
  ports: ProcessSurroundings,
): Promise<void> {
  const { isDone, said } = await run(command, content, ports, { SIGNATURE: signature });
  if (isDone) return;
  throw new Refusal(
    badSignature,
    exitCode.conflict,
    `${signature} is not a signature of the ${name}: the command in --verify-command failed${said}.`,
    `It must read the ${name} from standard input, and the path of the signature from $SIGNATURE.`,
  );
}

/** `said` is the last line of stderr, as the end of a sentence. */
async function run(
  command: string,
  input: string | Uint8Array,
  { cwd, env }: ProcessSurroundings,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly isDone: boolean; readonly stdout: Buffer; readonly said: string }> {
  // Every apply of a saved plan loads this file, and few start a process.
  const { runCommandLine, withoutOwnVariables } = await import('../context/child-processes.ts');
  const surroundings = { cwd, env: { ...withoutOwnVariables(env), ...more } };
  const { failure, stdout, stderr } = await runCommandLine(command, surroundings, { input });
  const text = typeof failure?.code === 'string' ? failure.message : stderr;
  const said = text.trim().split('\n').at(-1) ?? '';
  return { isDone: failure === undefined, stdout, said: said === '' ? '' : `: ${said}` };
}

export interface SavedPlanFile {
  readonly name: string;
  /** The digest of the bytes from which the plan was read. */
  readonly sha256: string;
}

/** The bytes of the file. Refused (6) when they are not those that the plan was read from. */
export async function sameBytes({ name, sha256 }: SavedPlanFile, { cwd }: Pick<Ports, 'cwd'>): Promise<Buffer> {
  const content = await readFile(resolve(cwd, name)).catch(() => Buffer.alloc(0));
  if (digestText(content) === sha256) return content;
  throw new Refusal(
    signedPlan.badSignature,
    exitCode.conflict,
    `${name} changed while it was read.`,
    'Nothing was done. Apply it again when nothing writes to it.',
  );
}
