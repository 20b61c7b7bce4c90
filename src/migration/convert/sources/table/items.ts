// Converts the rows of a table to objects and messages.

import { fileFields, type MappingSection } from '../../../../core/model/tables/mapping.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { plural } from '../../../../lib/words.ts';
import { DerivedIds, derivedId } from '../../export/derived-ids.ts';
import type { RowKind } from '../../export/fields.ts';
import type { SourceChannel, SourceFile, SourceMessage, SourceReaction, SourceUser } from '../../export/items.ts';
import type { ExportFields, Look } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { safeId } from '../../export/urls.ts';
import { finerDigits, orderKey } from '../../order.ts';
import type { Doubts } from './doubts.ts';
import { flagOf, RowFields } from './fields.ts';
import type { Mapping, MappingEntry, Table, TimeField } from './mapping.ts';
import { incompleteTime } from './problems.ts';
import type { RowValue } from './row-values.ts';
import { TextHints } from './text-hints.ts';
import type { ReadTime } from './times.ts';

/** A row of a table. `at` is its place. */
export interface PlacedRow {
  readonly table: Table;
  readonly at: string;
  readonly row: JsonObject;
}

export interface Membership {
  readonly channel: string;
  readonly user: string;
  readonly isOperator: boolean;
  readonly isInvited: boolean;
  readonly isMuted: boolean;
  readonly reasons: readonly ReasonCode[];
}

/** A row that belongs to a message. */
export type LinkedPart =
  | { readonly message: string; readonly name: string; readonly reaction: SourceReaction }
  | { readonly message: string; readonly name: string; readonly file: SourceFile };

/** The parts of a message from rows of other tables. */
export interface MessageParts {
  readonly reactions: readonly SourceReaction[];
  readonly files: readonly SourceFile[];
}

const dropped: readonly ReasonCode[] = ['row.value-dropped'];
const noReasons: readonly ReasonCode[] = [];

const kinds = {
  users: 'user',
  channels: 'channel',
  members: 'member',
  messages: 'message',
  reactions: 'reaction',
  files: 'file',
} as const satisfies Readonly<Record<MappingSection, RowKind>>;

/** Columns of joined rows are named with their table. */
function withJoined({ joins }: Table, unused: JsonObject): JsonObject {
  if (joins.length === 0) return unused;
  const names = new Set(joins.map(({ table }) => table));
  return Object.fromEntries(
    Object.entries(unused).flatMap(([name, value]) =>
      names.has(name) && isObject(value)
        ? Object.entries(value).map(([column, inner]) => [`${name}.${column}`, inner] as const)
        : [[name, value] as const],
    ),
  );
}

/** Each method returns undefined if the row lacks a value that its object needs. */
export class RowItems {
  readonly #mapping: Mapping;
  readonly #fields = new RowFields();
  readonly #doubts: Doubts;
  readonly #exportFields: ExportFields;
  readonly #ids = new DerivedIds();
  readonly #texts = new TextHints();

  constructor(mapping: Mapping, doubts: Doubts, exportFields: ExportFields) {
    this.#mapping = mapping;
    this.#doubts = doubts;
    this.#exportFields = exportFields;
  }

  /** Texts that people should not read as they are, and fields whose values were left out, as sentences. */
  *notes(): Generator<string> {
    yield* this.#texts.notes();
    for (const { path, values, file = {} } of this.#mapping.tables.flatMap(({ entries }) => entries)) {
      const parts = Object.entries(file).map(([name, value]) => [`file.${name}`, value] as const);
      for (const [name, value] of [...Object.entries(values), ...parts]) {
        const dropped = this.#fields.droppedOf(value);
        if (dropped === undefined) continue;
        const { count, first } = dropped;
        yield `${plural(count, 'value')} of ${[...path, name].join('.')} ${count === 1 ? 'was' : 'were'} left out, because ${count === 1 ? 'it' : 'they'} cannot be computed or ${count === 1 ? 'has' : 'have'} the wrong type: the first is at ${first}.`;
      }
    }
  }

