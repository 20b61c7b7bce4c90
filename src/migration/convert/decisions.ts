// The decisions of a conversion: a YAML file in git that chatform proposes and people edit.
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import {
  choices,
  decisionsVersion,
  isAcceptable,
  isFieldDecision,
  mapIn,
  problemsOf,
  type RenameAnswer,
  type renamedKinds,
  type WrongDecision,
} from './decision-checks.ts';
import type { FieldDecision } from './export/fields.ts';
import type { UnknownField } from './export/look-at-fields.ts';
import type { ReasonCode } from './export/reasons.ts';
import type { ExportSource } from './export/source.ts';

/** By setting, or by group and setting. */
const explained: Readonly<Record<string, string>> = {
  guests: 'Guest accounts at the source.',
  'users.deleted': 'Users who left. Declare them as deactivated, or leave them out with their messages.',
  bots: 'Bots and apps. Declare them as users, turn their messages into admin messages, or leave both out.',
  unknown: 'Senders and members that the export does not list. Declare them as deactivated, or leave them out.',
  banned: 'Users who were banned. Declare them as deactivated, or as active.',
  'channels.deleted': 'Channels that were deleted. Leave them out with their messages, or declare them as frozen.',
  restricted: 'Messages that only some members could see. Leave them out, or show them to all members of the channel.',
  pictures: 'Profile images, as URLs. URLs that contain a token are never kept.',
  public: 'Public channels. Open them to their members only, or to every user of the application, guests included.',
  joins: 'Messages about people who joined or left.',
  long_texts: 'Texts that are too long for one message. Split them into several messages, or leave them out.',
  reactions: 'Reactions. Keep them in the message data only, or send them as well, which costs a read and a call each.',
  threads:
    'Replies. Send them as messages of the channel, or as replies in threads, which costs one or two reads and a call each. Ask with chatform calibrate first whether the application keeps their times.',
  urls: 'Files. Keep the URL (without its token, or of a copy), or only list the file as text. conversion/files.ndjson lists all.',
};

export function explanationOf(group: string, name: string): string {
  return explained[name] ?? explained[`${group}.${name}`] ?? '';
}

type Choice<Group extends keyof typeof choices> = {
  readonly [Name in keyof (typeof choices)[Group]]: (typeof choices)[Group][Name] extends readonly (infer Value)[]
    ? Value
    : never;
};

export interface Decisions {
  readonly source: string;
  readonly users: Choice<'users'>;
  readonly channels: Choice<'channels'>;
  readonly messages: Choice<'messages'>;
  readonly files: Choice<'files'>;
  /** Unix milliseconds: the time of messages that have none. Undefined: they are left out. */
  readonly missingTime: number | undefined;
  /** By source id. */
  readonly user_ids: ReadonlyMap<string, string>;
  readonly channel_urls: ReadonlyMap<string, string>;
  /** The channel whose messages are in an ambiguous folder: source id by folder name. */
  readonly folders: ReadonlyMap<string, string>;
  /** By new id: the earlier id, and whether both are the same user or channel. */
  readonly renamed: Readonly<Record<RenamedKind, ReadonlyMap<string, Renamed>>>;
  /** The account that a person keeps, by the other accounts of the person. Both are source ids. */
  readonly merged: ReadonlyMap<string, string>;
  /** The reason by source id. */
  readonly leftOut: { readonly users: ReadonlyMap<string, string>; readonly channels: ReadonlyMap<string, string> };
  /** What fields mean that chatform does not know, by kind of row and name: `message.own_field`. */
  readonly fields: ReadonlyMap<string, FieldDecision>;
  /** Reasons for which lines may be left out. */
  readonly accepted: ReadonlySet<ReasonCode>;
}

export type RenamedKind = (typeof renamedKinds)[number];

interface Renamed {
  /** The earlier source id. */
  readonly was: string;
  readonly same: RenameAnswer;
}

