// Explains the failures of the database: which are transient, and what to tell the user about each.
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import { StoreFailure } from '../engine/store.ts';

interface FailureMeaning {
  readonly what: string;
  readonly advice: string;
  /** Whether it may end by itself: a restart, a fail-over, a disk that is being cleared. */
  readonly isTransient?: true;
  /** The exit code if the state cannot be opened. Default: unexpected (1). */
  readonly exit?: ExitCode;
  readonly code?: string;
}

/** The code of a server that is a replica, or was demoted. */
const readOnly = '25006';

const away = 'Check that the server runs and that this machine may reach it (firewall, VPN, allowed networks).';
const meanings: Readonly<Record<string, FailureMeaning>> = {
  ECONNREFUSED: { what: 'nothing listens at that address', advice: away, isTransient: true },
  ECONNRESET: { what: 'the connection was cut', advice: away, isTransient: true },
  EHOSTUNREACH: { what: 'that host cannot be reached', advice: away, isTransient: true },
  ENETUNREACH: { what: 'that network cannot be reached', advice: away, isTransient: true },
  EPIPE: { what: 'the connection was cut', advice: away, isTransient: true },
  ETIMEDOUT: { what: 'it did not answer in time', advice: away, isTransient: true },
  EAI_AGAIN: { what: 'its host name could not be looked up', advice: away, isTransient: true },
  ENOTFOUND: { what: 'its host name does not exist', advice: 'Check the host in --state.', isTransient: true },
  ENOENT: {
    what: 'a file that the address names does not exist (a socket or a certificate)',
    advice: 'Check host, sslrootcert, sslcert and sslkey in --state.',
  },
  [readOnly]: {
    what: 'the server is read-only (a replica, or a demoted primary)',
    advice: 'A plan can be made from a replica, but an apply needs the primary. Point --state at it.',
    isTransient: true,
  },
  '28000': {
    what: 'it does not let this user log in',
    advice: "Check the user in --state and the server's pg_hba.conf or list of allowed users.",
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '28P01': {
    what: 'it refuses the password',
    advice: 'Set the password in CHATFORM_STATE_PASSWORD (or PGPASSWORD).',
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '3D000': { what: 'the database does not exist', advice: 'Check its name in --state, or create it.' },
  '42501': {
    what: 'this user lacks a privilege',
    advice:
      'Run once as the owner of the database: CREATE SCHEMA chatform AUTHORIZATION the_user. Plans only need USAGE on the schema and SELECT on its tables.',
    code: 'state.privilege-missing',
  },
  '53100': { what: 'no space is left on its disk', advice: 'Free space on the database server.', isTransient: true },
  '53200': { what: 'it is out of memory', advice: 'Check the log of the server.', isTransient: true },
  '53300': { what: 'it has no connections left', advice: 'Raise max_connections, or use a pooler.', isTransient: true },
  '57014': {
    what: 'it cancelled the statement',
    advice: 'Check the statement_timeout of this user.',
    isTransient: true,
  },
  '57P01': { what: 'it is being shut down', advice: away, isTransient: true },
  '57P02': { what: 'it has crashed and is recovering', advice: away, isTransient: true },
  '57P03': { what: 'it is starting up', advice: away, isTransient: true },
  '58030': { what: 'its disk reported an error', advice: 'Check the log of the server.', isTransient: true },
};

/** Transient classes of SQLSTATE: connections, conflicts with other transactions. */
const transientClasses = new Set(['08', '40', '55']);

function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return isCut(error);
  return meanings[code]?.isTransient === true || (isSqlState(code) && transientClasses.has(code.slice(0, 2)));
}

/**
 * Whether the server answered with an error, so that the connection can still be used. One to a server that became read-only
 * cannot: after a fail-over only a new connection leads to the primary.
 */
export function isUsableAfter(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== readOnly;
}

/** Returns the failure of a query, with whether a retry may help. Failures of this program are kept. */
export function failureOf(error: unknown): StoreFailure | Refusal {
  if (error instanceof Refusal || error instanceof StoreFailure) return error;
  const { what, advice, exit, code } = meaningOf(error);
  const kind = !isTransient(error) ? 'refused' : isCut(error) || awayCodes.test(codeOf(error) ?? '') ? 'away' : 'busy';
  return new StoreFailure(
    {
      kind,
      what: `${what}${suffix(error)}`,
      advice,
      isStandby: codeOf(error) === readOnly,
      ...(code === undefined ? {} : { code }),
      ...(exit === undefined ? {} : { exit }),
    },
    { cause: error },
  );
}

/** The codes of a server that was not reached. */
const awayCodes = /^E[A-Z]/u;

/** Whether the table or its schema does not exist. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === '42P01' || codeOf(error) === '3F000';
}

/** The driver's own error if the server asks for a password and none is set. */
const passwordMissing: FailureMeaning = {
  what: 'it asks for a password, and none is set',
  advice: 'Set the password in CHATFORM_STATE_PASSWORD (or PGPASSWORD).',
  exit: exitCode.authentication,
  code: 'state.login-refused',
};

function meaningOf(error: unknown): FailureMeaning {
  const code = codeOf(error);
  const known = code === undefined ? undefined : meanings[code];
  if (known !== undefined) return known;
  if (isCut(error)) return { what: 'the connection was cut', advice: away };
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  if (message.includes('client password must be')) return passwordMissing;
  if (/ssl|tls|certificate|self.signed/iu.test(`${code} ${message}`)) {
    return {
      what: `no secure connection could be made: ${message}`,
      advice:
        'Name the certificate authority of the server with sslrootcert=FILE; providers of managed PostgreSQL offer that file. sslmode=disable turns TLS off, for networks that nobody else can listen to.',
    };
  }
  return { what: message, advice: 'Check the log of the server.' };
}

/** Recognises a lost connection by its message, because the driver's own errors have no code. */
function isCut(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^Connection terminated|^Query read timeout|^timeout expired|not queryable/u.test(error.message)
  );
}

function suffix(error: unknown): string {
  const code = codeOf(error);
  return code !== undefined && meanings[code] !== undefined ? ` (${code})` : '';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/u.test(code);
}
