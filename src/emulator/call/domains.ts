// The domain filter of the application, which image URLs must pass (base, User; platform §13.2).

import { ApiError } from '../api/errors.ts';
import { isObject } from '../fields/params.ts';
import { type Call, GLOBAL_SETTINGS } from './call.ts';

const OF_TYPE = 'moderation:';
const BLOCK = 2;

/** The name under which the settings of a custom type are stored. */
export function settingOfType(customType: string): string {
  return OF_TYPE + customType;
}

/** Whether a setting of this name is that of a custom type. */
export function isSettingOfType(name: string): boolean {
  return name.startsWith(OF_TYPE);
}

export function checkDomain(call: Call, url: string): void {
  const blocked = blockedInSettings(call);
  if (blocked.length === 0 || !URL.canParse(url)) return;
  const { hostname } = new URL(url);
  if (blocked.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))) {
    throw new ApiError('domainNotAllowed', hostname);
  }
}

function blockedInSettings(call: Call): readonly string[] {
  const filter = call.state.setting(GLOBAL_SETTINGS)?.domain_filter;
  if (!isObject(filter) || filter.type !== BLOCK || !Array.isArray(filter.domains)) return [];
  return filter.domains.map(String);
}
