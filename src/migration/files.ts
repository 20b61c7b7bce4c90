// The use case files: copies the files of an export to permanent storage, and writes the map of their URLs.
import { basename, join, resolve } from 'node:path';
import { asUnwritable, keptPath } from '../core/app/context/output-files.ts';
import type { Ports } from '../core/app/context/ports.ts';
import { Refusal, usage } from '../core/model/errors.ts';
import { exitCode } from '../core/model/exit-code.ts';
import type { CommonOptions, CopyFilesOptions as LibraryOptions } from '../core/model/library/options.ts';
import type { CopiedFiles } from '../core/model/report.ts';
import { copyForms, isBucketPlace } from '../core/model/stores/places.ts';
import { isInside } from '../lib/paths.ts';
import { hasCommit, hasUnfinishedCommit } from '../lib/staging/staged-files.ts';
import { isThisMachine } from '../lib/url-parts.ts';
import { openExportTree } from './convert/export/parts.ts';
import { asRefusal, wrongExport } from './convert/export/refusals.ts';
import { fileUrlsFile, readFileCopies } from './convert/file-copies.ts';
import { fileListFile } from './convert/message-files.ts';
import { sources } from './convert/sources/index.ts';
import { copyWanted } from './file-copies/copying.ts';
import type { Header } from './file-copies/fetch.ts';
import { bucketTarget, type CopyTarget, folderTarget } from './file-copies/target.ts';
import { tokenUrls, wantedFiles } from './file-copies/wanted-files.ts';

export interface FileCopyOptions extends Omit<LibraryOptions, keyof CommonOptions | 'env' | 'source' | 'maxBytes'> {
  /** A source such as `slack`, as for convert. */
  readonly source: string;
  readonly maxBytes?: number | undefined;
  /** Milliseconds without a byte after which a server counts as silent. Default: 30 s. */
  readonly silenceMs?: number;
}

const defaultMaxBytes = 5_000_000_000;

/** The place for the copies: a bucket, or the absolute path of a folder. Refused (64) for anything else that looks like an address. */
function placeOfCopies(cwd: string, place: string): string {
  return isBucketPlace(place) ? place : keptPath(cwd, place, 'Copies', copyForms);
}

/**
 * Throws a refusal for options that cannot be used (64), an export or a conversion that cannot be read (65), a copy that
 * cannot be written (1), and after an interrupt (8). Whatever ended it, the next run continues.
 */
export async function copyFiles(options: FileCopyOptions, ports: Ports): Promise<CopiedFiles> {
  const { maxBytes = defaultMaxBytes, silenceMs, onProgress } = options;
  const exported = resolve(ports.cwd, options.exported);
  const out = keptPath(ports.cwd, options.out, 'A conversion');
  const to = placeOfCopies(ports.cwd, options.to);
  if (options.source.toLowerCase() === 'table') throw tablesAreNotCopied();
  const source = sources.find(({ name }) => name === options.source.toLowerCase());
  if (source === undefined)
    throw usage(`"${options.source}" is not a supported source.`, 'chatform convert --help lists the sources.');
  const publicUrl = checkedPublicUrl(options.publicUrl);
  const hosts = hostsOf(options, ports.env);
  if (!isBucketPlace(to) && isInside(exported, to))
    throw usage(`${to} is inside the export.`, 'Choose another folder with --to. The export itself is never changed.');
  if ((await hasUnfinishedCommit(out, 'conversion')) || !(await hasCommit(out, 'conversion'))) throw noList(out);
  const copies = await readFileCopies(join(out, fileUrlsFile));
  const wanted = await wantedFiles(join(out, fileListFile), () => noList(out));
  const stop = new AbortController();
  const forget = ports.onInterrupt(() => stop.abort());
  try {
    const tree = await openExportTree(exported, source);
    try {
      if (!(await source.recognises(tree))) throw wrongExport(source.title, source.form, undefined);
      const isFetched = [...wanted.values()].some(({ host }) => host !== undefined && hosts.has(host));
      const exportName = basename(exported);
      const urls = isFetched ? await tokenUrls(source, tree, exportName) : new Map<string, string>();
      const target = await targetOf(to, ports);
      const input = { out, tree, exportName, wanted, copies, urls, target, publicUrl, hosts, maxBytes, silenceMs };
      return await copyWanted({ ...input, onProgress, signal: stop.signal }, ports).finally(() => target.close());
    } finally {
      tree.close();
    }
  } catch (error) {
    throw asUnwritable(asRefusal(error), isBucketPlace(to) ? out : to);
  } finally {
    forget();
  }
}

async function targetOf(to: string, { env, clock }: Ports): Promise<CopyTarget> {
  if (!isBucketPlace(to)) return folderTarget(to);
  const { openBucket } = await import('../core/state/index.ts');
  return bucketTarget(await openBucket(to, (name) => env[name]), clock);
}

/** Ends with a slash. */
function checkedPublicUrl(text: string): string {
  const advice = 'Pass the public address of the copies, such as https://cdn.example.com/chat.';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw usage('The public URL is not an address.', advice);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.hostname)))
    throw usage('The public URL is not an https address.', advice);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw usage('The public URL has a password, a query or a fragment, which every message would show.', advice);
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

const hostForm = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/iu;
/** The name and the value of a header, as one line. */
const headerForm = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]+)$/u;

function hostsOf(
  { fetch = [], headersFrom = [] }: FileCopyOptions,
  env: Ports['env'],
): ReadonlyMap<string, Header | undefined> {
  const hosts = new Map<string, Header | undefined>();
  for (const host of fetch) {
    if (!hostForm.test(host))
      throw usage(`--fetch names "${host}", which is not a host.`, 'For example: --fetch files.slack.com');
    hosts.set(host.toLowerCase(), undefined);
  }
  for (const text of headersFrom) {
    const [host = '', variable = ''] = text.split(/=(.*)/su);
    if (!hostForm.test(host) || !/^\w+$/u.test(variable)) {
      throw usage(
        '--header-from is not HOST=VARIABLE.',
        'Give the name of an environment variable, not the header itself: --header-from files.slack.com=SLACK_HEADER',
      );
    }
    const [, name, value] = headerForm.exec(env[variable]?.trim() ?? '') ?? [];
    if (name === undefined || value === undefined) {
      throw usage(
        `The variable ${variable} does not contain a valid header.`,
        `Set it to one line: ${variable}='Authorization: Bearer TOKEN'`,
      );
    }
    hosts.set(host.toLowerCase(), { name, value });
  }
  return hosts;
}

function tablesAreNotCopied(): Refusal {
  return usage(
    'chatform does not copy the files of tables.',
    'chatform convert-files --help says how to give messages the URLs of your own copies.',
  );
}

function noList(out: string): Refusal {
  return new Refusal(
    'files.no-list',
    exitCode.invalid,
    `${out} has no list of files of a finished conversion.`,
    'Run chatform convert first, which writes conversion/files.ndjson. Nothing was copied.',
  );
}
