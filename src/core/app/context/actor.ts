// Identifies who runs a command: by the variables of the CI system, or else by user and host.
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../model/ci-systems.ts';
import { jobFact } from '../../model/ci-systems.ts';
import type { Ports } from './ports.ts';

const fields = ['repository', 'job', 'commit', 'ref'] as const;

export function actorOf({ env }: Pick<Ports, 'env'>): Actor {
  const stated = fields.flatMap((field) => {
    const value = jobFact(field, env);
    return value === undefined ? [] : [[field, withoutCredentials(value)]];
  });
  return { user: jobFact('user', env) ?? userName(), host: hostname(), ...Object.fromEntries(stated) };
}

/** Jenkins gives the address that it cloned from, which may contain a token: as its user, its password or in its query. */
function withoutCredentials(value: string): string {
  const [, scheme, afterScheme = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/isu.exec(value) ?? [];
  if (scheme === undefined) return value.replace(/^[^@/]*:[^@/]*@/u, '');
  // A password may contain any character, and the host is followed by a slash.
  return scheme + afterScheme.replace(/^.*@(?=.*\/)/su, '').replace(/[?#].*$/su, '');
}

/** In some containers the user id has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
