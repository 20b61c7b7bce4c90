// Is one declared block right, and what does it declare? Schema, files, variables, then the kind's own reading.
import type { Severity } from '../model/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { Lifecycle, Resource } from '../model/resource.ts';
import type { SourcePosition } from '../model/source.ts';
import type { KindDefinition } from '../resources/define.ts';
import { type DeclaredBlock, isSecret, spotOfKey, spotOfMeaning, spotOfPath } from './declared.ts';
import { type LoadContext, reportVariable, textAt } from './document.ts';
import { explain } from './explain.ts';
import { fileRuleOf, readFileAttribute } from './file-attributes.ts';
import type { FileAccess } from './files.ts';
import { idPlaces } from './id-places.ts';
import { notYetInBlock } from './not-yet.ts';
import { looksPersonal } from './personal-data.ts';
import { prune } from './prune.ts';
import type { Subject } from './sentences.ts';
import { type Entry, type TextPlaces, toJson } from './tree.ts';
import type { Check } from './validate.ts';
import { quote } from './wording.ts';

export interface BlockContext extends LoadContext {
  readonly cwd: string;
  readonly files: FileAccess;
  /** Of personal data, by policy. */
  readonly personalData: Severity;
}

/** The object in its normal form, as far as the block says what it must; every problem is told on the way. */
export async function readBlock(block: DeclaredBlock, context: BlockContext): Promise<Resource> {
  const { kind, key } = block;
  checkKey(block, context);
  const declared = checkBlock(block, context);
  reportDeprecated(block, declared, context);
  reportMissingSecrets(block, declared, context);
  const { lifecycle, ...attributes } = await withFiles(block, declared, context);
  const normal = kind.normalise(key, attributes);
  for (const problem of normal.problems) context.problems.put(problem, spotOfMeaning(block, problem.path));
  reportPersonalData(block, normal.attributes, context);
  return {
    address: block.address,
    attributes: normal.attributes,
    lifecycle: (isObject(lifecycle) ? lifecycle : {}) as Lifecycle,
    source: block.document.source.position(block.entry.offset),
    attributeSources: attributeSources(block),
  };
}

function checkKey(block: DeclaredBlock, context: LoadContext): void {
  const { key: check } = context.checks.of(block.kind);
  const subject = { ...subjectOf(block.kind, block.entry, check, context), title: block.kind.keyName };
  for (const { code, detail } of explain(check.errors(block.key), subject)) {
    context.problems.add(code, detail, spotOfKey(block));
  }
}

/** The declared value without the parts that were refused. */
function checkBlock(block: DeclaredBlock, context: LoadContext): JsonObject {
  const { block: check } = context.checks.of(block.kind);
  const value = toJson(block.entry.value, placesOf(check, context));
  const explanations = explain(check.errors(value), subjectOf(block.kind, block.entry, check, context));
  for (const { code, detail, path, at } of explanations) {
    context.problems.add(code, detail, spotOfPath(block, path, at));
  }
  const pruned = prune(
    value,
    explanations.map(({ path }) => path),
  );
  return isObject(pruned) ? pruned : {};
}

/** Defaults are merged into blocks and checked there; this finds what is wrong with those that no block takes. */
export function checkDefaults(kind: KindDefinition, entry: Entry, context: LoadContext) {
  const { defaults: check } = context.checks.of(kind);
  const value = toJson(entry.value, placesOf(check, context));
  return explain(check.errors(value), subjectOf(kind, entry, check, context));
}

const places = new WeakMap<Check, TextPlaces>();

function placesOf(check: Check, context: LoadContext): TextPlaces {
  const known = places.get(check) ?? idPlaces(check.schema, context.kinds);
  places.set(check, known);
  return known;
}

function subjectOf(kind: KindDefinition, entry: Entry, check: Check, context: LoadContext): Subject {
  return {
    schema: check.schema,
    title: `${/^[aeio]/u.test(kind.title) ? 'an' : 'a'} ${kind.title}`,
    textAt: (path) => textAt(entry, path),
    isSecret: (path) => isSecret(kind, path),
    notYet: notYetInBlock,
    suggestions: context.suggestions,
  };
}

function reportDeprecated(block: DeclaredBlock, declared: JsonObject, { problems }: LoadContext): void {
  for (const [name, { use }] of Object.entries(block.kind.deprecated)) {
    if (!Object.hasOwn(declared, name)) continue;
    const detail = `${name} is a form of the platform's requests; it is read as ${use}. Write ${use} in its place.`;
    problems.add('manifest.deprecated', detail, spotOfPath(block, [name], 'key'), 'warning');
  }
}

function reportMissingSecrets(block: DeclaredBlock, declared: JsonObject, context: LoadContext): void {
  for (const [name, value] of Object.entries(declared)) {
    if (!isSecret(block.kind, [name]) || !isObject(value) || typeof value.env !== 'string') continue;
    if ((context.variables(value.env) ?? '') !== '') continue;
    const path = [name, 'env'];
    reportVariable({ type: 'missing', name: value.env, path }, spotOfPath(block, path, 'value'), context);
  }
}

async function withFiles(block: DeclaredBlock, declared: JsonObject, context: BlockContext): Promise<JsonObject> {
  let result = declared;
  for (const [name, { schema }] of Object.entries(block.kind.attributes)) {
    const rule = fileRuleOf(schema);
    const named = declared[name];
    if (rule === undefined || typeof named !== 'string') continue;
    const answer = await readFileAttribute(named, rule, block.document.file, context.cwd, context.files);
    const { [name]: _path, ...others } = result;
    if (answer.type === 'problem') context.problems.add(answer.code, answer.detail, spotOfPath(block, [name], 'value'));
    result = answer.type === 'file' ? { ...others, [name]: answer.value } : others;
  }
  return result;
}

function reportPersonalData(block: DeclaredBlock, attributes: JsonObject, context: BlockContext): void {
  const advice =
    'The platform forbids personal data here. Use another id or value, or set personal_data: warn in the policy.';
  const report = (what: string, text: string, path: readonly string[], at: 'key' | 'value') => {
    const detail = `${what} ${quote(text)} looks like an e-mail address. ${advice}`;
    context.problems.add('manifest.personal-data', detail, spotOfPath(block, path, at), context.personalData);
  };
  if (looksPersonal(block.key)) report(`The ${block.kind.keyName}`, block.key, [], 'key');
  const metadata: JsonValue | undefined = attributes.metadata;
  for (const [key, value] of Object.entries(isObject(metadata) ? metadata : {})) {
    if (looksPersonal(key)) report('The key', key, ['metadata', key], 'key');
    else if (typeof value === 'string' && looksPersonal(value)) report('The value', value, ['metadata', key], 'value');
  }
}

/** By the name in the normal form. */
function attributeSources({ kind, entry, document }: DeclaredBlock): Record<string, SourcePosition> {
  if (entry.value.type !== 'map') return {};
  const sources: Record<string, SourcePosition> = {};
  for (const [declaredName, { offset }] of entry.value.entries) {
    const name = kind.deprecated[declaredName]?.use ?? declaredName;
    if (name !== 'lifecycle') sources[name] ??= document.source.position(offset);
  }
  return sources;
}
