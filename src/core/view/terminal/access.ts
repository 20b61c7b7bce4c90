// Shows what people can do in channels, each right with the line that grants or withholds it.

import { plural } from '../../../lib/words.ts';
import {
  type AccessEntry,
  type AccessExplanation,
  type AccessVerdict,
  type Ground,
  type GroundCode,
  type Ruling,
  rights,
} from '../../model/access/access.ts';
import { keyOf } from '../../model/address.ts';
import { printPosition } from '../../model/source.ts';
import { withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { type Paint, painter } from '../text/paint.ts';
import { safe } from '../text/text.ts';

const maxColumns = 120;
const defaultLimit = 1_000;
const indent = '  ';

export function* accessForPeople(shown: AccessExplanation, options: ViewOptions): Generator<string> {
  yield* withEnds(linesOf(shown, options));
}

function* linesOf({ address, kind, entries, everybody, not_known }: AccessExplanation, options: ViewOptions) {
  const paint = painter(options.color);
  const columns = Math.min(options.width, maxColumns);
  const limit = options.limit ?? defaultLimit;
  const isUser = kind === 'user';
  yield paint('bold', safe(address));
  const count = isUser ? plural(entries.length, 'channel') : plural(entries.length, 'person', 'people');
  yield `${indent}${isUser ? 'Named in or able to enter' : 'Named'}: ${count}.`;
  for (const entry of entries.slice(0, limit)) {
    yield '';
    yield paint('bold', safe(isUser ? entry.channel : `user.${entry.user_id}`));
    yield* rulingLines(entry, columns, paint);
  }
  if (entries.length > limit) yield `… and ${plural(entries.length - limit, 'more', 'more')}; see --format json`;
  if (everybody !== undefined) {
    yield '';
    yield paint('bold', 'Everybody else');
    yield* rulingLines(everybody, columns, paint);
  }
  yield '';
  for (const sentence of not_known) yield* wrap(paint('dim', sentence), columns);
}

function* rulingLines({ now, planned }: Pick<AccessEntry, 'now' | 'planned'>, columns: number, paint: Paint) {
  const nameColumns = Math.max(...rights.map((right) => right.length)) + 2;
  for (const right of rights) {
    const words = rulingInWords(now[right], planned[right]);
    let head = indent + paint('cyan', right.padEnd(nameColumns));
    for (const line of wrap(words, columns - indent.length - nameColumns)) {
      yield head + line;
      head = ' '.repeat(indent.length + nameColumns);
    }
  }
}

function rulingInWords(now: Ruling, planned: Ruling): string {
  const grounds = planned.because.map(groundInWords).join('; ');
  const [before, after] = [verdictWords[now.verdict], verdictWords[planned.verdict]];
  return `${before === after ? after : `${before} now, ${after} after an apply`}: ${grounds}`;
}

const verdictWords: Readonly<Record<AccessVerdict, string>> = {
  yes: 'yes',
  by_entering: 'on entering',
  no: 'no',
  not_known: 'not known',
};

function groundInWords({ code, address, source }: Ground): string {
  const place = source === undefined ? '' : ` (${printPosition(source)})`;
  const type = address.startsWith('custom_type.') ? ` ${safe(keyOf(address))}` : '';
  return `${groundWords[code]}${type}${place}`;
}

const groundWords: Readonly<Record<GroundCode, string>> = {
  member: 'is a member',
  invited: 'is invited, and no declaration says whether the invitation was accepted',
  waits_for_acceptance:
    'accepts invitations by hand (auto_accept: false), and no declaration says whether this one was accepted',
  not_member: 'is not declared as a member',
  operator: 'is an operator',
  type_operator: 'is an operator of the custom type',
  not_operator: 'is not an operator',
  operator_outside: 'is an operator but not a member, and the documents disagree about what that allows',
  public: 'the channel is public',
  access_code: 'entering needs the access code',
  joins_by_api_only: 'users join through the platform API only (block_sdk_user_channel_join)',
  open_channel: 'anybody can enter an open channel',
  banned: 'is banned',
  type_banned: 'is banned from the custom type',
  muted: 'is muted',
  type_muted: 'is muted in the custom type',
  frozen: 'the channel is frozen',
  type_operator_in_frozen: 'no source says whether an operator of the custom type writes in a frozen channel; type',
  deactivated: 'is deactivated and cannot connect',
  user_not_managed: 'others manage the user, who may be deactivated',
  no_user: 'the user does not exist',
  no_channel: 'the channel does not exist',
  hidden: 'the channel is hidden from their list',
};
