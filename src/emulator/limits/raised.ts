// Limits that the vendor's support raised for one application, under their names in manifests.

import type { MetaArrayBounds } from '../call/call.ts';
import { isLimitedRoute, type RaisedRates } from './limits.ts';

export interface RaisedLimits {
  readonly messages_per_migration?: number;
  /** From 50 to 20,000 characters. */
  readonly message_length?: number;
  readonly meta_arrays?: MetaArrayBounds;
  readonly rates?: RaisedRates;
}

/** The limits with a name, and what each counts. Every other name is a method, or a method and a route. */
export const NAMED_LIMITS: Readonly<Record<string, string>> = {
  messages_per_migration: 'messages in one migration request (100)',
  message_length: 'characters of one message (5000)',
  'meta_arrays.keys': 'keys of the meta arrays of one message (no limit)',
  'meta_arrays.values': 'values of one key (no limit)',
  'meta_arrays.key_bytes': 'bytes of a key (no limit)',
  'meta_arrays.value_bytes': 'bytes of a value (no limit)',
};

const RATE = /^(?:GET|POST|PUT|DELETE)(?: \/[^ ]+)?$/u;

/** Reads texts such as `messages_per_migration=200` and `POST /migration/{channel_url}=10`. Throws with a message for people. */
export function parseLimits(texts: readonly string[]): RaisedLimits {
  const limits: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const metaArrays: Record<string, number> = {};
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const [name, value] = [text.slice(0, Math.max(0, at)), Number(text.slice(at + 1))];
    const isRate = RATE.test(name);
    if (!isRate && !Object.hasOwn(NAMED_LIMITS, name)) {
      throw new Error(`${text} names no limit: ${Object.keys(NAMED_LIMITS).join(', ')}, POST, or POST /route`);
    }
    if (name.includes(' ') && !isLimitedRoute(name)) {
      throw new Error(
        `${text} names a route to which the emulator applies no limit. Its routes are written as POST /migration/{channel_url} and POST /{channel_type}/{channel_url}/messages`,
      );
    }
    if (text.slice(at + 1).trim() === '' || !(value > 0) || !(isRate || Number.isInteger(value))) {
      throw new Error(`${text} has no ${isRate ? 'number' : 'whole number'} above 0 after =`);
    }
    const [group, part] = name.split('.');
    if (isRate) rates[name] = value;
    else if (part !== undefined && group === 'meta_arrays') metaArrays[part] = value;
    else limits[name] = value;
  }
  return { ...limits, ...(Object.keys(metaArrays).length > 0 ? { meta_arrays: metaArrays } : {}), rates };
}
