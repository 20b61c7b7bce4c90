// Support: facts about a kind that tests need and its definition does not contain.
import type fc from 'fast-check';
import type { Method } from '../../../../src/core/model/request.ts';
import type { JsonObject, JsonValue } from '../../../../src/lib/json.ts';

/** Blocks by key. A key `lifecycle` of a block is the lifecycle. */
export type Section = Readonly<Record<string, JsonObject>>;
/** Sections by kind. */
export type Sections = Readonly<Record<string, Section>>;

/** A call of another client, by its path. */
export type ForeignCall = readonly [
  method: Method,
  path: string,
  body?: JsonObject | undefined,
  query?: Readonly<Record<string, string>> | undefined,
];

/** A random change by another client. */
export interface Deed {
  /** The key as it is in a path. */
  readonly key: string;
  /** A user of the estate. */
  readonly person: string;
  readonly text: string;
  readonly number: number;
}

/** Properties are optional, and most are otherwise derived from the definition. */
export interface KindSample {
  /** Two values of an attribute, one declared and remembered, and another one. Default: two values that its schema allows. */
  readonly values?: Readonly<Record<string, readonly [JsonValue, JsonValue]>>;
  /** The smallest block of a new object. Default: the first value of each required attribute. */
  readonly least?: JsonObject;
  /** By attribute, other attributes that its block needs. */
  readonly besides?: Readonly<Record<string, JsonObject>>;
  /** The attributes that turn a block into one that the strictest platform accepts, whoever it names. */
  lenient?(block: JsonObject): JsonObject;
  /** By attribute, codes of the problems that an edit of it may have. */
  readonly problems?: Readonly<Record<string, readonly string[]>>;
  /** Codes of the problems that a creation may have, whatever attribute a test is about. */
  readonly creationProblems?: readonly string[];
  /**
   * Its section in an estate; `others` holds the kinds before it in the registry. Objects of an estate need it. Attributes that none
   * of its blocks have, which depend on nothing, are added with the values that tests know.
   */
  blocks?(others: Sections): fc.Arbitrary<Section>;
  /** Attributes that no object of an estate has: files, and secrets that are read while a manifest is loaded. */
  readonly apart?: readonly string[];
  /** Changes by others. Default: setting each attribute to its other value, and the deletion. */
  deeds?(deed: Deed): readonly ForeignCall[];
}
