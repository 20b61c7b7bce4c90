// A mapping: which tables of an export contain which objects, and which of their columns become which fields.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import type { JsonValue } from '../../../lib/json.ts';

/** Text with `${column}`, an expression, or a value of the row of another table. */
export type WrittenValue =
  | string
  | { readonly cel?: string; readonly in?: string; readonly key?: string; readonly get?: string };

export interface WrittenTime {
  readonly of: WrittenValue;
  readonly unit?: TimeUnit;
  readonly format?: string;
  readonly zone?: string;
  readonly language?: string;
}

/** The number of decimal places by which a unit is finer than milliseconds. Negative if it is coarser. */
export const timeUnits = { seconds: -3, milliseconds: 0, microseconds: 3, '100ns': 4, nanoseconds: 6 } as const;
export type TimeUnit = keyof typeof timeUnits;

export const tableFormats = ['csv', 'ndjson', 'json', 'pg_dump', 'mysqldump', 'mysql_tab', 'sqlite_dump'] as const;
export type TableFormat = (typeof tableFormats)[number];

export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TextEncoding = (typeof textEncodings)[number];

/** Texts that stand for a missing value. NULL without quotes is YAML's null. */
type WrittenNulls = readonly (string | null)[];

/** The column by which a later conversion finds new and changed rows, and how far back it reads again. */
export type WrittenSince = string | { readonly column: string; readonly overlap?: string | number };

export interface WrittenTable {
  /** Absent for a table that is only read from a database. */
  readonly files?: string | readonly string[];
  readonly format?: TableFormat;
  readonly table?: string;
  readonly path?: string;
  readonly key?: string;
  readonly latest?: string;
  readonly computed?: Readonly<Record<string, WrittenValue>>;
  readonly join?: Readonly<Record<string, string>>;
  readonly omit?: readonly string[];
  readonly optional?: boolean;
  readonly null?: WrittenNulls;
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  readonly quote?: string;
  readonly encoding?: TextEncoding;
  readonly since?: WrittenSince;
}

export interface WrittenEntry {
  readonly from: string;
  readonly where?: string;
  readonly personal_ids?: boolean;
  readonly repeats?: boolean;
  readonly [field: string]: WrittenValue | WrittenTime | Readonly<Record<string, WrittenValue>> | boolean | undefined;
}

export interface WrittenMapping
  extends Readonly<Partial<Record<MappingSection, WrittenEntry | readonly WrittenEntry[]>>> {
  readonly version: 1;
  readonly name: string;
  readonly title?: string;
  readonly complete?: boolean;
  readonly null?: WrittenNulls;
  readonly tables: Readonly<Record<string, WrittenTable>>;
}

/** `flag`: a row setting of the mapping itself, true or false. */
export interface MappingField {
  readonly type: 'value' | 'time' | 'file' | 'flag';
  readonly description: string;
  /** The smallest use of the field. */
  readonly example: JsonValue;
  readonly isRequired?: true;
}

export const fileFields = {
  url: { type: 'value', example: '${href}', description: 'URL of the file. Tokens in it are removed.' },
  name: { type: 'value', example: '${file_name}', description: 'Its name.' },
  size: { type: 'value', example: '${bytes}', description: 'In bytes.' },
  type: { type: 'value', example: '${mime_type}', description: 'The media type, such as image/png.' },
} as const satisfies Readonly<Record<string, MappingField>>;

const personalIds: MappingField = {
  type: 'flag',
  example: true,
  description: 'The id is a name, a login or an address, so another id is proposed in decisions.yaml.',
};
const repeats: MappingField = {
  type: 'flag',
  example: true,
  description: 'Several rows describe one object, such as a channel that only its messages name. The first row counts.',
};

