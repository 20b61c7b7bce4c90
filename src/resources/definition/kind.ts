// The contract of a kind: what every folder beside this file says about users, channels or archives.
//
// A kind is plain data and pure functions. Generic code (loader, differ, planner, schema generator) reads the tables
// below; `normalise`, `references`, `steps`, `observe` and their like hold what is special about one kind. Disabling
// (deactivating, freezing), deleting and forgetting work the same for every kind and therefore live in the planner.

import { InternalError } from '../../lib/errors.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { MessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest, Expectation, Resolve, Settle } from '../../model/request.ts';
import type { Removal } from '../../model/resource.ts';
import type { CallsInDoubt, Phase, Split, TokenField } from '../../model/step.ts';
import type { LiveReads } from './live-reads.ts';

/** A JSON Schema of draft 2020-12, as plain data. */
export type JsonSchema = JsonObject;

/** How one attribute is declared, sent, shown, compared and taken back. */
export interface AttributeDefinition {
  /** With `description`, which is the hover text in editors. */
  readonly schema: JsonSchema;
  /**
   * `mutable`: a call can change it. `create_only`: an edit is an error. `one_way`: only to true. `start`: says how
   * something begins, and is sent again when edited. `closed`: the disabled state, which has a call of its own. `mode`:
   * says how much of the set or map is meant whose name stands before `_mode`; neither sent nor kept in state. `noted`:
   * state records an edit, with or without a call.
   */
  readonly change: 'mutable' | 'create_only' | 'one_way' | 'start' | 'closed' | 'mode' | 'noted';
  /**
   * When the line is removed: `reset` sends the neutral value, `release` ends management and leaves the value, `each`
   * takes the entries back one by one (maps and sets), `required` cannot happen. `keep`: state goes on to hold it, because
   * it cannot change and other objects depend on it.
   */
  readonly removed:
    | { readonly how: 'reset'; readonly to: JsonValue }
    | { readonly how: 'release' }
    | { readonly how: 'keep' }
    | { readonly how: 'each' }
    | { readonly how: 'required' };
  /**
   * Absent: the body of the create carries it in a field of its own name, and so does the update when `change` is
   * `mutable` or `one_way`. `update`: only the update does, so that a create is followed by one. `steps`: the kind's
   * `steps` send it in another way, such as a list, a file or a secret. An `OwnCall`: a call of its own.
   */
  readonly sentBy?: 'update' | 'steps' | OwnCall;
  /**
   * Absent: answers show it in a field of its own name. `observe`: the kind's `observe` finds it elsewhere. `nothing`:
   * no answer shows it, and what state remembers is believed, also after a refresh. An `OwnCall`: a read of its own.
   */
  readonly shownBy?: 'observe' | 'nothing' | OwnCall;
  /** A read of its own for each object: a refresh makes it only for as many objects as the policy allows (`read_each`). */
  readonly isReadEach?: true;
  /** Actions of the steps that change it, beside `update`. */
  readonly actions?: readonly Action[];
  /** What a new object has, where that is neither false nor empty: an export leaves it out. */
  readonly initial?: JsonValue;
  /** Where the application is told to give new objects another value than `initial`. */
  readonly initialFrom?: { readonly kind: string; readonly path: readonly string[] };
  /** An attribute that its call sets too: an upload makes a URL. */
  readonly alsoSets?: string;
  /** `false`: its texts are ids or names of types, variables and files, and are shown where personal data are hidden. */
  readonly personal?: false;
  /** People know the object by it: a removed and a new object that share it look like a rename. At most one in a kind. */
  readonly isLabel?: true;
  /** When an entry of the map ends by itself, in Unix milliseconds; undefined for one that does not. */
  endsAt?(entry: JsonValue): number | undefined;
  /** What an entry of a map that a read shows counts as, beside the one that is known. Default: what is known of an object. */
  asKnown?(known: JsonValue, shown: JsonValue): JsonValue;
  /** `map`: compared entry by entry. `set`: a sorted list of ids. Default: as one value. */
  readonly shape?: 'map' | 'set';
  /** What state keeps of it, and what is compared: for secrets and files. Default: the value itself. */
  remember?(value: JsonValue): JsonValue;
}

/** The route of an attribute that has one to itself: `PUT` sends the attribute there, and `GET` shows it. */
export interface OwnCall {
  readonly route: string;
  /** The field of body and answer that holds it. Absent: body and answer are the value. */
  readonly field?: string;
  /** The field of the answer alone. */
  readonly answerField?: string;
}

