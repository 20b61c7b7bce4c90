// The form of a base URL, which manifests are checked for before anything is sent.
import { plainUrl } from './plain-url.ts';

/** Returns what is wrong with a base URL, to follow its name, or undefined. Never quotes it, because it may contain a password. */
export function baseUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'is not an http or https address';
  }
  if (url.username !== '' || url.password !== '') return 'contains a user name or a password';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment';
  if (plainUrl(text) === undefined)
    return 'is not in the normal form of a URL, so programs may read different hosts in it';
  const path = url.pathname.replace(/\/+$/u, '');
  // The platform might take the address for the same as with one slash, but the application would have another name.
  if (path.includes('//')) return 'contains // in its path';
  return path.endsWith('/v3') ? undefined : 'does not end in the version segment /v3';
}

export const baseUrlAdvice =
  'Write it as https://api-APPLICATION_ID.sendbird.com/v3. The dashboard shows it as the API request URL.';
