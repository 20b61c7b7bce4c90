// Refusals of a conversion: an export that cannot be read at all. Nothing is written then.

import { Refusal } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import { FileTreeError, type TreeFault } from '../../../lib/file-tree.ts';
import type { BrokenIndexError } from '../../../lib/staging/staged-files.ts';
import { ForeignFormError } from '../../../lib/tools/foreign-form.ts';

const nothingWritten = 'Nothing was written.';

const faults: Readonly<Record<TreeFault, readonly [code: string, advice: string]>> = {
  missing: ['convert.not-found', 'Pass the path of the export: a file, a zip archive or a folder.'],
  'not-zip': ['convert.not-an-export', 'Pass the path of the export: a file, a zip archive or a folder.'],
  cut: ['convert.cut', 'The end of the archive is missing. Download the export again.'],
  encrypted: ['convert.encrypted', 'Unpack the archive with its password, and pass the path of the folder.'],
  bomb: ['convert.zip-bomb', 'An export never looks like this. Do not unpack the file.'],
  'bad-path': ['convert.bad-path', 'The source never writes such names. Do not unpack the archive.'],
  unreadable: ['convert.unreadable', 'Download the export again, or check the permissions of the file.'],
  'foreign-form': ['convert.unreadable', ''],
  'too-big': ['convert.too-big', 'Ask for an export of fewer days.'],
};

/** For errors of `FileTree`; others pass unchanged. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof FileTreeError)) return error;
  const [code, advice] = faults[error.fault];
  const form = error.cause instanceof ForeignFormError ? error.cause.form : undefined;
  const what = form === undefined ? advice : `${form.advice}.`;
  return refused(code, `${error.path} cannot be read: ${error.message}.`, what, error);
}

export function twoPartsOfOneName(path: string): Refusal {
  return refused('convert.bad-path', `Another part of the export is named like ${path}.`, 'Rename one of the two.');
}

export function missingFile(title: string, file: string): Refusal {
  const message = `The ${title} export has no ${file}.`;
  return refused('convert.missing-file', message, 'Export again. Without this file, ids cannot be matched with names.');
}

/** A file that another program must read first, or that was made in another way. `what` says what it is, `advice` what to do. */
export function otherFile(file: string, what: string, advice: string): Refusal {
  return refused('convert.broken-file', `${file} cannot be read: ${what}.`, advice);
}

export function brokenFile(file: string, reason: string): Refusal {
  const message = `${file} is not what the source writes: ${reason}.`;
  return refused('convert.broken-file', message, 'The file may have been cut or edited. Download the export again.');
}

/** `line` is the number of the last line. */
export function cutDump(file: string, line: number): Refusal {
  return refused(
    'convert.cut',
    `${file} ends in the middle, after line ${line}.`,
    'The end of the dump is missing. Copy the file again, or make a new dump.',
  );
}

export function wrongExport(title: string, form: string, likely: string | undefined): Refusal {
  const guess = likely === undefined ? `Such an export is ${form}.` : `It looks like an export of ${likely}.`;
  return refused('convert.wrong-export', `This is not an export of ${title}.`, guess);
}

export function ownFolder(out: string): Refusal {
  return refused(
    'convert.own-folder',
    `${out} is inside the export.`,
    'Choose another folder with --out-dir. The export itself is never changed.',
  );
}

/** `folder` is one that a conversion writes. */
export function exportInOutput(exported: string, folder: string): Refusal {
  return refused(
    'convert.own-folder',
    `${exported} is in ${folder}, where a conversion writes its own files.`,
    'Move the export to another folder.',
  );
}

export function unreadableDecisions(cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return refused(
    'convert.decisions',
    `conversion/decisions.yaml cannot be read: ${reason}.`,
    'Without this file, users and channels would get different ids.',
    cause,
  );
}

export function unreadableHistoryFile(file: string, cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return refused(
    'convert.unreadable',
    `${file} cannot be read: ${reason}.`,
    'Pass the paths of history files, such as history/*.ndjson.',
    cause,
  );
}

export function unreadableIdentities(file: string, cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return refused('convert.identities', `${file} cannot be read: ${reason}.`, 'Pass the path of a CSV file.', cause);
}

