// What must a kind say of itself? The contract that every folder beside this file fulfils.
//
// A kind is pure data and pure functions. Generic code (loader, differ, planner, schema generator) reads the tables
// below; only `normalise`, `references`, `steps`, `observe` and their like are a kind's own logic. What can be closed (deactivated,
// frozen), deleted or forgotten is the same for every kind and therefore stands in the planner.

import { InternalError } from '../lib/errors.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { Action } from '../model/action.ts';
import type { Address } from '../model/address.ts';
import type { AttributeChange, LiveFacts } from '../model/change.ts';
import type { Severity } from '../model/diagnostic.ts';
import type { RecordEdit } from '../model/record.ts';
import type { ApiRequest, Expectation, Resolve, Settle } from '../model/request.ts';
import type { Removal } from '../model/resource.ts';
import type { Phase, Split, TokenField } from '../model/step.ts';

/** A JSON Schema of draft 2020-12, as plain data. */
export type JsonSchema = JsonObject;

/** How one attribute is declared, compared and taken back. */
export interface AttributeDefinition {
  /** With `description`, which is the hover text in editors. */
  readonly schema: JsonSchema;
  /**
   * `mutable`: a call can change it. `create_only`: an edit is an error. `one_way`: only to true. `start`: says how
   * something begins, and is sent again when edited. `closed`: the end state that a call of its own sets. `mode`: says
   * how much of the set or map is meant whose name stands before `_mode`; neither sent nor kept in state. `noted`: state
   * takes note of an edit, whether or not a call goes with it.
   */
  readonly change: 'mutable' | 'create_only' | 'one_way' | 'start' | 'closed' | 'mode' | 'noted';
  /**
   * When the line is removed: `reset` sends the neutral value, `release` ends management and leaves the value, `each`
   * takes the entries back one by one (maps and sets), `required` cannot happen.
   */
  readonly removed:
    | { readonly how: 'reset'; readonly to: JsonValue }
    | { readonly how: 'release' }
    | { readonly how: 'each' }
    | { readonly how: 'required' };
  /** `map`: compared entry by entry. `set`: a sorted list of ids. Default: as one value. */
  readonly shape?: 'map' | 'set';
  /** No answer of the platform shows it: what state remembers of it is believed, also after a refresh. */
  readonly hidden?: true;
  /** Hidden itself, but its call sets this attribute as well: an upload makes a URL. */
  readonly shownAs?: string;
  /** What state keeps of it, and what is compared: for secrets and files. Default: the value itself. */
  remember?(value: JsonValue): JsonValue;
}

/** A form that the platform's own requests use, accepted with a warning and rewritten by `fmt`. */
export interface DeprecatedForm {
  readonly schema: JsonSchema;
  /** The attribute that takes its place. */
  readonly use: string;
}

/** Something wrong with one block that the schema cannot say. `path` leads from the block to the spot. */
export interface Problem {
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly path: readonly string[];
}

export interface Normalised {
  /** Sorted sets, aliases resolved, neutral flags kept: the same block always gives the same value. */
  readonly attributes: JsonObject;
  readonly problems: readonly Problem[];
}

/** Another object that a block names. */
export interface Reference {
  readonly kind: string;
  readonly key: string;
  /** `member`, `operator`, `inviter`: for messages. */
  readonly role: string;
  /** From the block to the spot. */
  readonly path: readonly string[];
}

/** What a kind turns into steps: one object's difference, already checked to be possible. */
export interface KindChange {
  readonly type: 'create' | 'update';
  readonly address: Address;
  readonly key: string;
  /** What state remembers; empty for a create. */
  readonly before: JsonObject;
  /** What is declared. */
  readonly after: JsonObject;
  /** The differences; for a create, all that is declared. The `closed` attribute is the planner's and not among them. */
  readonly attributes: readonly AttributeChange[];
  /** Are there calls for a part of it in this plan, such as its messages? Absent: there are none. */
  hasChildrenToSend?(): boolean;
  /** What state remembers of the object that this is a part of; undefined when it does not know it. */
  parent?(): JsonObject | undefined;
}

/** A step before the planner gives it an id and its needs. */
export interface StepDraft {
  readonly action: Action;
  readonly phase: Phase;
  readonly request: ApiRequest;
  /** `create` puts the record (made by the planner from what `keeps` names), everything else edits it. */
  readonly edits: readonly RecordEdit[];
  /** Only for the step that creates: the attributes that are true of the object once it is done, as state keeps them. */
  readonly creates?: JsonObject;
  /** Objects that must have been created before. */
  readonly exists?: readonly Address[];
  /** Objects that must be open (not deactivated, not frozen) when the call is made. */
  readonly active?: readonly Address[];
  /**
   * Objects whose own steps of earlier phases must be done before, and whose steps of later phases wait for it: a
   * channel has its members before it gets messages, and is hidden from them afterwards.
   */
  readonly between?: readonly Address[];
  /** Objects that the call takes rights away from: they are opened or deleted only after it. */
  readonly names?: readonly Address[];
  readonly begin?: boolean;
  readonly doneOn?: readonly number[];
  readonly resolve?: Resolve;
  readonly settle?: Settle;
  readonly split?: Split;
  readonly expect?: readonly Expectation[];
  readonly sink?: TokenField;
}

