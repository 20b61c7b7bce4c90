// Fields of the platform's export that have the same form in chatform.
import {
  isList,
  isObject,
  isUnusableText,
  type JsonObject,
  type JsonValue,
  reservedKeys,
} from '../../../../lib/json.ts';
import { picked } from '../../export/values.ts';

const maxCustomType = 128;
const maxCoverUrl = 2048;
const maxMetadata = { fields: 5, key: 128, value: 190 } as const;

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string' && !isUnusableText(value);

function isMetaArray(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { key, value: texts, ...more } = value;
  return isText(key) && isList(texts) && texts.every(isText) && Object.keys(more).length === 0;
}

function isMetadata(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= maxMetadata.fields &&
    entries.every(
      ([key, text]) =>
        isText(text) &&
        String(text).length <= maxMetadata.value &&
        key.length <= maxMetadata.key &&
        !isUnusableText(key) &&
        !reservedKeys.has(key) &&
        /^(?!\.{1,2}$)[^,]+$/u.test(key),
    )
  );
}

/** Keeps values that manifests and lines of history files allow. The platform writes only such values, but people edit exports. */
const fits = {
  custom_type: (value: JsonValue) => isText(value) && [...String(value)].length <= maxCustomType,
  data: isText,
  cover_url: (value: JsonValue) => isText(value) && String(value).length <= maxCoverUrl,
  metadata: isMetadata,
  sorted_metaarray: (value: JsonValue) => isList(value) && value.every(isMetaArray),
};

/** Fields with the same form in the export and in chatform. Values that do not fit go into the envelope. */
export function nativeOf(value: JsonObject, names: readonly (keyof typeof fits)[]) {
  const values = picked(value, names);
  const isNative = (name: keyof typeof fits): boolean => fits[name](values[name] ?? null);
  return {
    native: picked(values, names.filter(isNative)),
    unfit: picked(
      values,
      names.filter((name) => !isNative(name)),
    ),
  };
}
