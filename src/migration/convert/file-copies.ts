// The map from files to the URLs of their copies, written by `chatform convert-files`. People may add lines.
import { createReadStream } from 'node:fs';
import { errorCode } from '../../lib/errors.ts';
import { parsedObject } from '../../lib/json.ts';
import { readStreamLines } from '../../lib/line-reader.ts';
import { wrongFileUrls } from './export/refusals.ts';
import { safePlace } from './export/urls.ts';

/** Relative to the manifest folder. */
export const fileUrlsFile = 'conversion/file-urls.ndjson';

export interface FileCopy {
  /** As in conversion/files.ndjson. */
  readonly from: string;
  /** The public URL of the copy. */
  readonly to: string;
  /** Absent in lines written by hand. */
  readonly sha256?: string;
  /** In bytes. */
  readonly size?: number;
}

export type FileCopies = ReadonlyMap<string, FileCopy>;

/** Copies by `from`. Empty if there is no map yet. Throws a refusal (65) that lists unusable lines. */
export async function readFileCopies(file: string): Promise<FileCopies> {
  const copies = new Map<string, FileCopy>();
  const problems: { readonly line: number; readonly detail: string }[] = [];
  try {
    for await (const lines of readStreamLines(createReadStream(file))) {
      for (const { line, text } of lines) {
        if (text?.trim() === '') continue;
        const copy = copyIn(text);
        const known = typeof copy === 'string' ? undefined : copies.get(copy.from);
        if (typeof copy === 'string') problems.push({ line, detail: copy });
        else if (known !== undefined && known.to !== copy.to)
          problems.push({ line, detail: `an earlier line gives ${copy.from} another URL` });
        else copies.set(copy.from, copy);
      }
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw wrongFileUrls(file, [], error);
  }
  if (problems.length > 0) throw wrongFileUrls(file, problems);
  return copies;
}

/** Describes the problem of an unusable line. */
function copyIn(text: string | undefined): FileCopy | string {
  const value = parsedObject(text ?? '');
  if (value === undefined) return 'it is not a JSON object in UTF-8';
  const { from, to, sha256, size } = value;
  if (typeof from !== 'string' || from === '') return '"from" is missing';
  const safe = typeof to === 'string' ? safePlace(to) : undefined;
  if (typeof to !== 'string' || safe === undefined) return '"to" is not a web address';
  if (safe.hadToken) return '"to" contains a token or a signature, which a history file must not contain';
  return {
    from,
    to,
    ...(typeof sha256 === 'string' ? { sha256 } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  };
}
