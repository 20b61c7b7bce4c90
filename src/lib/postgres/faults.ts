// What the codes of PostgreSQL and of its connections mean, in words.

/** The code of a server that is a replica, or was demoted. */
export const readOnlyServer = '25006';

/** Each continues a sentence about the database. */
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'that host cannot be reached',
  ENETUNREACH: 'that network cannot be reached',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it did not answer in time',
  EAI_AGAIN: 'its host name could not be looked up',
  ENOTFOUND: 'its host name does not exist',
  ENOENT: 'a file that the address names does not exist (a socket or a certificate)',
  [readOnlyServer]: 'the server is read-only (a replica, or a demoted primary)',
  '28000': 'it does not let this user log in',
  '28P01': 'it refuses the password',
  '3D000': 'the database does not exist',
  '42501': 'this user lacks a privilege',
  '53100': 'no space is left on its disk',
  '53200': 'it is out of memory',
  '53300': 'it has no connections left',
  '57014': 'it cancelled the statement',
  '57P01': 'it is being shut down',
  '57P02': 'it has crashed and is recovering',
  '57P03': 'it is starting up',
  '58030': 'its disk reported an error',
};

export interface PostgresFault {
  /** The SQLSTATE, or the code of the system. */
  readonly code: string | undefined;
  /** Continues a sentence about the database: `it cancelled the statement (57014)`. */
  readonly what: string;
  readonly kind: 'lost' | 'password' | 'tls' | 'known' | 'other';
}

export function postgresFault(error: unknown): PostgresFault {
  const code = codeOf(error);
  const known = code === undefined ? undefined : faults[code];
  if (known !== undefined) return { code, what: `${known} (${code})`, kind: 'known' };
  if (isCut(error)) return { code, what: 'the connection was cut', kind: 'lost' };
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  // The driver's own error if the server asks for a password and none is set.
  if (message.includes('client password must be'))
    return { code, what: 'it asks for a password, and none is set', kind: 'password' };
  if (/ssl|tls|certificate|self.signed/iu.test(`${code} ${message}`))
    return { code, what: `no secure connection could be made: ${message}`, kind: 'tls' };
  return { code, what: message, kind: 'other' };
}

export const reachAdvice =
  'Check that the server runs and that this machine may reach it (firewall, VPN, allowed networks).';
export const tlsAdvice =
  'Name the certificate authority of the server with sslrootcert=FILE; providers of managed PostgreSQL offer that file. sslmode=disable turns TLS off, for networks that nobody else can listen to.';

/** Recognises a lost connection by its message, because the driver's own errors have no code. */
export function isCut(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^Connection terminated|^Query read timeout|^timeout expired|not queryable/u.test(error.message)
  );
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
