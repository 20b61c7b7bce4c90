// Fields that say who may see or use an object. A source declares all that its format has: a restriction that is lost would show to
// everybody what was for some.
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../lib/json.ts';

/** What becomes of an object with the field. `kept`: the platform has the same restriction, and the object gets it. */
type Consequence = 'kept' | 'restricted' | 'deleted' | 'banned' | 'no_member';

interface FieldRestriction {
  /** A value with which the field restricts. */
  readonly example: JsonValue;
  readonly becomes: Consequence;
  /** Whether the value restricts. Without it, every value restricts except null, false, 0 and empty ones. */
  readonly when?: (value: JsonValue) => boolean;
}

export type RestrictedObject = 'user' | 'channel' | 'member' | 'message';

/** By field of the source. */
export type RestrictingFields = Readonly<Record<string, FieldRestriction>>;
export type SourceRestrictions = Readonly<Record<RestrictedObject, RestrictingFields>>;

/** For tables of any system, whose mapping says which columns restrict. */
export const noRestrictions: SourceRestrictions = { user: {}, channel: {}, member: {}, message: {} };

/** The most severe first. */
const severity: readonly Consequence[] = ['deleted', 'restricted', 'banned', 'no_member', 'kept'];

/** What becomes of the object. Undefined if no declared field restricts it. */
export function restrictionOf(value: JsonObject, fields: RestrictingFields): Consequence | undefined {
  let worst: Consequence | undefined;
  for (const name in fields) {
    const found = ownValue(value, name);
    const field = fields[name];
    if (found === undefined || field === undefined || !(field.when ?? isSet)(found)) continue;
    if (worst === undefined || severity.indexOf(field.becomes) < severity.indexOf(worst)) worst = field.becomes;
  }
  return worst;
}

const suspicious =
  /visib|privat|hidden|shadow|restrict|moderat|deleted|truncated|ephemeral|banned|muted|blocked|secret|confidential|disabled|pending/iu;

/** Whether the object has a field that the source does not declare, but whose name says that it may restrict. */
export function mayBeRestricted(value: JsonObject, fields: RestrictingFields): boolean {
  for (const name in value) {
    if (suspicious.test(name) && !Object.hasOwn(fields, name) && isSet(value[name] ?? null)) return true;
  }
  return false;
}

function isSet(value: JsonValue): boolean {
  if (isList(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== 0 && value !== '';
}

/** Whether the value is one of the texts. */
export function isOneOf(...texts: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === 'string' && texts.includes(value);
}
