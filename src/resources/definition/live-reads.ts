// How a refresh reads the objects of a kind: the list, the parts that a list cuts short, and what only another list tells.
import type { JsonObject } from '../../lib/json.ts';
import type { LiveFacts } from '../../model/change.ts';
import type { ApiRequest } from '../../model/request.ts';

/** The list that shows many objects at once, by their keys, with every filter that hides some switched off (semantics §11). */
interface ListRead {
  readonly route: string;
  /** The query's field for the keys, joined by commas. Absent: the list has none, and each object is read by itself. */
  readonly filter?: string;
  readonly query: Readonly<Record<string, string>>;
  /** What the query says besides when everything is listed, so that no object of another kind is among them. */
  readonly ownOnly?: Readonly<Record<string, string>>;
  /** The key that an answer shows. Absent: it is in the field of its name. */
  keyOf?(answer: JsonObject): string | undefined;
  /** The answer's field that holds the objects. */
  readonly field: string;
}

/** A part of an object that its list may cut short or leave out, and that has pages of its own. */
export interface PartRead {
  readonly attribute: string;
  /** Does the answer show it whole? */
  isWhole(answer: JsonObject): boolean;
  /** The first page, or the only answer. */
  request(key: string): ApiRequest;
  /** The field that holds it, both in a page and in the object's own answer. */
  readonly field: string;
  /** One answer, which has no pages, is the part. */
  readonly isOneAnswer?: true;
  /** For a platform that refuses the request: lists that hold the part together. */
  readonly instead?: ReadInstead;
}

interface ReadInstead {
  /** The codes of such a refusal. */
  readonly on: readonly number[];
  requests(key: string): readonly ApiRequest[];
}

/** One more list that an export reads for an object, and what its items add to the attributes. */
export interface DetailRead {
  readonly part: PartRead;
  add(attributes: JsonObject, items: readonly JsonObject[]): JsonObject;
}

export interface LiveReads {
  /** Absent for a kind of which there is one object: it has only parts. */
  readonly list?: ListRead;
  readonly parts: readonly PartRead[];
  /** What is at stake when the object is disabled or deleted, as far as the answer says. */
  facts(answer: JsonObject): LiveFacts;
  /** How many entries a map or set may have, those of others included (semantics §1.5). */
  capacity(attributes: JsonObject): Readonly<Record<string, number>>;
  /** What only another list tells, when this answer needs it. */
  details?(answer: JsonObject): DetailRead | undefined;
  /** Attributes that are set although no read shows their values. */
  unreadable?(answer: JsonObject): readonly string[];
}
