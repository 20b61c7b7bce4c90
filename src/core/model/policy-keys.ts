// What a policy may say. For each key: its text, its values, its default, and what makes it looser than in the policy of a base
// (semantics §4, semantics §9.12). The type `Policy`, the schema, the reference, the reading and the comparison of overlays follow from
// the table of `policy.ts`.
import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../lib/json.ts';

/** Whether `to` allows more than `from`, each with its default. */
type Looser = (from: JsonValue | undefined, to: JsonValue | undefined) => boolean;

/** A value that the schema describes whole. With `isOptional` it has no value unless it is declared, whatever its default. */
export interface Value<Type> {
  readonly type: 'value';
  readonly schema: JsonObject;
  readonly default?: Type;
  readonly isLooser: Looser;
  /** Which change is looser, for the reference. */
  readonly loosens: string;
  readonly isOptional?: boolean;
}

/** A map of keys. With `isOptional` none of them has a value unless one is declared. */
export interface Group<Parts> {
  readonly type: 'group';
  readonly text: string;
  readonly parts: Parts;
  readonly required?: readonly string[];
  readonly isOptional?: boolean;
}

/** A value whose schema depends on the kinds, or that is checked while it is read (core/manifest/checks/settings.ts). `each`: its entries are compared. */
export interface Special<Type> {
  readonly type: 'special';
  readonly isLooser: Looser;
  /** Which change is looser, for the reference. */
  readonly loosens: string;
  readonly each?: true;
  readonly isOptional?: boolean;
  /** Never there: it carries the type. */
  readonly value?: Type;
}

export type PolicyKey = Value<JsonValue> | Group<Readonly<Record<string, PolicyKey>>> | Special<unknown>;

/** The declared value of a key. */
export type ValueOf<Key> =
  Key extends Value<infer Type>
    ? Type
    : Key extends Special<infer Type>
      ? Type
      : Key extends Group<infer Parts>
        ? ValuesOf<Parts>
        : never;

export type ValuesOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { isOptional: true } ? never : Name]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends { isOptional: true } ? Name : never]?: ValueOf<Table[Name]>;
};

/** One of several words, from the strictest to the loosest. `shown` is their order in the schema. */
export function choice<const Word extends string>(
  strictToLoose: readonly Word[],
  standard: NoInfer<Word>,
  text: string,
  shown: readonly Word[] = strictToLoose,
): Value<Word> {
  const isLooser: Looser = (from, to) => strictToLoose.indexOf(to as Word) > strictToLoose.indexOf(from as Word);
  return {
    type: 'value',
    schema: { enum: [...shown], default: standard, description: text },
    default: standard,
    isLooser,
    loosens: `a word further right in: ${strictToLoose.join(', ')}`,
  };
}

/** Words by part. A part without one has the default. */
type WordByPart<Word extends string, Part extends string> = {
  readonly [Name in Part]?: Word;
};

/** A `choice` for all parts, or a map with one for each of them. `standard` is the word of a part without one. */
export function choiceByPart<const Word extends string, const Part extends string>(
  strictToLoose: readonly [Word, ...Word[]],
  parts: Readonly<Record<Part, string>>,
  text: string,
  shown: readonly Word[] = strictToLoose,
  standard: NoInfer<Word> = strictToLoose[0],
): Value<Word | WordByPart<Word, Part>> {
  const names = Object.keys(parts) as Part[];
  const rankOf = (value: JsonValue | undefined, part: Part): number =>
    strictToLoose.indexOf((isObject(value) ? (value[part] ?? standard) : (value ?? standard)) as Word);
  const words = { enum: [...shown], default: standard };
  const properties = Object.fromEntries(names.map((name) => [name, { ...words, description: parts[name] }]));
  return {
    type: 'value',
    schema: {
      description: text,
      default: standard,
      anyOf: [{ enum: [...shown] }, { type: 'object', properties, additionalProperties: false }],
    },
    default: standard,
    isLooser: (from, to) => names.some((part) => rankOf(to, part) > rankOf(from, part)),
    loosens: `a word further right in: ${strictToLoose.join(', ')}`,
  };
}

