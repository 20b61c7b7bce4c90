// Compares the types of the model with those of the schemas, which documents.ts has. The compiler reports every key that only
// one of the two has, and every value of the model that the schema refuses; an intended difference is named here.

import type { JsonValue } from '../../src/lib/json.ts';
import type { Series } from '../../src/lib/series.ts';
import type {
  AdoptionDocument,
  ConversionDocument,
  CopiedFilesDocument,
  ExaminationDocument,
  ExportDocument,
  RehearsalDocument,
} from '../../src/model/documents.ts';
import type { ObjectExplanation } from '../../src/model/explanation.ts';
import type { CutoverState } from '../../src/model/migration/cutover.ts';
import type {
  AdoptedDocument,
  ConvertedDocument,
  CutoverDocument,
  ExaminedDocument,
  ExplainedDocument,
  ExportedDocument,
  FilesDocument,
  RehearsedDocument,
} from './documents.ts';

/** A type as JSON has it: series are lists, templates of texts are texts, and what may be any JSON is 'json'. */
type Plain<T> = [JsonValue] extends [T]
  ? 'json'
  : T extends string
    ? Text<T>
    : T extends Series<infer Item> | readonly (infer Item)[]
      ? Plain<Item>[]
      : T extends object
        ? string extends keyof T
          ? 'json'
          : { -readonly [Key in keyof T]: Plain<T[Key]> }
        : T;
// A record has all keys of a template as an index signature, which an empty object fulfils.
type Text<T extends string> = Record<never, never> extends Record<T, 1> ? string : T;

type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueAt<T, Key> = T extends unknown ? (Key extends keyof T ? Exclude<T[Key], undefined> : never) : never;

/** Their schemas accept the values of later versions. */
type Growing = 'format_version' | 'exit_code';

/** Keys that may be absent. */
type Optional<T> = T extends unknown
  ? { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? Key : never }[keyof T]
  : never;

/** Each difference as `path: what it is`. */
type Differences<Model, Schema, Path extends string = ''> = [Model] extends [readonly (infer ModelItem)[]]
  ? [Schema] extends [readonly (infer SchemaItem)[]]
    ? Differences<ModelItem, SchemaItem, `${Path}[]`>
    : `${Path}: not a list in the schema`
  : [Model] extends [object]
    ? [Schema] extends [object]
      ? [KeyOf<Schema>] extends [never]
        ? `${Path}: open in the schema`
        : DifferencesOfKeys<Model, Schema, Path, (KeyOf<Model> | KeyOf<Schema>) & string>
      : `${Path}: not an object in the schema`
    : [Model] extends [Schema]
      ? [Schema] extends [Model]
        ? never
        : `${Path}: wider in the schema`
      : `${Path}: narrower in the schema`;

type DifferencesOfKeys<Model, Schema, Path extends string, Keys extends string> = {
  [Key in Keys]: Key extends KeyOf<Model>
    ? Key extends KeyOf<Schema>
      ?
          | (Key extends Growing ? never : Differences<ValueAt<Model, Key>, ValueAt<Schema, Key>, `${Path}.${Key}`>)
          | (Key extends Optional<Model>
              ? Key extends Optional<Schema>
                ? never
                : `${Path}.${Key}: required in the schema`
              : Key extends Optional<Schema>
                ? `${Path}.${Key}: optional in the schema`
                : never)
      : `${Path}.${Key}: not in the schema`
    : `${Path}.${Key}: not in the model`;
}[Keys];

/** True if the differences are the expected ones. */
type Differ<Model, Schema, Expected extends string> = [Differences<Plain<Model>, Plain<Schema>>] extends [Expected]
  ? [Expected] extends [Differences<Plain<Model>, Plain<Schema>>]
    ? true
    : ['no longer a difference', Exclude<Expected, Differences<Plain<Model>, Plain<Schema>>>]
  : ['not expected', Exclude<Differences<Plain<Model>, Plain<Schema>>, Expected>];

/** Where a position is in layers and rows, which messages say in words. */
type Place<Path extends string> = `${Path}.over: not in the schema` | `${Path}.row: not in the schema`;

/** What a bounded document leaves out. */
type Bounded = '.omitted: not in the model' | '.rest: not in the model';

export const agreements: readonly [
  Differ<AdoptionDocument, AdoptedDocument, Bounded>,
  Differ<ConversionDocument, ConvertedDocument, Bounded>,
  // The command adds both.
  Differ<CutoverState, CutoverDocument, Bounded | '.format_version: not in the model' | '.ready: not in the model'>,
  // As in readings.schema.json.
  Differ<ExaminationDocument, ExaminedDocument, Bounded | '.readings: open in the schema'>,
  Differ<
    ObjectExplanation,
    ExplainedDocument,
    | Bounded
    // As in plan.schema.json.
    | '.change: open in the schema'
    | '.drift[]: open in the schema'
    | '.attributes[].if_removed.to: optional in the schema'
    | Place<'.attributes[].source'>
    | Place<'.declared_at'>
    | Place<'.problems[].source'>
  >,
  Differ<ExportDocument, ExportedDocument, Bounded>,
  Differ<CopiedFilesDocument, FilesDocument, Bounded>,
  Differ<
    RehearsalDocument,
    RehearsedDocument,
    | Bounded
    // As in report.schema.json.
    | '.announced: open in the schema'
    | '.by: open in the schema'
    | '.failures[]: open in the schema'
    | '.not_members[]: open in the schema'
    | '.series: open in the schema'
    | '.stored_otherwise: open in the schema'
    // No rehearsal needs one.
    | '.signature: not in the schema'
    // A rehearsal has no stages.
    | '.stages: not in the schema'
    | '.stop_cause: narrower in the schema'
    | '.to_undo: not in the schema'
  >,
] = [true, true, true, true, true, true, true, true];

interface Planted {
  readonly renamed: string;
  readonly kept: readonly {
    readonly wider: string | number;
    readonly narrower: 'a';
    readonly open: { readonly a: 1 };
  }[];
  readonly needed: string;
  readonly absent?: string;
}

interface PlantedDocument {
  named: string;
  kept: { wider: string; narrower: string; open: object }[];
  needed?: string;
  absent: string;
}

/** What the comparison finds in a document with a renamed key, values of other types, and keys that may be absent in one of both. */
export const planted: Differ<
  Planted,
  PlantedDocument,
  | '.renamed: not in the schema'
  | '.named: not in the model'
  | '.kept[].wider: narrower in the schema'
  | '.kept[].narrower: wider in the schema'
  | '.kept[].open: open in the schema'
  | '.needed: optional in the schema'
  | '.absent: required in the schema'
> = true;

/** A difference that is not named, and one that no longer is. */
export const unnamed: readonly [
  Differ<{ readonly a: 1 }, { a: 1; b?: 2 }, never>,
  Differ<{ readonly a: 1 }, { a: 1 }, '.b: not in the model'>,
] = [
  ['not expected', '.b: not in the model'],
  ['no longer a difference', '.b: not in the model'],
];
