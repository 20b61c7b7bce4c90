// Finds parts of an overlay's policy that are looser than those of its base (semantics §9.12).

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../lib/json.ts';
import { defaultUndoPolicy, diagnosticLevels, historyDecisions } from '../../model/policy.ts';

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
  'history.hidden': historyDecisions,
  'history.expires': historyDecisions,
  'history.unknown': historyDecisions,
};

/** Values that count for keys that the policy of a base leaves out (semantics §4). */
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
  'history.hidden': 'undecided',
  'history.expires': 'undecided',
  'history.unknown': 'undecided',
  'approvals.signatures': 1,
  ...Object.fromEntries(Object.entries(defaultUndoPolicy).map(([name, limit]) => [`undo.${name}`, limit])),
};

/** Ways of removal, from the mildest to the strongest. */
const removals = ['retire', 'forget', 'deactivate', 'freeze', 'delete'];

/** From the loosest to the strictest. */
const levels: readonly JsonValue[] = diagnosticLevels;

/** Keys that belong to one environment, as with --base-ref. */
const ownOfLayer: ReadonlySet<string> = new Set(['acknowledge']);
/** Lists in which additional entries can only refuse more, because those of the base come first. */
const addsRefusals: ReadonlySet<string> = new Set(['restrictions', 'rules']);
/** Lists in which every additional entry allows more. */
const allowsMore: ReadonlySet<string> = new Set(['adopt', 'external', 'may_loosen', 'approvals.signers']);

/** Returns the paths at which the merged policy allows more than the base, except those in the base's `may_loosen`. */
export function loosenedPaths(base: JsonObject, merged: JsonObject): readonly (readonly string[])[] {
  const allowed = isList(base.may_loosen) ? base.may_loosen : [];
  const keys = [...new Set([...Object.keys(base), ...Object.keys(merged)])];
  return keys
    .filter((key) => !ownOfLayer.has(key) && !allowed.includes(key))
    .flatMap((key) => loosenedIn([key], ownValue(base, key), ownValue(merged, key)));
}

function loosenedIn(path: readonly string[], base: JsonValue | undefined, merged: JsonValue | undefined): string[][] {
  if (base !== undefined && merged !== undefined && equalJson(base, merged)) return [];
  const [key = ''] = path;
  if (key === 'diagnostics' && path.length === 2) return hidesMore(base, merged) ? [[...path]] : [];
  if (addsRefusals.has(key)) return keepsAll(base, merged) ? [] : [[...path]];
  if ((isObject(base) || base === undefined) && isObject(merged)) {
    const before = base ?? {};
    const names = [...new Set([...Object.keys(before), ...Object.keys(merged)])];
    return names.flatMap((name) => loosenedIn([...path, name], ownValue(before, name), ownValue(merged, name)));
  }
  const from = base ?? ownValue(defaults, path.join('.'));
  const to = merged ?? ownValue(defaults, path.join('.'));
  return isLooser(path, from, to) ? [[...path]] : [];
}

function isLooser(path: readonly string[], from: JsonValue | undefined, to: JsonValue | undefined): boolean {
  const order = path[0] === 'on_remove' ? removals : ownValue(orders, path.join('.'));
  if (order !== undefined) {
    // Without a value the default of the kind counts, which deactivates or freezes.
    return order.indexOf(to ?? 'freeze') > order.indexOf(from ?? 'freeze');
  }
  const areNumbers = typeof from === 'number' && typeof to === 'number';
  if (path[0] === 'removals') return !areNumbers || to > from;
  // A base without a limit, or without signers, allows everything.
  if (path[0] === 'notify' || path.join('.') === 'approvals.dangers')
    return from !== undefined && (!areNumbers || to > from);
  if (path[0] === 'approvals' && from === undefined) return false;
  // Fewer reads hide changes by others, and runs without before-values cannot be undone.
  if (path[0] === 'read_each' || path[0] === 'undo' || path.join('.') === 'approvals.signatures')
    return !areNumbers || to < from;
  // Unknown keys count as looser.
  if (!allowsMore.has(path[0] === 'approvals' ? path.join('.') : (path[0] ?? ''))) return true;
  const before = isList(from) ? from : [];
  // A file may list anybody.
  if (typeof to === 'string') return true;
  return isList(to) && !to.every((item) => before.includes(item));
}

/** Whether a setting of `policy.diagnostics` shows less than that of the base. A warning or note without one is shown. */
function hidesMore(base: JsonValue | undefined, merged: JsonValue | undefined): boolean {
  const [before, after] = [shownBy(base), shownBy(merged)];
  return after.rank < before.rank || !after.except.every((glob) => before.except.includes(glob));
}

function shownBy(setting: JsonValue | undefined): { readonly rank: number; readonly except: readonly JsonValue[] } {
  const level = (isObject(setting) ? setting.level : setting) ?? 'warning';
  const except = isObject(setting) && isList(setting.except) ? setting.except : [];
  return { rank: levels.indexOf(level), except };
}

function keepsAll(base: JsonValue | undefined, merged: JsonValue | undefined): boolean {
  const before = isList(base) ? base : [];
  const after = isList(merged) ? merged : [];
  return before.every((item, index) => equalJson(item, after[index] ?? null));
}

function messages(key: string): string {
  return `messages.${key}`;
}
