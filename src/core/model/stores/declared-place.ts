// The place of a state as a manifest declares it, which everybody who can read the manifest sees and may propose to change.

import { ownNames } from '../../../lib/own-names.ts';
import { PostgresUrlError, readPostgresUrl } from '../../../lib/postgres/url.ts';
import { isThisMachine } from '../../../lib/url-parts.ts';
import { plainUrl } from '../calls/plain-url.ts';
import type { SourcePosition } from '../source.ts';
import { bucketParts, stateForms, storeOf } from './places.ts';

export interface DeclaredPlace {
  /** As `--state` takes it: a folder is relative to the working folder, not to the manifest. */
  readonly place: string;
  /** Absent for the place in a saved plan. */
  readonly source?: SourcePosition;
}

export interface PlaceFault {
  readonly hasSecret: boolean;
  /** Continues a sentence about the place. Repeats no part of it, except the names of parameters. */
  readonly what: string;
}

const defaultPort = /:5432$/u;
/** Parameters that name no server, file or person. */
const postgresParameters: readonly string[] = [
  'application_name',
  'channel_binding',
  'connect_timeout',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'state',
];
const withoutTls = 'turns off TLS, which a manifest may do only for a server on this machine';
/** These texts become parts of host names, so they must not be able to end one. */
const partsOfHosts: Readonly<Record<string, RegExp>> = { account: /^[a-z0-9]{1,63}$/u, region: /^[a-z0-9-]{1,63}$/u };

/** Why a manifest cannot declare the place. Undefined if it can. */
export function faultOfPlace(place: string): PlaceFault | undefined {
  const found = storeOf(place);
  if (found === undefined || place === 'file:' || place.startsWith('file://'))
    return { hasSecret: hasCredentials(place), what: `is not one of ${stateForms}` };
  if (found.scheme === 'file') return faultOfFolder(place);
  return found.store.isBucket ? faultOfBucket(place, found.store.parameters) : faultOfDatabase(place);
}

/** Hidden folders, such as that of git, belong to other programs. The default state is in the one of chatform. */
function faultOfFolder(place: string): PlaceFault | undefined {
  const isHidden = (part: string) => /^\.(?!\.?$)/u.test(part) && part !== ownFolder;
  const parts = place.slice('file:'.length).split(/[/\\]/u);
  return parts.some(isHidden) ? { hasSecret: false, what: `is in a hidden folder other than ${ownFolder}` } : undefined;
}

const [ownFolder = ''] = ownNames.state.split('/');

function faultOfBucket(place: string, known: readonly string[]): PlaceFault | undefined {
  const parts = bucketParts(place);
  if (parts === undefined) return { hasSecret: hasCredentials(place), what: `is not one of ${stateForms}` };
  const unknown = [...parts.parameters.keys()].find((name) => !known.includes(name));
  // An unknown parameter may be a signature or a key.
  if (unknown !== undefined)
    return { hasSecret: true, what: `has another parameter than ${known.join(', ')}, which may contain a secret` };
  const endpoint = parts.parameters.get('endpoint');
  const url = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '' || url.search !== ''))
    return { hasSecret: true, what: 'has an endpoint with credentials' };
  if (endpoint !== undefined && (plainUrl(endpoint) === undefined || !/^https?:$/u.test(url?.protocol ?? '')))
    return { hasSecret: false, what: 'has an endpoint that is not a URL with https in its normal form' };
  if (url?.protocol === 'http:' && !isThisMachine(url.hostname)) return { hasSecret: false, what: withoutTls };
  const odd = Object.entries(partsOfHosts).find(([name, form]) => !form.test(parts.parameters.get(name) ?? 'none'));
  return odd === undefined ? undefined : { hasSecret: false, what: `has an invalid ${odd[0]}` };
}

function faultOfDatabase(place: string): PlaceFault | undefined {
  try {
    readPostgresUrl(place, { own: ['state'], password: undefined, sslmode: undefined });
  } catch (error) {
    if (!(error instanceof PostgresUrlError)) throw error;
    return { hasSecret: hasCredentials(place), what: error.what };
  }
  const { password, searchParams: query } = new URL(place);
  if (password !== '' || query.has('password')) return { hasSecret: true, what: 'contains a password' };
  const other = [...query.keys()].find((name) => !postgresParameters.includes(name));
  if (other !== undefined) return { hasSecret: false, what: `has the parameter ${other}, which only --state may have` };
  if (plainUrl(place) === undefined) return { hasSecret: false, what: 'is not in the normal form of a URL' };
  const isOpen = query.getAll('sslmode').some((mode) => mode === 'disable' || mode === 'no-verify');
  return isOpen && hostOf(place) !== undefined ? { hasSecret: false, what: withoutTls } : undefined;
}

/** Whether the text may contain a name and a password in front of a host. */
function hasCredentials(place: string): boolean {
  return /:[^@]*:[^@]*@/u.test(place);
}

/**
 * The host of a server that the place names, in lower case, with a port unless it is the default one. Undefined for a folder, a
 * server on this machine, and a bucket at the vendor of its store. The place has no fault.
 */
export function hostOf(place: string): string | undefined {
  const found = storeOf(place);
  if (found === undefined || found.scheme === 'file') return undefined;
  const endpoint = bucketParts(place)?.parameters.get('endpoint');
  if (found.store.isBucket && endpoint === undefined) return undefined;
  const { hostname, host } = new URL(endpoint ?? place);
  const name = decodeURIComponent(hostname);
  if (name === '' || name.startsWith('/') || isThisMachine(name.toLowerCase())) return undefined;
  return decodeURIComponent(host)
    .toLowerCase()
    .replace(found.store.isBucket ? '' : defaultPort, '');
}
