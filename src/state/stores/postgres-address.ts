// Parses the address of a state in PostgreSQL: the database, the state in it, and a name without the password.
import { demandTlsFiles } from '../../lib/postgres/tls-files.ts';
import { PostgresUrlError, readPostgresUrl } from '../../lib/postgres/url.ts';
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

/**
 * Uses CHATFORM_STATE_PASSWORD, PGPASSWORD and PGSSLMODE for parts that the address lacks. Throws `state.usage` (64) for an
 * invalid address, without repeating any part of a password.
 */
export function parsePostgresAddress(spec: string, variable: VariableReader): PostgresAddress {
  const { url, connectionString } = read(spec, variable);
  const key = url.searchParams.get('state') ?? undefined;
  if (key !== undefined && !/^[\w.-]{1,100}$/u.test(key)) {
    throw usage(
      'names a state with an invalid name',
      'Write ?state=NAME with letters, digits, dots, dashes and underscores.',
    );
  }
  const name = `postgres://${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}${key === undefined ? '' : `?state=${key}`}`;
  return { name, key, connectionString };
}

function read(spec: string, variable: VariableReader) {
  try {
    return demandTlsFiles(
      readPostgresUrl(spec, {
        own: ['state'],
        password: passwordFrom(variable),
        sslmode: variable('PGSSLMODE'),
      }),
    );
  } catch (error) {
    throw error instanceof PostgresUrlError ? usage(error.what, error.advice) : error;
  }
}

/** There is no flag for the password, because other users of the machine can see flags. */
function passwordFrom(variable: VariableReader): string | undefined {
  return variable('CHATFORM_STATE_PASSWORD') ?? variable('PGPASSWORD');
}

function usage(what: string, advice: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The address of the state, postgres:…, ${what}.`,
    `${advice} It looks like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full, with the password in CHATFORM_STATE_PASSWORD.`,
  );
}
