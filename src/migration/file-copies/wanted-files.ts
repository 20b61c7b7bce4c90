// Lists the files to copy: those that messages of the conversion refer to.
import { createReadStream } from 'node:fs';
import { temporarySpool } from '../../core/app/context/this-process.ts';
import { errorCode } from '../../lib/errors.ts';
import type { FileTree } from '../../lib/file-tree.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { readStreamLines } from '../../lib/line-reader.ts';
import { ExportFields } from '../convert/export/look-at-fields.ts';
import type { ExportSource } from '../convert/export/source.ts';
import { safePlace } from '../convert/export/urls.ts';
import { numberIn, textIn } from '../convert/export/values.ts';

export interface WantedFile {
  /** The name in the map of URLs. */
  readonly from: string;
  readonly name: string;
  /** The path in the export, if the export contains the file. */
  readonly path: string | undefined;
  /** The name of the export that contains the file, in lists of several exports. */
  readonly export: string | undefined;
  /** The host of the URL, with a port unless it is the default. */
  readonly host: string | undefined;
  /** As stated by the source. */
  readonly size: number | undefined;
  readonly type: string | undefined;
  /** The digest of the content in the export. */
  readonly sha256: string | undefined;
}

/**
 * Reads the list of files. Returns its files by `from`, in the order of the list. A conversion of an export without files writes
 * no list, so the map is empty if the list is missing. Throws the error of `unreadable` if the list cannot be read.
 */
export async function wantedFiles(list: string, unreadable: () => Error): Promise<ReadonlyMap<string, WantedFile>> {
  const wanted = new Map<string, WantedFile>();
  try {
    for await (const lines of readStreamLines(createReadStream(list))) {
      for (const { text = '' } of lines) {
        const value = text === '' ? undefined : (JSON.parse(text) as JsonValue);
        if (!isObject(value)) continue;
        const from = textIn(value, 'from');
        const [path, url] = [textIn(value, 'path'), textIn(value, 'url')];
        const isWanted = (value.as === 'file' || value.as === 'text') && value.problem === undefined;
        if (!isWanted || from === undefined || (path ?? url) === undefined || wanted.has(from)) continue;
        wanted.set(from, {
          from,
          name: textIn(value, 'name') ?? '',
          path,
          export: textIn(value, 'export'),
          host: url !== undefined && URL.canParse(url) ? new URL(url).host : undefined,
          size: numberIn(value, 'size'),
          type: textIn(value, 'type'),
          sha256: textIn(value, 'sha256'),
        });
      }
    }
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    if (errorCode(error) !== 'ENOENT') throw unreadable();
  }
  return wanted;
}

/** The original URLs of the export, by what the map of URLs names them by. URLs without a query are absent. */
export async function tokenUrls(
  source: ExportSource,
  tree: FileTree,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  const spool = temporarySpool();
  try {
    const renamed = { users: new Map<string, string>(), channels: new Map<string, string>() };
    const fields = new ExportFields(source.fields, new Map());
    const { read } = await source.open(tree, { folders: new Map(), renamed, fields, collect: spool.collect, name });
    for await (const { items } of read()) {
      for (const item of items) {
        for (const { url } of item.type === 'message' ? item.message.files : []) {
          const safe = url === undefined ? undefined : safePlace(url);
          if (url !== undefined && safe?.isCut === true) urls.set(safe.key, url);
        }
      }
    }
  } finally {
    spool.close();
  }
  return urls;
}
