// Looks at the files that the URL of a PostgreSQL database names for TLS.
import { isPipe } from '../paths.ts';
import { type PostgresUrl, PostgresUrlError } from './url.ts';

/** The driver reads them synchronously, so a pipe would block the process. Throws a PostgresUrlError for one. */
export function demandTlsFiles<Read extends PostgresUrl>(read: Read): Read {
  const { searchParams: query } = read.url;
  const name = ['sslrootcert', 'sslcert', 'sslkey'].find((each) => isPipe(query.get(each) ?? ''));
  if (name !== undefined) throw new PostgresUrlError(`names a pipe in ${name}`, 'Write its content to a file.');
  return read;
}
