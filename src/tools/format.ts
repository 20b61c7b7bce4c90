// Formats manifests in their canonical order and layout: files in place, or one text.
import { readFile, stat } from 'node:fs/promises';
import { writeOutput } from '../core/app/context/output-files.ts';
import type { Ports } from '../core/app/context/ports.ts';
import { readManifest } from '../core/manifest/document/document.ts';
import { type ForeignFile, reportForeign } from '../core/manifest/document/foreign-files.ts';
import { disk, readBytes, readSource } from '../core/manifest/files/access.ts';
import { discover } from '../core/manifest/files/discover.ts';
import { Problems } from '../core/manifest/problems/problems.ts';
import { pastedBlock } from '../core/manifest/write/block-text.ts';
import { formatManifest } from '../core/manifest/write/format.ts';
import type { Diagnostic } from '../core/model/diagnostic.ts';
import { registry } from '../core/resources/index.ts';

export { pastedBlock };

export interface FormattedFile {
  /** Relative to the working folder. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface FormatFilesOptions {
  readonly paths: readonly string[];
  /** Writes nothing. */
  readonly isCheck?: boolean | undefined;
  /** Called for each file that changes, before it is written. */
  readonly onChange?: (file: FormattedFile) => Promise<void>;
}

export interface FormattedFiles {
  readonly changed: number;
  /** All manifests that were found. */
  readonly files: number;
  /** Why files could not be read and were skipped. Notes name files that are not manifests. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Skips unreadable files and reports them as diagnostics. Refused (1) when a file cannot be written. */
export async function formatFiles(
  { paths, isCheck = false, onChange }: FormatFilesOptions,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<FormattedFiles> {
  const problems = new Problems();
  const found = await discover(paths, cwd, disk, problems);
  const foreign: ForeignFile[] = [];
  let changed = 0;
  for (const file of found) {
    const source = await readSource(file, disk, problems);
    const read = source === undefined ? undefined : readManifest(file, source, registry, new Problems());
    if (read !== undefined && 'is' in read) {
      foreign.push(read);
      continue;
    }
    if (read?.isDoubtful ?? file.isNamed !== true) problems.doubt(file.name);
    const after = source === undefined ? undefined : formatManifest(source, registry, problems);
    // Compare bytes, because removing a byte order mark is a change.
    if (source === undefined || after === undefined || Buffer.from(after).equals(await readFile(file.path))) continue;
    changed += 1;
    await onChange?.({ name: file.name, before: source.text, after });
    if (!isCheck) await writeOutput(file.path, after, (await stat(file.path)).mode & 0o7777, 'exactly');
  }
  reportForeign({ foreign, found, problems });
  return { changed, files: found.length - foreign.length, diagnostics: problems.sorted() };
}

export interface FormattedText {
  /** Absent when the text cannot be read. */
  readonly file?: FormattedFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** Formats one text. `name` appears in messages. */
export function formatBytes(name: string, bytes: Uint8Array): FormattedText {
  const problems = new Problems();
  const source = readBytes(name, bytes, problems);
  const after = source === undefined ? undefined : formatManifest(source, registry, problems);
  const diagnostics = problems.sorted();
  if (source === undefined || after === undefined) return { diagnostics };
  return { file: { name, before: source.text, after }, diagnostics };
}
