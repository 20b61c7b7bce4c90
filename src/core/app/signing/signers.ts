// Checks a signature of ssh against the signers of a policy, with ssh-keygen, as git does.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { digestText } from '../../../lib/digest.ts';
import { openedFile } from '../../../lib/path-streams.ts';
import { listOf } from '../../../lib/words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import { type Signature, type Signer, type SigningKey, signerIn } from '../../model/signing/signature.ts';
import {
  environmentOutside,
  type ProcessEnd,
  type ProcessSurroundings,
  runProgram,
} from '../context/child-processes.ts';
import { repositoryAround } from '../context/repository.ts';
import { appendingCommand, type SignedFile, signatureOf, signingCommand } from './signed-file.ts';

/** Signatures of ssh are shorter, also those of a hundred people with a key of 16,384 bits. */
const maxSignatureBytes = 1 << 20;

/**
 * Who signed the bytes of a file. Refused without enough signatures (5), and (6) when a signature that is missing for that is of
 * other bytes, or its key is not that of a signer today. `file` is relative to `cwd`.
 */
export async function demandSigner(
  kind: SignedFile,
  file: string,
  content: Uint8Array,
  { signers, signatures: demanded = 1 }: ApprovalsPolicy,
  ports: ProcessSurroundings,
): Promise<Signature> {
  const beside = await signatureBeside(kind, file, ports.cwd);
  const byName = new Map<string, SigningKey>();
  let refusal: Refusal | undefined;
  for (const signature of signaturesIn(beside)) {
    try {
      const signer = await signerOf(kind, file, content, signature, signers, ports);
      if (!byName.has(signer.by)) byName.set(signer.by, signer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
    }
  }
  const [first, ...others] = byName.values();
  if (first !== undefined && byName.size >= demanded)
    return { ...first, sha256: digestText(content), ...(others.length === 0 ? {} : { others }) };
  throw refusal ?? tooFew(kind, file, [...byName.keys()], demanded);
}

const block = /^-----BEGIN SSH SIGNATURE-----$.*?^-----END SSH SIGNATURE-----$/gmsu;

/** The signatures of a file, without the text around them and with the line ends that ssh-keygen reads. The whole file if it has none. */
function signaturesIn(beside: Buffer): readonly Buffer[] {
  const text = beside.toString('latin1').replaceAll('\r\n', '\n').replace(byteOrderMark, '');
  const blocks = Array.from(text.matchAll(block), ([signature]) => Buffer.from(`${signature}\n`, 'latin1'));
  return blocks.length === 0 ? [beside] : blocks;
}

/** In UTF-8, read as Latin-1. */
const byteOrderMark = /^\u00ef\u00bb\u00bf/u;

/** Refused (6) for a signature that does not count. */
async function signerOf(
  kind: SignedFile,
  file: string,
  content: Uint8Array,
  signature: Buffer,
  signers: readonly string[],
  ports: ProcessSurroundings,
): Promise<SigningKey> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-'));
  try {
    const [signaturePath, signersPath] = [join(folder, 'signature'), join(folder, 'signers')];
    await writeFile(signaturePath, signature, { mode: 0o600 });
    const ask = await sshKeygen(kind, content, signaturePath, ports);
    const key = keyIn(await ask('check-novalidate'), kind, file);
    const signersWithKey = signers
      .flatMap((line) => signerIn(line) ?? [])
      .filter((signer) => fingerprintOf(signer) === key);
    let said = '';
    for (const signer of signersWithKey) {
      await writeFile(signersPath, lineOf(signer), { mode: 0o600 });
      const end = await ask('verify', '-f', signersPath, '-I', signer.name);
      if (end.failure === undefined) return { by: signer.name, key };
      said = reasonIn(end);
    }
    throw signersWithKey[0] === undefined ? notASigner(file, key) : notValid(file, signersWithKey[0], key, said);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function signatureBeside(kind: SignedFile, file: string, cwd: string): Promise<Buffer> {
  const beside = signatureOf(file);
  try {
    const opened = await openedFile(resolve(cwd, beside));
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(maxSignatureBytes + 1));
      return buffer.subarray(0, bytesRead);
    } finally {
      await opened.close();
    }
  } catch (cause) {
    throw new Refusal(
      'signature.missing',
      exitCode.refused,
      `The ${kind.name} ${file} needs a signature, but ${beside} cannot be read.`,
      `Nothing was done. A signer of policy.approvals reviews ${file} and runs: ${signingCommand(kind, file)}`,
      { cause },
    );
  }
}