/** A user or channel that may have been renamed. */
export interface RenameProposal {
  readonly kind: RenamedKind;
  readonly id: string;
  readonly was: string;
  /** The evidence, as a phrase for people. */
  readonly evidence: string;
}

interface DecisionProblem {
  readonly line: number;
  readonly detail: string;
}

/** A parsed decisions file, and its text with the proposals of this conversion added. */
export interface DecisionsFile {
  readonly decisions: Decisions;
  readonly problems: readonly DecisionProblem[];
  /** Says where values stand that proved to be wrong for this export. */
  placed(wrong: readonly WrongDecision[]): readonly DecisionProblem[];
  /** Adds new entries and leaves the rest unchanged. Undefined if nothing is new. */
  withProposals(proposals: Proposals): string | undefined;
}

export interface Proposals {
  readonly userIds: Iterable<readonly [string, string]>;
  readonly channelUrls: Iterable<readonly [string, string]>;
  /** Reasons for omissions that nobody has decided on. */
  readonly undecided: Iterable<ReasonCode>;
  readonly renamed: readonly RenameProposal[];
  readonly unknownFields: readonly Pick<UnknownField, 'kind' | 'name'>[];
}

/** `text` is undefined if the file does not exist yet. */
export function readDecisions(
  text: string | undefined,
  source: Pick<ExportSource, 'name' | 'idsAreNames' | 'fields'>,
): DecisionsFile {
  const counter = new LineCounter();
  const document = parseDocument(text ?? startingText(source.name), {
    lineCounter: counter,
    strict: true,
    uniqueKeys: true,
  });
  const problems: DecisionProblem[] = document.errors.map(({ message, pos: [offset] }) => ({
    line: counter.linePos(offset).line,
    detail: message.split('\n')[0] ?? message,
  }));
  const placed = (wrong: readonly WrongDecision[]): DecisionProblem[] =>
    wrong.map(({ path, detail }) => ({ line: lineOf(document, path, counter), detail }));
  const value = problems.length > 0 ? {} : asText(document);
  if (problems.length === 0) problems.push(...placed(problemsOf(value, source)));
  const isNew = text === undefined;
  return {
    decisions: decisionsOf(value, source.name),
    problems,
    placed,
    withProposals: (proposals) =>
      addProposals(document, proposals) || isNew ? document.toString({ lineWidth: 0 }) : undefined,
  };
}

function startingText(source: string): string {
  const lines = [
    '# What becomes of what the export holds. chatform proposed these values and changes none of them; it only adds',
    '# ids and reasons. Its JSON Schema: chatform schema decisions',
    `format_version: ${decisionsVersion}`,
    `source: ${source}`,
  ];
  for (const [group, names] of Object.entries(choices)) {
    lines.push('', `${group}:`);
    for (const [name, values] of Object.entries(names)) {
      lines.push(`  # ${explanationOf(group, name)} ${values.join(' or ')}`, `  ${name}: ${values[0]}`);
    }
  }
  return `${lines.join('\n')}
`;
}

/** Keeps ids as text: `00123` is not a number. Values that are neither text nor maps become an empty list, which no check accepts. */
function asText(document: Document): JsonObject {
  const plain = (node: unknown): JsonValue => {
    if (isMap(node)) {
      const pairs = node.items as Pair<Scalar, unknown>[];
      return Object.fromEntries(pairs.map(({ key, value }) => [scalarText(key), plain(value)]));
    }
    return node === null || isScalar(node) ? scalarText(node) : [];
  };
  const value = plain(document.contents);
  return isObject(value) ? value : {};
}

function scalarText(node: unknown): string {
  if (!isScalar(node)) return '';
  return typeof node.source === 'string' ? node.source : node.value === null ? '' : String(node.value);
}

