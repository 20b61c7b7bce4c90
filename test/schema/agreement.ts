// Compares the types of the model with those of the schemas, which documents.ts has. The compiler reports every key that only
// one of the two has, and every value of the model that the schema refuses; an intended difference is named here.
import type { JsonValue } from '../../src/lib/json.ts';
import type { Series } from '../../src/lib/series.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { ApplyEvent } from '../../src/model/event.ts';
import type { Certificate } from '../../src/model/migration/cutover.ts';
import type { MigrationReport } from '../../src/model/migration-report.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { ApplyReport } from '../../src/model/report.ts';
import type {
  CertificateDocument,
  DiagnosticsDocument,
  EventDocument,
  MigrationDocument,
  PlanDocument,
  ReportDocument,
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

/** Each difference as `path: what it is`. A schema without properties leaves them open. */
type Differences<Model, Schema, Path extends string = ''> = [Model] extends [readonly (infer ModelItem)[]]
  ? [Schema] extends [readonly (infer SchemaItem)[]]
    ? Differences<ModelItem, SchemaItem, `${Path}[]`>
    : `${Path}: not a list in the schema`
  : [Model] extends [object]
    ? [Schema] extends [object]
      ? [KeyOf<Schema>] extends [never]
        ? never
        : DifferencesOfKeys<Model, Schema, Path, (KeyOf<Model> | KeyOf<Schema>) & string>
      : `${Path}: not an object in the schema`
    : [Model] extends [Schema]
      ? never
      : `${Path}: narrower in the schema`;

type DifferencesOfKeys<Model, Schema, Path extends string, Keys extends string> = {
  [Key in Keys]: Key extends KeyOf<Model>
    ? Key extends KeyOf<Schema>
      ? Differences<ValueAt<Model, Key>, ValueAt<Schema, Key>, `${Path}.${Key}`>
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

export const agreements: readonly [
  Differ<Diagnostic, DiagnosticsDocument['diagnostics'][number], Place<'.source'>>,
  Differ<ApplyReport, ReportDocument, never>,
  Differ<Certificate, CertificateDocument, never>,
  Differ<MigrationReport, MigrationDocument, never>,
  // Each line has them, whatever the event.
  Differ<ApplyEvent, EventDocument, '.at: not in the model' | '.format_version: not in the model'>,
  Differ<
    Plan,
    PlanDocument,
    // For people and programs that review: no steps, and paths as texts.
    | '.bookkeeping: not in the schema'
    | '.checksum: not in the schema'
    | '.isDriftAlone: not in the schema'
    | '.live: not in the schema'
    | '.needed: not in the schema'
    | '.preconditions: not in the schema'
    | '.settings: not in the schema'
    | '.steps: not in the schema'
    | '.refusals: not in the model'
    | '.omitted: not in the model'
    | '.summary: not an object in the schema'
    | '.changes[].attributes[].path: not a list in the schema'
    | '.drift[].attributes[].path: not a list in the schema'
    | Place<'.changes[].source'>
    | Place<'.drift[].source'>
    | Place<'.warnings[].source'>
  >,
] = [true, true, true, true, true, true];

interface Planted {
  readonly renamed: string;
  readonly kept: readonly { readonly wider: string | number }[];
}

/** What the comparison finds in a document with a renamed key and a value of another type. */
export const planted: Differ<
  Planted,
  { named: string; kept: { wider: string }[] },
  '.renamed: not in the schema' | '.named: not in the model' | '.kept[].wider: narrower in the schema'
> = true;

/** A difference that is not named, and one that no longer is. */
export const unnamed: readonly [
  Differ<{ readonly a: 1 }, { a: 1; b?: 2 }, never>,
  Differ<{ readonly a: 1 }, { a: 1 }, '.b: not in the model'>,
] = [
  ['not expected', '.b: not in the model'],
  ['no longer a difference', '.b: not in the model'],
];