export function editedFiles(files: readonly string[]): Refusal {
  const [first = '', ...more] = files;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return new Refusal(
    'convert.edited',
    exitCode.refused,
    `${first}${others} would be replaced, but somebody else has written or edited it since the last conversion.`,
    `Move your changes into a separate file or into conversion/decisions.yaml, then remove the file. ${nothingWritten}`,
  );
}

export function brokenIndex(cause: BrokenIndexError): Refusal {
  return new Refusal(
    'convert.edited',
    exitCode.refused,
    `conversion/${cause.file} records which files were generated, but cannot be used: ${cause.message}.`,
    cause.isOtherFormat
      ? `Use the version of chatform that wrote the file, or a newer one. ${nothingWritten}`
      : `Restore the whole folder from one commit made after a conversion, and convert again. ${nothingWritten}`,
    { cause },
  );
}

export function wrongIdentities(
  name: string,
  problems: readonly { readonly line: number; readonly detail: string }[],
): Refusal {
  return refused(
    'convert.identities',
    `${name} cannot be used. ${listed(problems, '; ')}.`,
    'Write a CSV file with one row per person: the column user_id, and at least one of id, email and handle.',
  );
}

/** Without `problems`, the file itself cannot be read. */
export function wrongFileUrls(
  file: string,
  problems: readonly { readonly line: number; readonly detail: string }[],
  cause?: unknown,
): Refusal {
  return refused(
    'convert.file-urls',
    problems.length === 0 ? `${file} cannot be read.` : `${file} cannot be used. ${listed(problems, '; ')}.`,
    'Each line is {"from": a place or URL of conversion/files.ndjson, "to": the URL of its copy}. chatform convert-files rewrites the file.',
    cause,
  );
}

/** Lists the first problems. */
function listed(problems: readonly { readonly line: number; readonly detail: string }[], between: string): string {
  const shown = problems.slice(0, 5).map(({ line, detail }) => `line ${line}: ${detail}`);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return [...shown, ...more].join(between);
}

/** `decided` is the user_id in decisions.yaml. Undefined if decisions.yaml gives the user_id to another person. */
export function otherIdentity(id: string, userId: string, decided: string | undefined): Refusal {
  const what = decided === undefined ? `gives that user_id to somebody else` : `says ${decided}`;
  return refused(
    'convert.identities',
    `The file of identities gives ${id} the user_id ${userId}, but conversion/decisions.yaml ${what}.`,
    'Before the first apply, remove the line under user_ids there. Afterwards, remove the row: the platform cannot rename a user.',
  );
}

/** `names` are two listed names with the same id in decisions.yaml. */
export function twoOfOneId(kind: 'users' | 'channels', id: string, names: readonly [string, string]): Refusal {
  const [first, second] = names;
  return refused(
    'convert.decisions',
    `renamed.${kind} in conversion/decisions.yaml gives ${first} and ${second} the same id ${id}, but this export lists both.`,
    `If one of them is new, give it a different id there: NAME: { was: ${id}-2, same: yes }.`,
  );
}

/** Exit code 4, because people have to decide and nothing is wrong. */
export function undecidedRenames(
  renames: readonly { readonly id: string; readonly was: string; readonly evidence: string }[],
): Refusal {
  const shown = renames.slice(0, 5).map(({ id, was, evidence }) => `${was} may be ${id} now (${evidence})`);
  const more = renames.length > shown.length ? [`and ${renames.length - shown.length} more`] : [];
  return new Refusal(
    'convert.renamed',
    exitCode.incomplete,
    `${[...shown, ...more].join('; ')}. If nothing was renamed, the old one is removed and the new one starts with copies of its messages.`,
    'Answer same: yes or no under renamed in conversion/decisions.yaml, then convert again. Nothing else was written.',
  );
}

export function wrongDecisions(problems: readonly { readonly line: number; readonly detail: string }[]): Refusal {
  return refused(
    'convert.decisions',
    `conversion/decisions.yaml cannot be used. ${listed(problems, ' ')}`,
    'chatform schema decisions prints its JSON Schema.',
  );
}

function refused(code: string, message: string, advice: string, cause?: unknown): Refusal {
  const options = cause === undefined ? undefined : { cause };
  return new Refusal(code, exitCode.invalid, message, `${advice} ${nothingWritten}`, options);
}