/** The fields of each section, in the order of the reference. */
const mappingFields = {
  users: {
    id: {
      type: 'value',
      example: '${id}',
      isRequired: true,
      description: 'The id at the source. It becomes the user_id.',
    },
    name: { type: 'value', example: '${first} ${last}', description: 'Becomes the nickname.' },
    email: {
      type: 'value',
      example: '${email}',
      description: 'To find the user in the file of --identities. It is written nowhere.',
    },
    handle: {
      type: 'value',
      example: '${login}',
      description: 'To find the user in the file of --identities. It is written nowhere.',
    },
    picture: { type: 'value', example: '${avatar_url}', description: 'URL of the profile image.' },
    type: {
      type: 'value',
      example: { cel: 'row.is_bot ? "bot" : "person"' },
      description: 'person (default), guest or bot.',
    },
    deleted: {
      example: '${deleted_at}',
      type: 'value',
      description: 'Whether the user left: true or false, yes or no, a number, a time, or nothing.',
    },
    personal_ids: personalIds,
    repeats,
  },
  channels: {
    id: {
      type: 'value',
      example: '${id}',
      isRequired: true,
      description: 'The id at the source, which messages use to name the channel.',
    },
    channel_url: {
      type: 'value',
      example: 'room-${slug}',
      description: 'Default: NAME_ID, with the name of the mapping.',
    },
    name: { type: 'value', example: '${title}', description: 'The name that people see.' },
    access: {
      type: 'value',
      example: { cel: 'row.is_open ? "public" : "private"' },
      description: 'private (default), public or direct.',
    },
    members: {
      type: 'value',
      example: '${member_ids}',
      description: 'A list of user ids: a JSON list, {a,b} of PostgreSQL, or ids and commas.',
    },
    operators: { type: 'value', example: '${admin_ids}', description: 'A list of user ids.' },
    creator: { type: 'value', example: '${created_by}', description: 'The id of the user who made it.' },
    archived: { type: 'value', example: '${archived_at}', description: 'Whether it becomes frozen.' },
    personal_ids: personalIds,
    repeats,
  },
  members: {
    channel: { type: 'value', example: '${room_id}', isRequired: true, description: 'The id of the channel.' },
    user: { type: 'value', example: '${user_id}', isRequired: true, description: 'The id of the user.' },
    operator: {
      type: 'value',
      example: { cel: 'row.role == "admin"' },
      description: 'Whether the member is an operator.',
    },
    invited: {
      type: 'value',
      example: '${is_invited}',
      description: 'Whether the member was invited and has not joined.',
    },
    muted: {
      type: 'value',
      example: '${is_muted}',
      description: 'Whether the member may read but not write.',
    },
  },
  messages: {
    id: {
      example: '${id}',
      type: 'value',
      description:
        'Unique in its channel, or in all channels if reactions or files name it. Default: time and sender, with a number if several messages share them.',
    },
    channel: { type: 'value', example: '${room_id}', isRequired: true, description: 'The id of the channel.' },
    sender: {
      type: 'value',
      example: { in: 'users', key: '${author}', get: '${id}' },
      description: 'The id of the user. Without one it becomes an admin message.',
    },
    time: {
      type: 'time',
      example: { of: '${sent_at}', unit: 'seconds' },
      isRequired: true,
      description: 'When it was sent.',
    },
    order: {
      type: 'value',
      example: '${sequence}',
      description: 'A growing number that orders the messages of one millisecond. Default: their ids, if they grow.',
    },
    text: { type: 'value', example: '${body}', description: 'What people read.' },
    kind: {
      type: 'value',
      example: { cel: 'row.is_event ? "system" : "message"' },
      description: 'message (default), system, or join for joins and leaves.',
    },
    type: { type: 'value', example: '${kind}', description: 'The type at the source, for the envelope.' },
    thread: {
      type: 'value',
      example: '${root_id}',
      description: 'The id of the first message of the thread. A reply there, with messages.threads: send.',
    },
    reply_to: { type: 'value', example: '${parent_id}', description: 'The id of the message that is answered.' },
    mentions: {
      type: 'value',
      example: { cel: 'row.body.extractAll("<@([0-9]+)>")' },
      description: 'A list of user ids.',
    },
    edited: {
      type: 'time',
      example: { of: '${edited_at}', format: 'dd.MM.yyyy HH:mm', zone: 'Europe/Berlin' },
      description: 'When it was edited last.',
    },
    deleted: {
      type: 'value',
      example: '${deleted_at}',
      description: 'Whether it was deleted, so that it is left out.',
    },
    file: { type: 'file', example: { url: '${href}', name: '${file_name}' }, description: 'The file of the message.' },
    files: {
      type: 'value',
      example: { cel: 'row.files.map(f, {"url": f.href, "name": f.title})' },
      description: 'A list of files, each with url, name, size and type.',
    },
    reactions: {
      type: 'value',
      example: '${reactions}',
      description: 'Lists of user ids by emoji, or a list of {name, users}.',
    },
  },
  reactions: {
    message: { type: 'value', example: '${message_id}', isRequired: true, description: 'The id of the message.' },
    name: { type: 'value', example: '${emoji}', isRequired: true, description: 'The emoji or its name.' },
    user: { type: 'value', example: '${user_id}', isRequired: true, description: 'The id of the user.' },
  },
  files: {
    message: { type: 'value', example: '${message_id}', isRequired: true, description: 'The id of the message.' },
    id: { type: 'value', example: '${id}', description: 'The id of the file at the source.' },
    ...fileFields,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MappingField>>>>;

export type MappingSection = keyof typeof mappingFields;
export const mappingSections = Object.keys(mappingFields) as readonly MappingSection[];

/** The fields of a section, for code that does not know which one. */
export function fieldsOf(section: MappingSection): Readonly<Record<string, MappingField>> {
  return mappingFields[section];
}
