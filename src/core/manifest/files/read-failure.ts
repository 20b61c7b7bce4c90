// Describes why a file or folder cannot be read.

import { ForeignFormError } from '../../../lib/tools/foreign-form.ts';
import type { ProblemReporter } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is refused',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a cycle',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  Z_BUF_ERROR: 'its gzip data is cut short',
  Z_DATA_ERROR: 'its gzip data is damaged',
};

/** Describes the system's error code. Unknown codes are returned unchanged. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof ForeignFormError) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return reasons[code] ?? code;
}

/** `name` is the path as messages show it. */
export function reportUnreadable(name: string, reason: string, problems: ProblemReporter): void {
  problems.add('manifest.unreadable', `${name} cannot be read: ${reason}.`);
}

/** Hidden files, such as those of git and .env, do not belong to a manifest and may contain credentials. */
export function hiddenFile(writtenName: string, hidden: string): string {
  return `${quoted(writtenName)} leads to ${quoted(hidden)}. Hidden files and folders may contain credentials and are never read. Give the file a name that does not begin with a dot.`;
}
