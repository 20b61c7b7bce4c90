// Generates schema/mapping.md from the schema of mappings: each key with its smallest use.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { stringify } from 'yaml';
import { mappingSchema } from '../../core/manifest/schema/mapping-schema.ts';
import { mappingSections } from '../../core/model/tables/mapping.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { code, referencePage, table } from './markdown.ts';

const opening =
  'A mapping says how the tables of another system become users, channels and messages, for `chatform convert table`. Each key is shown with its smallest use. The guide is [examples/operations/move-from-anything](../examples/operations/move-from-anything/README.md), and `chatform schema mapping` prints the JSON Schema.';

const functions: readonly (readonly [use: string, meaning: string])[] = [
  [
    'row.first + " " + row.last',
    'Columns, also computed ones. An expression that reads a missing column has no value.',
  ],
  ['has(row.name)', 'Whether the row has the column.'],
  ['row.?name.orValue("none")', 'The column, or another value.'],
  ['row.?sent[?"$date"].hasValue()', 'Whether a column has a key that is not a plain name.'],
  ['json(row.payload).kind', 'A part of a list or map that a column has as text.'],
  [
    'lookup("users", row.login, "id")',
    'A column of the row of another table, by its key. Without a row, the expression has no value.',
  ],
  ['lookup("users", row.login, "id", "nobody")', 'The same, with another value for a missing row.'],
  ['row.body.matches("^#[0-9]+$")', 'Whether a regular expression of RE2 matches somewhere in a string.'],
  [
    'row.body.extract("#([0-9]+)")',
    'The group of the first match, or the whole match if the pattern has no group. Empty if nothing matches.',
  ],
  ['row.body.extractAll("#([0-9]+)")', 'A list with that part of each match.'],
  ['row.body.replace("[br]", "\\n")', 'The text with each occurrence of a literal text replaced.'],
  [
    'row.body.html()',
    'HTML as plain text: line ends for br and blocks such as p, div, li and tr, decoded entities, and no scripts or styles. A link keeps its text, not its address.',
  ],
  [
    'row.body.mojibake()',
    'UTF-8 that a program read as Latin-1 or Windows-1252, decoded again: rêve for rÃªve. Any other text stays.',
  ],
];

export function mappingPage(): string {
  const value = shapes(propertiesOf(firstSection('users')).name)[0];
  const time = shapes(propertiesOf(firstSection('messages')).time)[0];
  const tables = (mappingSchema.properties as JsonObject).tables as JsonObject;
  return referencePage('mapping.md', opening, [
    '## The mapping',
    keys(mappingSchema, []),
    '## A table',
    'Under `tables`, each with a name of your choice.',
    keys(tables.additionalProperties, []),
    '## A value',
    'Text with columns, such as `${first} ${last}`; a part of a column, `${address.city}`; an expression; or a look-up. Text whose columns are all empty has no value. `$${x}` is the text `${x}`.',
    keys(value, []),
    'Expressions are in [CEL](https://cel.dev). These go beyond it or need care:',
    table(
      ['Expression', 'Value'],
      functions.map(([use, meaning]) => [code(use), meaning]),
    ),
    '## A time',
    'A value with a time of ISO 8601 and its zone, or:',
    keys(time, []),
    ...mappingSections.flatMap((section) => [
      `## ${section}`,
      String((propertiesOf(mappingSchema)[section] as JsonObject).description),
      keys(firstSection(section), []),
    ]),
  ]);
}

/** The schema of an entry of a section. */
function firstSection(section: string): JsonValue | undefined {
  return shapesOf(propertiesOf(mappingSchema)[section])[0];
}

/** The forms of a value that are maps. */
function shapes(schema: JsonValue | undefined): readonly JsonValue[] {
  return shapesOf(schema).filter((form) => isObject(form) && form.properties !== undefined);
}

function shapesOf(schema: JsonValue | undefined): readonly JsonValue[] {
  const forms = isObject(schema) ? schema.anyOf : undefined;
  return isList(forms) ? forms : [];
}

function propertiesOf(schema: JsonValue | undefined): JsonObject {
  const properties = isObject(schema) ? schema.properties : undefined;
  return isObject(properties) ? properties : {};
}

/** A table of the keys of a map. Keys of inner maps follow the key of their map. */
function keys(schema: JsonValue | undefined, around: readonly string[]): string {
  return table(['Key', 'Smallest use', 'Meaning'], rowsOf(schema, around));
}

function rowsOf(schema: JsonValue | undefined, around: readonly string[]): readonly (readonly string[])[] {
  const required = isObject(schema) && isList(schema.required) ? schema.required : [];
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const { description = '', examples, enum: choices, type } = isObject(property) ? property : {};
    const [example] = isList(examples) ? examples : [];
    const path = [...around, name];
    const notes = [
      required.includes(name) && around.length === 0 ? 'Required.' : '',
      String(description),
      listed(choices),
    ];
    const row = [
      code(path.join('.')),
      example === undefined ? '' : code(inFlow({ [name]: example })),
      notes.filter((note) => note !== '').join(' '),
    ];
    return type === 'object' ? [row, ...rowsOf(property, path)] : [row];
  });
}

function listed(choices: JsonValue | undefined): string {
  return isList(choices) ? `One of ${choices.map((choice) => code(String(choice))).join(', ')}.` : '';
}

/** As in a mapping, on one line. */
function inFlow(value: JsonObject): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, nullStr: 'NULL' }).trim();
  return text
    .slice(1, -1)
    .trim()
    .replace(/^"null":/u, 'null:');
}
