// What does a failure of the database mean: does it pass by itself, and how is it told?
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';

interface Meaning {
  readonly what: string;
  readonly advice: string;
  /** May be over in a moment: a server that restarts, a fail-over, a disk that is being cleared. */
  readonly passes?: true;
  /** Of a refusal to open; default: unexpected (1). */
  readonly exit?: ExitCode;
  readonly code?: string;
}

const away = 'Check that the server runs and that this machine may reach it (firewall, VPN, allowed networks).';
const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { what: 'nothing listens at that address', advice: away, passes: true },
  ECONNRESET: { what: 'the connection was cut', advice: away, passes: true },
  EHOSTUNREACH: { what: 'there is no way to that host', advice: away, passes: true },
  ENETUNREACH: { what: 'there is no way to that network', advice: away, passes: true },
  EPIPE: { what: 'the connection was cut', advice: away, passes: true },
  ETIMEDOUT: { what: 'it did not answer in time', advice: away, passes: true },
  EAI_AGAIN: { what: 'the name of its host could not be looked up', advice: away, passes: true },
  ENOTFOUND: { what: 'there is no host of that name', advice: 'Check the host in --state.', passes: true },
  ENOENT: {
    what: 'a file that the address names does not exist (a socket, or a certificate)',
    advice: 'Check host, sslrootcert, sslcert and sslkey in --state.',
  },
  '25006': {
    what: 'the server is read-only (a replica, or a primary that was stood down)',
    advice: 'A plan can be made from a replica, but work needs the primary. Point --state at it.',
    passes: true,
  },
  '28000': {
    what: 'it does not let this user in',
    advice: "Check the user in --state and the server's pg_hba.conf or list of allowed users.",
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '28P01': {
    what: 'it refuses the password',
    advice: 'Give the password in CHATFORM_STATE_PASSWORD (or PGPASSWORD).',
    exit: exitCode.authentication,
    code: 'state.login-refused',
  },
  '3D000': { what: 'there is no database of that name', advice: 'Check the name in --state, or have it created.' },
  '42501': {
    what: 'this user lacks a privilege',
    advice:
      'Once, as its owner: CREATE SCHEMA chatform AUTHORIZATION the_user. For plans alone USAGE on the schema and SELECT on its tables are enough.',
    code: 'state.privilege-missing',
  },
  '53100': {
    what: 'no space is left on its disk',
    advice: 'Make room on the database server.',
    passes: true,
  },
  '53200': { what: 'it is out of memory', advice: 'Look into the log of the server.', passes: true },
  '53300': { what: 'it has no connection left', advice: 'Raise max_connections, or use a pooler.', passes: true },
  '57014': { what: 'it cancelled the statement', advice: 'Look for a statement_timeout of this user.', passes: true },
  '57P01': { what: 'it is being shut down', advice: away, passes: true },
  '57P02': { what: 'it has crashed and is recovering', advice: away, passes: true },
  '57P03': { what: 'it is starting up', advice: away, passes: true },
  '58030': { what: 'its disk reported an error', advice: 'Look into the log of the server.', passes: true },
};

/** Classes of SQLSTATE that pass: connections, conflicts with other transactions. */
const passingClasses = new Set(['08', '40', '55']);

export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return isCut(error);
  return meanings[code]?.passes === true || (isSqlState(code) && passingClasses.has(code.slice(0, 2)));
}

/** Whether the server has answered with an error, and its connection is as good as before. */
export function isServerError(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

/** Before anything was changed: `state` is its name. */
export function cannotOpen(state: string, cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  const meaning = meaningOf(cause);
  return new Refusal(
    meaning.code ?? 'state.unreachable',
    meaning.exit ?? exitCode.unexpected,
    `The state ${state} cannot be used: ${meaning.what}${suffix(cause)}.`,
    `${meaning.advice} Nothing was changed.`,
    { cause },
  );
}

/** In the middle of work, after `patienceMs` of trying when the failure is one that passes. */
export function cannotWrite(state: string, cause: unknown, patienceMs: number): Refusal {
  if (cause instanceof Refusal) return cause;
  const { what, advice } = meaningOf(cause);
  const tried = isTransient(cause) ? `, and did not come back within ${Math.round(patienceMs / 1000)} s` : '';
  return new Refusal(
    'state.write-failed',
    exitCode.interrupted,
    `The state ${state} could not be written: ${what}${suffix(cause)}${tried}.`,
    `Everything that was acknowledged before is safe. What was under way is looked up on the platform, or sent again where that does no harm, by the next run. ${advice} Then run the same command again; --state-patience says for how long a run waits for its database.`,
    { cause },
  );
}

function meaningOf(error: unknown): Meaning {
  const code = codeOf(error);
  const known = code === undefined ? undefined : meanings[code];
  if (known !== undefined) return known;
  if (isCut(error)) return { what: 'the connection was cut', advice: away };
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  if (/ssl|tls|certificate|self.signed/iu.test(`${code} ${message}`)) {
    return {
      what: `no safe connection could be made: ${message}`,
      advice:
        'sslrootcert=FILE names the authority of the server (of a managed PostgreSQL: the file that its provider offers). sslmode=disable goes without TLS, and is for networks that nobody else can listen to.',
    };
  }
  return { what: message, advice: 'Look into the log of the server.' };
}

/** The driver has no codes for what it noticed by itself. */
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
