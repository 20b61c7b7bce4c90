// Reads the API token.
import { resolve } from 'node:path';
import { readPath } from '../../../lib/path-streams.ts';
import { ForeignFormError } from '../../../lib/tools/foreign-form.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Application } from './application.ts';
import type { Ports } from './ports.ts';

/**
 * Reads the token from the file or the environment, never from an option, because other users can see command lines. Call it
 * once, since the file may be a pipe, and before a lock is taken. Refused (3) without a valid token.
 */
export async function readToken(
  { tokenFile: file }: Extract<Application['target'], { type: 'server' }>,
  { env, cwd }: Pick<Ports, 'env' | 'cwd'>,
): Promise<string> {
  const place = file === undefined ? 'CHATFORM_API_TOKEN' : 'The file of --api-token-file';
  const token = (file === undefined ? env.CHATFORM_API_TOKEN : await readTokenFile(resolve(cwd, file)))?.trim();
  if (token === undefined || token === '') {
    throw refused(
      'token.missing',
      token === undefined ? 'No API token is set.' : `${place} is empty.`,
      'Set CHATFORM_API_TOKEN or pass --api-token-file. The dashboard shows the token under Settings, General. A plan needs none with --refresh=none.',
    );
  }
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  throw refused(
    'token.malformed',
    `${place} ${file === undefined ? 'is not' : 'does not contain'} a valid token: it contains a space, a line break or a character that an HTTP header cannot contain.`,
    'A token is a single word, and the file must contain nothing else. The dashboard shows the token under Settings, General.',
  );
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return (await readPath(file)).toString('utf8');
  } catch (cause) {
    throw refused(
      'token.unreadable',
      `The API token file ${file} cannot be read${cause instanceof ForeignFormError ? `: ${cause.message}` : ''}.`,
      'Check the path of --api-token-file (CHATFORM_API_TOKEN_FILE) and its permissions.',
      cause,
    );
  }
}

function refused(code: string, message: string, advice: string, cause?: unknown): Refusal {
  return new Refusal(code, exitCode.authentication, message, advice, { cause });
}
