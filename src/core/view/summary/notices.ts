// What people notice of a plan, in sentences, for every view. Each names what makes it quieter.

import { plural, printNumber } from '../../../lib/words.ts';
import type { KnownNotice, NoticeSection, UnknownNotice } from '../../model/people/notices.ts';

const words: Readonly<Record<KnownNotice, (people: string, messages: string) => string>> = {
  invitation: (people) => `${people} a new channel in their list (hidden_status prevents it; a push is not documented)`,
  reappearance: (people) => `${people} a hidden channel again (hidden_prevent_auto_unhide prevents it)`,
  unread: (people) =>
    `${people} messages as unread again, since mark_as_read: true moves receipts (leaving it out prevents it)`,
  event_message: (people, messages) =>
    `${people} at least ${messages} that the platform writes (settings.auto_event_message turns them off)`,
};

const unknownWords: Readonly<Record<UnknownNotice, (calls: string) => string>> = {
  event_message: (calls) => `Not known: event messages of ${calls}, which depend on settings.auto_event_message`,
  migration: (calls) => `Not known: whether anybody notices migrated messages (${calls}), which is not documented`,
  left_channels: (calls) => `Not known: who notices that users leave their channels (${calls})`,
};

/** `3 people see …`. */
export function noticeLines({ counted, not_known }: NoticeSection): string[] {
  return [
    ...counted.map(({ notice, people, messages }) =>
      words[notice](
        `${printNumber(people)} ${people === 1 ? 'person sees' : 'people see'}`,
        plural(messages, 'message'),
      ),
    ),
    ...not_known.map(({ notice, calls }) => unknownWords[notice](plural(calls, 'call'))),
  ];
}
