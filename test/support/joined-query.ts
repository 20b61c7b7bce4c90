// Support: the query of a request as one text for each field. The emulator takes items that are joined by commas, too.
import type { ApiRequest } from '../../src/core/model/request.ts';

export function joinedQuery(query: ApiRequest['query'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().join(',')]));
}