  /** Looks at the columns that the mapping neither reads nor omits, in the row itself and in those that are joined to it. */
  look({ section }: MappingEntry, { table, row }: PlacedRow): Look {
    return this.#exportFields.of(kinds[section]).look(withJoined(table, table.used.unusedIn(row) ?? {}));
  }

  /** Whether a flag of the user or channel cannot be read. */
  isUnreadable(entry: MappingEntry, placed: PlacedRow): boolean {
    this.#fields.start(placed);
    return ['deleted', 'archived'].some((name) => this.#flag(entry, name, placed) === undefined);
  }

  /** Undefined if the value cannot be read. */
  #flag({ path, values }: MappingEntry, name: string, { table, at }: PlacedRow): boolean | undefined {
    const value = this.#fields.value(values[name]);
    const flag = flagOf(value);
    if (value !== undefined)
      this.#doubts.noteValue(values[name], flag !== undefined, { path: [...path, name], table, at, value });
    return flag;
  }

  /** The id of a user or channel. */
  idOf({ values }: MappingEntry, placed: PlacedRow): string | undefined {
    this.#fields.start(placed);
    return this.#fields.id(values.id);
  }

  user(entry: MappingEntry, placed: PlacedRow): SourceUser | undefined {
    const { values, hasPersonalIds } = entry;
    const fields = this.#fields;
    fields.start(placed);
    const id = fields.id(values.id);
    const isDeleted = this.#flag(entry, 'deleted', placed);
    if (id === undefined || isDeleted === undefined) return undefined;
    const { restriction, reasons: profile } = this.look(entry, placed);
    const name = fields.text(values.name)?.trim();
    this.#texts.note(entry, 'name', name, placed.at);
    return {
      id,
      email: fields.text(values.email),
      handle: fields.text(values.handle),
      name: name ?? id,
      picture: fields.text(values.picture),
      type: fields.choice(values.type, ['person', 'guest', 'bot']),
      isDeleted,
      isBanned: restriction === 'banned',
      hasOpaqueId: !hasPersonalIds,
      // Last, since reading a field may drop its value.
      reasons: fields.hasDropped ? [...dropped, ...profile] : profile,
    };
  }

  channel(entry: MappingEntry, placed: PlacedRow): SourceChannel | undefined {
    const { values, hasPersonalIds } = entry;
    const fields = this.#fields;
    fields.start(placed);
    const id = fields.id(values.id);
    const isArchived = this.#flag(entry, 'archived', placed);
    if (id === undefined || isArchived === undefined) return undefined;
    const creator = fields.id(values.creator);
    const { kept, restriction, reasons } = this.look(entry, placed);
    const name = fields.text(values.name);
    this.#texts.note(entry, 'name', name, placed.at);
    return {
      id,
      url: fields.text(values.channel_url),
      name: name ?? '',
      access: fields.choice(values.access, ['private', 'public', 'direct']),
      hasOpaqueId: !hasPersonalIds,
      members: fields.ids(values.members),
      operators: fields.ids(values.operators) ?? [],
      creator,
      isArchived,
      facts: { ...(creator === undefined ? {} : { creator }), ...kept },
      isDeleted: restriction === 'deleted',
      reasons: [...(fields.hasDropped ? dropped : noReasons), ...reasons],
    };
  }

  membership(
    entry: MappingEntry,
    placed: PlacedRow,
  ): Membership | 'row.required' | 'row.unreadable' | 'member.not-in-force' {
    const { values } = entry;
    const fields = this.#fields;
    fields.start(placed);
    const channel = fields.id(values.channel);
    const user = fields.id(values.user);
    if (channel === undefined || user === undefined) return 'row.required';
    const isOperator = this.#flag(entry, 'operator', placed);
    const isInvited = this.#flag(entry, 'invited', placed);
    const isMuted = this.#flag(entry, 'muted', placed);
    if (isOperator === undefined || isInvited === undefined || isMuted === undefined) return 'row.unreadable';
    const { restriction, reasons } = this.look(entry, placed);
    if (restriction === 'no_member') return 'member.not-in-force';
    return { channel, user, isOperator, isInvited, isMuted, reasons };
  }

