// Parses the address of a state in PostgreSQL: the database, the state in it, and a name without the password.
import { percentDecoded } from '../../lib/percent.ts';
import { isThisMachine } from '../../lib/this-machine.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { VariableReader } from './address.ts';

export interface PostgresAddress {
  /** For messages. Contains no password, and of the query only `state`. */
  readonly name: string;
  /** From `?state=NAME`. Without it the database has one state for each application. */
  readonly key: string | undefined;
  /** For the driver. Contains the password. */
  readonly connectionString: string;
}

/** The driver's parameters for reaching the server, and `state`. */
const known =
  'application_name channel_binding connect_timeout host options password port sslcert sslkey sslmode sslnegotiation sslrootcert state user'.split(
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

/**
 * Uses CHATFORM_STATE_PASSWORD, PGPASSWORD and PGSSLMODE for parts that the address lacks. Throws `state.usage` (64) for an
 * invalid address, without repeating any part of a password.
 */
export function parsePostgresAddress(spec: string, variable: VariableReader): PostgresAddress {
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
    throw usage(
      'cannot be read',
      `${hintOn(spec)}Special characters in a password are percent-encoded: @ is %40, / is %2F, # is %23, % is %25.`,
    );
  }
  const { searchParams: query } = url;
  for (const name of query.keys()) {
    if (known.includes(name)) continue;
    const shown = /^[a-z_]{1,30}$/u.test(name) ? ` ${name}` : '';
    throw usage(`has a parameter${shown} that chatform does not know`, `Known are ${known.join(', ')}.`);
  }
  const key = query.get('state') ?? undefined;
  if (key !== undefined && !/^[\w.-]{1,100}$/u.test(key)) {
    throw usage(
      'names a state with an invalid name',
      'Write ?state=NAME with letters, digits, dots, dashes and underscores.',
    );
  }
  const name = `postgres://${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}${key === undefined ? '' : `?state=${key}`}`;
  query.delete('state');
  const password = url.password === '' ? query.get('password') : decodeURIComponent(url.password);
  const secret = password === null || password === '' ? passwordFrom(variable) : password;
  url.password = '';
  if (secret !== undefined) query.set('password', secret);
  setTls(url, variable('PGSSLMODE'));
  return { name, key, connectionString: url.href };
}

/** Advises on forms that other programs accept. */
function hintOn(spec: string): string {
  if (/^[a-z]+:\/\/[^/?#]*@\//u.test(spec)) return 'For a socket, write postgres:///DATABASE?host=/FOLDER&user=USER. ';
  return /^[a-z]+:\/\/[^/?#]*@[^/?#@]*,/u.test(spec) ? 'Name one host. ' : '';
}

/** There is no flag for the password, because other users of the machine can see flags. */
function passwordFrom(variable: VariableReader): string | undefined {
  return variable('CHATFORM_STATE_PASSWORD') ?? variable('PGPASSWORD');
}

/** Connections are unencrypted only to this machine, or if the address or PGSSLMODE asks for that. */
function setTls(url: URL, fromEnvironment: string | undefined): void {
  const { searchParams: query } = url;
  const tlsMode = query.get('sslmode') ?? fromEnvironment;
  const mode = tlsModes[tlsMode ?? (isHere(url) ? 'disable' : 'verify-full')];
  if (mode === undefined) {
    throw usage('has an unknown sslmode', `Known are ${Object.keys(tlsModes).join(', ')}.`);
  }
  query.set('sslmode', mode);
  // The driver trusts the authorities of the system by default.
  if (query.get('sslrootcert') === 'system') query.delete('sslrootcert');
}

function isHere(url: URL): boolean {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  return host === '' || host.startsWith('/') || isThisMachine(host);
}

function usage(what: string, advice: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The address of the state, postgres:…, ${what}.`,
    `${advice} It looks like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full, with the password in CHATFORM_STATE_PASSWORD.`,
  );
}
