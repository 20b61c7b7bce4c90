// Checks and reads one declared block: schema, files, variables, then the kind's `normalise`.

import { isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { Lifecycle } from '../../model/resource.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { KindDefinition, Problem } from '../../resources/define.ts';
import { looksPersonal } from '../checks/personal-data.ts';
import { quoted } from '../checks/wording.ts';
import type { ManifestFile } from '../discover.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { CheckedSubject } from '../schema/sentences.ts';
import type { Check } from '../schema/validate.ts';
import { idPathsOf } from '../yaml/id-paths.ts';
import { type IdPaths, type TreeEntry, toJson } from '../yaml/tree.ts';
import { type DeclaredBlock, fileIn, isSecret, spotOfKey, spotOfMeaning, spotOfPath } from './declared-block.ts';
import { type LoadContext, reportVariable, textAt } from './document.ts';
import { type FileAttributes, fileRules } from './file-attributes.ts';
import { prune } from './prune.ts';

export interface BlockContext extends LoadContext {
  readonly fileAttributes: FileAttributes;
  /** Severity of problems with personal data, set by the policy. */
  readonly personalData: Severity;
  /** Called for every part of a block that becomes a resource of its own. */
  readonly onChild?: (part: ChildDeclaration) => void;
}

/** A resource that is declared inside the block of another: a channel's messages. */
export interface ChildDeclaration {
  readonly block: DeclaredBlock;
  readonly name: string;
  readonly value: JsonValue;
  /** Attributes of the block around it, in normal form. */
  readonly attributes: JsonObject;
}

/** What a block declares, in its kind's normal form. */
export interface BlockContent {
  readonly attributes: JsonObject;
  readonly lifecycle: Lifecycle;
}

/** Reports every problem and returns the content without the refused parts. `fileAttributes` must be prepared. */
export function readBlock(block: DeclaredBlock, context: BlockContext): BlockContent {
  const { kind, key } = block;
  checkKey(block, context);
  const declared = checkBlock(block, context);
  reportDeprecated(block, declared, context);
  reportMissingSecrets(block, declared, context);
  const { lifecycle, ...all } = withFiles(block, declared, context);
  const { attributes, held } = withoutHeld(kind, all);
  const normal = kind.normalise(key, attributes);
  for (const problem of normal.problems)
    context.problems.put(withPlace(problem, block), spotOfMeaning(block, problem.path));
  reportPersonalData(block, normal.attributes, context);
  for (const [name, value] of Object.entries(held))
    context.onChild?.({ block, name, value, attributes: normal.attributes });
  return { attributes: normal.attributes, lifecycle: lifecycleOf(lifecycle) };
}

/** The manifest that an attribute stands in. */
export type FileOf = (name: string) => ManifestFile;

/** The content of a value that has nothing to report, and so needs no positions. Undefined for any other value. */
export function cleanContent(
  kind: KindDefinition,
  key: string,
  value: JsonValue,
  fileOf: FileOf,
  context: BlockContext,
): BlockContent | undefined {
  const { key: keyCheck, block: blockCheck } = context.checks.of(kind);
  if (!isObject(value) || !keyCheck.fits(key) || !blockCheck.fits(value)) return undefined;
  for (const name of toldNames(kind)) if (value[name] !== undefined) return undefined;
  const content = contentOf(kind, key, value, fileOf, context);
  return content.isWhole && !isPersonal(key, content.attributes) ? content : undefined;
}

/** The content of a value that passed the checks. `isWhole`: neither its files nor its kind refuse any of it. */
export function contentOf(
  kind: KindDefinition,
  key: string,
  value: JsonObject,
  fileOf: FileOf,
  context: BlockContext,
): BlockContent & { readonly isWhole: boolean } {
  let declared = value;
  let isWhole = true;
  for (const [name, rule] of fileRules(kind)) {
    const named = declared[name];
    if (typeof named !== 'string') continue;
    const answer = context.fileAttributes.answer(named, rule, fileOf(name));
    const { [name]: _path, ...others } = declared;
    if (answer.type === 'problem') isWhole = false;
    declared = answer.type === 'file' ? { ...others, [name]: answer.value } : others;
  }
  let lifecycle: JsonValue | undefined;
  if (declared.lifecycle !== undefined) ({ lifecycle, ...declared } = declared);
  if (kind.children !== undefined) declared = withoutHeld(kind, declared).attributes;
  const { attributes, problems } = kind.normalise(key, declared);
  return { attributes, lifecycle: lifecycleOf(lifecycle), isWhole: isWhole && problems.length === 0 };
}

const noLifecycle: Lifecycle = {};

function lifecycleOf(value: JsonValue | undefined): Lifecycle {
  return isObject(value) ? (value as Lifecycle) : noLifecycle;
}

const toldByKind = new WeakMap<KindDefinition, readonly string[]>();

/** Attributes whose mere presence may need a report: deprecated forms, secrets, children. */
function toldNames(kind: KindDefinition): readonly string[] {
  const known = toldByKind.get(kind);
  if (known !== undefined) return known;
  const secrets = Object.keys(kind.attributes).filter((name) => isSecret(kind, [name]));
  const names = [...Object.keys(kind.deprecated), ...secrets, ...Object.keys(kind.children ?? {})];
  toldByKind.set(kind, names);
  return names;
}

function isPersonal(key: string, { metadata }: JsonObject): boolean {
  if (looksPersonal(key)) return true;
  if (!isObject(metadata)) return false;
  for (const name in metadata) {
    const value = metadata[name];
    if (looksPersonal(name) || (typeof value === 'string' && looksPersonal(value))) return true;
  }
  return false;
}

/** Separates children, which become resources of their own, from the attributes of the block. */
function withoutHeld({ children = {} }: KindDefinition, declared: JsonObject) {
  const isHeld = ([name]: readonly [string, JsonValue]) => Object.hasOwn(children, name);
  const entries = Object.entries(declared);
  return {
    held: Object.fromEntries(entries.filter(isHeld)),
    attributes: Object.fromEntries(entries.filter((entry) => !isHeld(entry))),
  };
}

function checkKey(block: DeclaredBlock, context: LoadContext): void {
  const { key: check } = context.checks.of(block.kind);
  const subject = { ...subjectOf(block.kind, block.entry, check, context), title: block.kind.keyName };
  for (const { code, detail } of complaintsOf(block.key, subject)) {
    context.problems.add(code, detail, spotOfKey(block));
  }
}

/** The declared value without the refused parts. */
function checkBlock(block: DeclaredBlock, context: LoadContext): JsonObject {
  const { block: check } = context.checks.of(block.kind);
  const value = toJson(block.entry.value, idPathsOfCheck(check, context));
  const explanations = complaintsOf(value, subjectOf(block.kind, block.entry, check, context));
  for (const { code, detail, path, at } of explanations) {
    context.problems.add(code, detail, spotOfPath(block, path, at));
  }
  const pruned = prune(
    value,
    explanations.map(({ path }) => path),
  );
  return isObject(pruned) ? pruned : {};
}

/** Checks defaults that no block takes; blocks are checked with theirs merged in. */
export function checkDefaults(kind: KindDefinition, entry: TreeEntry, context: LoadContext) {
  const { defaults: check } = context.checks.of(kind);
  const value = toJson(entry.value, idPathsOfCheck(check, context));
  return complaintsOf(value, subjectOf(kind, entry, check, context));
}

const places = new WeakMap<Check, IdPaths>();

export function idPathsOfCheck(check: Check, context: LoadContext): IdPaths {
  const known = places.get(check) ?? idPathsOf(check.schema, context.kinds);
  places.set(check, known);
  return known;
}

function subjectOf(kind: KindDefinition, entry: TreeEntry, check: Check, context: LoadContext): CheckedSubject {
  return {
    check,
    title: `${/^[aeio]/u.test(kind.title) ? 'an' : 'a'} ${kind.title}`,
    textAt: (path) => textAt(entry, path),
    isSecret: (path) => isSecret(kind, path),
    suggestions: context.suggestions,
  };
}

function reportDeprecated(block: DeclaredBlock, declared: JsonObject, { problems }: LoadContext): void {
  for (const [name, { use }] of Object.entries(block.kind.deprecated)) {
    if (!Object.hasOwn(declared, name)) continue;
    const detail = `${name} is a form of the platform's requests; it is read as ${use}. Write ${use} instead.`;
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

function withFiles(block: DeclaredBlock, declared: JsonObject, context: BlockContext): JsonObject {
  let result = declared;
  for (const [name, rule] of fileRules(block.kind)) {
    const named = declared[name];
    if (typeof named !== 'string') continue;
    const answer = context.fileAttributes.answer(named, rule, fileIn(block, name));
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
    const detail = `${what} ${quoted(text)} looks like an e-mail address. ${advice}`;
    context.problems.add('manifest.personal-data', detail, spotOfPath(block, path, at), context.personalData);
  };
  if (looksPersonal(block.key)) report(`The ${block.kind.keyName}`, block.key, [], 'key');
  const metadata: JsonValue | undefined = attributes.metadata;
  for (const [key, value] of Object.entries(isObject(metadata) ? metadata : {})) {
    if (looksPersonal(key)) report('The key', key, ['metadata', key], 'key');
    else if (typeof value === 'string' && looksPersonal(value)) report('The value', value, ['metadata', key], 'value');
  }
}

/** By the attribute's name in the normal form. */
export function attributeSources({ kind, entry, document }: DeclaredBlock): Record<string, SourcePosition> {
  if (entry.value.type !== 'map') return {};
  const sources: Record<string, SourcePosition> = {};
  for (const [declaredName, { offset }] of entry.value.entries) {
    const name = own(kind.deprecated, declaredName)?.use ?? declaredName;
    if (name !== 'lifecycle') sources[name] ??= document.source.position(offset);
  }
  return sources;
}

/** Names the other spot that the problem has to do with. */
function withPlace(problem: Problem, block: DeclaredBlock): Problem {
  if (problem.beside === undefined) return problem;
  const { source, offset } = spotOfMeaning(block, problem.beside);
  return { ...problem, detail: `${problem.detail} The other stands at ${printPosition(source.position(offset))}.` };
}
