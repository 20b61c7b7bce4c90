// Finds where the policy of an overlay is looser than that of its base (semantics §9.12).

import { equalJson, isList, isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';

/** Values from the strictest to the loosest. */
const orders: Readonly<Record<string, readonly JsonValue[]>> = {
  existing: ['refuse', 'adopt_equal', 'adopt'],
  personal_data: ['error', 'warn'],
  departed: ['leave_alone', 'reinvite'],
  'reopen.frozen': ['refuse', 'allow'],
  'reopen.deactivated': ['refuse', 'allow'],
  leave_channels_on_deactivation: [false, true],
  trust_dedup: [false, true],
  refresh: ['always', 'on_apply', 'never'],
  [messages('edited')]: ['refuse', 'keep', 'update'],
  [messages('deleted')]: ['refuse', 'keep', 'delete'],
  [messages('late')]: ['refuse', 'insert'],
};

/** What a base that has a policy means where it says nothing (semantics §4). */
const defaults: Readonly<Record<string, JsonValue>> = {
  'removals.max_share': 0.1,
  'removals.min_count': 10,
  existing: 'refuse',
  personal_data: 'error',
  departed: 'leave_alone',
  'reopen.frozen': 'allow',
  'reopen.deactivated': 'refuse',
  leave_channels_on_deactivation: false,
  trust_dedup: false,
  read_each: 1000,
  refresh: 'never',
  [messages('edited')]: 'refuse',
  [messages('deleted')]: 'refuse',
  [messages('late')]: 'refuse',
};

/** From what takes least away from people to what takes most. */
const removals = ['retire', 'forget', 'deactivate', 'freeze', 'delete'];

/** A reviewed number for one environment, as with --base-ref. */
const ownOfLayer: ReadonlySet<string> = new Set(['acknowledge']);
/** Entries that are added can only refuse more: the base's come first. */
const addsRefusals: ReadonlySet<string> = new Set(['restrictions', 'rules']);

/** The paths at which the merged policy allows more than the base's, unless the base's `may_loosen` names them. */
export function loosenedPaths(base: JsonObject, merged: JsonObject): readonly (readonly string[])[] {
  const allowed = isList(base.may_loosen) ? base.may_loosen : [];
  const keys = [...new Set([...Object.keys(base), ...Object.keys(merged)])];
  return keys
    .filter((key) => !ownOfLayer.has(key) && !allowed.includes(key))
    .flatMap((key) => loosenedIn([key], own(base, key), own(merged, key)));
}

function loosenedIn(path: readonly string[], base: JsonValue | undefined, merged: JsonValue | undefined): string[][] {
  if (base !== undefined && merged !== undefined && equalJson(base, merged)) return [];
  const [key = ''] = path;
  if (addsRefusals.has(key)) return keepsAll(base, merged) ? [] : [[...path]];
  if ((isObject(base) || base === undefined) && isObject(merged)) {
    const before = base ?? {};
    const names = [...new Set([...Object.keys(before), ...Object.keys(merged)])];
    return names.flatMap((name) => loosenedIn([...path, name], own(before, name), own(merged, name)));
  }
  const from = base ?? own(defaults, path.join('.'));
  const to = merged ?? own(defaults, path.join('.'));
  return isLooser(path, from, to) ? [[...path]] : [];
}

function isLooser(path: readonly string[], from: JsonValue | undefined, to: JsonValue | undefined): boolean {
  const order = path[0] === 'on_remove' ? removals : own(orders, path.join('.'));
  if (order !== undefined) {
    // Without a value the kind's default counts: it deactivates or freezes.
    return order.indexOf(to ?? 'freeze') > order.indexOf(from ?? 'freeze');
  }
  const areNumbers = typeof from === 'number' && typeof to === 'number';
  if (path[0] === 'removals') return !areNumbers || to > from;
  // With fewer reads a change by others stays unseen.
  if (path[0] === 'read_each') return !areNumbers || to < from;
  // Patterns of ids that others manage, and what may be loosened: each more allows more. Of other keys nothing is known.
  if (path[0] !== 'external' && path[0] !== 'may_loosen') return true;
  const before = isList(from) ? from : [];
  return isList(to) && !to.every((one) => before.includes(one));
}

function keepsAll(base: JsonValue | undefined, merged: JsonValue | undefined): boolean {
  const before = isList(base) ? base : [];
  const after = isList(merged) ? merged : [];
  return before.every((item, index) => equalJson(item, after[index] ?? null));
}

/** The path of a key of `policy.messages`. */
function messages(key: string): string {
  return `messages.${key}`;
}
