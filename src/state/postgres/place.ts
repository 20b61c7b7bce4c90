// Which database and which state does a postgres address mean, and how is it named without its password?
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

export interface PostgresAddress {
  /** For messages: never a password, nor anything else of the query but `state`. */
  readonly name: string;
  /** `?state=NAME`: one state of that name. Without it the database holds one state for each application. */
  readonly key: string | undefined;
  /** For the driver. Holds the password. */
  readonly connectionString: string;
}

/** What the driver understands of an address, as far as it is about reaching the server. */
const known = new Set([
  'application_name',
  'channel_binding',
  'connect_timeout',
  'host',
  'options',
  'password',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'state',
  'user',
]);

/**
 * The driver knows three: no TLS, TLS with an unchecked certificate, TLS with a checked one. What other tools know
 * between the last two is checked as well: stricter than asked for, never laxer.
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
 * Refused (64) when it cannot be read; the refusal repeats nothing that may be a part of a password.
 * `password` and `sslmode` are the environment's, used when the address has none.
 */
export function parsePostgresAddress(
  spec: string,
  environment: { readonly password?: string | undefined; readonly sslmode?: string | undefined },
): PostgresAddress {
  const url = URL.canParse(spec) ? new URL(spec) : undefined;
  // A `#`, `?`, `/` or `@` in a password that is not percent-encoded shifts every part that follows.
  if (url === undefined || url.hash !== '' || url.pathname.includes('@') || url.search.includes('@')) {
    throw usage(
      'cannot be read',
      'Special characters in a password are percent-encoded: @ is %40, / is %2F, # is %23.',
    );
  }
  const { searchParams: query } = url;
  for (const name of query.keys()) {
    if (known.has(name)) continue;
    const shown = /^[a-z_]{1,30}$/u.test(name) ? ` ${name}` : '';
    throw usage(`has a parameter${shown} that chatform does not know`, `Known are ${[...known].join(', ')}.`);
  }
  const key = query.get('state') ?? undefined;
  if (key !== undefined && !/^[\w.-]{1,100}$/u.test(key)) {
    throw usage(
      'names a state that is no name',
      'Write ?state=NAME with letters, digits, dots, dashes and underscores.',
    );
  }
  const name = `postgres://${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}${key === undefined ? '' : `?state=${key}`}`;
  query.delete('state');
  const password = url.password === '' ? query.get('password') : decodeURIComponent(url.password);
  const secret = password === null || password === '' ? environment.password : password;
  url.password = '';
  if (secret !== undefined) query.set('password', secret);
  setTls(url, environment.sslmode);
  return { name, key, connectionString: url.href };
}

/** State travels unencrypted only to this machine, or where somebody has said so. */
function setTls(url: URL, fromEnvironment: string | undefined): void {
  const { searchParams: query } = url;
  const asked = query.get('sslmode') ?? fromEnvironment;
  const mode = tlsModes[asked ?? (isHere(url) ? 'disable' : 'verify-full')];
  if (mode === undefined) {
    throw usage('has an unknown sslmode', `Known are ${Object.keys(tlsModes).join(', ')}.`);
  }
  query.set('sslmode', mode);
  // The authorities that the system trusts are the driver's default.
  if (query.get('sslrootcert') === 'system') query.delete('sslrootcert');
}

function isHere(url: URL): boolean {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  return (
    host === '' || host.startsWith('/') || host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host)
  );
}

function usage(what: string, advice: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The address of the state, postgres:…, ${what}.`,
    `${advice} It looks like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full, with the password in CHATFORM_STATE_PASSWORD.`,
  );
}
