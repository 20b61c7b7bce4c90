// Support: moderation by custom type on the ideal platform (platform §13.2). Its other settings have routes of their own.
import type { JsonObject } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { refuse } from '../../support/planning/ideal-values.ts';

const route = '/applications/settings_by_channel_custom_type';

export function settingsAnswer(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined {
  if (!request.route.startsWith(route)) return undefined;
  const moderation = platform.kept('settings');
  const { custom_type: given, ...parts } = request.body ?? {};
  const type = request.params?.custom_type ?? String(given);
  if (request.method === 'GET') {
    return { channel_custom_type_settings: [...moderation].map(([name, one]) => ({ custom_type: name, ...one })) };
  }
  const isNew = !moderation.has(type);
  if (request.method === 'POST' && isNew) moderation.set(type, parts);
  if (request.method === 'PUT') {
    if (isNew) refuse(request, `${type} has no settings`);
    moderation.set(type, parts);
  }
  return {};
}
