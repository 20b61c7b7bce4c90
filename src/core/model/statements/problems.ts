// The problems of plans: codes of diagnostics with their data, which `view` words (core/view/text/plan-problems.ts).

import type { JsonValue } from '../../../lib/json.ts';
import type { Address } from '../address.ts';
import type { ReplyTime } from '../behaviours.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { CrowdedUser } from '../limits.ts';
import type { tokensNote } from '../plan.ts';
import type { ChangeNote, DriftNote, FirstIds } from '../reasons.ts';
import type { Removal } from '../resource.ts';
import type { SourcePosition } from '../source.ts';

/** Why an acknowledgement does not count for an effect. */
export type AcknowledgementFault =
  | { readonly why: 'other_effect'; readonly effect: string; readonly count: number }
  | { readonly why: 'other_count'; readonly counts: readonly number[] }
  | { readonly why: 'expired'; readonly count: number; readonly expires: string };

/** The acknowledgement that would let an effect pass: its number, and the faults of those that are there. */
export interface NeededAcknowledgement {
  readonly effect: string;
  readonly total: number;
  readonly faults: readonly AcknowledgementFault[];
}

/** A file that declares fewer objects of a kind than at the last apply, where it declared `before`. */
export interface ShrunkFile {
  readonly file: string;
  readonly before: number;
  /** Absent: the file was not read. */
  readonly now?: {
    readonly objects: number;
    /** Whether the file declares nothing at all. */
    readonly isEmpty: boolean;
    /** Where the section is declared as empty. */
    readonly emptySection?: SourcePosition;
  };
}

