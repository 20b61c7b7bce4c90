// Tells a test application from one that people may use, by the number of its users.

import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Platform, RateHeaders } from '../../core/model/ports.ts';
import { LiveReader } from '../../core/refresh/send.ts';
import { isList } from '../../lib/json.ts';
import type { LaboratoryPorts } from './laboratory.ts';

const mostUsers = 1000;

/**
 * Returns the newest rate-limit headers. Refused (5) if the application has more users than a test application and may not have
 * any size.
 */
export async function readSize(
  { platform, pacer, clock, random, signal }: LaboratoryPorts,
  isAnySize: boolean,
): Promise<RateHeaders | undefined> {
  let seen: RateHeaders | undefined;
  const observed: Platform = {
    send: async (request, sending) => {
      const answer = await platform.send(request, sending);
      seen = answer.rate ?? seen;
      return answer;
    },
  };
  const stop = signal === undefined ? {} : { signal };
  const reader = new LiveReader({ platform: observed, pacer, clock, random, ...stop });
  let token = '';
  for (let users = 0; ; ) {
    const query = { limit: '100', active_mode: 'all', ...(token === '' ? {} : { token }) };
    const answer = await reader.send({ method: 'GET', route: '/users', query });
    if (isAnySize) return seen;
    const body = answer.type === 'ok' ? answer.body : {};
    if (!isList(body.users))
      throw notSmall(
        'The platform does not list the users of the application, so its size is unknown.',
        'Pass --any-size if this is a test application.',
      );
    users += body.users.length;
    if (users > mostUsers)
      throw notSmall(
        `The application has more than ${mostUsers} users, so it may be in use.`,
        'Use a test application, or pass --any-size to examine this one.',
      );
    if (typeof body.next !== 'string' || body.next === '' || body.users.length === 0) return seen;
    token = body.next;
  }
}

function notSmall(message: string, advice: string): Refusal {
  return new Refusal('calibrate.too-large', exitCode.refused, message, `Nothing was changed. ${advice}`);
}
