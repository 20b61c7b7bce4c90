// Explains the failures of the database: which are transient, and what to tell the user about each.
import {
  codeOf,
  isCut,
  type PostgresFault,
  postgresFault,
  reachAdvice,
  readOnlyServer,
  tlsAdvice,
} from '../../../lib/postgres/faults.ts';
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import { StoreFailure } from '../engine/store.ts';

interface FailureMeaning {
  readonly advice: string;
  /** Whether it may end by itself: a restart, a fail-over, a disk that is being cleared. */
  readonly isTransient?: true;
  /** The exit code if the state cannot be opened. Default: unexpected (1). */
  readonly exit?: ExitCode;
  readonly code?: string;
}

const meanings: Readonly<Record<string, FailureMeaning>> = {
  ECONNREFUSED: { advice: reachAdvice, isTransient: true },
  ECONNRESET: { advice: reachAdvice, isTransient: true },
  EHOSTUNREACH: { advice: reachAdvice, isTransient: true },
  ENETUNREACH: { advice: reachAdvice, isTransient: true },
  EPIPE: { advice: reachAdvice, isTransient: true },
  ETIMEDOUT: { advice: reachAdvice, isTransient: true },
  EAI_AGAIN: { advice: reachAdvice, isTransient: true },
  ENOTFOUND: { advice: 'Check the host in --state.', isTransient: true },
  ENOENT: {
    advice: 'Check host, sslrootcert, sslcert and sslkey in --state.',
  },
  [readOnlyServer]: {
    advice: 'A plan can be made from a replica, but an apply needs the primary. Point --state at it.',
    isTransient: true,
  },
  '28000': {
    advice: "Check the user in --state and the server's pg_hba.conf or list of allowed users.",
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '28P01': {
    advice: 'Set the password in CHATFORM_STATE_PASSWORD (or PGPASSWORD).',
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '3D000': { advice: 'Check its name in --state, or create it.' },
  '42501': {
    advice:
      'Run once as the owner of the database: CREATE SCHEMA chatform AUTHORIZATION the_user. Plans only need USAGE on the schema and SELECT on its tables.',
    code: 'state.privilege-missing',
  },
  '53100': { advice: 'Free space on the database server.', isTransient: true },
  '53200': { advice: 'Check the log of the server.', isTransient: true },
  '53300': { advice: 'Raise max_connections, or use a pooler.', isTransient: true },
  '57014': {
    advice: 'Check the statement_timeout of this user.',
    isTransient: true,
  },
  '57P01': { advice: reachAdvice, isTransient: true },
  '57P02': { advice: reachAdvice, isTransient: true },
  '57P03': { advice: reachAdvice, isTransient: true },
  '58030': { advice: 'Check the log of the server.', isTransient: true },
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
  return (
    error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== readOnlyServer
  );
}

/** Returns the failure of a query, with whether a retry may help. Failures of this program are kept. */
export function failureOf(error: unknown): StoreFailure | Refusal {
  if (error instanceof Refusal || error instanceof StoreFailure) return error;
  const fault = postgresFault(error);
  const { advice, exit, code } = meaningOf(fault);
  const kind = !isTransient(error) ? 'refused' : isCut(error) || awayCodes.test(codeOf(error) ?? '') ? 'away' : 'busy';
  return new StoreFailure(
    {
      kind,
      what: fault.what,
      advice,
      isStandby: codeOf(error) === readOnlyServer,
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
  advice: 'Set the password in CHATFORM_STATE_PASSWORD (or PGPASSWORD).',
  exit: exitCode.authentication,
  code: 'state.login-refused',
};
const checkLog: FailureMeaning = { advice: 'Check the log of the server.' };

function meaningOf({ code, kind }: PostgresFault): FailureMeaning {
  if (kind === 'known') return meanings[code ?? ''] ?? checkLog;
  if (kind === 'lost') return { advice: reachAdvice };
  if (kind === 'password') return passwordMissing;
  return kind === 'tls' ? { advice: tlsAdvice } : checkLog;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/u.test(code);
}
