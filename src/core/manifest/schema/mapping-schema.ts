// The JSON Schema of mappings: which tables have which objects, and which columns become which fields.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings

import type { JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';
import {
  fieldsOf,
  fileFields,
  type MappingField,
  type MappingSection,
  mappingSections,
  tableFormats,
  textEncodings,
  timeUnits,
} from '../../model/tables/mapping.ts';

const text: JsonSchema = { type: 'string', minLength: 1 };

/** A property, with what it means and the smallest use of it. */
function property(schema: JsonSchema, description: string, example: JsonValue): JsonSchema {
  return { ...schema, description, examples: [example] };
}

/** Returns the schema to use in the places where the named one applies: the schema itself, or a reference to it. */
type Define = (name: string, schema: JsonSchema) => JsonSchema;

function valueSchema(define: Define, description: string): JsonSchema {
  const forms: JsonSchema = {
    anyOf: [
      { type: 'string', description: 'Text with columns: ${first} ${last}. ${address.city} is a part of a value.' },
      {
        type: 'object',
        minProperties: 1,
        properties: {
          cel: property(text, 'An expression in CEL over the columns.', 'row.first + " " + row.last'),
          in: property(text, 'The table in which the row is looked up by its key.', 'users'),
          key: property(text, 'The key that is looked up.', '${author}'),
          get: property(text, 'The value to take from that row.', '${id}'),
        },
        additionalProperties: false,
      },
    ],
  };
  return { description, ...define('value', forms) };
}

function timeSchema(define: Define, description: string): JsonSchema {
  const forms: JsonSchema = {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['of'],
        properties: {
          of: property(valueSchema(define, ''), 'The column or expression.', '${sent_at}'),
          unit: property({ enum: Object.keys(timeUnits) }, 'The unit of a number since 1970.', 'seconds'),
          format: property(
            text,
            "The letters of the parts: yyyy, or yy (70 to 99 mean 19xx); MMMM, MMM, MM or M; dd or d; EEEE or EEE for the name of a day; HH or H, or hh or h with a; mm; ss; S; Z. Write other letters in quotes: 'at'. Default: ISO 8601.",
            'yyyy-MM-dd HH:mm:ss',
          ),
          zone: property(text, 'The zone of times without one: UTC, +02:00 or Europe/Berlin.', 'Europe/Berlin'),
          language: property(
            text,
            'The language of the names of months (MMMM, MMM), weekdays (EEEE, EEE) and AM/PM (a), such as es or pt-BR. Default: en.',
            'de',
          ),
        },
        additionalProperties: false,
      },
    ],
  };
  const whole = `${description} Either a column with an ISO time and zone, or of with unit, or of with format and zone.`;
  return { description: whole, ...define('time', forms) };
}

function fieldSchema(define: Define, field: MappingField): JsonSchema {
  return { ...valuesOf(define, field), examples: [field.example] };
}

function valuesOf(define: Define, { type, description }: MappingField): JsonSchema {
  if (type === 'flag') return { type: 'boolean', description };
  if (type === 'time') return timeSchema(define, description);
  if (type === 'value') return valueSchema(define, description);
  const parts = Object.entries(fileFields);
  return {
    type: 'object',
    description,
    required: ['url'],
    properties: Object.fromEntries(parts.map(([part, field]) => [part, fieldSchema(define, field)])),
    additionalProperties: false,
  };
}

const sectionTexts: Readonly<Record<MappingSection, string>> = {
  users: 'Which rows are users.',
  channels: 'Which rows are channels.',
  members: 'Which rows are memberships.',
  messages: 'Which rows are messages.',
  reactions: 'Which rows are reactions to messages.',
  files: 'Which rows are files of messages.',
};

function sectionSchema(define: Define, section: MappingSection): JsonSchema {
  const fields = Object.entries(fieldsOf(section));
  const entry = define(section, {
    type: 'object',
    required: ['from', ...fields.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name)],
    properties: {
      from: property(text, 'The table.', 'users'),
      where: property(
        text,
        'A condition in CEL, which must be true or false. Booleans of a database are booleans: !row.hidden. Default: every row.',
        'row.kind == "person"',
      ),
      ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(define, field)])),
    },
    additionalProperties: false,
  });
  return {
    description: `${sectionTexts[section]} One entry, or a list.`,
    anyOf: [entry, { type: 'array', minItems: 1, items: entry }],
  };
}

/** The names of tables and computed columns. */
const namePattern = '^[A-Za-z_][A-Za-z0-9_]*$';

const names: JsonSchema = { type: 'array', minItems: 1, items: text };

function nullsSchema(more: string): JsonSchema {
  return {
    type: 'array',
    items: { type: ['string', 'null'] },
    description: `Strings that mean a missing value: [NULL, "\\\\N", "0000-00-00 00:00:00"]. ${more}`,
  };
}

/** The smallest use of each key of a table. */
const tableExamples: Readonly<Record<string, JsonValue>> = {
  files: 'users-*.csv',
  format: 'csv',
  columns: ['id', 'name'],
  delimiter: ';',
  quote: "'",
  encoding: 'windows-1252',
  table: 'public.users',
  path: 'data.*',
  key: '${login}',
  latest: '${revision}',
  computed: { author_id: { in: 'users', key: '${author}', get: '${id}' } },
  join: { users: '${author}' },
  omit: ['password_hash', 'files.*.size'],
  null: [null, '\\N'],
  optional: true,
  since: 'updated_at',
};

