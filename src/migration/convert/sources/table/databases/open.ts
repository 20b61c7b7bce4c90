// Opens a database by the scheme of its URL.
import type { Database, DatabaseAddress } from './database.ts';
import { mysqlForm, openMysql } from './mysql.ts';
import { openPostgres } from './postgres.ts';
import { wrongAddress } from './problems.ts';

const openers: Readonly<Record<string, (address: DatabaseAddress) => Promise<Database>>> = {
  postgres: openPostgres,
  postgresql: openPostgres,
  mysql: openMysql,
  mariadb: openMysql,
};

/** Refused (64) for a URL that cannot be used, (3) for a password, and (1) when the database cannot be reached. */
export function openDatabase(address: DatabaseAddress): Promise<Database> {
  const scheme = /^([a-z]+):/u.exec(address.url)?.[1] ?? '';
  const open = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined;
  if (open === undefined)
    throw wrongAddress(
      address.variable,
      'has an unknown form',
      `It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE or ${mysqlForm}.`,
    );
  return open(address);
}
