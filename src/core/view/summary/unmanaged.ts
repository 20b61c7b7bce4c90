// What is not managed, in words, for every view.

import { listOf, plural, printNumber } from '../../../lib/words.ts';
import type { Unmanaged, UnmanagedKind, UnmanagedType } from '../../model/live.ts';
import { safe } from '../text/text.ts';

/** `1,204 users and 38 group channels are not managed.` Claims nothing of kinds that were not listed. */
export function unmanagedSentence({ objects, kinds }: Unmanaged): string {
  if (objects === 0) return 'Every listed object is managed or matches policy.external.';
  const counts = kinds.flatMap(({ unmanaged, title }) => (unmanaged === 0 ? [] : [plural(unmanaged, title)]));
  return `${listOf(counts)} ${objects === 1 ? 'is' : 'are'} not managed.`;
}

/** What was looked at: `Listed 1,250 objects with 16 requests: 8 managed and 1,242 not managed.` */
export function listingSentences({ kinds, objects, requests, not_listed: notListed = [] }: Unmanaged): string {
  const sum = (count: (kind: UnmanagedKind) => number) => kinds.reduce((total, kind) => total + count(kind), 0);
  const external = sum((kind) => kind.external);
  const parts = [
    `${printNumber(sum((kind) => kind.managed))} managed`,
    ...(external === 0 ? [] : [`${printNumber(external)} matching policy.external`]),
    `${printNumber(objects)} not managed`,
  ];
  const total = plural(
    sum((kind) => kind.listed),
    'object',
  );
  const listed = `Listed ${total} with ${plural(requests, 'request')}: ${listOf(parts)}.`;
  if (notListed.length === 0) return listed;
  return `${listed} Not listed, because the platform does not offer their lists: ${listOf(notListed)}.`;
}

export interface UnmanagedRow {
  readonly objects: number;
  /** A kind, or a custom type. */
  readonly name: string;
  /** Absent: the list shows no activity. */
  readonly lastActivity?: string;
  /** The custom types within a kind. */
  readonly types: readonly UnmanagedRow[];
}

/** A row for each kind with unmanaged objects. */
export function unmanagedRows({ kinds }: Unmanaged): UnmanagedRow[] {
  return kinds.filter(({ unmanaged }) => unmanaged > 0).map(rowOf);
}

function rowOf(kind: UnmanagedKind): UnmanagedRow {
  const { unmanaged: objects, title, custom_types: types = [], other_custom_types: others } = kind;
  // Objects that all lack a custom type are no news.
  const areTyped = types.some(({ custom_type: type }) => type !== '');
  return {
    objects,
    name: plural(objects, title).replace(/^\S+ /u, ''),
    ...activityOf(kind),
    types: [
      ...(areTyped ? types.map(typeRow) : []),
      ...(others === undefined
        ? []
        : [{ objects: others.objects, name: plural(others.custom_types, 'other custom type'), types: [] }]),
    ],
  };
}

function typeRow(type: UnmanagedType): UnmanagedRow {
  const { custom_type: name, objects } = type;
  return {
    objects,
    name: name === '' ? 'no custom type' : `custom type ${safe(name)}`,
    ...activityOf(type),
    types: [],
  };
}

/** `2026-11-26` in UTC. Nobody decides by the minute. */
function activityOf({ last_activity: at }: UnmanagedType | UnmanagedKind): Pick<UnmanagedRow, 'lastActivity'> {
  return at === undefined ? {} : { lastActivity: at.replace(/T.*/u, '') };
}
