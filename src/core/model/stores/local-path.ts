// What a place means in options that take a file or folder of this machine alone.
import { type Refusal, usage } from '../errors.ts';
import { isScheme } from './places.ts';

/**
 * The path that a place on this machine names: `DIR`, or `file:DIR`. Refused (64) for anything that looks like an address, since
 * a folder of that name would be made: `s4://…`, `S3://…`, `file://…`, `https://…`. `what` is the subject of the message.
 */
export function localPath(place: string, what: string, forms = 'the path of a file or folder'): string {
  // A letter and a colon are a drive of Windows.
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]+):(.*)$/isu.exec(place) ?? [];
  if (scheme === 'file' && rest !== '' && !rest.startsWith('//')) return rest;
  const isAddress = rest.startsWith('//') || isScheme(scheme.toLowerCase());
  if (scheme !== '' && isAddress) throw otherPlace(scheme, rest, what, forms);
  return place;
}

/** Only the scheme is repeated, because the rest may contain a password. */
function otherPlace(scheme: string, rest: string, what: string, forms: string): Refusal {
  const path = scheme.toLowerCase() === 'file' && /^\/\/\//u.test(rest) ? rest.replace(/^\/+/u, '/') : undefined;
  return usage(
    `${what} cannot be in ${scheme}:${rest.startsWith('//') ? '//' : ''}.`,
    path === undefined ? `Nothing was done. Name ${forms}.` : `Nothing was done. Write file:${path}`,
  );
}