export type AttributeDefinitions = Readonly<Record<string, AttributeDefinition>>;

/** A fault of one block that the schema cannot express. `path` leads from the block to the spot. */
export interface Problem {
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly path: readonly string[];
  /** Another spot of the block that has to do with it: the loader says where it stands. */
  readonly beside?: readonly string[];
}

export interface Normalised {
  /** Sorted sets, aliases resolved, neutral flags kept: the same block always gives the same value. */
  readonly attributes: JsonObject;
  readonly problems: readonly Problem[];
}

/** Another object that a block names. */
export interface Reference {
  /** The kinds that may declare it: they share one namespace of keys. The first is the one that advice names. */
  readonly kinds: readonly string[];
  readonly key: string;
  /** `member`, `operator`, `inviter`: for messages. */
  readonly role: string;
  /** From the block to the spot. */
  readonly path: readonly string[];
}

/** An address to which the platform sends what happens: only a host that is trusted may be named (semantics §12.5). */
export interface Callback {
  readonly url: string;
  /** From the block to the spot. */
  readonly path: readonly string[];
}

/** Every address under which the named object may be declared. */
export function addressesOf({ kinds, key }: Pick<Reference, 'kinds' | 'key'>): Address[] {
  return kinds.map((kind) => addressOf(kind, key));
}

/** The difference of one object, already checked to be possible, which a kind turns into steps. */
export interface KindChange {
  readonly type: 'create' | 'update';
  readonly address: Address;
  readonly key: string;
  /** What state remembers; empty for a create. */
  readonly before: JsonObject;
  /** What is declared. */
  readonly after: JsonObject;
  /** The differences; for a create, everything declared. The planner handles the `closed` attribute itself and leaves it out. */
  readonly attributes: readonly AttributeChange[];
  /**
   * Does this plan make calls for its children, such as its messages; with an address, calls that need that object enabled,
   * as messages need their senders? Absent: it makes none.
   */
  hasChildrenToSend?(needing?: Address): boolean;
  /** Do the manifests, state or `policy.external` know this object? Absent: nothing is known. */
  isKnown?(address: Address): boolean;
  /** `policy.messages` of the manifest, for message archives; absent: the defaults. */
  readonly policy?: MessagesPolicy;
  /** What state remembers, and a refresh found, of the object that this one is a child of; undefined when neither knows it. */
  parent?(): JsonObject | undefined;
  /** Whether that object may have been on the platform before this plan. */
  mayHaveParent?(): boolean;
}

/** A step before the planner gives it an id and its needs. */
export interface StepDraft {
  readonly action: Action;
  readonly phase: Phase;
  readonly request: ApiRequest;
  /** `create` puts the record (made by the planner from `creates`), everything else edits it. */
  readonly edits: readonly RecordEdit[];
  /** Only for the step that creates: the attributes that are true of the object once it is done, as state keeps them. */
  readonly creates?: JsonObject;
  /** Objects that must have been created before. Addresses outside the plan are ignored, here and below. */
  readonly exists?: readonly Address[];
  /** Objects that must be enabled (not deactivated, not frozen) when the call is made. */
  readonly active?: readonly Address[];
  /**
   * Objects whose own steps of earlier phases must be done before, and whose steps of later phases wait for this one: a
   * channel has its members before it gets messages, and is hidden from them afterwards.
   */
  readonly between?: readonly Address[];
  /** Objects that the call takes rights away from: they are enabled or deleted only after it. */
  readonly names?: readonly Address[];
  readonly begin?: boolean;
  readonly doneOn?: readonly number[];
  readonly doneAgainOn?: readonly number[];
  readonly resolve?: Resolve;
  readonly settle?: Settle;
  readonly split?: Split;
  readonly expect?: readonly Expectation[];
  readonly sink?: TokenField;
}

/** The state in which an object cannot be used, set by a call of its own: deactivated users, frozen channels. */
export interface DisabledState {
  readonly attribute: string;
  readonly disable: Extract<Action, 'deactivate' | 'freeze'>;
  readonly enable: Extract<Action, 'reactivate' | 'unfreeze'>;
  readonly disablePhase: Phase;
  /** True: calls on the kind's own data need it enabled, so it is enabled before its own updates. */
  readonly ownWorkNeedsEnabled: boolean;
  /** The field that says it, in the request and in the view. */
  readonly field: string;
  /** Platform codes with which some installations refuse to show a disabled object. */
  readonly unreadableOn?: readonly number[];
  request(key: string, closed: boolean, policy: DisablePolicy): ApiRequest;
}

