// Support: a MariaDB for one test, from Debian's packages mariadb-server-core and mariadb-client, in a temporary folder.
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { soon } from './soon.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

export interface MariaDb {
  readonly folder: string;
  readonly socket: string;
  /** The options with which its programs connect as root. */
  readonly connection: readonly string[];
  /** Runs statements that ~~ separates, as root. The exit code of the client. */
  sql(text: string): Promise<number | null>;
}

/** It listens on its socket alone, and stops when the test ends. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await temporaryFolder();
  const socket = join(folder, 's');
  const data = `--datadir=${join(folder, 'data')}`;
  // Servers that share a folder for temporary files delete those of each other.
  const env = { ...process.env, TMPDIR: folder };
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await run('mariadb-install-db', ['--no-defaults', data, ...options], { env });
  const flags = [`--socket=${socket}`, '--skip-networking', '--user=root'];
  const server = spawn('mariadbd', ['--no-defaults', data, ...flags], { env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await soon(() => server.exitCode !== null || server.signalCode !== null);
  });
  const connection = ['--no-defaults', `--socket=${socket}`, '--user=root', '--default-character-set=utf8mb4'];
  const sql = (text: string) => {
    const child = execFile('mariadb', [...connection, '--delimiter=~~'], () => {});
    // A client that cannot connect yet does not read.
    child.stdin?.on('error', () => {});
    child.stdin?.end(text);
    return new Promise<number | null>((resolve) => child.once('exit', resolve));
  };
  await soon(async () => (await sql('SELECT 1')) === 0);
  return { folder, socket, connection, sql };
}
