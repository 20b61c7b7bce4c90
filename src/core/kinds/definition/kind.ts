// The interface that each kind implements.
//
// A kind is plain data and pure functions. Generic code (loader, differ, planner, schema generator) reads its tables.
// Functions such as `normalise`, `references`, `steps` and `observe` contain what is specific to one kind. Disabling
// (deactivating, freezing), deleting and forgetting work the same for every kind and are in the planner.

import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { EditEffect, NotShown, Proof } from '../../model/people/comparison.ts';
import type { MessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Removal } from '../../model/resource.ts';
import type { CallsInDoubt, Phase, Step } from '../../model/step.ts';
import type { LiveReads } from './live-reads.ts';
import type { SpellingForm } from './spellings.ts';

/** A JSON Schema of draft 2020-12, as plain data. */
export type JsonSchema = JsonObject;

/** How one attribute is declared, sent, shown, compared and removed. */
export interface AttributeDefinition {
  /** Its `description` is the hover text in editors. */
  readonly schema: JsonSchema;
  /**
   * `mutable`: a call can change it. `create_only`: an edit is an error. `one_way`: it can only become true. `start`: it
   * describes how something begins, and is sent again when edited. `closed`: the disabled state, which has a separate call.
   * `mode`: it says whether the set or map named before `_mode` is exclusive, and is neither sent nor kept in state.
   * `noted`: state records an edit, with or without a call, such as an argument of the creation.
   */
  readonly change: 'mutable' | 'create_only' | 'one_way' | 'start' | 'closed' | 'mode' | 'noted';
  /**
   * What removing the line does. `reset` sends the neutral value. `release` ends management and leaves the value. `each`
   * removes the entries of a map or set one by one. `required` cannot happen. `keep` keeps the value in state, because it
   * cannot change and other objects depend on it.
   */
  readonly removed:
    | { readonly how: 'reset'; readonly to: JsonValue }
    | { readonly how: 'release' }
    | { readonly how: 'keep' }
    | { readonly how: 'each' }
    | { readonly how: 'required' };
  /**
   * Which call sends it. Absent: the create does, in a field of the same name, and so does the update if `change` is
   * `mutable` or `one_way`. `update`: only the update does, so an update follows the create. `steps`: the kind's `steps`
   * send it in another way, such as a list, a file or a secret. `OwnCall`: a separate call does.
   */
  readonly sentBy?: 'update' | 'steps' | OwnCall;
  /** How answers show it. All that a command claims of a comparison follows from this. */
  readonly shown: ShownBy;
  /** What an edit means for people. `[]` is a statement, too. */
  readonly people: readonly EditEffect[];
  /**
   * What the value does to the rights in `people` while it is there: true, an entry, or anything else but an empty value.
   * `withholds`: it is a barrier. Absent: the value decides, so an edit may give and take.
   */
  readonly rights?: 'grants' | 'withholds';
  /** The entries of a map that are shown in another way, or mean something else for people. `*.NAME`: a part of every entry. */
  readonly parts?: Readonly<Record<string, Pick<AttributeDefinition, 'shown' | 'people' | 'rights' | 'comesFirst'>>>;
  /** Whether the answer to a call shows this value or entry as a read does. Absent: it does, if it shows the attribute. */
  isEchoed?(value: JsonValue): boolean;
  /** The platform also changes it by itself. A live value that differs is then reported and not set back. */
  readonly isChangedByPlatform?: true;
  /** Members can change it from a client as well, so that drift is to be expected (platform §16.1). */
  readonly isChangedByMembers?: true;
  /** The actions of the steps that add to it and that remove from it. Absent: `update`. */
  readonly actions?: readonly [adds: Action, removes: Action];
  /** The value in a new object, if it is neither false nor empty. An export leaves such a value out, and so may a manifest. */
  readonly initial?: JsonValue;
  /** The setting of the application that replaces `initial` for new objects. Its step precedes their creation. */
  readonly initialFrom?: { readonly of: Address; readonly path: readonly string[] };
  /** The platform looks at it when it creates objects, adds people to channels or takes reactions, so its step precedes those calls. */
  readonly comesFirst?: true;
  /** Another attribute that its call also sets. An upload sets a URL. */
  readonly alsoSets?: string;
  /** The attribute that lets people in, which this one restricts. Nothing lets them in without sending this one as well. */
  readonly guards?: string;
  /** `false` if its texts are ids or names of types, variables and files, which --redact does not hide. */
  readonly personal?: false;
  /** People recognise the object by it, so a removed and a new object that share it look like a rename. At most one per kind. */
  readonly isLabel?: true;
  /** Returns when an entry of the map, or the value, ends by itself in Unix milliseconds, or undefined. */
  endsAt?(entry: JsonValue): number | undefined;
  /**
   * Returns the value that a shown entry counts as, given the known entry. For a value shown in part: null if it is another one;
   * `seen` is what the answer to its call showed, if anything.
   */
  asKnown?(known: JsonValue, shown: JsonValue, seen?: JsonValue): JsonValue;
  /** `map`: compared entry by entry. `set`: a sorted list of ids. Absent: compared as one value. */
  readonly shape?: 'map' | 'set';
  /** Returns what state keeps and what is compared, for secrets and files. Absent: the value itself. */
  remember?(value: JsonValue): JsonValue;
}

