// Support: settings of the application on the ideal platform that no route of a single attribute sends (platform §13.4, §13.5).
import type { JsonObject } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { idsOf } from '../../../src/resources/definition/values.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { idsIn, refuse } from '../../support/planning/ideal-values.ts';

const templates = '/applications/push/message_templates';
const allowlist = '/applications/settings/ip_whitelist';

export function settingsAnswer(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined {
  if (request.route === allowlist) return allowlistCall(platform, request);
  return request.route.startsWith(templates) ? templatesCall(platform, request) : undefined;
}

function templatesCall(platform: IdealPlatform, { method, params, body }: ApiRequest): JsonObject {
  const known = platform.kept('push_template');
  if (method === 'PUT') known.set(params?.template_name ?? '', body ?? {});
  return { push_message_templates: [...known].map(([template_name, sent]) => ({ template_name, ...sent })) };
}

function allowlistCall(platform: IdealPlatform, request: ApiRequest): JsonObject {
  const known = platform.kept('ip_whitelist');
  const listed = idsOf(known.get('all') ?? {}, 'ip_whitelist_addresses');
  const given = idsIn(request.body?.ip_whitelist_addresses);
  if (request.method === 'DELETE' && !given.every((address) => listed.includes(address))) refuse(request, 'not listed');
  const now =
    request.method === 'DELETE' ? listed.filter((address) => !given.includes(address)) : [...listed, ...given];
  known.set('all', { ip_whitelist_addresses: now });
  return { ip_whitelist_addresses: now };
}
