// Reads the files that attributes name: finds them beside the manifest, checks size and type, digests the content.
import { dirname, resolve } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { ManifestCode } from '../checks/codes.ts';
import { oneOf } from '../checks/wording.ts';
import { findNamedFile, type ManifestFile, reasonOf } from '../discover.ts';
import type { FileAccess } from '../files.ts';

/** `x-file` of an attribute's schema. */
interface FileRule {
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

/** Reads each named file once, before the blocks that name it are read, so that reading a block needs no waiting. */
export class FileAttributes {
  readonly #cwd: string;
  readonly #files: FileAccess;
  readonly #answers = new Map<string, FileAnswer>();

  constructor(cwd: string, files: FileAccess) {
    this.#cwd = cwd;
    this.#files = files;
  }

  /** Reads the files that a block names and that are not known yet. */
  async prepare(kind: KindDefinition, declared: JsonValue, fileOf: (name: string) => ManifestFile): Promise<void> {
    for (const [name, rule] of fileRules(kind)) {
      const named = isObject(declared) ? declared[name] : undefined;
      if (typeof named !== 'string') continue;
      const manifest = fileOf(name);
      if (this.#answers.has(nameOf(named, rule, manifest))) continue;
      const answer = await readFileAttribute(named, rule, manifest, this.#cwd, this.#files);
      this.#answers.set(nameOf(named, rule, manifest), answer);
    }
  }

  /** The answer for a prepared file. */
  answer(named: string, rule: FileRule, manifest: ManifestFile): FileAnswer {
    const answer = this.#answers.get(nameOf(named, rule, manifest));
    if (answer === undefined) throw new InternalError(`${named} was not read before it was asked for`);
    return answer;
  }
}

function nameOf(named: string, rule: FileRule, manifest: ManifestFile): string {
  return `${resolve(dirname(manifest.path), named)} ${manifest.root} ${rule.maxBytes}`;
}

const rulesByKind = new WeakMap<KindDefinition, readonly (readonly [string, FileRule])[]>();

/** The attributes of a kind that name files. */
export function fileRules(kind: KindDefinition): readonly (readonly [string, FileRule])[] {
  const known = rulesByKind.get(kind);
  if (known !== undefined) return known;
  const rules = Object.entries(kind.attributes).flatMap(([name, { schema }]) => {
    const rule = schema['x-file'] as FileRule | undefined;
    return rule === undefined ? [] : [[name, rule] as const];
  });
  rulesByKind.set(kind, rules);
  return rules;
}

/** The value that replaces the path: `{file, digest, media_type}`. */
async function readFileAttribute(
  named: string,
  rule: FileRule,
  manifest: ManifestFile,
  cwd: string,
  files: FileAccess,
): Promise<FileAnswer> {
  const found = await findNamedFile(named, manifest, cwd, files);
  if (found.type === 'problem') return found;
  const { name: shown, path, bytes } = found;
  if (bytes > rule.maxBytes) return tooBig(shown, bytes, rule);
  try {
    const content = await files.readFile(path);
    if (content.length > rule.maxBytes) return tooBig(shown, content.length, rule);
    const mediaType = mediaTypeOf(content);
    if (mediaType === undefined || !rule.types.includes(mediaType)) {
      const detail = `${shown} is not ${oneOf(rule.types)}, judging by its first bytes; the extension of its name does not count. Convert it.`;
      return problem('manifest.file-type', detail);
    }
    return { type: 'file', value: { file: shown, digest: digestText(content), media_type: mediaType } };
  } catch (error) {
    const detail = `${shown} cannot be read: ${reasonOf(error)}. Paths are relative to the manifest.`;
    return problem('manifest.file-missing', detail);
  }
}

function mediaTypeOf(content: Uint8Array): string | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))?.mediaType;
}

function tooBig(shown: string, bytes: number, rule: FileRule): FileAnswer {
  const detail = `${shown} has ${bytes} bytes, and at most ${rule.maxBytes} are allowed. Make it smaller.`;
  return problem('manifest.file-too-big', detail);
}

function problem(code: ManifestCode, detail: string): FileAnswer {
  return { type: 'problem', code, detail };
}
