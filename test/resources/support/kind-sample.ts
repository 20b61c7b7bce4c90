// Support: facts about a kind that tests need and its definition does not contain.
import type fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import type { ApiRequest, Method } from '../../../src/model/request.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';

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

/** Every property is optional and otherwise derived from the definition. */
export interface KindSample {
  /** Two values of an attribute, one declared and remembered, and another one. Default: two values that its schema allows. */
  readonly values?: Readonly<Record<string, readonly [JsonValue, JsonValue]>>;
  /** The smallest block of a new object. Default: the first value of each required attribute. */
  readonly least?: JsonObject;
  /** By attribute, other attributes that its block needs. */
  readonly besides?: Readonly<Record<string, JsonObject>>;
  /** Turns a block into one that the strictest platform accepts, whoever it names. */
  readonly lenient?: JsonObject;
  /** By attribute, codes of the problems that an edit of it may have. */
  readonly problems?: Readonly<Record<string, readonly string[]>>;
  /** Codes of the problems that a creation may have, whatever attribute a test is about. */
  readonly creationProblems?: readonly string[];
  /** Its section in an estate; `others` holds the kinds before it in the registry. Default: blocks that its schemas allow. */
  blocks?(others: Sections): fc.Arbitrary<Section>;
  /** Changes by others. Default: setting each attribute to its other value, and the deletion. */
  deeds?(deed: Deed): readonly ForeignCall[];
  /** The ideal platform's answer; undefined for a call that is not the kind's. Default: an object is kept as it was sent. */
  answer?(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined;
  /**
   * Each way in which the ideal platform differs from the declaration; `attributes` is undefined for a retired object.
   * Default: the view is compared with the declaration and the table.
   */
  faults?(platform: IdealPlatform, key: string, attributes: JsonObject | undefined): readonly Unequal[];
}

/** Two values that must be equal. */
export type Unequal = readonly [what: string, actual: unknown, expected: unknown];