function decisionsOf(value: JsonObject, source: string): Decisions {
  const group = <Group extends keyof typeof choices>(name: Group): Choice<Group> =>
    Object.fromEntries(
      Object.entries(choices[name]).map(([key, allowed]: [string, readonly string[]]) => [
        key,
        mapIn(value, name)[key] ?? allowed[0],
      ]),
    ) as Choice<Group>;
  const leftOut = mapIn(value, 'left_out');
  return {
    source,
    users: group('users'),
    channels: group('channels'),
    messages: group('messages'),
    files: group('files'),
    missingTime: value.missing_time === undefined ? undefined : Date.parse(String(value.missing_time)),
    user_ids: textsIn(value, 'user_ids'),
    channel_urls: textsIn(value, 'channel_urls'),
    folders: textsIn(value, 'folders'),
    merged: textsIn(value, 'merged'),
    renamed: { users: renamedIn(value, 'users'), channels: renamedIn(value, 'channels') },
    leftOut: { users: textsIn(leftOut, 'users'), channels: textsIn(leftOut, 'channels') },
    fields: new Map(
      [...textsIn(value, 'fields')].flatMap(([name, chosen]) => (isFieldDecision(chosen) ? [[name, chosen]] : [])),
    ),
    accepted: new Set(
      [...textsIn(value, 'accepted')].flatMap(([code, chosen]) =>
        chosen === 'yes' && isAcceptable(code) ? [code] : [],
      ),
    ),
  };
}

function renamedIn(value: JsonObject, kind: RenamedKind): ReadonlyMap<string, Renamed> {
  const entries = Object.entries(mapIn(mapIn(value, 'renamed'), kind));
  return new Map(
    entries.map(([id, answer]) => {
      const { was, same } = isObject(answer) ? answer : {};
      return [id, { was: String(was), same: same === 'yes' || same === 'no' ? same : 'undecided' }];
    }),
  );
}

function textsIn(value: JsonObject, name: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(mapIn(value, name)).map(([key, found]) => [key, String(found)]));
}

function lineOf(document: Document, path: readonly string[], counter: LineCounter): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const name of path) {
    if (!isMap(node)) break;
    const pair = (node.items as Pair<Scalar, unknown>[]).find(({ key }) => scalarText(key) === name);
    if (pair === undefined) break;
    offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return counter.linePos(offset).line;
}

function addProposals(document: Document, proposals: Proposals): boolean {
  const { userIds, channelUrls, undecided, unknownFields, renamed } = proposals;
  let isChanged = addRenamed(document, renamed);
  const add = (section: string, entries: Iterable<readonly [string, string]>): void => {
    let map: YAMLMap | undefined;
    let known: Set<string> | undefined;
    for (const [key, value] of entries) {
      if (map === undefined) {
        const found = document.get(section);
        if (isMap(found)) map = found;
        else {
          const key = document.createNode(section);
          key.spaceBefore = true;
          map = document.createNode({});
          map.flow = false;
          (document.contents as YAMLMap).items.push(document.createPair(key, map) as Pair<unknown, unknown>);
        }
        known = new Set(map.items.map((pair) => scalarText(pair.key)));
      }
      if (known?.has(key) === true) continue;
      map.items.push(document.createPair(key, value) as Pair<unknown, unknown>);
      isChanged = true;
    }
  };
  add('user_ids', userIds);
  add('channel_urls', channelUrls);
  add(
    'fields',
    unknownFields.map(({ kind, name }) => [`${kind}.${name}`, 'undecided'] as const),
  );
  add(
    'accepted',
    [...new Set(undecided)].sort().map((code) => [code, 'no'] as const),
  );
  return isChanged;
}

/** Adds a question for each rename that has none. */
function addRenamed(document: Document, renamed: readonly RenameProposal[]): boolean {
  let isChanged = false;
  for (const { kind, id, was, evidence } of renamed) {
    if (document.hasIn(['renamed', kind, id])) continue;
    for (const path of [['renamed'], ['renamed', kind]]) {
      if (!isMap(document.getIn(path))) document.setIn(path, document.createNode({}));
    }
    const answer = document.createNode({ was, same: 'undecided' }, { flow: true });
    answer.comment = ` yes or no: ${evidence}`;
    document.setIn(['renamed', kind, id], answer);
    isChanged = true;
  }
  return isChanged;
}
