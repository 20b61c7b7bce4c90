// Reads chatform-behaviours.json, which says how a platform answers where its documentation is unclear.
import { dirname, resolve } from 'node:path';
import { shownPath } from '../../../lib/paths.ts';
import { disk, type FileAccess } from '../../manifest/files/access.ts';
import { Problems } from '../../manifest/problems/problems.ts';
import { behavioursCheck } from '../../manifest/schema/validate.ts';
import type { BehavioursFile } from '../../model/behaviours.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { readChecked } from './checked-file.ts';

const maxBytes = 1_000_000;

/** Refused (65) with all problems and their places if the file is not valid, and (64) if it is not a small regular file. */
export async function readBehaviours(file: string, cwd: string, files: FileAccess = disk): Promise<BehavioursFile> {
  const path = resolve(cwd, file);
  const name = shownPath(cwd, path);
  const fileInfo = await files.stat(path).catch(() => undefined);
  if (fileInfo?.type !== 'file' || fileInfo.bytes > maxBytes) {
    throw usage(`${name} does not describe a platform.`, 'Check the path. chatform calibrate writes such files.');
  }
  const problems = new Problems();
  const subject = { check: behavioursCheck, title: 'a description of a platform' };
  const read = await readChecked({ name, path, root: dirname(path) }, problems, subject, files);
  if (read === undefined) throw invalid(name, problems);
  return read.value as unknown as BehavioursFile;
}

function invalid(name: string, problems: Problems): Refusal {
  return new Refusal(
    'behaviours.invalid',
    exitCode.invalid,
    `${name} is not a valid description of a platform.`,
    'Nothing was done. Run chatform calibrate again to replace the file, or delete it.',
    { diagnostics: problems.sorted() },
  );
}