/** The end state that takes a separate call: deactivated users, frozen channels. */
export interface DisabledState {
  readonly attribute: string;
  readonly disable: Extract<Action, 'deactivate' | 'freeze'>;
  readonly enable: Extract<Action, 'reactivate' | 'unfreeze'>;
  readonly disablePhase: Phase;
  /** Does a call on the kind's own data need it open? Then it is opened before its own updates. */
  readonly ownWorkNeedsEnabled: boolean;
  /** The field that says it, in the request and in the view. */
  readonly field: string;
  request(key: string, closed: boolean, policy: DisablePolicy): ApiRequest;
}

/** Of a kind that has no such end state: no attribute has this name. */
export const neverDisabled: DisabledState = {
  attribute: '',
  disable: 'freeze',
  enable: 'unfreeze',
  disablePhase: 'record',
  ownWorkNeedsEnabled: false,
  field: '',
  request: () => {
    throw new InternalError('a kind without an end state is neither closed nor opened');
  },
};

/** The list that shows many objects at once, by their keys, with every default that hides some switched off (semantics §11). */
interface ListRead {
  readonly route: string;
  /** The query's field for the keys, joined by commas. */
  readonly filter: string;
  readonly query: Readonly<Record<string, string>>;
  /** The answer's field that holds the objects. */
  readonly field: string;
}

/** A part of an object that its list may show cut short, or not at all, and that has pages of its own. */
export interface PartRead {
  readonly attribute: string;
  /** Does the answer show it whole? */
  isWhole(answer: JsonObject): boolean;
  /** The first page. */
  request(key: string): ApiRequest;
  /** The field that holds it, in a page and in the object's own answer alike. */
  readonly field: string;
}

export interface LiveReads {
  readonly list: ListRead;
  readonly parts: readonly PartRead[];
  /** What is at stake when the object is closed or deleted, as far as the answer says. */
  facts(answer: JsonObject): LiveFacts;
  /** How many entries a map or set may have, those of others included (semantics §1.5). */
  capacity(attributes: JsonObject): Readonly<Record<string, number>>;
}

export interface DisablePolicy {
  /** `leave_channels_on_deactivation` of the manifest's policy (semantics §2.7). */
  readonly leaveChannels: boolean;
}

export interface KindDefinition {
  /** `user`: the part of an address before the dot. */
  readonly kind: string;
  /** `users`: the key of the manifest's section. */
  readonly section: string;
  /** For people: `user`, `group channel`. */
  readonly title: string;
  readonly description: string;
  /** The platform's name of the key: `user_id`, `channel_url`. */
  readonly keyName: string;
  readonly keySchema: JsonSchema;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  readonly deprecated: Readonly<Record<string, DeprecatedForm>>;
  /** Names of attributes that must be declared. */
  readonly required: readonly string[];
  /** Rules across attributes, in JSON Schema, each an element of `allOf`. */
  readonly rules: readonly JsonSchema[];
  /**
   * Attributes whose texts, also those in a map of texts, a creation passes on as they are, as it does with the key:
   * nothing else of its calls depends on what they say (planner/patterns.ts), nor its references, its normal form, or
   * whether the rest of the block is right (manifest/sources/row-shape.ts). Absent: of none is that said.
   */
  readonly opaqueTexts?: readonly string[];
  /** What may become of an object that is declared no more; the first is the default. */
  readonly removals: readonly Removal[];
  readonly disabledState: DisabledState;
  readonly deletePhase: Phase;
  /**
   * It is declared inside the blocks of other kinds, and has no section of its own. It is no object of the platform's:
   * it has neither view nor list, is never closed, and is only ever forgotten.
   */
  readonly isChild?: true;
  /** What people should know when state forgets one. */
  readonly onForget?: string;
  /** What else its blocks hold, by name: the declarations of such parts. A loader of its own reads them. */
  readonly children?: Readonly<Record<string, JsonSchema>>;

  /** Total: also for blocks that the schema refuses, of which it takes what it can. */
  normalise(key: string, declared: JsonObject): Normalised;
  references(attributes: JsonObject): readonly Reference[];
  /** Edits that the platform cannot make. `path` leads to the attribute; only a change without errors gets steps. */
  checks(change: KindChange): readonly Problem[];
  /** The calls that make the change, in the order of their phases. */
  steps(change: KindChange): readonly StepDraft[];
  /** What people should know of a change besides its attributes: one sentence each. */
  notes?(change: KindChange): readonly string[];
  /** The read of one object, with every hiding default switched off. */
  view(key: string): ApiRequest;
  remove(key: string): ApiRequest;
  /**
   * The platform's answer as attributes of ours: those that it shows, in normal form; an empty map or set is shown as
   * such. Of a membership only that it is there can be read, so its line is `{}`.
   */
  observe(answer: JsonObject): JsonObject;
  /** How a refresh reads objects of the kind; absent for what is no object of the platform's. */
  readonly live?: LiveReads;
}