type SshKeygen = (task: string, ...args: readonly string[]) => Promise<ProcessEnd>;

/** OpenSSH before 8.1 knows no -Y, and 8.1 not all of its tasks. */
const saysThatItIsOld = /^(?:unknown option -- Y|Unsupported operation for -Y)/mu;

/** Refused (64) when ssh-keygen cannot be started, or is too old. */
async function sshKeygen(
  { namespace }: SignedFile,
  content: Uint8Array,
  signature: string,
  { cwd, env }: ProcessSurroundings,
): Promise<SshKeygen> {
  const outside = await environmentOutside(await repositoryAround(cwd, false), env);
  // Times of signers without a zone are in that of this process.
  const surroundings = { cwd: tmpdir(), env: { ...outside, LC_ALL: 'C', TZ: 'UTC' } };
  return async (task, ...args) => {
    const commandArguments = ['-Y', task, ...args, '-n', namespace, '-s', signature];
    const end = await runProgram('ssh-keygen', commandArguments, surroundings, content);
    const isOld = end.failure !== undefined && saysThatItIsOld.test(end.stderr);
    if (typeof end.failure?.code !== 'string' && !isOld) return end;
    throw new Refusal(
      'signature.no-ssh-keygen',
      exitCode.usage,
      isOld
        ? 'The version of ssh-keygen here does not check signatures.'
        : `ssh-keygen, which checks signatures, could not be started: ${end.failure?.message}.`,
      'Nothing was done. Install OpenSSH 8.2 or later (openssh-client) outside of the working folder.',
    );
  };
}

/** The fingerprint of the key that made the signature. Refused (6) when the signature is not one of these bytes. */
function keyIn(end: ProcessEnd, kind: SignedFile, file: string): string {
  const { name, badSignature } = kind;
  const [, key] = /\bkey (SHA256:[\w+/]+)/u.exec(end.stdout.toString('utf8')) ?? [];
  if (end.failure === undefined && key !== undefined) return key;
  throw new Refusal(
    badSignature,
    exitCode.conflict,
    `${signatureOf(file)} is not a signature of ${file} by ssh (${reasonIn(end)}).`,
    `Nothing was done. Another ${name} was signed, or one of the files was changed. If this is the ${name} that was reviewed, have it signed again: ${signingCommand(kind, file)}`,
  );
}

function tooFew(kind: SignedFile, file: string, names: readonly string[], demanded: number): Refusal {
  return new Refusal(
    'signature.too-few',
    exitCode.refused,
    `${file} is signed by ${listOf(names)}, and policy.approvals.signatures demands ${demanded} different signers.`,
    `Nothing was done. Another signer reviews it and appends a signature: ${appendingCommand(kind, file)}`,
  );
}

function notASigner(file: string, key: string): Refusal {
  return new Refusal(
    'signature.unknown-key',
    exitCode.conflict,
    `${file} is signed with the key ${key}, which is not among policy.approvals.signers.`,
    'Nothing was done. The key was never there, or its person left. Have it signed by somebody of the list, or add the key in a change that is reviewed and merged first.',
  );
}

function notValid(file: string, { name, options }: Signer, key: string, said: string): Refusal {
  const limits = options === undefined ? '' : ` with ${options}`;
  return new Refusal(
    'signature.invalid-key',
    exitCode.conflict,
    `${file} is signed with the key ${key} of ${name}, which policy.approvals.signers lists${limits} and which is not valid for it now (${said}).`,
    'Nothing was done. Have it signed by somebody whose key is valid, or renew the line of the key in a change that is reviewed and merged first.',
  );
}

/** What ssh-keygen says against a signature, without the name of a temporary file. */
function reasonIn({ stderr }: ProcessEnd): string {
  const [first = ''] = stderr.trim().split('\n');
  return (
    first
      .trim()
      .replace(/^\S*signers:\d+: /u, '')
      .replace(/\.$/u, '') || 'ssh-keygen did not say why'
  );
}

/** As ssh-keygen prints it. */
function fingerprintOf({ key }: Signer): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/u, '')}`;
}

/** Versions of ssh-keygen before 9.1 do not know a Z, which says the same as the zone of the process. */
function lineOf({ name, options, type, key }: Signer): string {
  const limits = options === undefined ? '' : `${options.replaceAll('Z"', '"')} `;
  return `${name} ${limits}${type} ${key}\n`;
}