/** Every problem that the planner finds, discriminated by its code, and by `of` where problems share one. */
export type PlanProblem =
  | { readonly code: 'plan.create-only'; readonly attribute: string; readonly was?: JsonValue }
  | { readonly code: 'plan.one-way'; readonly attribute: string }
  | {
      readonly code: 'plan.other-kind';
      readonly address: Address;
      /** The object in state. */
      readonly rival: Address;
      readonly keyName: string;
      /** The titles of the kinds of both. */
      readonly title: string;
      readonly rivalTitle: string;
    }
  | { readonly code: 'plan.ended'; readonly attribute: string; readonly key: string; readonly until: string }
  | {
      readonly code: 'plan.impossible-removal';
      readonly removal: Removal;
      readonly title: string;
      readonly possible: readonly Removal[];
    }
  | { readonly code: 'plan.part-in-doubt'; readonly address: Address }
  | {
      readonly code: 'plan.no-room';
      readonly attribute: string;
      readonly declared: number;
      readonly unmanaged: number;
      readonly room: number;
    }
  | { readonly code: 'plan.exists'; readonly of: 'refuse'; readonly address: Address }
  | {
      readonly code: 'plan.exists';
      /** By which policy equal objects are adopted: `existing`, or `adopt`, which names the object. */
      readonly of: 'adopt_equal' | 'named';
      readonly address: Address;
      readonly differing: readonly string[];
    }
  /** The object exists and cannot be edited to what is declared. */
  | {
      readonly code: 'plan.exists';
      readonly of: 'impossible';
      readonly address: Address;
      readonly cause: CauseOfRefusal;
    }
  | { readonly code: 'plan.exists'; readonly of: 'more'; readonly count: number }
  | { readonly code: 'plan.removed-unknown'; readonly address: Address }
  | {
      readonly code: 'plan.not-compared';
      readonly of: 'costly';
      readonly attribute: string;
      readonly count: number;
      readonly total: number;
    }
  | { readonly code: 'plan.not-compared'; readonly of: 'not_offered'; readonly what: string; readonly count: number }
  | { readonly code: 'plan.not-shown'; readonly address: Address }
  /** `USER in CHANNEL`, for members with another hidden status than the one in state. */
  | ({ readonly code: 'plan.unhidden' } & FirstIds)
  /** Channels whose last sent message others edited or removed, or which `user` has not read up to it. */
  | {
      readonly code: 'plan.history-changed';
      readonly changed: readonly {
        readonly channel: string;
        readonly how: 'edited' | 'absent' | 'unread';
        readonly user?: string;
      }[];
      readonly more: number;
    }
  /** The keys of objects with a value that nobody declares. `title` is that of their kind. */
  | ({
      readonly code: 'plan.undeclared';
      readonly title: string;
      readonly attribute: string;
      readonly isList: boolean;
    } & FirstIds)
  | { readonly code: typeof tokensNote; readonly count: number }
  | { readonly code: 'plan.not-checked'; readonly named: readonly Address[]; readonly count: number }
  | { readonly code: 'plan.repair' }
  | {
      readonly code: 'plan.partial';
      readonly of: 'plan';
      readonly flags: readonly ('target' | 'exclude')[];
      readonly needed: readonly Address[];
      /** The number of needed objects, of which `needed` names the first. */
      readonly count: number;
    }
  | { readonly code: 'plan.partial'; readonly of: 'drift'; readonly flags: readonly ('target' | 'exclude')[] }
  | {
      readonly code: 'plan.left-out';
      readonly of: 'need';
      readonly needs: Address;
      /** `absent`, or the attribute by which the needed object is disabled. */
      readonly why: string;
      /** The first of the objects that are left out, and the number of all. */
      readonly addresses: readonly Address[];
      readonly count: number;
    }
  | { readonly code: 'plan.left-out'; readonly of: 'more'; readonly count: number }
  | { readonly code: 'safety.protected'; readonly address: Address }
  /** `isUnread`: the object ignores changes of the attribute, and the plan did not read it. */
  | {
      readonly code: 'safety.reopen';
      readonly address: Address;
      readonly attribute: string;
      readonly isUnread: boolean;
    }
  | ({
      readonly code: 'safety.over-budget';
      readonly of: 'effect';
      readonly count: number;
      /** The number already done under an acknowledgement. */
      readonly done: number;
      readonly managed: number;
      readonly minCount: number;
      readonly maxShare: number;
    } & NeededAcknowledgement)
  | ({
      readonly code: 'safety.over-budget';
      readonly of: 'kind';
      readonly kind: string;
      readonly count: number;
      readonly managed: number;
      /** The shares of a kind that may be taken away, of any number of objects and of more than three. */
      readonly half: number;
      readonly third: number;
    } & NeededAcknowledgement)
  | ({ readonly code: 'safety.lockout' } & NeededAcknowledgement)
  | ({
      readonly code: 'safety.whole-kind';
      readonly kind: string;
      readonly count: number;
      readonly isUndo: boolean;
    } & NeededAcknowledgement)
  | { readonly code: 'safety.spent'; readonly effect: string; readonly count: number }
  | ({
      readonly code: 'safety.input-shrank';
      readonly section: string;
      readonly before: number;
      readonly after: number;
      readonly files: readonly ShrunkFile[];
      /** The number of further files. */
      readonly more: number;
    } & NeededAcknowledgement)
  | ({
      readonly code: 'safety.notify';
      readonly people: number;
      readonly atMost: number;
      /** The number of calls of which it is not known whether they notify anybody. */
      readonly unknownCalls: number;
    } & NeededAcknowledgement)
  | { readonly code: 'bot.ai-not-writable'; readonly address: Address }
  /** `isKnown`: whether the application is known to have no data requests. */
  | { readonly code: 'user.data-requests'; readonly isKnown: boolean }
  /** `known`: what the application does with the time of a reply. Absent: it is not known. */
  | { readonly code: 'messages.reply-times'; readonly known?: ReplyTime }
  | {
      readonly code: 'user.too-many-channels';
      readonly users: readonly CrowdedUser[];
      readonly more: number;
      readonly isRefused: boolean;
    };

/** The problem behind another one: that of a kind has its own words. */
type CauseOfRefusal = PlanProblem | Pick<Diagnostic, 'detail'>;

/** The words of what a plan shows of an object, which the planner gets from `view` and puts beside the codes. */
export interface NoteWords {
  note(note: ChangeNote): string;
  /** All that is said about the drift of one object. `appliesRead`: whether an apply reads the platform without being asked to. */
  driftNotes(notes: readonly DriftNote[], appliesRead: boolean): string;
}

/** The words of all statements of a plan. */
export interface PlanWords extends NoteWords {
  problem(problem: PlanProblem): Pick<Diagnostic, 'summary' | 'detail'>;
}
