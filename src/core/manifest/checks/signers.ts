// Reads the lines of policy.approvals.signers: of the manifest, or of a file of allowed signers in the repository.
import { dirname, resolve } from 'node:path';
import { isObject, type JsonValue } from '../../../lib/json.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import { signerIn } from '../../model/signing/signature.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import { type FileAccess, readBytes } from '../files/access.ts';
import { findNamedFile, type NamedFile } from '../files/named-file.ts';
import { reasonOf } from '../files/read-failure.ts';
import type { Problems, Spot } from '../problems/problems.ts';

const path = ['policy', 'approvals', 'signers'];
/** A thousand keys of 16,384 bits. */
const maxSignersBytes = 4_000_000;

interface SignersContext {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly problems: Problems;
  /** The folder that the file must be in, with links resolved. */
  readonly repository: string;
}

function declaredSigners({ outline: { policy } }: ManifestDocument): JsonValue | undefined {
  return isObject(policy) && isObject(policy.approvals) ? policy.approvals.signers : undefined;
}

/** Whether the signers of the document are in a file. */
export function namesSignersFile(document: ManifestDocument): boolean {
  return typeof declaredSigners(document) === 'string';
}

/** Signers of the manifest, without those of another form. An empty list accepts nobody. */
export function signersIn(document: ManifestDocument, problems: Problems): readonly string[] {
  const lines = declaredSigners(document);
  if (!Array.isArray(lines)) return [];
  const signers = new SignerList(problems);
  for (const [at, line] of lines.entries())
    if (typeof line === 'string') signers.add(line, () => spotIn(document, [...path, String(at)]));
  return signers.lines;
}

/** The policy with the signers of the file that it names. Problems are at the lines of that file. */
export async function withSignersOfFile(
  approvals: ApprovalsPolicy,
  documents: readonly ManifestDocument[],
  context: SignersContext,
): Promise<ApprovalsPolicy> {
  const document = documents.find(namesSignersFile);
  const signersFile = document && declaredSigners(document);
  if (document === undefined || typeof signersFile !== 'string') return approvals;
  return { ...approvals, signers: await signersOfFile(signersFile, document, context) };
}

async function signersOfFile(
  signersFile: string,
  document: ManifestDocument,
  context: SignersContext,
): Promise<readonly string[]> {
  const { files, problems } = context;
  const spot = spotIn(document, path);
  const file = await findSignersFile(signersFile, spot, document, context);
  if (file.type === 'problem') {
    problems.add(file.code, file.detail, spot);
    return [];
  }
  if (file.bytes > maxSignersBytes) {
    const detail = `${file.name} has ${file.bytes} bytes, but a file of signers may have at most ${maxSignersBytes}.`;
    problems.add('manifest.file-too-big', detail, spot);
    return [];
  }
  let bytes: Uint8Array;
  try {
    bytes = await files.readFile(file.path);
  } catch (error) {
    problems.add('manifest.file-missing', `${file.name} cannot be read: ${reasonOf(error)}.`, spot);
    return [];
  }
  const source = readBytes(file.name, bytes, problems);
  const signers = new SignerList(problems);
  let offset = 0;
  for (const line of source?.text.split('\n') ?? []) {
    const at = { source: source as NonNullable<typeof source>, offset };
    offset += line.length + 1;
    const text = line.trim();
    if (text !== '' && !text.startsWith('#')) signers.add(text, () => at);
  }
  return signers.lines;
}

/** The file relative to the manifest that names it, which may be a base. It may be anywhere in the repository. */
async function findSignersFile(
  signersFile: string,
  { source, offset }: Spot,
  { file }: ManifestDocument,
  { cwd, files, repository }: SignersContext,
): Promise<NamedFile> {
  const written = resolve(cwd, source.position(offset).file);
  const real = await files.realPath(dirname(written)).catch(() => dirname(written));
  const inRepository = { ...file, path: resolve(real, 'manifest'), root: repository };
  const namedFile = await findNamedFile(signersFile, inRepository, cwd, files);
  const isElsewhere = namedFile.type === 'problem' && namedFile.code === 'manifest.leaves-folder';
  return isElsewhere ? findNamedFile(signersFile, { ...file, path: written }, cwd, files) : namedFile;
}

/** The valid lines. Names that differ in case alone are refused, because one person would count as two. */
class SignerList {
  readonly lines: string[] = [];
  readonly #problems: Problems;
  readonly #names = new Map<string, string>();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  add(text: string, spot: () => Spot): void {
    const signer = signerIn(text);
    if (signer === undefined) {
      const detail = `${JSON.stringify(text)} is not a signer. Write the name of one person, then options such as valid-before="20270101" if there are any, then the whole public key: ann@example.com ssh-ed25519 AAAA…. Other options, and patterns or lists of names, are not supported.`;
      this.#problems.add('manifest.bad-signer', detail, spot());
      return;
    }
    const first = this.#names.get(signer.name.toLowerCase()) ?? signer.name;
    this.#names.set(first.toLowerCase(), first);
    if (first !== signer.name) {
      const detail = `${signer.name} and ${first} differ in case alone, so one person could sign as two. Write ${first} for a further key of the same person, and another name for another person.`;
      this.#problems.add('manifest.bad-signer', detail, spot());
      return;
    }
    this.lines.push(text);
  }
}