/** The smallest use of each key of the mapping itself. */
const topExamples: Readonly<Record<string, JsonValue>> = {
  version: 1,
  name: 'acme',
  title: 'Acme Chat',
  complete: true,
  null: [null, '\\N'],
  tables: { users: { files: 'users.csv' } },
  users: { from: 'users', id: '${id}' },
  channels: { from: 'rooms', id: '${id}' },
  members: { from: 'memberships', channel: '${room_id}', user: '${user_id}' },
  messages: { from: 'messages', id: '${id}', channel: '${room_id}', time: '${sent_at}' },
  reactions: { from: 'reactions', message: '${message_id}', name: '${emoji}', user: '${user_id}' },
  files: { from: 'uploads', message: '${message_id}', url: '${href}' },
};

function withExamples(
  properties: Readonly<Record<string, JsonSchema>>,
  examples: Readonly<Record<string, JsonValue>>,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const example = examples[name];
      return [name, example === undefined ? schema : { ...schema, examples: [example] }];
    }),
  );
}

const tableSchema = (define: Define): JsonSchema => ({
  type: 'object',
  properties: withExamples(
    {
      files: {
        description:
          'Names of its files: users-*.csv, or members/{channel}.json, where {channel} becomes a column. Not needed for a database.',
        anyOf: [text, names],
      },
      format: {
        enum: tableFormats,
        description:
          'Default: by the ending csv or tsv, ndjson or jsonl, json, sql or dump, and txt beside an sql of the same name. The database of a dump is found by looking.',
      },
      columns: {
        ...names,
        description:
          'Its columns in their order, where neither the file nor a CREATE TABLE before its rows names them.',
      },
      delimiter: {
        type: 'string',
        pattern: '^[^"\\n\\r]$',
        description:
          'The separator of CSV cells: ";" or "\\t". Default: the separator of sep= in the first line, or detected.',
      },
      quote: {
        type: 'string',
        pattern: '^[^\\n\\r]?$',
        description: `The quotes of CSV cells: '"' (default), "'", or "" for nothing.`,
      },
      encoding: {
        enum: textEncodings,
        description: 'The encoding of CSV. Default: found by looking.',
      },
      table: {
        ...text,
        description:
          'Its name in a dump or database: users, acme.users with its schema or database, or acme.public.users with both. messages_* means all partitions of a dump. Default: its name here.',
      },
      path: {
        ...text,
        description:
          'Where its rows are in JSON: data.*, or rooms.{room}.messages.*, where {room} becomes a column. $ makes the whole file one row; a list that another table reads as rows is empty in it. Default: *.',
      },
      key: {
        ...text,
        description: 'The columns that other rows use to look up a row: ${login}. chatform keeps them in memory.',
      },
      latest: {
        ...text,
        description:
          'Where several rows have one key, such as the revisions of a message: a number or a time that is largest in the row that counts. The others are left out.',
      },
      computed: {
        type: 'object',
        minProperties: 1,
        description:
          'Columns that are computed from each row. They are used like other columns, also by conditions and look-ups.',
        propertyNames: { pattern: namePattern },
        additionalProperties: valueSchema(define, 'The value of the column.'),
      },
      join: {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        description:
          'A table with a key, and the key of the row that becomes a column: { bodies: ${id} }, read as ${bodies.text}. It may be as large as the table of messages.',
        additionalProperties: text,
      },
      omit: {
        ...names,
        description:
          'Columns to leave out, or parts of them: files.*.size. Any other unused column waits for a decision in decisions.yaml.',
      },
      null: nullsSchema('[] says that there are none. Default: those of the mapping.'),
      optional: { type: 'boolean', description: 'Whether an export may lack the table.' },
      since: {
        description:
          'For messages in a database: the column that shows a later conversion new and changed rows, such as updated_at. It does not show deleted rows; --full reads all.',
        anyOf: [
          text,
          {
            type: 'object',
            required: ['column'],
            properties: {
              column: { ...text, description: 'A column of times or numbers that grows with every row and change.' },
              overlap: {
                description:
                  'How far before the last value rows are read again: 1h for times (default), 10000 for numbers.',
                anyOf: [text, { type: 'integer', minimum: 0 }],
              },
            },
            additionalProperties: false,
          },
        ],
      },
    },
    tableExamples,
  ),
  additionalProperties: false,
});

const schemaOf = (define: Define): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'chatform mapping',
  description: 'How the tables of another system become users, channels and messages: chatform convert table.',
  type: 'object',
  required: ['version', 'name', 'tables'],
  properties: withExamples(
    {
      version: { const: 1, description: 'The version of the format.' },
      name: {
        type: 'string',
        pattern: '^[a-z][a-z0-9]{1,19}$',
        description: 'The prefix of every id: lower-case letters and digits, such as acme. Keep it for all exports.',
      },
      title: { ...text, description: 'The display name of the system.' },
      complete: {
        type: 'boolean',
        description:
          'Every export lists all users, all channels and all members of each channel, so missing ones were removed. Otherwise they stay.',
      },
      null: nullsSchema('For tables without a list of their own.'),
      tables: {
        type: 'object',
        minProperties: 1,
        description: 'The tables, each under a name of your choice.',
        propertyNames: { pattern: namePattern },
        additionalProperties: define('table', tableSchema(define)),
      },
      ...Object.fromEntries(mappingSections.map((section) => [section, sectionSchema(define, section)])),
    },
    topExamples,
  ),
  additionalProperties: false,
});

/** For checks, whose errors lead to the place in the schema. */
export const mappingSchema = schemaOf((_name, schema) => schema);

/** For editors and readers: each part once, under $defs. */
export function publishedMappingSchema(): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const schema = schemaOf((name, part) => {
    definitions[name] = part;
    return { $ref: `#/$defs/${name}` };
  });
  return { ...schema, $defs: definitions };
}