interface ShowingAnswer {
  /**
   * Which answer shows it. Absent: answers do, in a field of the same name. `observe`: the kind's `observe` finds it. `OwnCall`:
   * a separate read does.
   */
  readonly by?: 'observe' | OwnCall;
  /** `each`: the read costs one request per object, which a refresh spends only up to `policy.read_each`. */
  readonly costs?: 'each';
}

/** With `not`, the value in state counts even after a refresh. */
type ShownBy =
  | (ShowingAnswer & {
      readonly as: 'compared';
      /** An entry that the answer lacks does not exist. Absent: so it is if entries are removed one by one (`removed`). */
      readonly lacked?: 'gone';
    })
  | (ShowingAnswer & { readonly as: 'in_part'; readonly proves: Proof })
  | {
      readonly as: 'not';
      readonly why: NotShown;
      /** What the answer about another object proves of it all the same, without a correction of state. */
      readonly noted?: Proof;
    };

/** The separate route of an attribute: `PUT` sends the attribute, `GET` shows it. */
export interface OwnCall {
  readonly route: string;
  /** The field of body and answer with the value. Absent: body and answer are the value. */
  readonly field?: string;
  /** The field of the answer, if it differs. */
  readonly answerField?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sources disagree whether the body has the field, so it has the parts of the value beside it, too. */
  readonly isAlsoBare?: true;
}

export type AttributeDefinitions = Readonly<Record<string, AttributeDefinition>>;

/** A problem of one block that the schema cannot express. `path` leads from the block to the value. */
export interface BlockProblem {
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly path: readonly string[];
  /** The path of a related value in the block, whose position the loader adds to the message. */
  readonly beside?: readonly string[];
}

/** Another spelling of an attribute, which the platform's requests or answers have. It has the limits of the attribute. */
export interface Spelling {
  /** The attribute that it means. */
  readonly use: string;
  readonly form: SpellingForm;
  /** The platform deprecates it, so a warning names the attribute to write instead. */
  readonly isDeprecated?: true;
  /** Returns problems of the field in this block that its schema cannot express. */
  problems?(value: JsonValue, block: JsonObject): readonly BlockProblem[];
}

export interface Normalised {
  /** With sorted sets and without other spellings, so that equal blocks have equal values. Neutral flags are kept. */
  readonly attributes: JsonObject;
  readonly problems: readonly BlockProblem[];
}

/** A reference from a block to another object. */
export interface Reference {
  /** The possible kinds, which share one namespace of keys. Advice names the first. */
  readonly kinds: readonly string[];
  readonly key: string;
  /** `member`, `operator`, `inviter`, for messages. */
  readonly role: string;
  /** From the block to the spot. */
  readonly path: readonly string[];
}

/** A URL to which the platform sends events. Its host must be trusted (semantics §12.5). */
export interface Callback {
  readonly url: string;
  /** From the block to the spot. */
  readonly path: readonly string[];
}

