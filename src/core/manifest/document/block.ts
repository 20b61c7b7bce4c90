// Checks and reads one declared block: schema, files, variables, then `normalise` of the kind.

import { isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { KindDefinition, Spelling } from '../../kinds/definition/kind.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { Lifecycle } from '../../model/resource.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { ManifestFile } from '../files/discover.ts';
import { quoted } from '../problems/wording.ts';
import { fittingParts, refuseKey, reportMissingSecret, withPlace } from './block-problems.ts';
import { spotOfMeaning, spotOfPath } from './block-spots.ts';
import { type DeclaredBlock, isSecret } from './declared-block.ts';
import type { FileAttributes, FileRule } from './file-attributes.ts';
import type { LoadContext } from './load-context.ts';
import { inOneSpelling, isPart } from './spellings.ts';

export interface BlockContext extends LoadContext {
  readonly fileAttributes: FileAttributes;
  /** Severity of problems with personal data, set by the policy. */
  readonly personalData: Severity;
  /** Called for every part of a block that becomes a separate resource. */
  readonly onChild: (part: ChildDeclaration) => void;
}

/** A resource that is declared inside the block of another, such as a channel's messages. */
export interface ChildDeclaration {
  readonly block: DeclaredBlock;
  readonly name: string;
  readonly value: JsonValue;
  /** The attributes of the surrounding block, in normal form. */
  readonly attributes: JsonObject;
}

/** The content of a block in normal form. */
export interface BlockContent {
  readonly attributes: JsonObject;
  readonly lifecycle: Lifecycle;
}

/** A block to read. Positions of its parts are determined only if there is something to report. */
export interface BlockValue {
  readonly kind: KindDefinition;
  readonly key: string;
  readonly value: JsonValue;
  /** Returns the manifest that contains an attribute. */
  fileOf(name: string): ManifestFile;
  blockOf(): DeclaredBlock;
}

/** Reads new files that the block names, so that `readBlock` can be synchronous. */
export async function prepareFiles({ kind, value, fileOf }: BlockValue, context: BlockContext): Promise<void> {
  for (const [name, rule] of traitsOf(kind).files) {
    const path = isObject(value) ? value[name] : undefined;
    if (typeof path === 'string') await context.fileAttributes.prepare(path, rule, fileOf(name));
  }
}

/** Whether `prepareFiles` has anything to do. */
export function namesFiles({ kind, value }: BlockValue): boolean {
  return isObject(value) && traitsOf(kind).files.some(([name]) => typeof value[name] === 'string');
}

/** Returns the content without refused parts, and reports every problem. */
export function readBlock(block: BlockValue, context: BlockContext): BlockContent {
  const { kind, key, value, blockOf } = block;
  const { key: keyCheck, block: blockCheck } = context.checks.of(kind);
  if (!keyCheck.fits(key)) refuseKey(blockOf(), context);
  let declared = isObject(value) && blockCheck.fits(value) ? value : fittingParts(blockOf(), context);
  const { spellings, secrets, files, children } = traitsOf(kind);
  if (spellings.some((name) => declared[name] !== undefined)) declared = readSpellings(blockOf(), declared, context);
  for (const name of secrets)
    if (declared[name] !== undefined) reportMissingSecret(blockOf(), name, declared[name], context);
  for (const [name, rule] of files) {
    if (typeof declared[name] === 'string') declared = withFile(block, declared, name, rule, context);
  }
  let lifecycle: JsonValue | undefined;
  if (declared.lifecycle !== undefined) ({ lifecycle, ...declared } = declared);
  const parts: [string, JsonValue][] = [];
  for (const name of children) {
    const { [name]: child, ...others } = declared;
    if (child === undefined) continue;
    parts.push([name, child]);
    declared = others;
  }
  const { attributes, problems } = kind.normalise(key, declared);
  for (const problem of problems)
    context.problems.put(withPlace(problem, blockOf()), spotOfMeaning(blockOf(), problem.path));
  if (isPersonal(key, attributes)) reportPersonalData(blockOf(), attributes, context);
  for (const [name, child] of parts) context.onChild({ block: blockOf(), name, value: child, attributes });
  return { attributes, lifecycle: isObject(lifecycle) ? (lifecycle as Lifecycle) : noLifecycle };
}

const noLifecycle: Lifecycle = {};

/** The attributes of a kind that need special treatment. */
interface KindTraits {
  readonly spellings: readonly string[];
  /** Attributes that name a variable of the environment. */
  readonly secrets: readonly string[];
  /** Attributes that name a file. */
  readonly files: readonly (readonly [string, FileRule])[];
  readonly children: readonly string[];
}

const traits = new WeakMap<KindDefinition, KindTraits>();

/** Returns the traits of a kind, computed once. */
export function traitsOf(kind: KindDefinition): KindTraits {
  const madeBefore = traits.get(kind);
  if (madeBefore !== undefined) return madeBefore;
  const names = Object.keys(kind.attributes);
  const ofKind = {
    spellings: Object.keys(kind.spellings ?? {}),
    secrets: names.filter((name) => isSecret(kind, [name])),
    files: names.flatMap((name) => {
      const rule = kind.attributes[name]?.schema['x-file'] as FileRule | undefined;
      return rule === undefined ? [] : [[name, rule] as const];
    }),
    children: Object.keys(kind.children ?? {}),
  };
  traits.set(kind, ofKind);
  return ofKind;
}

/** Matching starts at the @ sign, so that a long text is searched only once. */
const emailShape = /(?<=[^\s@])@[^\s@.]+\.[^\s@.]/u;

/** An international number of 8 to 15 digits. Without the plus sign it cannot be told from an id. */
const phoneShape = /(?<![\w+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/u;

/** Returns the personal data that a text looks like, which must not be in ids and metadata (base, User). */
function personalShape(text: string): 'an e-mail address' | 'a phone number' | undefined {
  if (text.includes('@') && emailShape.test(text)) return 'an e-mail address';
  return text.includes('+') && phoneShape.test(text) ? 'a phone number' : undefined;
}

function looksPersonal(text: string): boolean {
  return personalShape(text) !== undefined;
}

/** Whether the key or metadata looks like an e-mail address or a phone number, which the policy must allow. */
export function isPersonal(key: string, { metadata }: JsonObject): boolean {
  if (looksPersonal(key)) return true;
  if (!isObject(metadata)) return false;
  for (const name in metadata) {
    const value = metadata[name];
    if (looksPersonal(name) || (typeof value === 'string' && looksPersonal(value))) return true;
  }
  return false;
}

/** Replaces a path by the value of the file. A file that cannot be used is reported and left out. */
function withFile(
  { fileOf, blockOf }: BlockValue,
  declared: JsonObject,
  name: string,
  rule: FileRule,
  context: BlockContext,
): JsonObject {
  const answer = context.fileAttributes.answer(String(declared[name]), rule, fileOf(name));
  const { [name]: _path, ...others } = declared;
  if (answer.type === 'file') return { ...others, [name]: answer.value };
  context.problems.add(answer.code, answer.detail, spotOfPath(blockOf(), [name], 'value'));
  return others;
}

function reportPersonalData(block: DeclaredBlock, attributes: JsonObject, context: BlockContext): void {
  const advice =
    'The platform forbids personal data here. Use another id or value, or set policy.personal_data to warn.';
  const report = (what: string, text: string, path: readonly string[], at: 'key' | 'value') => {
    const detail = `${what} ${quoted(text)} looks like ${personalShape(text)}. ${advice}`;
    context.problems.add('manifest.personal-data', detail, spotOfPath(block, path, at), context.personalData);
  };
  if (looksPersonal(block.key)) report(`The ${block.kind.keyName}`, block.key, [], 'key');
  const metadata: JsonValue | undefined = attributes.metadata;
  for (const [key, value] of Object.entries(isObject(metadata) ? metadata : {})) {
    if (looksPersonal(key)) report('The key', key, ['metadata', key], 'key');
    else if (typeof value === 'string' && looksPersonal(value)) report('The value', value, ['metadata', key], 'value');
  }
}

/** Returns positions by attribute name in normal form. */
export function attributeSources({ kind, entry, document }: DeclaredBlock): Record<string, SourcePosition> {
  if (entry.value.type !== 'map') return {};
  const sources: Record<string, SourcePosition> = {};
  for (const [declaredName, { offset }] of entry.value.entries) {
    const name = ownValue(kind.spellings ?? {}, declaredName)?.use ?? declaredName;
    if (name !== 'lifecycle') sources[name] ??= document.source.position(offset);
  }
  return sources;
}

/** Returns the block in the spelling of its kind. Reports deprecated spellings, and attributes in two spellings. */
function readSpellings(block: DeclaredBlock, declared: JsonObject, { problems }: LoadContext): JsonObject {
  const attributes = inOneSpelling(block.kind, declared);
  for (const [path, first] of spelledTwice(block.kind, declared)) {
    const { source, offset } = spotOfPath(block, first, 'key');
    const detail = `${first.join('.')} (${printPosition(source.position(offset))}) and ${path.join('.')} are two spellings of one attribute. Keep one of them.`;
    problems.add('manifest.declared-twice', detail, spotOfPath(block, path, 'key'));
  }
  for (const [name, { use, isDeprecated, problems: problemsOf }] of Object.entries(block.kind.spellings ?? {})) {
    const value = declared[name];
    if (value === undefined) continue;
    if (isDeprecated === true) {
      const effect =
        attributes[use] === undefined ? 'and as it is written, it does nothing' : `and chatform reads it as ${use}`;
      const detail = `The platform deprecates ${name}, ${effect}. Write ${use} instead.`;
      problems.add('manifest.deprecated', detail, spotOfPath(block, [name], 'key'), 'warning');
    }
    for (const problem of problemsOf?.(value, { ...declared, ...attributes }) ?? []) {
      problems.put(problem, spotOfMeaning(block, problem.path));
    }
  }
  return attributes;
}

/** Returns the paths of values that the block spells in two ways, the second path first. */
function spelledTwice({ spellings = {} }: KindDefinition, declared: JsonObject): [string[], string[]][] {
  const firsts = new Map<string, [name: string, form: Spelling['form']]>();
  const twice: [string[], string[]][] = [];
  for (const [name, { use, form }] of Object.entries(spellings)) {
    const value = declared[name];
    if (value === undefined) continue;
    if (isPart(form)) {
      const lines = mapOf(declared, use);
      for (const id of Object.keys(isObject(value) ? value : {})) {
        if (mapOf(lines, id)[form.part] !== undefined)
          twice.push([
            [name, id],
            [use, id, form.part],
          ]);
      }
      continue;
    }
    const [first, formOfFirst] = declared[use] === undefined ? (firsts.get(use) ?? []) : [use];
    if (first === undefined) firsts.set(use, [name, form]);
    // Fields with a form of their own fill in one value together.
    else if (!(hasOwnForm(form) && formOfFirst !== undefined && hasOwnForm(formOfFirst))) twice.push([[name], [first]]);
  }
  return twice;
}

function hasOwnForm(form: Spelling['form']): boolean {
  return typeof form === 'object' && 'read' in form;
}
