// Reads the URL of a PostgreSQL database for the driver, without the password in any message.
import { isThisMachine, percentDecoded } from '../url-parts.ts';

export interface PostgresUrl {
  /** The parts of the URL, without the password. */
  readonly url: URL;
  /** For the driver. Contains the password. */
  readonly connectionString: string;
}

interface ReadingOptions {
  /** Parameters of the caller, which the driver does not get. */
  readonly own: readonly string[];
  /** Whether other unknown parameters are dropped. Otherwise they are faults. */
  readonly dropsUnknown?: boolean;
  /** The password if the URL has none. */
  readonly password: string | undefined;
  /** The mode of TLS if the URL has none. */
  readonly sslmode: string | undefined;
}

/** `what` continues a sentence about the URL. Neither text repeats any part of a password. */
export class PostgresUrlError extends Error {
  override readonly name = 'PostgresUrlError';
  readonly what: string;
  readonly advice: string;

  constructor(what: string, advice: string) {
    super(`It ${what}. ${advice}`);
    this.what = what;
    this.advice = advice;
  }
}

/** The driver's parameters for reaching the server. */
const driverParameters =
  'application_name channel_binding connect_timeout host options password port sslcert sslkey sslmode sslnegotiation sslrootcert user'.split(
    ' ',
  );

/**
 * The driver has three modes: no TLS, TLS with an unchecked certificate, TLS with a checked one. Modes of other tools between
 * these check the certificate, so they are stricter than asked for, never laxer.
 */
const tlsModes: Readonly<Record<string, 'disable' | 'no-verify' | 'verify-full'>> = {
  disable: 'disable',
  'no-verify': 'no-verify',
  prefer: 'verify-full',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
};

/** Throws a PostgresUrlError. */
export function readPostgresUrl(spec: string, options: ReadingOptions): PostgresUrl {
  const url = URL.canParse(spec) ? new URL(spec) : undefined;
  // A `#`, `?`, `/` or `@` in a password that is not percent-encoded shifts all following parts.
  const isShifted =
    url === undefined ||
    url.hostname.includes(',') ||
    url.hash !== '' ||
    url.pathname.includes('@') ||
    url.search.includes('@');
  const parts = url === undefined ? [] : [url.username, url.password, url.hostname, url.pathname];
  if (isShifted || parts.some((part) => percentDecoded(part) === undefined)) {
    throw new PostgresUrlError(
      'cannot be read',
      `${hintOn(spec)}Special characters in a password are percent-encoded: @ is %40, / is %2F, # is %23, % is %25.`,
    );
  }
  const { searchParams: query } = url;
  const known = [...driverParameters, ...options.own].sort();
  for (const name of [...query.keys()]) {
    if (known.includes(name)) continue;
    if (options.dropsUnknown !== true) {
      const shown = /^[a-z_]{1,30}$/u.test(name) ? ` ${name}` : '';
      throw new PostgresUrlError(
        `has a parameter${shown} that chatform does not know`,
        `Known are ${known.join(', ')}.`,
      );
    }
    query.delete(name);
  }
  const password = url.password === '' ? query.get('password') : decodeURIComponent(url.password);
  const secret = password === null || password === '' ? options.password : password;
  url.password = '';
  query.delete('password');
  setTls(url, options.sslmode);
  const forDriver = new URL(url);
  for (const name of options.own) forDriver.searchParams.delete(name);
  if (secret !== undefined) forDriver.searchParams.set('password', secret);
  return { url, connectionString: forDriver.href };
}

/** Advises on forms that other programs accept. */
function hintOn(spec: string): string {
  if (/^[a-z]+:\/\/[^/?#]*@\//u.test(spec)) return 'For a socket, write postgres:///DATABASE?host=/FOLDER&user=USER. ';
  return /^[a-z]+:\/\/[^/?#]*@[^/?#@]*,/u.test(spec) ? 'Name one host. ' : '';
}

/** Connections are unencrypted only to this machine, or if the URL or `fallback` asks for that. */
function setTls(url: URL, fallback: string | undefined): void {
  const { searchParams: query } = url;
  const askedMode = query.get('sslmode') ?? fallback;
  const mode = tlsModes[askedMode ?? (isHere(url) ? 'disable' : 'verify-full')];
  if (mode === undefined) {
    throw new PostgresUrlError('has an unknown sslmode', `Known are ${Object.keys(tlsModes).join(', ')}.`);
  }
  query.set('sslmode', mode);
  // The driver trusts the authorities of the system by default.
  if (query.get('sslrootcert') === 'system') query.delete('sslrootcert');
}

function isHere(url: URL): boolean {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  return host === '' || host.startsWith('/') || isThisMachine(host);
}