/** A switch that allows more when it is on. */
export function flag(text: string): Value<boolean> {
  const schema = { type: 'boolean', default: false, description: text };
  const isLooser: Looser = (from, to) => to === true && from !== true;
  return { type: 'value', schema, default: false, isLooser, loosens: 'true' };
}

interface Bounds {
  readonly type?: 'number';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** A number. `loosens` says which change allows more. Without a default, its absence allows everything. */
export function limit(loosens: 'more' | 'less', bounds: Bounds, text: string): Value<number> {
  const isLooser: Looser = (from, to) =>
    from !== undefined &&
    (typeof from !== 'number' || typeof to !== 'number' || (loosens === 'more' ? to > from : to < from));
  const { default: standard } = bounds;
  const schema = { type: 'integer', minimum: 0, ...bounds, description: text };
  const further = loosens === 'more' ? 'a larger number' : 'a smaller number';
  if (standard === undefined) return { type: 'value', schema, isLooser, loosens: `${further}, or none` };
  return { type: 'value', schema, isLooser, loosens: further, default: standard };
}

/** Texts of which each further one allows more. */
export function allowing(text: string): Value<readonly string[]> {
  const items = { type: 'string', minLength: 1 };
  const schema = { type: 'array', description: text, items, uniqueItems: true };
  return { type: 'value', schema, isLooser: addsText, loosens: 'a further entry' };
}

export const addsText: Looser = (from, to) => {
  const before = isList(from) ? from : [];
  // A text names a file, which may list anybody.
  return typeof to === 'string' ? from !== undefined : isList(to) && !to.every((item) => before.includes(item));
};

/** A list whose further entries refuse more, because those of a base come first. */
export const dropsEntry: Looser = (from, to) => {
  const [before, after] = [from, to].map((list) => (isList(list) ? list : []));
  return before?.every((item, index) => equalJson(item, after?.[index] ?? null)) === false;
};

export function group<const Parts>(text: string, parts: Parts): Group<Parts> {
  return { type: 'group', text, parts };
}

export function special<Type>(isLooser: Looser, loosens: string, each?: true): Special<Type> {
  return { type: 'special', isLooser, loosens, ...(each === undefined ? {} : { each }) };
}

export function optional<Key extends PolicyKey | Group<unknown>>(key: Key): Key & { readonly isOptional: true } {
  return { ...key, isOptional: true };
}

/** The paths at which `merged` allows more than `base`, except below keys that the base lets others loosen. */
export function loosenedPaths(
  keys: Readonly<Record<string, PolicyKey>>,
  base: JsonObject,
  merged: JsonObject,
): readonly (readonly string[])[] {
  const allowed = isList(base.may_loosen) ? base.may_loosen : [];
  return namesIn(base, merged)
    .filter((name) => !allowed.includes(name))
    .flatMap((name) => loosenedIn([name], ownValue(keys, name), ownValue(base, name), ownValue(merged, name)));
}

function loosenedIn(
  path: readonly string[],
  key: PolicyKey | undefined,
  base: JsonValue | undefined,
  merged: JsonValue | undefined,
): (readonly string[])[] {
  if (equalJson(base ?? null, merged ?? null)) return [];
  if (key?.type === 'group' || (key?.type === 'special' && key.each)) {
    const [before, after] = [isObject(base) ? base : {}, isObject(merged) ? merged : {}];
    if (key.type === 'group' && merged === undefined) return [path];
    const partOf = (name: string) => (key.type === 'group' ? ownValue(key.parts, name) : { ...key, each: undefined });
    return namesIn(before, after).flatMap((name) =>
      loosenedIn([...path, name], partOf(name) as PolicyKey | undefined, ownValue(before, name), ownValue(after, name)),
    );
  }
  const standard = key?.type === 'value' ? key.default : undefined;
  return key === undefined || key.isLooser(base ?? standard, merged ?? standard) ? [path] : [];
}

function namesIn(left: JsonObject, right: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
}