/** Returns every address under which the referenced object may be declared. */
export function addressesOf({ kinds, key }: Pick<Reference, 'kinds' | 'key'>): Address[] {
  return kinds.map((kind) => addressOf(kind, key));
}

/** The difference of one object, from which a kind makes steps. It is already known to be possible. */
export interface KindChange {
  readonly type: 'create' | 'update';
  readonly address: Address;
  readonly key: string;
  /** The attributes in state. Empty for a create. */
  readonly before: JsonObject;
  /** The declared attributes. */
  readonly after: JsonObject;
  /** The differences, or everything declared for a create. Without the `closed` attribute, which the planner handles. */
  readonly attributes: readonly AttributeChange[];
  /**
   * Whether this plan makes calls for the object's children, such as its messages. With an address: whether it makes calls
   * that need that object enabled, such as a sender. Absent: there are none.
   */
  readonly hasChildrenToSend?: ((needing?: Address) => boolean) | undefined;
  /** Whether the manifests, state or `policy.external` contain this object. Absent: unknown. */
  readonly isKnown?: ((address: Address) => boolean) | undefined;
  /** `policy.messages`, for history files. Absent: the defaults. */
  readonly policy?: MessagesPolicy | undefined;
  /** Returns the attributes of the parent object from state and refresh, or undefined if neither has it. */
  readonly parent?: (() => JsonObject | undefined) | undefined;
  /** Whether the parent may have existed before this plan. */
  readonly mayHaveParent?: (() => boolean) | undefined;
  /** The paths of attributes whose values nobody knows. Absent: none. */
  readonly unknown?: readonly (readonly string[])[];
  /** Whether the plan read the platform, so that what state says is checked. */
  readonly isRefreshed?: boolean;
  /** The attributes of `ignore_changes`, which no call of an update may send. Absent: none. */
  readonly ignored?: readonly string[];
  /** Whether the plan enables the object for good. */
  readonly opens?: boolean;
}

/** A step before the planner gives it an id and its needs. */
export interface StepDraft
  extends Partial<
    Pick<Step, 'begin' | 'doneOn' | 'member' | 'leavesOut' | 'doneAgainOn' | 'resolve' | 'search' | 'expect' | 'sink'>
  > {
  readonly action: Action;
  readonly phase: Phase;
  readonly request: ApiRequest;
  /** `create` puts the record, which the planner makes from `creates`. All other actions edit it. */
  readonly edits: readonly RecordEdit[];
  /** For the step that creates: the object's attributes after the step, as state keeps them. */
  readonly creates?: JsonObject;
  /** Objects that must be created first. Here and below, addresses outside the plan are ignored. */
  readonly exists?: readonly Address[];
  /** Objects that must be enabled (neither deactivated nor frozen) when the call is made. */
  readonly active?: readonly Address[];
  /**
   * Objects whose steps of earlier phases must precede this step, and whose steps of later phases must follow it. A channel
   * gets its members before its messages, and is hidden from them afterwards.
   */
  readonly between?: readonly Address[];
  /** Objects whose attributes with `comesFirst` must be as declared when the call is made. */
  readonly configuredBy?: readonly Address[];
  /** Objects from which the call removes rights. They are enabled or deleted only after it. */
  readonly names?: readonly Address[];
}

/** The state in which an object cannot be used, such as a deactivated user or a frozen channel. A separate call sets it. */
export interface DisabledState {
  readonly attribute: string;
  readonly disable: Extract<Action, 'deactivate' | 'freeze'>;
  readonly enable: Extract<Action, 'reactivate' | 'unfreeze'>;
  readonly disablePhase: Phase;
  /** Whether calls on the object's own data need it enabled, so that it is enabled before its updates. */
  readonly ownWorkNeedsEnabled: boolean;
  request(key: string, closed: boolean, policy: DisablePolicy): ApiRequest;
}

/** For kinds without a disabled state. No attribute has the empty name. */
export const neverDisabled: DisabledState = {
  attribute: '',
  disable: 'freeze',
  enable: 'unfreeze',
  disablePhase: 'record',
  ownWorkNeedsEnabled: false,
  request: () => {
    throw new InternalError('a kind without a disabled state is neither disabled nor enabled');
  },
};

