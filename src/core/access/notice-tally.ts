// Counts what people notice of the steps of a plan (semantics §15.6): by documents, by declared settings, and else as not known.

import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { flagOf, idsOf, mapOf } from '../kinds/definition/values.ts';
import type { KnownNotice, NoticeSection, UnknownNotice } from '../model/people/notices.ts';
import type { StateEntry } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import type { PeopleMarks } from './people-marks.ts';

type SentStep = Pick<Step, 'action' | 'request' | 'member' | 'entry'>;

export interface NoticeSurroundings {
  isBot(id: string): boolean;
  /** A flag of `settings.auto_event_message`. Undefined: it is not declared. */
  eventMessage(group: string, name: string): boolean | undefined;
  /** Whether an edit of this attribute of a group channel means anything for people. */
  isTold(attribute: string): boolean;
  /** The lines of the channel's members after the apply. */
  membersOf(channelUrl: string): JsonObject;
  /** Whether a migrated message shows a hidden channel again (behaviour `migrationUnhides`). Undefined: not known. */
  readonly unhides: boolean | undefined;
  /** Gets the id of each person once, if the policy limits their number. */
  take?(id: string): void;
}

const notices: readonly KnownNotice[] = ['invitation', 'reappearance', 'unread', 'event_message'];
const unknown: readonly UnknownNotice[] = ['event_message', 'migration', 'left_channels'];
const leaveReasons = [
  'admin_removed',
  'admin_deleted',
  'left_by_own_choice',
  'channel_operator_removed',
  'left',
  'deleted',
];

export class NoticeTally {
  readonly #around: NoticeSurroundings;
  readonly #marks: PeopleMarks;
  /** The mark of those who notice anything. */
  readonly #noticing: number;
  #people = 0;
  readonly #counted = new Map<KnownNotice, { readonly mark: number; people: number; messages: number }>();
  readonly #unknown = new Map<UnknownNotice, number>();

  constructor(marks: PeopleMarks, around: NoticeSurroundings) {
    this.#around = around;
    this.#marks = marks;
    this.#noticing = marks.newMark();
  }

  /** `after`: the channel as the steps leave it. */
  addGroupChannel(steps: readonly SentStep[], after: JsonObject | undefined): void {
    const members = mapOf(after ?? {}, 'members');
    for (const step of steps) this.#addStep(step, members, after ?? {});
  }

  addHistoryFile(channelUrl: string, steps: readonly SentStep[]): void {
    const sent = steps.filter(({ action }) => action === 'migrate');
    if (sent.length === 0) return;
    this.#doubt('migration', sent.length);
    const marksRead = sent.some(({ request }) => request?.body?.update_read_ts === true);
    if (!marksRead && this.#around.unhides !== true) return;
    for (const [id, line] of Object.entries(this.#around.membersOf(channelUrl))) {
      if (marksRead) this.#count('unread', [id]);
      if (this.#around.unhides === true && hiddenStatus(line) === 'hidden_allow_auto_unhide')
        this.#count('reappearance', [id]);
    }
  }

  addUser(steps: readonly SentStep[]): void {
    const leaving = steps.filter(({ request }) => request?.body?.leave_all_when_deactivated === true);
    if (leaving.length > 0) this.#doubt('left_channels', leaving.length);
  }

  /** Undefined if nobody notices anything. */
  end(): NoticeSection | undefined {
    const counted = notices.flatMap((notice) => {
      const count = this.#counted.get(notice);
      return count === undefined ? [] : [{ notice, people: count.people, messages: count.messages }];
    });
    const not_known = unknown.flatMap((notice) => {
      const calls = this.#unknown.get(notice);
      return calls === undefined ? [] : [{ notice, calls }];
    });
    return counted.length + not_known.length === 0 ? undefined : { people: this.#people, counted, not_known };
  }

  #addStep({ action, request, member, entry }: SentStep, members: JsonObject, after: JsonObject): void {
    const { method, route = '', body = {} } = request ?? {};
    if (action === 'create') {
      this.#invited(idsOf(body, 'user_ids'), body);
      this.#eventMessage(
        'channel_create',
        [flagOf(after, 'is_public') === true ? 'public_channel' : 'private_channel'],
        members,
      );
    } else if (route.endsWith('/invite')) {
      this.#invited(idsOf(body, 'user_ids'), body);
      this.#eventMessage('user_join', ['user_join'], members);
    } else if (route.endsWith('/hide')) {
      if (method === 'DELETE' && member !== undefined) this.#count('reappearance', [member]);
    } else if (route.endsWith('/leave')) this.#eventMessage('user_leave', leaveReasons, members);
    else if (route.endsWith('/ban') && method === 'POST') this.#eventMessage('user_leave', ['admin_removed'], members);
    // No source names an event message for the end of a ban (platform §16.6).
    else if (action !== 'unban' && editedBy(entry).some((name) => this.#around.isTold(name))) {
      if (route === '/group_channels/{channel_url}') this.#eventMessage('channel_change', ['channel_change'], members);
      // No document says whether calls for parts of a channel, such as a freeze, are such a change.
      else if (this.#around.eventMessage('channel_change', 'channel_change') !== false) this.#doubt('event_message', 1);
    }
  }

  /** A channel that begins hidden does not appear. */
  #invited(ids: readonly string[], body: JsonObject): void {
    const hidden = mapOf(body, 'hidden_status');
    this.#count(
      'invitation',
      ids.filter((id) => !Object.hasOwn(hidden, id)),
    );
  }

  /** Several names: no document says which of them the call causes, so it is known only if all are off. */
  #eventMessage(group: string, names: readonly string[], members: JsonObject): void {
    const flags = names.map((name) => this.#around.eventMessage(group, name));
    if (flags.every((flag) => flag === false)) return;
    if (flags.length === 1 && flags[0] === true) this.#count('event_message', Object.keys(members), 1);
    else this.#doubt('event_message', 1);
  }

  #count(notice: KnownNotice, ids: readonly string[], messages = 0): void {
    const people = ids.filter((id) => !this.#around.isBot(id));
    if (people.length === 0) return;
    const count = this.#counted.get(notice) ?? { mark: this.#marks.newMark(), people: 0, messages: 0 };
    this.#counted.set(notice, count);
    count.messages += messages;
    for (const id of people) {
      // Whoever has this notice already notices something.
      if (!this.#marks.mark(id, count.mark)) continue;
      count.people += 1;
      if (!this.#marks.mark(id, this.#noticing)) continue;
      this.#people += 1;
      this.#around.take?.(id);
    }
  }

  #doubt(notice: UnknownNotice, calls: number): void {
    this.#unknown.set(notice, (this.#unknown.get(notice) ?? 0) + calls);
  }
}

/** The attributes that a step edits in an object that exists. */
function editedBy(entry: StateEntry): string[] {
  return entry.type === 'patch' ? entry.edits.flatMap(({ path: [name = ''] }) => [name]) : [];
}

function hiddenStatus(line: JsonValue): JsonValue | undefined {
  return isObject(line) ? line.hidden_status : undefined;
}
