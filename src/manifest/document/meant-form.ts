// Reads names in the wrong form: a list for a map, a map for a list, one text for either. The form is an error, but the
// names in it are checked with the rest, so that one run reports all mistakes.

import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { SchemaComplaint } from '../schema/sentences.ts';
import type { Check } from '../schema/validate.ts';

/** Returns the refused attributes that are valid in another form. */
export function inMeantForm(declared: JsonValue, complaints: readonly SchemaComplaint[], check: Check): JsonObject {
  if (!isObject(declared)) return {};
  const meant: Record<string, JsonValue> = {};
  for (const { code, path } of complaints) {
    const [name = '', ...deeper] = path;
    if (code !== 'manifest.wrong-type' || deeper.length > 0 || !Object.hasOwn(declared, name)) continue;
    const names = namesIn(declared[name] ?? null);
    if (names.length === 0) continue;
    const forms: readonly JsonValue[] = [names, Object.fromEntries(names.map((text) => [text, null]))];
    const valid = forms.find((form) => isValid(name, form, check));
    if (valid !== undefined) meant[name] = valid;
  }
  return meant;
}

/** Returns nothing if the value contains more than names. */
function namesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.every((item) => typeof item === 'string') ? value : [];
  return isObject(value) && Object.values(value).every((item) => item === null) ? Object.keys(value) : [];
}

function isValid(name: string, value: JsonValue, check: Check): boolean {
  const place = `/${name}`;
  return check
    .errors({ [name]: value })
    .every(({ instancePath }) => instancePath !== place && !instancePath.startsWith(`${place}/`));
}
