// The read that tells which users exist.

import type { JsonObject } from '../../../lib/json.ts';
import { inUrlBatches } from '../../kinds/definition/batches.ts';
import { shownIds } from '../../kinds/definition/values.ts';
import type { ApiRequest } from '../../model/request.ts';
import { user } from './user.ts';

/** Returns reads of up to 100 users each, including deactivated ones and bots. Ids with a comma are not read. */
export function usersRead(ids: readonly string[]): ApiRequest[] {
  const { list } = user.live ?? {};
  if (list?.filter === undefined) return [];
  const { route, filter, query } = list;
  // A query separates ids by commas.
  return inUrlBatches(ids.filter((id) => !id.includes(','))).map((batch) => ({
    method: 'GET',
    route,
    query: { ...query, [filter]: batch.join(','), limit: String(batch.length) },
  }));
}

export function usersIn(answer: JsonObject): readonly string[] | undefined {
  return shownIds(answer, user.live?.list?.field ?? '');
}