  part({ section, values }: MappingEntry, placed: PlacedRow): LinkedPart | undefined {
    const fields = this.#fields;
    fields.start(placed);
    const message = fields.id(values.message);
    if (message === undefined) return undefined;
    if (section === 'files') {
      const file = this.#file(values);
      return { message, name: `${message}:${file.id === '' ? file.name : file.id}`, file };
    }
    const written = fields.text(values.name);
    const user = fields.id(values.user);
    if (written === undefined || user === undefined) return undefined;
    const name = emojiName(written);
    return { message, name: `${message}:${name}:${user}`, reaction: { name, users: [user] } };
  }

  /** `partsOf` is undefined if no other table belongs to messages. */
  message(
    entry: MappingEntry,
    placed: PlacedRow,
    partsOf: ((id: string) => MessageParts) | undefined,
  ): SourceMessage | { readonly id: string; readonly reason: ReasonCode } {
    const { values, times, file } = entry;
    const { at } = placed;
    const fields = this.#fields;
    fields.start(placed);
    const channel = fields.id(values.channel);
    const sender = fields.id(values.sender);
    const id =
      values.id === undefined && channel !== undefined
        ? this.#ids.numbered(
            channel,
            this.#derivedId(entry, sender),
            fields.text(values.text) ?? '',
            at.split('#', 1)[0] ?? '',
          )
        : fields.id(values.id);
    if (id === undefined || channel === undefined) return { id: at, reason: 'row.required' };
    const messageId = `${channel}:${id}`;
    const isDeleted = this.#flag(entry, 'deleted', placed);
    if (isDeleted !== false)
      return { id: messageId, reason: isDeleted === true ? 'message.deleted' : 'row.unreadable' };
    const { time, written, doubt } = this.#time(times.time, placed) ?? noTime;
    if (written !== null && Number.isNaN(time)) return { id: messageId, reason: 'time.unreadable' };
    const text = fields.text(values.text) ?? '';
    this.#texts.note(entry, 'text', text, at);
    const type = fields.text(values.type);
    const thread = fields.id(values.thread);
    const replyTo = fields.id(values.reply_to);
    const { written: edited, doubt: doubtOfEdit } = this.#edited(times.edited, placed);
    const doubts = [doubt, doubtOfEdit === doubt ? undefined : doubtOfEdit].filter((code) => code !== undefined);
    const parts = partsOf?.(id);
    const { files, said } = this.#files(values.files, file, parts);
    const reactions = this.#reactions(values.reactions, parts);
    const { kept: more, restriction, reasons } = this.look(entry, placed);
    const facts = {
      id: `${this.#mapping.name}:${channel}:${id}`,
      sender,
      time: written,
      order: this.#order(entry, placed),
      text,
      type,
      thread: thread === id ? undefined : thread,
      reply_to: replyTo,
      reactions: reactions.length === 0 ? undefined : reactions,
      edited: edited === written ? undefined : edited,
      files: files.length === 0 ? undefined : said,
      more,
    };
    const kind = fields.choice(values.kind, ['message', 'system', 'join']);
    const mentions = fields.ids(values.mentions) ?? nobody;
    return {
      channel,
      time,
      kind,
      text,
      mentions,
      files,
      facts,
      rowId: partsOf === undefined ? undefined : id,
      isRestricted: restriction === 'restricted',
      reasons:
        fields.hasDropped || doubts.length > 0
          ? [...(fields.hasDropped ? dropped : noReasons), ...doubts, ...reasons]
          : reasons,
    };
  }

  /** `time` is NaN for a value that cannot be read. */
  #time(field: TimeField | undefined, { table, at }: PlacedRow): ReadTime | undefined {
    const value = this.#fields.value(field?.of);
    if (field === undefined || value === undefined) return undefined;
    const found = field.read(value);
    if (typeof found === 'string') throw incompleteTime(this.#mapping, field.path, at, found);
    this.#doubts.noteValue(field, !Number.isNaN(found.time), { path: field.path, table, at, value });
    return found;
  }

  /** Without a note of a value that cannot be read. */
  #derivedId({ values, times: { time: field } }: MappingEntry, sender: string | undefined): string {
    const [value, order] = [this.#fields.value(field?.of), this.#fields.value(values.order)];
    const read = value === undefined ? undefined : field?.read(value);
    const { time, written } = typeof read === 'object' ? read : noTime;
    const key = order === undefined ? undefined : orderKey(order);
    return derivedId(time, sender, finerDigits(written), key && `${key.form} ${key.key}`);
  }

  /** Notes a value by which no message can be ordered. */
  #order({ path, values }: MappingEntry, { table, at }: PlacedRow): JsonValue | undefined {
    const value = this.#fields.value(values.order);
    if (value !== undefined)
      this.#doubts.noteValue(values.order, orderKey(value) !== undefined, {
        path: [...path, 'order'],
        table,
        at,
        value,
      });
    return value;
  }

  /** Programs write 0 for a message that nobody edited. */
  #edited(field: TimeField | undefined, placed: PlacedRow): { written?: JsonValue; doubt?: ReadTime['doubt'] } {
    const found = this.#time(field, placed);
    if (found !== undefined && Number.isNaN(found.time)) this.#fields.hasDropped = true;
    return found === undefined || Number.isNaN(found.time) || found.time === 0 ? {} : found;
  }

  /** `said` is the description in the source. */
  #files(
    list: RowValue | undefined,
    file: MappingEntry['file'],
    parts: MessageParts | undefined,
  ): { readonly files: readonly SourceFile[]; readonly said: readonly JsonValue[] } {
    if (list === undefined && file === undefined && parts === undefined) return noFiles;
    const maps = list === undefined ? [] : this.#fields.maps(list);
    const rowFile = file === undefined ? undefined : this.#file(file);
    // A column of files is empty in messages without one.
    const others = [...(rowFile?.url === undefined ? [] : [rowFile]), ...(parts?.files ?? [])];
    return {
      files: [...maps.map((map) => this.#file(columnsOf(map))), ...others],
      said: [...maps, ...others.map((other) => ({ ...other }))],
    };
  }

  #file(values: Readonly<Record<string, RowValue>>): SourceFile {
    const fields = this.#fields;
    const url = fields.text(values.url);
    const size = values.size === undefined ? undefined : fields.number(values.size);
    const type = fields.text(values.type);
    return {
      id: fields.id(values.id) ?? safeId(url ?? ''),
      name: fields.text(values.name) ?? 'attachment',
      ...(url === undefined ? {} : { url }),
      ...(size === undefined ? {} : { size: Math.trunc(size) }),
      ...(type === undefined ? {} : { type }),
    };
  }

  #reactions(value: RowValue | undefined, parts: MessageParts | undefined): readonly SourceReaction[] {
    if (value === undefined && (parts?.reactions ?? []).length === 0) return [];
    const users = new Map<string, string[]>();
    const add = (name: string, ids: readonly string[]): void =>
      void users.set(emojiName(name), [...(users.get(emojiName(name)) ?? []), ...ids]);
    const found = value === undefined ? undefined : this.#fields.value(value);
    if (isList(found)) {
      for (const entry of found) if (isObject(entry)) add(String(entry.name ?? ''), idsIn(entry.users));
    } else if (isObject(found)) for (const [name, ids] of Object.entries(found)) add(name, idsIn(ids));
    for (const reaction of parts?.reactions ?? []) add(reaction.name, reaction.users);
    return users.size === 0 ? [] : [...users].map(([name, ids]) => ({ name, users: ids }));
  }
}

const nobody: readonly string[] = [];
const noFiles = { files: [], said: [] } as const;
const noTime: ReadTime = { time: Number.NaN, written: null };

/** Programs write a name of an emoji as in texts, between colons. */
function emojiName(written: string): string {
  return written.replace(/^:([^:].*):$/su, '$1');
}

function idsIn(value: JsonValue | undefined): readonly string[] {
  return (isList(value) ? value : []).flatMap((id) => (typeof id === 'object' ? [] : [safeId(String(id))]));
}

function columnsOf(map: JsonObject): Readonly<Record<string, RowValue>> {
  return Object.fromEntries(['id', ...Object.keys(fileFields)].map((name) => [name, () => map[name]]));
}
