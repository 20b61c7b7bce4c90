// Reads the files that attributes name, relative to the manifest, and checks and digests them.
import { dirname, resolve } from 'node:path';
import { digestText } from '../../../lib/digest.ts';
import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { demandOwnForm, ForeignFormError } from '../../../lib/tools/foreign-form.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { findNamedFile } from '../files/named-file.ts';
import { reasonOf } from '../files/read-failure.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { oneOf } from '../problems/wording.ts';

/** `x-file` of an attribute's schema. */
export interface FileRule {
  readonly maxBytes: number;
  readonly types: readonly string[];
}

type FileAnswer =
  | { readonly type: 'file'; readonly value: JsonObject }
  | { readonly type: 'problem'; readonly code: ManifestCode; readonly detail: string };

/** The first bytes of each media type. */
const signatures: readonly { readonly mediaType: string; readonly bytes: readonly number[] }[] = [
  { mediaType: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
];

/** Reads each named file once, before the blocks that name it, so that reading a block is synchronous. */
export class FileAttributes {
  readonly #cwd: string;
  readonly #files: FileAccess;
  readonly #answers = new Map<string, FileAnswer>();

  constructor(cwd: string, files: FileAccess) {
    this.#cwd = cwd;
    this.#files = files;
  }

  /** Reads a file unless that was done before. */
  async prepare(path: string, rule: FileRule, manifest: ManifestFile): Promise<void> {
    const name = nameOf(path, rule, manifest);
    if (this.#answers.has(name)) return;
    this.#answers.set(name, await readFileAttribute(path, rule, manifest, this.#cwd, this.#files));
  }

  /** Returns the result for a prepared file. */
  answer(path: string, rule: FileRule, manifest: ManifestFile): FileAnswer {
    const answer = this.#answers.get(nameOf(path, rule, manifest));
    if (answer === undefined) throw new InternalError(`${path} was not read before it was asked for`);
    return answer;
  }
}

function nameOf(path: string, rule: FileRule, manifest: ManifestFile): string {
  return `${resolve(dirname(manifest.path), path)} ${manifest.root} ${rule.maxBytes}`;
}

/** Returns the value that replaces the path: `{file, digest, media_type}`. */
async function readFileAttribute(
  named: string,
  rule: FileRule,
  manifest: ManifestFile,
  cwd: string,
  files: FileAccess,
): Promise<FileAnswer> {
  const namedFile = await findNamedFile(named, manifest, cwd, files);
  if (namedFile.type === 'problem') return namedFile;
  const { name: shownName, path, bytes } = namedFile;
  if (bytes > rule.maxBytes) return tooBig(shownName, bytes, rule);
  try {
    const content = await files.readFile(path);
    if (content.length > rule.maxBytes) return tooBig(shownName, content.length, rule);
    demandOwnForm(content);
    const mediaType = mediaTypeOf(content);
    if (mediaType === undefined || !rule.types.includes(mediaType)) {
      const detail = `${shownName} is not ${oneOf(rule.types)}. The first bytes of the file decide its type, not the extension. Convert the file.`;
      return problem('manifest.file-type', detail);
    }
    return { type: 'file', value: { file: shownName, digest: digestText(content), media_type: mediaType } };
  } catch (error) {
    const advice = error instanceof ForeignFormError ? '' : ' Paths are relative to the manifest.';
    const detail = `${shownName} cannot be read: ${reasonOf(error)}.${advice}`;
    return problem('manifest.file-missing', detail);
  }
}

function mediaTypeOf(content: Uint8Array): string | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))?.mediaType;
}

function tooBig(shownName: string, bytes: number, rule: FileRule): FileAnswer {
  const detail = `${shownName} has ${bytes} bytes, but at most ${rule.maxBytes} are allowed. Use a smaller file.`;
  return problem('manifest.file-too-big', detail);
}

function problem(code: ManifestCode, detail: string): FileAnswer {
  return { type: 'problem', code, detail };
}
