// How a refresh reads the objects of a kind: the list, the parts that a list truncates, and details from other lists.
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { ObservedFacts } from '../../model/live.ts';
import type { ApiRequest } from '../../model/request.ts';

/** The list that shows many objects by key, with every filter that hides objects off (semantics §11). */
interface ListRead {
  readonly route: string;
  /** The query field for the keys, joined by commas. If it is absent, each object is read separately. */
  readonly filter?: string;
  readonly query: Readonly<Record<string, string>>;
  /** Additional query fields for what only some objects need (`ReadSubject.wantsMore`). */
  readonly more?: Readonly<Record<string, string>>;
  /** Additional query fields for listing everything, which exclude objects of other kinds. */
  readonly ownOnly?: Readonly<Record<string, string>>;
  /** Returns the key in an answer. Absent: the key is in the field of its name. */
  keyOf?(answer: JsonObject): string | undefined;
  /** The field of the answer with the objects. */
  readonly field: string;
}

/** A part of an object that its list may truncate or omit, and that has separate pages. */
export interface PartRead {
  readonly attribute: string;
  /** Whether the answer shows the part completely. */
  isWhole(answer: JsonObject): boolean;
  /** Returns the read of the first page, or of the only answer. */
  request(key: string): ApiRequest;
  /** The field with the part, in a page and in the object's own answer. */
  readonly field: string;
  /** No source says that the list shows it, so that each object may cost a read of its own. */
  readonly mayBeUnlisted?: true;
  /** The part is one answer without pages. */
  readonly isOneAnswer?: true;
  /** Lists that together contain the part, for platforms that refuse the request. */
  readonly instead?: ReadInstead;
}

interface ReadInstead {
  /** The codes of that refusal. */
  readonly on: readonly number[];
  requests(key: string): readonly ApiRequest[];
}

/** Another list that an export reads for an object, and how its items extend the attributes. */
export interface DetailRead {
  readonly part: PartRead;
  add(attributes: JsonObject, items: readonly JsonObject[]): JsonObject;
}

/** The read of a part of an entry that the object's own answer omits, such as the status of a member. */
export interface EntryPartRead {
  readonly part: PartRead;
  /** The part only says how the entry began, and no call sets it again. */
  readonly isInitial?: true;
  /** Returns null for the initial value, and undefined if the items do not show it. `known` is the value in state. */
  valueIn(key: string, items: readonly JsonObject[], known: JsonValue | undefined): JsonValue | undefined;
}

export interface LiveReads {
  /** Absent for a kind with only one object, which has only parts. */
  readonly list?: ListRead;
  readonly parts: readonly PartRead[];
  /** Returns facts about disabling or deleting the object, or issuing a token, as far as the answer shows them. */
  facts(answer: JsonObject): ObservedFacts;
  /**
   * Returns when the object was last active, in Unix milliseconds, as far as its list shows it. `now` is the time of somebody who
   * is online. Absent: the list does not show it.
   */
  lastActivity?(answer: JsonObject, now: number): number | undefined;
  /** Returns the maximum number of entries of maps and sets, including undeclared ones (semantics §1.5). */
  capacity(attributes: JsonObject): Readonly<Record<string, number>>;
  /** Returns the further list that this answer needs, if any. */
  details?(answer: JsonObject): DetailRead | undefined;
  /** Returns the read for the part of an entry at a path of three names, if there is one. */
  entryPart?(path: readonly string[]): EntryPartRead | undefined;
}