export interface DisablePolicy {
  /** `leave_channels_on_deactivation` of the manifest's policy (semantics §2.7). */
  readonly leaveChannels: boolean;
}

/** A second identity of objects besides the key. The platform would treat two objects with equal values as one. */
interface Identity {
  /** The attribute that enables this identity. */
  readonly attribute: string;
  /** Returns undefined for an object whose only identity is its key. */
  of(attributes: JsonObject): JsonValue | undefined;
}

export interface KindDefinition {
  /** `user`: the part of an address before the dot. */
  readonly name: string;
  /** `users`: the key of the manifest's section. */
  readonly section: string;
  /** The name in messages: `user`, `group channel`. */
  readonly title: string;
  readonly description: string;
  /** The platform's name of the key: `user_id`, `channel_url`. Kinds with the same name share a namespace of keys. */
  readonly keyName: string;
  readonly keySchema: JsonSchema;
  /** The key of the only object of the kind, which always exists. The section is its block. */
  readonly onlyKey?: string;
  readonly attributes: AttributeDefinitions;
  /** Other spellings of attributes, by name. Spellings of parts of a map follow the spellings of the whole map. Absent: none. */
  readonly spellings?: Readonly<Record<string, Spelling>>;
  /** Names of attributes that must be declared. */
  readonly required: readonly string[];
  /** Rules across attributes, in JSON Schema, each an element of `allOf`. */
  readonly rules: readonly JsonSchema[];
  /** What an apply does with an object that is removed from the manifest. The first is the default. */
  readonly removals: readonly Removal[];
  readonly disabledState: DisabledState;
  readonly deletePhase: Phase;
  /** The attribute whose entries are memberships: the action `leave` ends them, and safety rules count them one by one. */
  readonly memberships?: string;
  readonly identity?: Identity;
  /**
   * Returns how many things the record contains that calls can erase one by one, such as messages. The action `erase` does that,
   * and safety rules count it.
   */
  contents?(remembered: JsonObject): number;
  /**
   * Whether it is declared inside the blocks of other kinds, without a section. The platform has no such object: there is no
   * view and no list, and it is never disabled. It can only be retired in state or forgotten.
   */
  readonly isChild?: true;
  /** Notes for plans that retire an object without a call, or forget one. */
  readonly onRetire?: string;
  readonly onForget?: string;
  /** Notes for plans that erase an object: what goes, and what stays. */
  readonly onErase?: readonly string[];
  /** A note for plans with a likely rename: what stays with the old object, and what to edit instead. */
  readonly onRename?: string;
  /** The schemas of the children that its blocks declare, by section. Separate loaders read them. */
  readonly children?: Readonly<Record<string, JsonSchema>>;

  /** Never fails. Reads what it can even from blocks that the schema refuses. */
  normalise(key: string, declared: JsonObject): Normalised;
  /** Returns the objects that must exist. Absent: it names no other object. */
  references?(attributes: JsonObject): readonly Reference[];
  /** Returns the URLs that the platform calls. Absent: none. */
  callbacks?(attributes: JsonObject): readonly Callback[];
  /** Returns problems with edits that the platform cannot make. `path` leads to the attribute. Only a change without errors gets steps. */
  checks(change: KindChange): readonly BlockProblem[];
  /** Returns the calls that make the change, in the order of their phases. */
  steps(change: KindChange): readonly StepDraft[];
  /** Returns notes about a change besides its attributes, one sentence each. */
  notes?(change: KindChange): readonly string[];
  /** Returns the read of one object, with every filter that hides objects off. */
  view(key: string): ApiRequest;
  remove(key: string): ApiRequest;
  /** Returns the call that erases the object, for the removal `erase`. */
  erase?(key: string): Pick<StepDraft, 'request' | 'begin' | 'search'>;
  /**
   * Returns the attributes that an answer shows, in normal form, including empty maps and sets. A read shows only that a
   * membership exists, so its line is `{}`.
   */
  observe(answer: JsonObject): JsonObject;
  /** How a refresh reads objects of the kind. Absent for children. */
  readonly live?: LiveReads;
  /** For kinds whose calls may take effect in part. */
  readonly callsInDoubt?: CallsInDoubt;
}
