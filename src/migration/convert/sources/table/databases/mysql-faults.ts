// What the codes of MySQL and MariaDB and of their connections mean, in words.

export interface MysqlFault {
  /** Continues a sentence about the database: `it cancelled the statement (ER_QUERY_INTERRUPTED)`. */
  readonly what: string;
  readonly advice: string;
  readonly isLogin: boolean;
}

const reach = 'Check that the server runs and that this machine may reach it (firewall, VPN, allowed networks).';
const login = 'Check the user and the password in the URL, or MYSQL_PWD.';
const grant = 'Grant SELECT on all that the tables and views of the mapping read.';
const ended =
  'An administrator, a proxy or a limit of the server ended it. Connect to the server itself, or to a replica.';
const log = 'Check the log of the server.';

const faults: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  ECONNREFUSED: ['nothing listens at that address', reach],
  ECONNRESET: ['the connection was cut', reach],
  EHOSTUNREACH: ['that host cannot be reached', reach],
  ENETUNREACH: ['that network cannot be reached', reach],
  EPIPE: ['the connection was cut', reach],
  ETIMEDOUT: ['it did not answer in time', reach],
  EAI_AGAIN: ['its host name could not be looked up', reach],
  ENOTFOUND: ['its host name does not exist', reach],
  ENOENT: ['the socket that the URL names does not exist', reach],
  PROTOCOL_CONNECTION_LOST: ['the connection was cut', reach],
  ER_SERVER_SHUTDOWN: ['it is being shut down', reach],
  ER_CON_COUNT_ERROR: ['it has no connections left', 'Raise max_connections, or connect when fewer programs do.'],
  ER_BAD_DB_ERROR: ['the database does not exist', 'Check the name at the end of the URL.'],
  ER_DBACCESS_DENIED_ERROR: ['this user may not use the database', grant],
  ER_TABLEACCESS_DENIED_ERROR: ['this user lacks a privilege', grant],
  ER_COLUMNACCESS_DENIED_ERROR: ['this user lacks a privilege', grant],
  ER_VIEW_INVALID: ['a view refers to what does not exist, or to what its definer may not read', log],
  ER_QUERY_INTERRUPTED: ['it cancelled the statement', ended],
  ER_STATEMENT_TIMEOUT: ['it cancelled the statement', ended],
  ER_QUERY_TIMEOUT: ['it cancelled the statement', ended],
};
const logins = ['ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'ER_MUST_CHANGE_PASSWORD_LOGIN'];

export function mysqlFault(error: unknown): MysqlFault {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (logins.includes(code)) return { what: `it refuses the login (${code})`, advice: login, isLogin: true };
  const known = Object.hasOwn(faults, code) ? faults[code] : undefined;
  if (known !== undefined) return { what: `${known[0]} (${code})`, advice: known[1], isLogin: false };
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  if (/ssl|tls|certificate|self.signed/iu.test(`${code} ${message}`))
    return {
      what: `no secure connection could be made: ${message}`,
      advice:
        'Name the certificate authority of the server with ssl-ca=FILE. ssl-mode=disabled turns TLS off, for networks that nobody else can listen to.',
      isLogin: false,
    };
  return { what: code === '' ? message : `${message} (${code})`, advice: log, isLogin: false };
}
