// The files that a conversion writes once, for people to edit: a manifest with the application, and a .gitignore.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeWhole } from '../../lib/durable-files.ts';
import { demandInside, ownPath } from '../../lib/own-files.ts';
import { ignoredLines } from '../../tools/init/texts.ts';

const applicationFile = 'application.yaml';

/**
 * The first conversion writes a manifest with an application, so that a plan is possible, and a .gitignore for states and saved
 * plans. Later conversions do not touch either.
 */
export async function startApplication(out: string): Promise<void> {
  const found = await readdir(out);
  if (found.some((name) => /\.ya?ml$/u.test(name))) return;
  const text = `version: 1

application:
  base_url: emulator:.chatform/emulator # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
  rate_plan: 5k_mau

policy:
  # Later exports have messages of users who were deactivated since they wrote them. These users are active while they are sent.
  reopen: { deactivated: allow }
`;
  const ignoreList = ownPath(out, 'gitIgnore');
  if (!found.includes(basename(ignoreList))) await writeWhole(ignoreList, `${ignoredLines.join('\n')}\n`);
  await writeInside(out, applicationFile, text);
}

/** Replaces a file in the folder. Throws a `LeadsOutsideError` if a link leads out of it. */
export async function writeInside(out: string, name: string, text: string): Promise<void> {
  const file = join(out, name);
  await demandInside(out, file);
  await writeWhole(file, text);
}