/** For a kind without a disabled state: no attribute has this name. */
export const neverDisabled: DisabledState = {
  attribute: '',
  disable: 'freeze',
  enable: 'unfreeze',
  disablePhase: 'record',
  ownWorkNeedsEnabled: false,
  field: '',
  request: () => {
    throw new InternalError('a kind without a disabled state is neither disabled nor enabled');
  },
};

export interface DisablePolicy {
  /** `leave_channels_on_deactivation` of the manifest's policy (semantics §2.7). */
  readonly leaveChannels: boolean;
}

/** What the platform identifies an object by besides its key: two objects with equal values would be one. */
interface Identity {
  /** The attribute that makes it so; without it the object has its key alone. */
  readonly attribute: string;
  /** Undefined for an object that has its key alone. */
  of(attributes: JsonObject): JsonValue | undefined;
}

export interface KindDefinition {
  /** `user`: the part of an address before the dot. */
  readonly name: string;
  /** `users`: the key of the manifest's section. */
  readonly section: string;
  /** For people: `user`, `group channel`. */
  readonly title: string;
  readonly description: string;
  /** The platform's name of the key: `user_id`, `channel_url`. Kinds with the same one share a namespace of keys. */
  readonly keyName: string;
  readonly keySchema: JsonSchema;
  /** There is one object of the kind, with this key. It is always there, and the section is its block. */
  readonly onlyKey?: string;
  readonly attributes: AttributeDefinitions;
  /** Names of attributes that must be declared. */
  readonly required: readonly string[];
  /** Rules across attributes, in JSON Schema, each an element of `allOf`. */
  readonly rules: readonly JsonSchema[];
  /** What may become of an object that is removed from the manifest; the first is the default. */
  readonly removals: readonly Removal[];
  readonly disabledState: DisabledState;
  readonly deletePhase: Phase;
  /** The attribute whose entries are memberships: the action `leave` ends them, and safety rules count them one by one. */
  readonly memberships?: string;
  readonly identity?: Identity;
  /**
   * How many things it holds, by its record, that calls can take away for good one by one, such as messages: the action
   * `erase` does, and safety rules count them.
   */
  contents?(remembered: JsonObject): number;
  /**
   * It is declared inside the blocks of other kinds, and has no section of its own. The platform does not know it as an
   * object: it has neither view nor list, is never disabled, and can only be retired in state or forgotten.
   */
  readonly isChild?: true;
  /** What people should know when one is retired without a call, and when state forgets one. */
  readonly onRetire?: string;
  readonly onForget?: string;
  /** What does not follow when the key is edited, which makes another object, and what to edit instead. */
  readonly onRename?: string;
  /** The children that its blocks declare, by section, each with its schema. A loader of its own reads them. */
  readonly children?: Readonly<Record<string, JsonSchema>>;

  /** Total: it takes what it can even from blocks that the schema refuses. */
  normalise(key: string, declared: JsonObject): Normalised;
  references(attributes: JsonObject): readonly Reference[];
  /** The addresses that the platform is told to call. Absent: none. */
  callbacks?(attributes: JsonObject): readonly Callback[];
  /** Edits that the platform cannot make. `path` leads to the attribute; only a change without errors gets steps. */
  checks(change: KindChange): readonly Problem[];
  /** The calls that make the change, in the order of their phases. */
  steps(change: KindChange): readonly StepDraft[];
  /** What people should know about a change besides its attributes: one sentence each. */
  notes?(change: KindChange): readonly string[];
  /** The read of one object, with every hiding filter switched off. */
  view(key: string): ApiRequest;
  remove(key: string): ApiRequest;
  /**
   * The platform's answer as attributes: those that it shows, in normal form, an empty map or set included. A read shows
   * that a membership exists and nothing more, so its line is `{}`.
   */
  observe(answer: JsonObject): JsonObject;
  /** How a refresh reads objects of the kind; absent for children. */
  readonly live?: LiveReads;
  /** For a kind whose calls may take effect in part. */
  readonly callsInDoubt?: CallsInDoubt;
}
